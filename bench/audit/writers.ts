import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { LogPlace } from "../../src/audit/log-place.ts";

type Told = {
  readonly ids?: readonly string[];
  readonly notice?: string;
  readonly error?: string;
  readonly code?: string;
};

/** A process that writes to a log and prints what it has committed. */
export function startWriter({ projectDir, userDir }: LogPlace, ...args: string[]) {
  const child = spawn(
    process.execPath,
    [resolve("test/fixtures/audit-writer.js"), projectDir, userDir, ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const ended = once(child, "close");
  return {
    child,
    /** The last line may be cut. */
    async told(): Promise<{ ids: string[]; error: Told | undefined; notices: string[] }> {
      await ended;
      const told = text
        .split("\n")
        .slice(0, -1)
        .map((line): Told => JSON.parse(line));
      return {
        ids: told.flatMap(({ ids = [] }) => ids),
        error: told.find(({ error }) => error !== undefined),
        notices: told.flatMap(({ notice = [] }) => notice),
      };
    },
  };
}
