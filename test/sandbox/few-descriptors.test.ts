import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { tempDir } from "../fixtures/project.ts";

const HOST = join(import.meta.dirname, "../fixtures/few-descriptors.js");
const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const WITH_FEW = 'ulimit -n 120; exec "$@"';

describe.skipIf(process.platform !== "linux")("a host that has run out of open files", () => {
  for (const bubblewrap of ["never", "always"] as const) {
    const attempt = bubblewrap === "always" && !hasBubblewrap ? it.skip : it;
    attempt(`fails each run with the reason, and runs the next: bubblewrap ${bubblewrap}`, async () => {
      const args = ["-c", WITH_FEW, "sh", process.execPath, HOST, bubblewrap, await tempDir()];
      const { stdout } = await promisify(execFile)("/bin/sh", args);
      const { before, scarce, after, groups } = JSON.parse(stdout);
      expect(before).toMatchObject({ ok: true });
      const failures = scarce.filter(({ ok }: { ok: boolean }) => !ok);
      expect(failures).not.toHaveLength(0);
      for (const { kind, message, hint } of failures) {
        expect(kind).toBe("sandbox");
        expect(`${message} ${hint}`).toMatch(/too many files are open|EMFILE/);
      }
      expect(after).toMatchObject([
        { ok: true, value: 1 },
        { ok: true, value: 1 },
      ]);
      expect(groups).toEqual([]);
    });
  }
});
