import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** One answer that the honest session got. */
export type Sample = {
  readonly what: "program" | "search";
  readonly startedAt: number;
  readonly endedAt: number;
  /** What was wrong with the answer. */
  readonly problem?: string;
};

export type HonestSession = {
  /** The answers that were awaited at any moment between these times. */
  between(from: number, to: number): Sample[];
  /** Resolves when so many answers of each sort came that were asked for after this time; false when they do not come. */
  answeredSince(from: number, count: number, withinMs: number): Promise<boolean>;
  end(): void;
};

/** Starts the session beside which an attack is made. */
export function startHonestSession(url: string, token: string): HonestSession {
  const env = { PATH: process.env["PATH"], HONEST_TOKEN: token };
  const child: ChildProcess = spawn(process.execPath, [resolve("test/hostile/honest.js"), url], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const samples: Sample[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      samples.push(JSON.parse(line) as Sample);
      for (const look of waiting) look();
    });
  }
  const countSince = (what: Sample["what"], from: number) =>
    samples.filter((sample) => sample.what === what && sample.startedAt >= from).length;

  return {
    between: (from, to) => samples.filter(({ startedAt, endedAt }) => startedAt <= to && endedAt >= from),
    answeredSince(from, count, withinMs) {
      return new Promise((done) => {
        const finish = (isThere: boolean) => {
          clearTimeout(timer);
          waiting.delete(look);
          done(isThere);
        };
        const look = () => {
          if (countSince("program", from) >= count && countSince("search", from) >= count) finish(true);
        };
        const timer = setTimeout(() => finish(false), withinMs);
        waiting.add(look);
        look();
      });
    },
    end: () => child.kill("SIGKILL"),
  };
}
