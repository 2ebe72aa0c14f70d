import { describe, expect, it } from "vitest";
import { createServerQueue } from "../server-queue.ts";
import { createQueueFinder } from "./queue-finder.ts";

const payload = (...call: unknown[]) => Buffer.from(JSON.stringify(call));

describe("the queue of a call", () => {
  it("is its server's, by whatever names, and asked for once", () => {
    const github = createServerQueue(1);
    const asked: string[][] = [];
    const finder = createQueueFinder(
      {
        queueOf: (...names) => {
          asked.push(names);
          return names[0] === "mcp" || names[0] === "github" ? github : undefined;
        },
      },
      8,
    );
    const ofCall = (bytes: Buffer) => finder.ofCall(bytes).queue;
    expect(ofCall(payload("github", "get", { n: 1 }))).toBe(github);
    expect(ofCall(payload("github", "get", { n: 2 }, 5))).toBe(github);
    expect(ofCall(payload("mcp", "github__gét", {}))).toBe(github);
    expect(ofCall(payload("nobody", "get", {}))).not.toBe(github);
    expect(asked).toEqual([
      ["github", "get"],
      ["mcp", "github__gét"],
      ["nobody", "get"],
    ]);
  });

  it("is the program's own for each server where there is none for all", () => {
    const { ofCall, own } = createQueueFinder({}, 8);
    const [a, b] = [ofCall(payload("a", "x", {})), ofCall(payload("b", "x", {}))];
    expect(ofCall(payload("a", "y", {})).queue).toBe(a.queue);
    expect(new Set([a.queue, b.queue, own.queue]).size).toBe(3);
  });

  it.each(["", "[", '["', '["a', '["a"', '["a",5]', "{}", `["${"a".repeat(100_000)}`])(
    "is found for %.20j, which is no call",
    (text) => {
      const { ofCall, own } = createQueueFinder({ queueOf: () => expect.unreachable() }, 8);
      const { queue, names } = ofCall(Buffer.from(text));
      expect(queue).not.toBe(own.queue);
      expect(names).toBeUndefined();
    },
  );
});
