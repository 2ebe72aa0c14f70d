import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { KeyholeError } from "../errors.ts";

/** What a child takes of them, with its pipes and its files in `/proc`; and what is left for everything else. */
const FILES_A_CHILD = 16;
const SHARE_OF_CHILDREN = 0.5;

/** Whether something failed because this process, or the system, can open no more files. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}

export function outOfFiles(what: string, cause?: unknown): KeyholeError {
  return new KeyholeError("internal", `Cannot ${what}: too many files are open on this host`, {
    hint: "Try again when less is under way, or raise the host's limit of open files (`ulimit -n`)",
    cause,
  });
}

/** For each process that is started. Without a listener a start that fails would end us, and out of files it has no pipes. */
export function withPipes<Child extends ChildProcess>(child: Child): Child {
  child.on("error", () => {});
  if (child.stdin) return child;
  throw outOfFiles("start a process");
}

/** How many children the limit of open files has room for; as many as you like where it is not known. */
export function maxChildren(limits = readLimits()): number {
  const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (most === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor((Number(most) * SHARE_OF_CHILDREN) / FILES_A_CHILD));
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
}
