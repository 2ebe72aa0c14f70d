import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { KeyholeError } from "../../errors.ts";

/** The shell and the tar of a guest: nothing else of a system is in there. */
export async function findBusybox(path: string = process.env["PATH"] ?? ""): Promise<string> {
  for (const dir of [...path.split(delimiter), "/usr/bin", "/bin"]) {
    const file = join(dir, "busybox");
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (dir !== "" && isThere) return file;
  }
  throw new KeyholeError("command_not_found", 'Cannot find "busybox"', {
    hint: "Install it (on Debian: apt install busybox-static)",
  });
}
