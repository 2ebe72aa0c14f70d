import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { fixture, homeOf, onCleanup, writeProject } from "../fixtures/project.ts";

const WORKER = fileURLToPath(new URL("../fixtures/cache-worker.js", import.meta.url));
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 12);
const PROCESSES = 3;
const WORK_MS = 300;

it("processes killed while they keep, change and clean leave a whole cache, in which nothing is older than the truth", {
  timeout: 20_000 + KILLS * 5_000,
}, async () => {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { good: fixture("good") } },
    "keyhole.config.json": { auditLogging: false, clean: { maxSize: 150_000 } },
  });
  const home = await homeOf(dir);
  const truth = join(dir, "truth");
  mkdirSync(join(dir, ".keyhole/results/local/shared"), { recursive: true });
  writeFileSync(truth, "1");
  const told: { stale?: number }[] = [];
  let kills = 0;

  async function keepKilling(): Promise<void> {
    while (kills++ < KILLS) {
      const child = spawn(process.execPath, [WORKER, dir, home, truth], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onCleanup(async () => void child.kill("SIGKILL"));
      const ended = once(child, "close");
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      // Every fourth at any moment of its start, the others at any moment of their work.
      if (kills % 4 === 0) await delay(Math.random() * WORK_MS);
      else await once(child.stdout, "data").then(() => delay(Math.random() * WORK_MS));
      child.kill("SIGKILL");
      await ended;
      // The last line may be cut.
      told.push(
        ...text
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      );
    }
  }

  await Promise.all(Array.from({ length: PROCESSES }, keepKilling));
  // A cache that can't be used for a moment is told of, and nothing is answered from it.
  expect(told.filter(({ stale }) => stale !== undefined)).toEqual([]);
  // As the next process opens it: the last clean-up may have removed it whole.
  const db = await openSqlite(join(dir, ".keyhole/cache.db"));
  expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
  await db.close();
});
