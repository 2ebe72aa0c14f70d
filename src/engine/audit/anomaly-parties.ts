import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CarriedNote, type CarriedStore, MAX_CARRIED } from "../../audit/anomaly/carried.ts";
import { type LogPlace, toLogFolder } from "../../audit/log-place.ts";
import { isRecord } from "../../text/is-record.ts";
import { randomId } from "../../text/random-id.ts";

/** What a party (a principal with a client) is held for, also in sessions and processes that come later. */
export type PartyHold = {
  readonly verdict: "ask" | "stop";
  readonly at: number;
  readonly rule: string;
  /** The one it was found in last is last. */
  readonly sessions: readonly string[];
};

/** In the user's own folder beside the log, which no program and no project can write to; a file for each party. */
export type AnomalyParties = CarriedStore & {
  holdOf(party: string): PartyHold | undefined;
  hold(party: string, verdict: "ask" | "stop", rule: string, session: string): void;
};

type PartyFile = { readonly hold?: PartyHold | undefined; readonly notes: readonly CarriedNote[] };

/** Whoever was stopped, and comes back, is held for so long. */
export const HOLD_MS = 15 * 60_000;
const MAX_FILES = 500;
const MAX_BYTES = 64 * 1024;
const MAX_HELD_SESSIONS = 20;
const NOTHING: PartyFile = { notes: [] };

/** @param hash names no client and no principal to whoever sees the files */
export function openAnomalyParties(place: LogPlace, hash: (text: string) => string): AnomalyParties {
  const folder = toPartyFolder(place);
  const names = new Map<string, string>();

  function fileOf(party: string): string {
    const known = names.get(party);
    if (known !== undefined) return known;
    const file = join(folder, `${hash(`party ${party}`).slice(0, 32)}.json`);
    if (names.size >= MAX_FILES) names.clear();
    names.set(party, file);
    return file;
  }

  const read = (party: string): PartyFile => readPartyFile(fileOf(party)) ?? NOTHING;

  function write(party: string, known: PartyFile): void {
    try {
      const file = fileOf(party);
      if (known.hold === undefined && known.notes.length === 0) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (statSync(file, { throwIfNoEntry: false }) === undefined) dropOldest(folder);
      const fresh = `${file}.${randomId("p")}`;
      writeFileSync(fresh, JSON.stringify(known), { flag: "wx", mode: 0o600 });
      renameSync(fresh, file);
    } catch {
      // What can't be kept holds for the session all the same.
    }
  }

  function holdOf(party: string): PartyHold | undefined {
    const { hold } = read(party);
    // Whatever becomes of the clock.
    const passedMs = hold === undefined ? HOLD_MS : Math.abs(Date.now() - hold.at);
    return passedMs < HOLD_MS ? hold : undefined;
  }

  return {
    read: (party) => read(party).notes,
    write: (party, notes) => write(party, { hold: holdOf(party), notes }),
    holdOf,
    hold(party, verdict, rule, session) {
      const known = holdOf(party);
      const isStopped = known?.verdict === "stop" && verdict === "ask";
      const sessions = [...(known?.sessions ?? []).filter((one) => one !== session), session];
      const hold = {
        ...(isStopped ? known : { verdict, rule, at: Date.now() }),
        sessions: sessions.slice(-MAX_HELD_SESSIONS),
      };
      write(party, { hold, notes: read(party).notes });
    },
  };
}

/** Lets go of the party that is held for what a session did. Tells all sessions that it was held for. */
export function releaseParty(place: LogPlace, session: string): readonly string[] {
  const folder = toPartyFolder(place);
  return listFiles(folder).flatMap((name) => {
    const file = join(folder, name);
    const sessions = readPartyFile(file)?.hold?.sessions ?? [];
    if (!sessions.includes(session)) return [];
    rmSync(file, { force: true });
    return sessions;
  });
}

function toPartyFolder(place: LogPlace): string {
  return join(toLogFolder(place), "parties");
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Clients name themselves: there may be as many as they like. */
function dropOldest(folder: string): void {
  const names = listFiles(folder);
  if (names.length < MAX_FILES) return;
  const aged = names.map((name) => {
    const file = join(folder, name);
    return { file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  aged.sort((one, other) => one.at - other.at);
  for (const { file } of aged.slice(0, names.length - MAX_FILES / 2)) rmSync(file, { force: true });
}

function readPartyFile(file: string): PartyFile | undefined {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined || size > MAX_BYTES) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isRecord(value)) return undefined;
    const notes = Array.isArray(value["notes"]) ? value["notes"].filter(isNote).slice(-MAX_CARRIED) : [];
    return { hold: isHold(value["hold"]) ? value["hold"] : undefined, notes };
  } catch {
    return undefined;
  }
}

function isHold(value: unknown): value is PartyHold {
  if (!isRecord(value)) return false;
  const { verdict, at, rule, sessions } = value;
  return (
    (verdict === "ask" || verdict === "stop") &&
    typeof at === "number" &&
    typeof rule === "string" &&
    Array.isArray(sessions) &&
    sessions.every((one) => typeof one === "string")
  );
}

function isNote(value: unknown): value is CarriedNote {
  if (!isRecord(value)) return false;
  const { rule, group, what, points, at, id, from, behind } = value;
  return (
    [rule, group, what, id, from].every((one) => typeof one === "string") &&
    [points, at, behind].every((one) => typeof one === "number" && Number.isFinite(one))
  );
}
