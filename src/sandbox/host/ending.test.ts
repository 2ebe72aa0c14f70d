import { describe, expect, it } from "vitest";
import { SANDBOX_LIMITS } from "../limits.ts";
import { toEndingError } from "./ending.ts";

const ending = { code: null, signal: null, stderr: "" };
const kind = (end: object, peakBytes = 0) =>
  toEndingError({ ...ending, ...end }, SANDBOX_LIMITS, peakBytes, 0).kind;

describe("the end of a process", () => {
  it("is put down to a limit by what was measured", () => {
    expect(kind({ signal: "SIGTRAP" }, 400 * 1024 * 1024)).toBe("memory");
    expect(kind({ signal: "SIGKILL", oomKills: 1 })).toBe("memory");
    expect(kind({ signal: "SIGXCPU" })).toBe("cpu");
    expect(kind({ signal: "SIGXFSZ" })).toBe("disk");
  });

  it("is a crash or an exit otherwise", () => {
    expect(kind({ signal: "SIGSEGV" })).toBe("crash");
    expect(kind({ signal: "SIGKILL" })).toBe("crash");
    expect(kind({ code: 3 })).toBe("exit");
  });
});
