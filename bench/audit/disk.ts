import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LogPlace } from "../../src/audit/log-place.ts";
import type { AuditPart } from "../audit.ts";
import { inspectLog, openAuditIn, withLog } from "./log-folder.ts";
import { startWriter } from "./writers.ts";

type Case = {
  readonly what: string;
  /** Which of the two folders is on the disk that fails. */
  readonly folder: "projectDir" | "userDir";
  readonly size: string;
  readonly isReadOnly?: boolean;
  readonly onFailure: "stop" | "continue";
};

const CASES: readonly Case[] = (["stop", "continue"] as const).flatMap((onFailure): Case[] => [
  { what: "full, under the spools", folder: "userDir", size: "300k", onFailure },
  { what: "full, under the tables", folder: "projectDir", size: "300k", onFailure },
  { what: "read-only, under the tables", folder: "projectDir", size: "5m", isReadOnly: true, onFailure },
]);
const EVENTS = "4000";

/** Disks that are full or read-only: what is refused, what is told, and whether the log is whole afterwards. */
export const measureDisks: AuditPart = async ({ progress }) => {
  if (process.getuid?.() !== 0 || spawnSync("unshare", ["--mount", "true"]).status !== 0)
    return { tables: [], notes: ["disk: not measured, since nothing can be mounted here"], misses: [] };
  const rows: (readonly (string | number)[])[] = [];
  const misses: string[] = [];
  for (const one of CASES) {
    progress(`disk: ${one.what}, ${one.onFailure}`);
    const { refused, alarms, committed, missing, isSound } = await withLog((place) => fail(place, one));
    rows.push([one.what, one.onFailure, refused ?? "no", alarms, committed, missing, isSound ? "yes" : "no"]);
    const isRight =
      one.onFailure === "stop" ? refused === "store_unusable" : refused === undefined && alarms > 0;
    if (!isRight || missing > 0 || !isSound) misses.push(`${one.what}, ${one.onFailure}`);
  }
  return {
    tables: [
      {
        title: "A disk that fails under a process that writes",
        columns: [
          "disk",
          "onFailure",
          "refused",
          "alarms",
          "acknowledged",
          "of them lost",
          "verified afterwards",
        ],
        rows,
      },
    ],
    notes: ["where work goes on, what is acknowledged counts up to the alarm"],
    misses,
  };
};

async function fail(base: LogPlace, { folder, size, isReadOnly, onFailure }: Case) {
  const disk = join(dirname(base.projectDir), "disk");
  await mkdir(disk);
  run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk);
  try {
    const place = { ...base, [folder]: disk };
    const before = isReadOnly ? (await startWriter(place, "10", "stop", "settle").told()).ids : [];
    if (isReadOnly) run("mount", "-o", "remount,ro", disk);
    const { ids, error, notices } = await startWriter(
      place,
      EVENTS,
      onFailure,
      ...(onFailure === "stop" ? ["settle"] : []),
    ).told();
    run("mount", "-o", "remount,rw,size=50m", disk);
    const audit = await openAuditIn(place);
    audit.add({ action: "session.opened", outcome: "ok", details: { front: "bench" } });
    await audit.settled();
    await audit.close();
    const isLossy = onFailure === "continue" && folder === "userDir";
    const acknowledged = [...before, ...(isLossy ? [] : ids)];
    const found = await inspectLog(place, acknowledged);
    return { refused: error?.code, alarms: notices.length, committed: acknowledged.length, ...found };
  } finally {
    run("umount", "-l", disk);
  }
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}
