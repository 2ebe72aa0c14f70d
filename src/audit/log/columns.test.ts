import { describe, expect, it } from "vitest";
import { COLUMN_NAMES, parseColumns, parseKnownColumns } from "./columns.ts";

const event = { id: "e_1", at: 5, action: "run.ended", outcome: "ok" };
/** Both ways must say the same. */
const parse = (more: object) => {
  const body = JSON.stringify({ ...event, ...more });
  const columns = parseColumns(body);
  expect(parseKnownColumns(body)).toEqual(columns);
  return columns;
};

describe("the columns of an event", () => {
  it("are what its head says, and nothing else", () => {
    const client = { name: "cursor", version: "2" };
    expect(parse({ client, risk: "high", session: "s_1", details: { run: "r_2" } })).toEqual({
      ...event,
      ...{
        session: "s_1",
        principal: null,
        client: "cursor",
        run: null,
        call: null,
        server: null,
        tool: null,
      },
      risk: 2,
    });
    expect(COLUMN_NAMES).toEqual(Object.keys(parse({}) ?? {}));
  });

  it("are the same wherever its details stand, and whatever is in them", () => {
    const client = { name: "cursor" };
    const details = { text: ',"details":{', deep: { details: { client: { name: "no" } } } };
    expect(parse({ details, client })?.client).toBe("cursor");
    expect(parse({ details, tool: "t" })?.tool).toBe("t");
    expect(parse({ tool: ',"details":{', client, details: {} })).toMatchObject({
      tool: ',"details":{',
      client: "cursor",
    });
    expect(parse({ client: { details: { name: 1 }, name: "cursor" }, details: {} })?.client).toBe("cursor");
    expect(parse({ more: { details: {} }, details: { a: {} } })?.id).toBe("e_1");
  });

  it("are none where a value is not of its kind", () => {
    expect(parse({ session: 5, client: [], risk: "huge", tool: { a: 1 }, at: 1.5 })).toMatchObject({
      ...{ session: null, client: null, risk: null, tool: null, at: 1 },
    });
  });

  it("have no characters that databases do not keep", () => {
    expect(parse({ session: "a\0b", tool: "x\ud800y", server: "😀\ud800" })).toMatchObject({
      ...{ session: "a␀b", tool: "x\ufffdy", server: "😀\ufffd" },
    });
  });

  it("are not read from what is no event", () => {
    for (const body of [
      "",
      "[]",
      "1",
      "{}",
      '{"id":"","at":1,"action":"a","outcome":"ok"}',
      "[".repeat(100_000),
    ])
      expect(parseColumns(body)).toBeUndefined();
  });
});
