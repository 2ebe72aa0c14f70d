import type { MachineProcess } from "../machine/machine.ts";

/** Settles when a process has said something, which stays to be read, or is gone. */
export async function untilFirstWord({ output, prepared, ended }: MachineProcess): Promise<void> {
  await prepared;
  if (output.readableLength > 0 || output.readableEnded) return;
  let stop = () => {};
  const spoken = new Promise<void>((resolve) => {
    const onReadable = () => resolve();
    output.once("readable", onReadable);
    stop = () => output.off("readable", onReadable);
  });
  await Promise.race([spoken, ended]);
  stop();
}
