import { readFile, writeFile } from "node:fs/promises";
import { errorMessage, KeyholeError } from "../../errors.ts";

/** As `.bak`, or `.bak.1` and so on: an earlier backup is never overwritten. */
export async function keepBackup(
  file: string,
  /** Called before there is anything in the backup. */
  prepare: (backup: string) => Promise<void> = async () => {},
): Promise<string> {
  const content = await readFile(file);
  for (let number = 0; ; number++) {
    const backup = number === 0 ? `${file}.bak` : `${file}.bak.${number}`;
    try {
      await writeFile(backup, "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw new KeyholeError(
        "file_conflict",
        `Cannot keep a backup of "${file}", so it was not changed: ${errorMessage(error)}`,
        { hint: "Give yourself the right to write in its folder, or leave that file out", cause: error },
      );
    }
    await prepare(backup);
    await writeFile(backup, content);
    return backup;
  }
}
