import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex, PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { TAR_END, tarPadding, toTarHeader } from "../../archive/tar-header.ts";
import { SANDBOX_LIMITS } from "../../limits.ts";
import { writeFolder } from "../../machine/copy-folder.ts";
import { openControl } from "./control.ts";
import { createVmCopies } from "./vm-copies.ts";

/** A machine whose kernel is the program's: it says what it likes. */
function open(onLine: (words: readonly string[]) => void = () => {}) {
  const [said, heard] = [new PassThrough(), new PassThrough()];
  heard.resume();
  return { said, control: openControl(Duplex.from({ readable: said, writable: heard }), { onLine }) };
}

describe("the control port of a machine that is hostile", () => {
  it("hands on lines, however they come", async () => {
    const lines: string[] = [];
    const { said, control } = open((words) => lines.push(words.join("|")));
    const awaited = control.line("put");
    for (const byte of Buffer.from("disk 1 2\nput 0\nended 1")) said.write(Buffer.from([byte]));
    expect(await awaited).toEqual(["put", "0"]);
    expect(lines).toEqual(["disk|1|2"]);
  });

  it("ends with a line that does not end", async () => {
    const { said, control } = open();
    const awaited = control.line("put");
    said.write("x".repeat(100_000));
    await expect(awaited).rejects.toThrow("without an end");
    await expect(control.write("x")).rejects.toThrow("without an end");
  });

  it.each(["\n", "ended 0 0 0 x\n", "disk 1 2 3\n"])("ends with a flood of %j", async (line) => {
    let heard = 0;
    const { said, control } = open(() => heard++);
    const awaited = control.line("put");
    said.write(line.repeat(20_000));
    await expect(awaited).rejects.toThrow("too many lines");
    expect(heard).toBeLessThan(2_000);
  });

  it("holds little of a flood that nobody has asked for", async () => {
    const { said, control } = open();
    const taking = control.line("taking");
    said.write("taking\n");
    await taking;
    let sent = 0;
    while (said.write(Buffer.alloc(64 * 1024)) && sent < 1_000) {
      sent++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(100);
    control.close();
    await expect(control.bytes(1e9)).rejects.toThrow("ended");
  });

  it.each(["../out", "/etc/x", "a/../../out", "a\\b", ".."])(
    "gives no folder a file named %j",
    async (path) => {
      const root = await mkdtemp(join(tmpdir(), "keyhole-control-"));
      onTestFinished(() => rm(root, { recursive: true, force: true }));
      const dir = await mkdtemp(join(root, "folder-"));
      const { said, control } = open();
      const copies = createVmCopies(control, [], 1e9, async () => {});
      said.write("taking\n");
      const header = toTarHeader({ kind: "file", path, mode: 0o644, size: 1 });
      said.write(Buffer.concat([header, Buffer.from("x"), tarPadding(1), TAR_END]));
      said.write("took 0\n");
      expect(await writeFolder(dir, copies.take("workspace"), new Set(), SANDBOX_LIMITS)).toMatchObject({
        kind: "sandbox",
      });
      expect(await readdir(root)).toHaveLength(1);
    },
  );
});
