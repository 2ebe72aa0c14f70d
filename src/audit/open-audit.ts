import { dirname } from "node:path";
import { type KeyholeError, toKeyholeError } from "../errors.ts";
import { AUDIT_DATABASE } from "../store/database/open-database.ts";
import { isBusy, StoreError } from "../store/database/store-error.ts";
import type { StateDir } from "../store/state-dir.ts";
import type { AuditLog } from "./audit-log.ts";
import type { AuditEvent, EventAction, NewEvent } from "./event.ts";
import { type LogPlace, toLogFolder, toLogId } from "./log-place.ts";
import type { AuditSettings } from "./settings.ts";
import { createAlarm } from "./spool/alarm.ts";
import { toSpoolFolder } from "./spool/drain.ts";
import { createThreadDrain } from "./spool/drain-thread.ts";
import { createDrainer } from "./spool/drainer.ts";
import { toEventId } from "./spool/event-id.ts";
import { createGap } from "./spool/gap.ts";
import { createKeyedHash } from "./spool/keyed-hash.ts";
import { createPostponed } from "./spool/postponed.ts";
import { listSpools } from "./spool/read-spools.ts";
import { createSealing } from "./spool/sealing.ts";
import { createSpoolWriter, type SpoolLimits } from "./spool/spool-writer.ts";
import { probeStore } from "./spool/store-probe.ts";
import { toLine } from "./spool/to-line.ts";

export type AuditOptions = {
  readonly state: Pick<StateDir, "path" | "prove">;
  /** The user's own folder, in which the keys are. */
  readonly userDir: string;
  readonly settings: Pick<AuditSettings, "store" | "onFailure" | "encrypt">;
  readonly env: NodeJS.ProcessEnv;
  readonly onNotice: (text: string) => void;
  /** @internal */
  readonly limits?: SpoolLimits & { readonly maxWaitingEvents?: number };
};

/** These come before something is done; all others tell what was. */
const BEGINNINGS: ReadonlySet<EventAction> = new Set<EventAction>([
  "run.started",
  "call.sent",
  "command.started",
]);
/** What was added and not committed is written after this time, too. */
const UNCOMMITTED_MS = 50;
const MUCH_PENDING = 512;
const RETRY_MS = 100;
/** Events that wait for the key by which they are sealed. */
const MAX_UNSEALED = 1_000;
/** What may wait in the spool while the tables can't be written. */
const MAX_WAITING_EVENTS = 100_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** So little is left to the next process: opening the tables for it would take longer than all the rest. */
const LEFT_EVENTS = 200;
const MAX_LEFT_SPOOLS = 32;

/**
 * The log of a project, for whoever writes to it. Nothing is opened yet: the spool at the first event, the tables in another
 * thread, when there is something to put into them.
 */
