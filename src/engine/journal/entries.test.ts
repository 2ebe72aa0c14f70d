import { expect, it } from "vitest";
import { onCleanup } from "../../../test/fixtures/project.ts";
import { EMPTY_RECEIPT } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { migrate } from "../../store/database/migrations.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { toCallEnd, toCallEntry, toRunEnd, toRunEntry, writeEntries } from "./entries.ts";
import { getRun } from "./recorded-runs.ts";

const receipt = { ...EMPTY_RECEIPT, seenTokens: 1, directTokens: 1 };

it.each([1, 10])(
  "what is written again, as nobody knew that it was, gets its end, once (%i calls)",
  async (count) => {
    const db = await openSqlite("");
    onCleanup(() => db.close());
    migrate(db);
    const session = createSession({ client: { name: "test" } });
    const run = toRunEntry({ id: "r", session, code: "return 1", language: "typescript", takenAt: 1 }, "p");
    const calls = Array.from({ length: count }, (_, number) => {
      const started = {
        id: `c${number}`,
        runId: "r",
        server: "s",
        tool: "t",
        argumentsText: "{}",
        startedAt: 2,
      };
      return toCallEntry(started, number, true);
    });
    writeEntries(db, [run, ...calls]);

    run.status = "done";
    run.end = toRunEnd({ id: "r", status: "done", receipt, endedAt: 4 });
    for (const call of calls)
      call.end = toCallEnd({ id: call.id, ok: true, resultText: "1", resultBytes: 1, ms: 1 });
    for (let time = 0; time < 2; time++) {
      writeEntries(db, [run, ...calls]);
      expect(getRun(db, "r")).toMatchObject({
        status: "done",
        endedAt: 4,
        receipt,
        calls: calls.map(({ id }) => ({ id, ok: true, ms: 1 })),
      });
      expect(db.all("SELECT * FROM tool_calls")).toEqual([["s", "t", count, 0]]);
    }
  },
);
