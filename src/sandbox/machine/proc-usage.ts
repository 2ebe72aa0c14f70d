import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** The kernel counts CPU time for user space in hundredths of a second on every platform Linux has. */
const MS_PER_TICK = 10;
const KIB = 1024;
/** The longest of these files has 2 KB. */
const buffer = Buffer.alloc(8 * KIB);

export type ProcUsage = { readonly cpuMs: number; readonly memoryBytes: number; readonly cpuWaitMs: number };

/** Linux's own count of one process. The files stay open: to read them again costs a third of opening them again. */
export type ProcReader = {
  /** Nothing once the process is gone. */
  usage(): ProcUsage | undefined;
  /** Bytes handed to the kernel by `write`, stdout included. */
  writtenBytes(): number | undefined;
  close(): void;
};

export function openProc(pid: number): ProcReader {
  const files = new Map<string, number>();

  function read(name: string): string | undefined {
    try {
      let file = files.get(name);
      if (file === undefined) {
        file = openSync(`/proc/${pid}/${name}`, "r");
        files.set(name, file);
      }
      return buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0));
    } catch {
      return undefined;
    }
  }

  return {
    usage() {
      const status = read("status");
      const stat = read("stat");
      if (status === undefined || stat === undefined) return undefined;
      // The command's name stands in brackets and may hold anything, brackets too.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 13);
      const [, waitedNs] = (read("schedstat") ?? "").split(" ");
      return {
        cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
        // What is its own, not the binary's pages.
        memoryBytes: (kilobytes(status, "RssAnon") + kilobytes(status, "RssShmem")) * KIB,
        // How long the program's thread was ready to run and did not.
        cpuWaitMs: Number(waitedNs) / 1e6 || 0,
      };
    },
    writtenBytes() {
      const text = read("io");
      return text === undefined ? undefined : Number(/^wchar: (\d+)/m.exec(text)?.[1]);
    },
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}

/** The one child of a process: what bubblewrap's monitor has started. */
export function onlyChildOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    return children === "" ? undefined : Number(children.split(" ")[0]);
  } catch {
    return undefined;
  }
}

function kilobytes(status: string, field: string): number {
  const start = status.indexOf(`${field}:`);
  return start === -1 ? 0 : Number.parseInt(status.slice(start + field.length + 1), 10);
}
