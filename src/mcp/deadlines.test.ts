import { expect, it } from "vitest";
import { createDeadlines, type Deadline } from "./deadlines.ts";

function deadline(timeoutMs: number, expire: () => void): Deadline {
  return { fromMs: performance.now(), timeoutMs, expire };
}

it("expire in their order, also when a shorter one comes after a longer one", async () => {
  const deadlines = createDeadlines();
  const expired: string[] = [];
  await new Promise<void>((resolve) => {
    deadlines.add(
      deadline(60, () => {
        expired.push("long");
        resolve();
      }),
    );
    deadlines.add(deadline(1, () => expired.push("short")));
    deadlines.add(deadline(Number.MAX_SAFE_INTEGER, () => expired.push("endless")));
  });
  expect(expired).toEqual(["short", "long"]);
});

it("are forgotten when they are removed, and begin anew when what they wait for shows a sign of life", async () => {
  const deadlines = createDeadlines();
  const expired: string[] = [];
  const removed = deadline(1, () => expired.push("removed"));
  const renewed = deadline(20, () => expired.push("renewed"));
  deadlines.add(removed);
  deadlines.add(renewed);
  deadlines.remove(removed);
  renewed.fromMs = performance.now() + 60_000;
  await new Promise<void>((resolve) => deadlines.add(deadline(40, resolve)));
  expect(expired).toEqual([]);
});
