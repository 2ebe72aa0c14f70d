import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeTree } from "./remove-tree.ts";

describe("removeTree", () => {
  it("removes what paths can't reach, names that are no text and folders that are closed", async () => {
    const dir = mkdtempSync(join(tmpdir(), "keyhole-test-"));
    mkdirSync(join(dir, "whole"));
    for (let depth = 0; depth < 30; depth++) {
      mkdirSync(join(dir, "next"));
      renameSync(join(dir, "whole"), join(dir, "next", "d".repeat(200)));
      writeFileSync(join(dir, "next", "beside"), "");
      renameSync(join(dir, "next"), join(dir, "whole"));
    }
    const name = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(name);
    writeFileSync(Buffer.concat([name, Buffer.from("/"), Buffer.from([0xff])]), "");
    mkdirSync(join(dir, "closed/in"), { recursive: true });
    chmodSync(join(dir, "closed/in"), 0);
    chmodSync(join(dir, "closed"), 0);
    await removeTree(dir);
    expect(existsSync(dir)).toBe(false);
  });

  it("has nothing to do where there is nothing", async () => {
    await removeTree(join(tmpdir(), "keyhole-test-none"));
  });
});
