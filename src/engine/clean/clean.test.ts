import { describe, expect, it } from "vitest";
import { cleanUp } from "./clean.ts";
import type { CleanKind, Removable } from "./kind.ts";

function createThings(gone: string[] = []) {
  const thing = (name: string, about: Partial<Removable> = {}): Removable => ({
    name,
    bytes: 10,
    usedAt: 0,
    async remove() {
      gone.push(name);
      return true;
    },
    ...about,
  });
  const kind = (name: string, things: readonly Removable[]): CleanKind => ({
    name,
    list: async () => things,
  });
  return { gone, thing, kind };
}

describe("cleaning up by kinds", () => {
  it("removes what has a reason to go, and nothing that is in use", async () => {
    const { gone, thing, kind } = createThings();
    const things = [
      thing("old", { reason: "not used for 14 days" }),
      thing("young"),
      thing("held", { reason: "not used for 14 days", isInUse: true }),
    ];
    const cleaned = await cleanUp([kind("files", things)]);
    expect(gone).toEqual(["old"]);
    expect(cleaned).toMatchObject({ bytes: 10, overBytes: 0, failed: [], more: 0 });
    expect(cleaned.removed).toEqual([
      { kind: "files", name: "old", bytes: 10, reason: "not used for 14 days" },
    ]);
  });

  it("makes room in the order of the kinds, the oldest first, until it fits", async () => {
    const { gone, thing, kind } = createThings();
    const first = kind("caches", [thing("new cache", { usedAt: 2 }), thing("old cache", { usedAt: 1 })]);
    const second = kind("files", [thing("file", { usedAt: 0 }), thing("last file", { usedAt: 3 })]);
    await cleanUp([first, second], { maxBytes: 100, usedBytes: async () => 125 });
    expect(gone).toEqual(["old cache", "new cache", "file"]);
  });

  it("says what is over the limit still when all that may go is gone", async () => {
    const { thing, kind } = createThings();
    const held = thing("held", { isInUse: true });
    const { overBytes } = await cleanUp([kind("files", [thing("file"), held])], {
      maxBytes: 100,
      usedBytes: async () => 150,
    });
    expect(overBytes).toBe(40);
  });

  it("tells in a dry run what a real one would remove, and removes nothing", async () => {
    const things = () => {
      const { gone, thing, kind } = createThings();
      const kinds = [
        kind("caches", [thing("old", { reason: "expired" })]),
        kind("files", [thing("file"), thing("x")]),
      ];
      return { gone, kinds };
    };
    const [dry, real] = [things(), things()];
    const limit = { maxBytes: 100 };
    const told = await cleanUp(dry.kinds, { ...limit, isDry: true, usedBytes: async () => 115 });
    const done = await cleanUp(real.kinds, { ...limit, usedBytes: async () => 115 - 10 * real.gone.length });
    expect(dry.gone).toEqual([]);
    expect(real.gone).toEqual(["old", "file"]);
    expect(told).toEqual(done);
  });

  it("goes on when one thing can't be removed, and one kind not looked at", async () => {
    const { gone, thing, kind } = createThings();
    const stuck = thing("stuck", { reason: "expired", remove: () => Promise.reject(new Error("EBUSY")) });
    const unreadable: CleanKind = { name: "odd", list: () => Promise.reject(new Error("EIO")) };
    const things = [stuck, thing("old", { reason: "expired" })];
    const { failed } = await cleanUp([unreadable, kind("files", things)]);
    expect(gone).toEqual(["old"]);
    expect(failed.map(({ name }) => name)).toEqual(["stuck"]);
  });

  it("does not count what another process was faster to remove, or began to use", async () => {
    const { thing, kind } = createThings();
    const taken = thing("taken", { reason: "expired", remove: async () => false });
    expect(await cleanUp([kind("files", [taken])])).toMatchObject({ removed: [], bytes: 0 });
  });
});
