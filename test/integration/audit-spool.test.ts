import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../src/audit/event.ts";
import type { LogPlace } from "../../src/audit/log-place.ts";
import { toSpoolFolder } from "../../src/audit/spool/drain.ts";
import { newLogPlace, openAuditAt, problemsIn, readEvents } from "../fixtures/audit/audit-in.ts";
import { onCleanup, tempDir } from "../fixtures/project.ts";

const WRITER = fileURLToPath(new URL("../fixtures/audit-writer.js", import.meta.url));
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 10);
const MAX_WORK_MS = 300;

type Told = {
  readonly ids?: readonly string[];
  readonly notice?: string;
  readonly error?: string;
  readonly code?: string;
  readonly closed?: boolean;
};

function startWriter({ projectDir, userDir }: LogPlace, ...args: string[]) {
  const child = spawn(process.execPath, [WRITER, projectDir, userDir, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  onCleanup(async () => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  return {
    child,
    /** The last line may be cut. */
    told: async (): Promise<Told[]> => {
      await ended;
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    },
  };
}

const SENT: NewEvent = {
  action: "call.sent",
  outcome: "ok",
  details: { input: { hash: "", bytes: 0 }, leave: { decision: "allow", by: "" }, definition: "" },
};

const idsIn = (told: readonly Told[]) => told.flatMap(({ ids = [] }) => ids);

/** All that is told to be in it is, once; the chain is whole. */
async function expectInLog(place: LogPlace, committed: readonly string[]): Promise<void> {
  const events = await readEvents(place);
  const found = new Set(events.map(({ id }) => id));
  expect(found.size).toBe(events.length);
  expect(committed.filter((id) => !found.has(id))).toEqual([]);
  expect(await problemsIn(place)).toEqual([]);
}

describe("several processes on one log", () => {
  it("leave one chain in which every event is once, and no spools", async () => {
    const place = await newLogPlace();
    const writers = ["settle", "settle", "settle"].map((mode) => startWriter(place, "500", "stop", mode));
    const told = (await Promise.all(writers.map((writer) => writer.told()))).flat();
    expect(told.filter(({ closed }) => closed)).toHaveLength(3);
    expect(told.filter(({ notice, error }) => notice ?? error)).toEqual([]);
    expect(idsIn(told)).toHaveLength(1_500);
    await expectInLog(place, idsIn(told));
    expect(await readdir(toSpoolFolder(place))).toEqual([]);
  });
});

describe("processes that are killed while they write the audit log", () => {
  it("lose nothing that was committed, and leave a whole chain", {
    timeout: 60_000 + KILLS * 1_500,
  }, async () => {
    const place = await newLogPlace();
    const committed: string[] = [];
    let kills = 0;
    const keepKilling = async () => {
      while (kills++ < KILLS) {
        const writer = startWriter(place, "1000000", "stop", ...(kills % 2 === 0 ? ["settle"] : []));
        await once(writer.child.stdout, "data");
        await delay(Math.random() * MAX_WORK_MS);
        writer.child.kill("SIGKILL");
        const told = await writer.told();
        expect(told.filter(({ ids }) => ids === undefined)).toEqual([]);
        committed.push(...idsIn(told));
      }
    };
    await Promise.all([keepKilling(), keepKilling()]);
    expect(committed.length).toBeGreaterThan(KILLS);
    await expectInLog(place, committed);
    expect(await readdir(toSpoolFolder(place))).toEqual([]);
  });
});

describe("a limit on the size of files", () => {
  it("stops work in the midst of a line, and no half of one is left", async () => {
    const place = await newLogPlace();
    const limited = `ulimit -f 40 && trap '' XFSZ && exec "$0" "$@"`;
    const { stdout } = spawnSync(
      "bash",
      ["-c", limited, process.execPath, WRITER, place.projectDir, place.userDir, "100000"],
      { encoding: "utf8", maxBuffer: 2 ** 26 },
    );
    const told: Told[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.find(({ error }) => error)).toMatchObject({ code: "store_unusable" });
    await expectInLog(place, idsIn(told));
  });
});

/** CI demands them; elsewhere, who may not mount has them shown as skipped. */
const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;

describe.runIf(isDemanded || (process.getuid?.() === 0 && canMount()))("a disk", () => {
  const mount = async (size: string): Promise<string> => {
    const inner = join(await tempDir(), "disk");
    await mkdir(inner);
    run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", inner);
    onCleanup(async () => run("umount", "-l", inner));
    return inner;
  };

  it.each(["continue", "stop"])("that is full where spools are, told to %s", async (onFailure) => {
    const userDir = await mount("200k");
    const place = { ...(await newLogPlace()), userDir };
    const told = await startWriter(place, "3000", onFailure).told();
    const words = onFailure === "stop" ? "nothing is run until it can be" : "work goes on";
    const notice = told.findIndex((one) => one.notice !== undefined);
    expect(told[notice]?.notice).toContain(words);
    expect(told[notice]?.notice).toContain("the disk is full. Make room on the disk");
    if (onFailure === "stop")
      expect(told.find(({ error }) => error)).toMatchObject({ code: "store_unusable" });
    else expect(told.at(-2)?.notice).toMatch(/events of the audit log were not written down/);
    run("mount", "-o", "remount,size=50m", userDir);
    await expectInLog(place, idsIn(told.slice(0, notice)));
    expect((await startWriter(place, "10", "stop", "settle").told()).at(-1)).toMatchObject({ closed: true });
  });

  it("that is full where the tables are: work stops, and goes on when there is room", async () => {
    const projectDir = await mount("300k");
    const place = { ...(await newLogPlace()), projectDir };
    const told = await startWriter(place, "3000", "stop", "settle").told();
    expect(told.find(({ error }) => error)).toMatchObject({
      code: "store_unusable",
      error: expect.stringContaining("the disk is full"),
    });
    run("mount", "-o", "remount,size=50m", projectDir);
    const again = await startWriter(place, "10", "stop", "settle").told();
    expect(again.at(-1)).toMatchObject({ closed: true });
    await expectInLog(place, idsIn([...told, ...again]));
  });

  it("that is read-only: a run is refused, and goes on when it no longer is", async () => {
    const projectDir = await mount("5m");
    const place = { ...(await newLogPlace()), projectDir };
    const told = await startWriter(place, "10", "stop", "settle").told();
    run("mount", "-o", "remount,ro", projectDir);
    const refused = await startWriter(place, "10", "stop").told();
    expect(refused.at(-1)).toMatchObject({
      code: "store_unusable",
      error: expect.stringContaining("audit.db"),
    });
    const { audit, notices } = await openAuditAt(place);
    await expect(audit.ready()).rejects.toMatchObject({ code: "store_unusable", fault: "read_only" });
    expect(() => audit.add(SENT)).toThrow("can't be written to");
    run("mount", "-o", "remount,rw", projectDir);
    await audit.ready();
    const next = audit.add(SENT);
    await audit.settled();
    await expectInLog(place, [...idsIn(told), next.id]);
    expect(notices).toEqual([
      expect.stringContaining("nothing is run until it can be"),
      "The audit log is written again",
    ]);
  });

  it("that is read-only, told to continue: what happens waits in the spool", async () => {
    const projectDir = await mount("5m");
    const place = { ...(await newLogPlace()), projectDir };
    run("mount", "-o", "remount,ro", projectDir);
    const told = await startWriter(place, "10", "continue").told();
    expect(told.map(({ notice }) => notice).find((text) => text)).toContain("work goes on");
    expect(told.at(-1)).toMatchObject({ closed: true });
    run("mount", "-o", "remount,rw", projectDir);
    await expectInLog(place, idsIn(told));
  });
});

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

function canMount(): boolean {
  return spawnSync("unshare", ["--mount", "true"]).status === 0;
}
