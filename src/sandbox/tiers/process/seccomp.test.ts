import { describe, expect, it } from "vitest";
import { commandSeccompFilter, seccompFilter } from "./seccomp.ts";

describe("the seccomp filter", () => {
  it("is a whole BPF program for the platforms it knows", () => {
    for (const arch of ["x64", "arm64"]) {
      for (const bytes of [
        seccompFilter(arch),
        ...[true, false].map((isFull) => commandSeccompFilter({ isFull }, arch)),
      ]) {
        expect(bytes && bytes.length % 8).toBe(0);
        // The last instruction allows, so that no path runs off the end.
        expect(bytes?.readUInt32LE(bytes.length - 4)).toBe(0x7fff_0000);
      }
    }
    expect(commandSeccompFilter({ isFull: false }, "mips")).toBeUndefined();
    expect(seccompFilter("mips")).toBeUndefined();
  });
});
