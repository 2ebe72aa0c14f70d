import { readdir, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";

/**
 * Lets a process have only the CPU time that nobody else wants; false when it has to be tried again. Linux counts by thread, and
 * by terminal session where it groups processes so (each guest has one of its own): both are told.
 */
export async function lowerPriority(pid: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  try {
    for (const thread of await readdir(`/proc/${pid}/task`))
      setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // A thread that has just ended; the others are told with the next try.
    return false;
  }
  return lowerSessionPriority(pid);
}

async function lowerSessionPriority(pid: number): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
    return true;
  } catch (error) {
    // The kernel takes so many of these in a tenth of a second.
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
  }
}
