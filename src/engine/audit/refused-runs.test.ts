import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { KeyholeError } from "../../errors.ts";
import { createSession } from "../../session.ts";
import { createRefusedRuns } from "./refused-runs.ts";

const session = createSession({ client: { name: "editor" }, principal: "ada" });
const failure = new KeyholeError("denied", "This session was stopped");

it("a program that is not begun is told, of a flood how many there were", () => {
  const { trail, events } = listTrail();
  let ms = 0;
  const refusals = createRefusedRuns(trail, () => ms);
  for (let time = 0; time < 50; time++) refusals.refused({ session, code: "secret()", failure });
  expect(events).toHaveLength(20);
  expect(events[0]).toEqual({
    action: "run.refused",
    session: session.id,
    principal: "ada",
    client: { name: "editor" },
    outcome: "denied",
    error: "This session was stopped",
    details: { code: { hash: trail.hash("secret()"), bytes: 8 }, kind: "denied" },
  });
  ms = 60_000;
  refusals.refused({ session, code: "1", run: "r_1", failure });
  expect(events.at(-1)).toMatchObject({ run: "r_1", details: { more: 30 } });
  for (let time = 0; time < 25; time++) refusals.refused({ session, code: "1", failure });
  refusals.close();
  expect(events).toHaveLength(41);
  expect(events.at(-1)).toMatchObject({ details: { more: 5 } });
});
