import { randomBytes } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";

/**
 * Replaces a file as a whole: readers see the old content or the new, also after a kill or a power cut.
 * The temporary file lies beside the target because a rename only is atomic within one file system.
 */
export async function atomicWrite(path: string, content: string, mode = 0o644): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