export function openAudit({ state, userDir, settings, env, onNotice, limits = {} }: AuditOptions): AuditLog {
  const place: LogPlace = { projectDir: dirname(state.path), userDir, store: settings.store };
  const logId = toLogId(place);
  const folder = toSpoolFolder(place);
  const isStopping = settings.onFailure === "stop";
  const hash = createKeyedHash(Buffer.from(state.prove("audit hash", logId), "hex"));
  const spool = createSpoolWriter(folder, limits);
  const drain = createThreadDrain({ place, onNotice });
  const drainer = createDrainer({ drain, totals: spool.totals, onChange: changed });
  const logFolder = toLogFolder(place);
  const sealing = createSealing(settings.encrypt, {
    env,
    keyDir: userDir,
    logId,
    logFolder,
    onChange: resealed,
  });
  const unsealed: AuditEvent[] = [];
  const postponed = createPostponed(() => commit());
  const gap = createGap();
  const alarm = createAlarm(onNotice);
  const listeners = new Set<(event: AuditEvent) => void>();
  let spoolFailure: KeyholeError | undefined;
  let probeFailure: KeyholeError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let triedAt = 0;
  let lost = 0;
  let isClosed = false;
  let gathered: Promise<void> | undefined;

  const failure = () => spoolFailure ?? probeFailure ?? drainer.failure();

  function tell(): void {
    const state = !isStopping ? "unrecorded" : isStopped() ? "stopped" : "waiting";
    alarm.update(failure(), { lost, state });
    if (failure() === undefined) lost = 0;
  }

  /** The tables can be written again: what was lost meanwhile is told in them, too. */
  function changed(): void {
    tell();
    if (drainer.failure() !== undefined || gap.lost() === 0) return;
    flush(Date.now());
    drainer.soon();
  }

  function isOverfull(): boolean {
    const { events, bytes } = drainer.waiting();
    return events > (limits.maxWaitingEvents ?? MAX_WAITING_EVENTS) || bytes > MAX_WAITING_BYTES;
  }

  /** Why nothing may be begun. What was done is still written to the spool, as long as that can be. */
  function refusal(now: number): KeyholeError | undefined {
    if (spoolFailure !== undefined) flush(now);
    if (probeFailure !== undefined) probe();
    return isStopped() ? failure() : undefined;
  }

  function isStopped(): boolean {
    const store = drainer.failure();
    if (spoolFailure !== undefined || probeFailure !== undefined) return true;
    if (store === undefined || isOverfull()) return store !== undefined;
    // What is locked, or was there a moment ago, comes back: what waits in the spool is safe.
    const isPassing = isBusy(store) || (settings.store !== "sqlite" && drainer.hasWorked());
    return !isPassing;
  }

  function probe(): void {
    const before = probeFailure;
    probeFailure =
      settings.store === "sqlite" ? probeStore(place.projectDir, AUDIT_DATABASE.file) : undefined;
    if (before?.message !== probeFailure?.message) tell();
  }

  function keep(event: AuditEvent, now: number): void {
    const isLost =
      (!isStopping && drainer.failure() !== undefined && isOverfull()) ||
      (sealing.isOpen() ? unsealed.push(event) > MAX_UNSEALED : !spool.add(toLine(event, sealing.seal)));
    if (!isLost) return;
    if (unsealed.length > MAX_UNSEALED) unsealed.pop();
    lost++;
    gap.count(now, failure()?.message ?? "Too much at once");
    if (isStopping) throw toRefusal(failure() ?? new StoreError("other", "Too much at once", "Try again"));
  }

  /** Takes those along that waited for the key. */
  function flush(now: number): void {
    if (!sealing.isOpen()) for (const event of unsealed.splice(0)) keep(event, now);
    const before = spoolFailure;
    triedAt = now;
    spoolFailure = spool.pending() > 0 || before === undefined ? spool.flush(now) : spool.open(now);
    if (spoolFailure === undefined && gap.lost() > 0 && (drainer.failure() === undefined || !isOverfull())) {
      const event = gap.take();
      if (event !== undefined) spool.add(toLine(toEvent(event, now), sealing.seal));
      spoolFailure = spool.flush(now);
    }
    if (isClosed) spool.finish();
    if (before !== spoolFailure) tell();
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (spool.pending() > 0) flush(Date.now());
      if (spoolFailure === undefined) drainer.soon();
    }, UNCOMMITTED_MS);
  }

  function commit(isForced = false): void | Promise<void> {
    postponed.run();
    if (unsealed.length > 0 && sealing.isOpen())
      return sealing.load().then(() => commit(isForced), refuseSealing);
    const now = Date.now();
    if (spoolFailure !== undefined) {
      // Work that goes on does not try each time to write all that waits.
      if (isStopping || isForced || now > triedAt + RETRY_MS) flush(now);
    } else if (spool.pending() > 0 || unsealed.length > 0) flush(now);
    if (spoolFailure !== undefined) {
      if (isStopping) throw toRefusal(spoolFailure);
      return undefined;
    }
    drainer.soon();
    // Slower than what comes: whoever writes so much waits for it.
    return drainer.failure() === undefined && isOverfull() ? drainer.settle().catch(() => {}) : undefined;
  }

  /** Whoever restores the old key in its place must know that there is a new one. */
  function resealed({ key, previous, isHere }: { key: string; previous: string; isHere: boolean }): void {
    const now = Date.now();
    keep(toEvent({ action: "audit.seal", outcome: "ok", details: { key, previous } }, now), now);
    if (!isHere)
      onNotice(
        `The audit log's details are sealed by the key ${key} from now on; ${previous}, which sealed them before, is not here, and what it sealed can't be read. Put it beside the new one as "audit-key-${previous}", not in its place`,
      );
  }

  function refuseSealing(error: unknown): void {
    spoolFailure = toKeyholeError(error);
    tell();
    if (isStopping) throw toRefusal(spoolFailure);
  }

  return {
    add(written) {
      postponed.run();
      const now = Date.now();
      if (isStopping && BEGINNINGS.has(written.action)) {
        const why = refusal(now);
        if (why !== undefined) throw toRefusal(why);
      }
      const event = toEvent(written, now);
      keep(event, now);
      if (isClosed || (spool.pending() >= MUCH_PENDING && spoolFailure === undefined)) flush(now);
      else flushSoon();
      for (const listener of listeners) inform(listener, event);
      return event;
    },
    commit: () => commit(),
    commitTogether() {
      gathered ??= new Promise<void>((resolve, reject) => {
        process.nextTick(() => {
          gathered = undefined;
          try {
            resolve(commit());
          } catch (error) {
            reject(error);
          }
        });
      });
      return gathered;
    },
    later: postponed.add,
    hash,
    onEvent(listener) {
      listeners.add(listener);
      return { end: () => void listeners.delete(listener) };
    },
    async ready() {
      try {
        if (sealing.isOpen()) await sealing.load();
      } catch (error) {
        return refuseSealing(error);
      }
      const now = Date.now();
      const opened = spool.open(now);
      if (opened === undefined) flush(now);
      else {
        spoolFailure = opened;
        tell();
      }
      probe();
      // Of a server elsewhere nothing is known before it has answered once.
      const isUntried = settings.store !== "sqlite" && !drainer.hasWorked();
      if (isStopping && (isUntried || (drainer.failure() !== undefined && isStopped())))
        await drainer.retry().catch(() => {});
      const why = refusal(now);
      if (why !== undefined && isStopping) throw toRefusal(why);
    },
    async settled() {
      await commit(true);
      if (spoolFailure !== undefined) throw toRefusal(spoolFailure);
      await drainer.settle();
    },
    failure,
    async close() {
      if (isClosed) return;
      try {
        await commit(true);
      } catch {
        // Told below.
      }
      isClosed = true;
      clearTimeout(timer);
      spool.finish();
      await drainer.close(await isDrainWanted());
      const unwritten = spool.pending() + unsealed.length + gap.lost();
      if (unwritten > 0)
        onNotice(
          `${unwritten} events of the audit log were not written down: ${failure()?.message ?? "closed"}`,
        );
    },
  };

  async function isDrainWanted(): Promise<boolean> {
    if (drainer.isStarted() || drainer.waiting().events >= LEFT_EVENTS) return true;
    return (await listSpools(folder).catch(() => [])).length > MAX_LEFT_SPOOLS;
  }
}

/** Told to whoever wanted to do something, with both ways out. */
function toRefusal(failure: KeyholeError): KeyholeError {
  const hint = failure.hint === undefined ? "" : `${failure.hint}, or else `;
  const rest =
    'set "audit": { "onFailure": "continue" } in your own config, and work goes on without a record';
  const fault = failure instanceof StoreError ? failure.fault : "other";
  return new StoreError(
    fault,
    `The audit log can't be written: ${failure.message}`,
    `${hint}${rest}`,
    failure,
  );
}

function toEvent(event: NewEvent, now: number): AuditEvent {
  // In this order: measured, the other one takes twice as long.
  const made = { id: toEventId(now), at: now, ...event };
  return made.at === undefined ? { ...made, at: now } : made;
}

function inform(listener: (event: AuditEvent) => void, event: AuditEvent): void {
  try {
    listener(event);
  } catch {
    // Who listens can't keep anything from being written down.
  }
}
