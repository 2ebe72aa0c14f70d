import { constants, existsSync } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { assertAnchors } from "../audit/anchors/anchor-targets.ts";
import { isCheckpointSigned } from "../audit/log/checkpoint.ts";
import { openLog } from "../audit/log/open-log.ts";
import { type LogPlace, toLogFolder } from "../audit/log-place.ts";
import { type AuditSettings, toAuditSettings } from "../audit/settings.ts";
import { toSpoolFolder } from "../audit/spool/drain.ts";
import { listSpools } from "../audit/spool/read-spools.ts";
import type { LoadedConfig } from "../config/load.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { AUDIT_DATABASE } from "../store/database/open-database.ts";
import { toStoreName } from "../store/postgres/store-name.ts";
import { STATE_FOLDER } from "../store/state-dir.ts";
import type { Check } from "./doctor.ts";
import { userDir } from "./project.ts";

const ID = "audit";
const TITLE = "What agents do is written to the audit log, signed";

/** Opens the log if there is one, and looks whether its end is signed. In a project without, none is made. */
export async function checkAudit(
  dir: string,
  { config, usersFile }: Pick<LoadedConfig, "config" | "usersFile">,
  homeDir = homedir(),
): Promise<Check> {
  if (!config.auditLogging)
    return { id: ID, status: "limited", title: 'There is no audit log: "auditLogging" is false' };
  let mode: AuditSettings["onFailure"] = "stop";
  try {
    const settings = toAuditSettings(config, { env: process.env, usersFile });
    assertAnchors(settings.anchors);
    mode = settings.onFailure;
    const projectDir = await realpath(dir);
    const place = { projectDir, userDir: userDir({ homeDir, env: process.env }), store: settings.store };
    await assertSpool(place);
    const { detail, isSound } = await describeLog(place);
    const off = describeOff(settings);
    const status = isSound ? "ok" : "failed";
    const fix = isSound ? {} : { fix: "Run `keyhole audit verify`: it says what is wrong with which events" };
    return { id: ID, status, title: TITLE, detail: [...detail, ...off].join(", "), ...fix };
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    const isNeeded = mode === "stop";
    return {
      id: ID,
      status: isNeeded ? "failed" : "limited",
      title: isNeeded
        ? "No program runs: what it does can't be written to the audit log"
        : "Nothing can be written to the audit log, and programs run all the same",
      detail: message,
      fix: hint ?? "Make room and let the files be written to",
    };
  }
}

/** Events are written there first. */
async function assertSpool(place: LogPlace): Promise<void> {
  const folder = toSpoolFolder(place);
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  await access(there, constants.W_OK).catch((cause: unknown) => {
    throw new KeyholeError("store_unusable", `Nothing can be written in "${there}"`, {
      hint: `Make "${there}" a folder that can be written to: events are written there first`,
      cause,
    });
  });
}

async function describeLog(place: LogPlace): Promise<{ detail: string[]; isSound: boolean }> {
  const isFile = place.store === "sqlite";
  const path = join(place.projectDir, STATE_FOLDER, AUDIT_DATABASE.file);
  const where = isFile ? path : toStoreName(place.store);
  const waiting = (await listSpools(toSpoolFolder(place)).catch(() => [])).length;
  const spools =
    waiting === 0 ? [] : [`${waiting} spool${waiting === 1 ? "" : "s"} in ${toLogFolder(place)}`];
  if (isFile && !existsSync(path)) return { detail: [`none yet: ${where}`, ...spools], isSound: true };
  const { store, keys, logId, writer } = await openLog(place);
  try {
    const head = await store.head();
    if (head === undefined) return { detail: [where, "no events yet", ...spools], isSound: true };
    const last = (await store.checkpoints(head.sequence)).at(-1);
    const key = (await keys.known()).find((row) => row.key === last?.key);
    const isSound =
      last !== undefined &&
      key !== undefined &&
      last.sequence === head.sequence &&
      Buffer.compare(last.hash, head.hash) === 0 &&
      isCheckpointSigned(logId, last, key);
    const signed = isSound
      ? "its end is signed by a key of yours"
      : "its end is not signed by a key of yours";
    return { detail: [where, `${head.sequence} events`, signed, ...spools], isSound };
  } finally {
    await writer.close();
  }
}

/** What is less than by default. */
function describeOff({ contents, onFailure, anomalies }: AuditSettings): string[] {
  return [
    ...(contents === "none" ? ["programs are not kept (audit.contents)"] : []),
    ...(onFailure === "continue" ? ["work goes on when it can't be written (audit.onFailure)"] : []),
    ...(anomalies.enabled ? [] : ["nothing unusual is looked for (audit.anomalies)"]),
  ];
}
