import { afterEach, expect, it, vi } from "vitest";
import { createProgress, type ProgressMessage } from "./progress.ts";

const log = (text: string) => ({ kind: "log", level: "info", text }) as const;

afterEach(() => vi.useRealTimers());

it("sends one message at a time and keeps the last lines of a flood", async () => {
  const sent: ProgressMessage[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const progress = createProgress(async (message) => {
    sent.push(message);
    await gate;
  });
  for (let line = 0; line < 100_000; line++) progress.report(log(`line ${line}`));
  expect(sent).toEqual([{ progress: 1, message: "line 0" }]);
  release();
  await progress.end();
  expect(sent).toHaveLength(2);
  const lines = sent[1]?.message.split("\n") ?? [];
  expect(lines[0]).toBe("(99979 lines skipped)");
  expect(lines.at(-1)).toBe("line 99999");
  progress.report(log("too late"));
  expect(sent).toHaveLength(2);
});

it("goes on when a client is gone, and cuts long lines", async () => {
  const sent: string[] = [];
  const progress = createProgress(async ({ message }) => {
    sent.push(message);
    throw new Error("gone");
  });
  progress.report(log("x".repeat(10_000)));
  await progress.end();
  expect(sent[0]).toHaveLength(500);
});

it("tells that a quiet run goes on, until it has ended", async () => {
  vi.useFakeTimers();
  const sent: ProgressMessage[] = [];
  const progress = createProgress(async (message) => void sent.push(message));
  await vi.advanceTimersByTimeAsync(3_000);
  progress.report(log("working"));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(sent).toEqual([
    { progress: 1, message: "working" },
    { progress: 2, message: "waiting: 7 s" },
    { progress: 3, message: "waiting: 12 s" },
  ]);
  await progress.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
});

it("hands no escape of a program's log to the client's terminal", async () => {
  const sent: string[] = [];
  const progress = createProgress(async ({ message }) => {
    sent.push(message);
  });
  const text = "\u001b]0;title\u0007\u001b[2Jred \u001b[31malert\u001b[0m\u202e\u0008\rx";
  progress.report({ kind: "log", level: "warn", text: `${text}${"\u0000".repeat(100_000)}` });
  await progress.end();
  expect(sent).toEqual(["warn: red alertx…"]);
});
