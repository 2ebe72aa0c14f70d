import { describe, expect, it } from "vitest";
import type { JournalEntry } from "./journal.ts";
import { createPopularity } from "./popularity.ts";

const call = (tool: string, ok = true) => ({ server: "shop", tool, ms: 1, ok });
const entry = (...calls: ReturnType<typeof call>[]): JournalEntry => ({
  at: "",
  runId: "",
  session: "",
  ok: true,
  calls,
  receipt: {},
});

describe("createPopularity", () => {
  it("counts the calls that went well, of earlier runs and of this process", async () => {
    const journal = [entry(call("list"), call("list"), call("drop", false)), entry(call("list"))];
    const popularity = createPopularity({ read: async () => journal });
    expect(popularity.calls("shop", "list")).toBe(0);
    await popularity.load();
    await popularity.load();
    popularity.add([call("list"), call("get")]);
    expect(["list", "drop", "get", "other"].map((tool) => popularity.calls("shop", tool))).toEqual([
      4, 0, 1, 0,
    ]);
  });

  it("does not count twice what the journal will tell", async () => {
    const popularity = createPopularity({ read: async () => [entry(call("list"))] });
    popularity.add([call("list")]);
    await popularity.load();
    expect(popularity.calls("shop", "list")).toBe(1);
  });
});
