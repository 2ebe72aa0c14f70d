import type { StateDir } from "../store/state-dir.ts";

const FILE = "told.txt";
const MAX_BYTES = 16 * 1024;

/**
 * Says something once in the life of a project's `.keyhole`. Where that can't be written, it is said each time. What was told is
 * written down under the user's key: a folder that came from elsewhere can't keep a warning from being told.
 */
export async function tellOnce(
  state: Pick<StateDir, "readTail" | "writeText" | "fingerprint">,
  text: string,
  tell: (text: string) => void,
): Promise<void> {
  const id = state.fingerprint(text).slice(0, 16);
  const told = await state.readTail(FILE, MAX_BYTES);
  if (told.split("\n").includes(id)) return;
  tell(text);
  await state.writeText(FILE, `${told}${id}\n`);
}
