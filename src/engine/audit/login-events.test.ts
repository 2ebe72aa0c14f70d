import { expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { createLoginTrail } from "./login-events.ts";

it("a flood of logins that are refused is a few events, which tell how many there were", () => {
  const { trail, events } = listTrail();
  let now = 0;
  const logins = createLoginTrail(trail, () => now);
  for (let n = 0; n < 5_000; n++)
    logins.refused({ front: "http", reason: n % 2 ? "wrong token" : "no token", from: `10.0.0.${n % 9}` });
  expect(events).toHaveLength(20);
  now = 60_000;
  logins.refused({ front: "http", reason: "no token" });
  logins.close();
  expect(events).toHaveLength(23);
  expect(events.slice(20)).toMatchObject([
    { details: { reason: "no token (2490 more within a minute)", from: expect.stringContaining("10.0.0.") } },
    { details: { reason: "wrong token (2490 more within a minute)" } },
    { action: "login.refused", outcome: "denied", details: { front: "http", reason: "no token" } },
  ]);
});

it("nobody is let in, or kept out, by a log that can't be written", () => {
  const { trail, fail } = listTrail();
  fail(new Error("full"));
  expect(() => createLoginTrail(trail).refused({ front: "http", reason: "no token" })).not.toThrow();
});
