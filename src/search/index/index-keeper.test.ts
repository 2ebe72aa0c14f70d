import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { Work } from "../../text/slices.ts";
import type { SearchableServer } from "../answer.ts";
import { buildToolIndex, createToolIndex, type ToolIndex } from "../query/rank.ts";
import { createIndexKeeper } from "./index-keeper.ts";

const TOOLS = serverRecord("any", [toolRecord({ name: "one" })]).tools;

const toServers = (...names: string[]): SearchableServer[] =>
  names.map((name) => ({
    name,
    identifiers: { typescript: name, python: name },
    folder: name,
    tools: TOOLS,
  }));

/** Each look at the clock is a millisecond; an index takes as many steps as it is told. */
function open() {
  let time = 0;
  let steps = 0;
  const made: string[] = [];
  const indexes = new Map<ToolIndex, string>();
  function* build(servers: readonly SearchableServer[]): Work<ToolIndex> {
    const name = servers.map((server) => server.name).join();
    made.push(name);
    for (let step = 0; step < steps; step++) yield;
    const index = createToolIndex(servers);
    indexes.set(index, name);
    return index;
  }
  const keeper = createIndexKeeper(build, () => ++time);
  return {
    made,
    indexOf: async (...names: string[]) => indexes.get(await keeper.indexOf(toServers(...names))),
    takes(count: number) {
      steps = count;
    },
    pass(ms: number) {
      time += ms;
    },
  };
}

describe("the index that is kept", () => {
  it("of nothing, however long it took, is made again when there is something", async () => {
    let time = 0;
    function* build(servers: readonly SearchableServer[]): Work<ToolIndex> {
      const steps = servers.some(({ tools }) => tools.length > 0) ? 10 : 1_000;
      for (let step = 0; step < steps; step++) yield;
      return createToolIndex(servers);
    }
    const keeper = createIndexKeeper(build, () => ++time);
    const [server] = toServers("a");
    if (server === undefined) throw new Error("No server");
    const empty = await keeper.indexOf([{ ...server, tools: [] }]);
    expect(await keeper.indexOf([server])).not.toBe(empty);
  });

  it("is of the servers that are there, and made once", async () => {
    const { indexOf, made } = open();
    expect(await indexOf("a")).toBe("a");
    expect(await indexOf("a")).toBe("a");
    expect(await indexOf("a", "b")).toBe("a,b");
    expect(made).toEqual(["a", "a,b"]);
  });

  it("is waited for when there is none, by all at once", async () => {
    const { indexOf, made, takes } = open();
    takes(5_000);
    expect(await Promise.all([indexOf("a"), indexOf("a"), indexOf("a")])).toEqual(["a", "a", "a"]);
    expect(made).toEqual(["a"]);
  });

  it("is the last one while a newer one takes long, and one is made at a time", async () => {
    const { indexOf, made, takes } = open();
    await indexOf("a");
    takes(100_000);
    expect(await indexOf("a", "b")).toBe("a");
    expect(await Promise.all([indexOf("a", "b", "c"), indexOf("a", "b", "c", "d")])).toEqual(["a", "a"]);
    expect(made).toEqual(["a", "a,b"]);
  });

  it("is not made again soon after one that took long: changes are gathered", async () => {
    const { indexOf, made, takes, pass } = open();
    takes(1_000);
    await indexOf("a");
    expect(await indexOf("b")).toBe("a");
    expect(await indexOf("c")).toBe("a");
    pass(20_000);
    takes(10);
    expect(await indexOf("d")).toBe("d");
    expect(made).toEqual(["a", "d"]);
  });
});

describe("what is indexed", () => {
  it("is done in steps, none of them for more than one tool", () => {
    const tools = Array.from({ length: 500 }, (_, n) =>
      toolRecord({ name: `tool_${n}`, description: `word${n}` }),
    );
    const server = serverRecord("s", tools);
    let steps = 0;
    const work = buildToolIndex([server]);
    while (!work.next().done) steps++;
    expect(steps).toBeGreaterThan(4 * tools.length);
  });
});
