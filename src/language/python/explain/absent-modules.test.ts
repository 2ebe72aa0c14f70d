import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ANY_PACKAGE, MISSING_MODULES } from "./absent-modules.ts";

const GUEST = fileURLToPath(new URL("../../../sandbox/guest/python/blocked.py", import.meta.url));
const ASK = `import json, runpy, sys
blocked = runpy.run_path(sys.argv[1])
print(json.dumps([blocked["_INSTEAD"], blocked["_PACKAGES"]]))`;
const asked = spawnSync("python3", ["-c", ASK, GUEST], { encoding: "utf8" });

describe.skipIf(asked.error !== undefined)("what can't be imported (needs python3)", () => {
  it("is the same before a program runs and while it does", () => {
    expect(JSON.parse(asked.stdout)).toEqual([Object.fromEntries(MISSING_MODULES), ANY_PACKAGE]);
  });
});
