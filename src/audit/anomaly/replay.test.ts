import { expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import type { AuditEvent } from "../event.ts";
import type { LogFilter } from "../query/filter.ts";
import type { LoggedEvent } from "../reader.ts";
import { replayAnomalies } from "./replay.ts";

/** A log in memory, as a reader tells of it. */
function toReader(events: readonly AuditEvent[]) {
  return {
    async *scan({ from = 0, to = Number.POSITIVE_INFINITY }: LogFilter) {
      const some = events.flatMap((event, index): LoggedEvent[] =>
        event.at >= from && event.at < to ? [{ ...event, sequence: index + 1 }] : [],
      );
      for (let index = 0; index < some.length; index += 100) yield some.slice(index, index + 100);
    },
  };
}

const start = Date.UTC(2026, 10, 2, 8);

function removals(at: number, count: number): AuditEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `e_x${at}_${index}`,
    at: at + index,
    session: "s_x",
    principal: "mallory",
    action: "call.ended",
    server: "crm",
    tool: "delete_contact",
    outcome: "ok",
    details: {
      input: { hash: `${index}`, bytes: 10 },
      isWrite: true,
      isSent: true,
      directTokens: 1,
      shape: "s",
    },
  }));
}

it("finds in history what would have been found, with the events it was found in", async () => {
  const events = [
    ...makeEvents(300, { from: start, everyMs: 120_000 }),
    ...removals(start + 86_400_000, 8),
  ].sort((a, b) => a.at - b.at);
  const { found, learned, live } = await replayAnomalies(toReader(events), { from: start + 30_000_000 });
  expect(found).toMatchObject([{ rule: "mass-delete", principal: "mallory", session: "s_x" }]);
  expect(events.some(({ id }) => id === found[0]?.events[0])).toBe(true);
  expect(learned).toBeGreaterThan(500);
  expect(live).toEqual([]);
});

it("learns from before what is usual, and tells nothing of then", async () => {
  const nights = Array.from({ length: 4 }, (_, night) => removals(start + night * 86_400_000, 8)).flat();
  const all = await replayAnomalies(toReader(nights), { from: start });
  expect(all.found).toHaveLength(2);
  const last = await replayAnomalies(toReader(nights), { from: start + 3 * 86_400_000 });
  expect(last).toMatchObject({ found: [], events: 8, learned: 24 });
});

it("leaves out what can't be read whole", async () => {
  const [sealed] = removals(start, 1);
  const events = [{ ...sealed, details: undefined }] as unknown as AuditEvent[];
  expect(await replayAnomalies(toReader(events), { from: start })).toMatchObject({ found: [], unread: 1 });
});
