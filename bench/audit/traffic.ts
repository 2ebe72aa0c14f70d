import type { AuditEvent } from "../../src/audit/event.ts";
import { createEventBook, type EventBook, type MadeCall, type MadeRun, type Who } from "./event-book.ts";
import { createRandom, type Random } from "./random.ts";
import type { RecordedCall, RecordedWork } from "./recorded-work.ts";

/** Ordinary days of a team, made of recorded tasks: people in several time zones, a shop's support, jobs at night, failures. */
export type Traffic = { readonly events: readonly AuditEvent[]; readonly people: readonly Person[] };

export type Person = {
  readonly name: string;
  readonly kind: "office" | "shop";
  readonly client: string;
  readonly hoursFromUtc: number;
  readonly isOnWeekends: boolean;
  /** How much of it there is, compared with others. */
  readonly pace: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
export const MONDAY = Date.UTC(2026, 9, 5);
const CLIENTS = ["claude-code", "cursor", "vscode", "claude-desktop"];
const ZONES = [-8, -5, 0, 1, 1, 2, 5.5, 9];

type Day = {
  readonly book: EventBook;
  readonly random: Random;
  readonly work: RecordedWork;
  readonly startAt: number;
  readonly isWeekend: boolean;
  /** Which server fails, from when to when, and how. */
  readonly outage:
    | { readonly server: string; readonly from: number; readonly to: number; readonly code: string }
    | undefined;
};

export function makeTraffic(work: RecordedWork, seed: number, days = 7): Traffic {
  const random = createRandom(seed);
  const book = createEventBook(random, `${seed}_`);
  const people = makePeople(random, seed);
  const servers = [...new Set(work.office.flat().map(({ server }) => server)), "shop"];
  for (let index = 0; index < days; index++) {
    const startAt = MONDAY + index * DAY_MS;
    const outageAt = startAt + random.between(0, 20) * HOUR_MS;
    const outage = random.chance(0.3)
      ? {
          server: random.pick(servers),
          from: outageAt,
          to: outageAt + random.between(1, 4) * HOUR_MS,
          code: random.pick(["server_unavailable", "timeout", "tool_failed"]),
        }
      : undefined;
    const day: Day = { book, random, work, startAt, isWeekend: index % 7 >= 5, outage };
    for (const person of people) workDay(day, person);
    workNight(day, seed, index);
  }
  return { events: book.events.sort((a, b) => a.at - b.at), people };
}

function makePeople(random: Random, seed: number): Person[] {
  return Array.from({ length: random.between(6, 9) }, (_, index) => ({
    name: `user-${seed}-${index}`,
    kind: index % 3 === 2 ? "shop" : "office",
    client: random.pick(CLIENTS),
    hoursFromUtc: random.pick(ZONES),
    isOnWeekends: random.chance(0.2),
    pace: 0.5 + random.next() * 1.5,
  }));
}

function workDay(day: Day, person: Person): void {
  const { random } = day;
  if (day.isWeekend ? !(person.isOnWeekends && random.chance(0.6)) : random.chance(0.06)) return;
  const local = (hour: number) => day.startAt + (hour - person.hoursFromUtc) * HOUR_MS;
  let at = local(8 + random.next() * 2);
  const end = local(random.chance(0.08) ? 22 : 17 + random.next() * 2);
  let session = 0;
  let left = 0;
  let who: Who = { principal: person.name, session: "", client: person.client };
  while (at < end) {
    if (left-- <= 0) {
      left = random.between(3, 14);
      const name = `s_${person.name}_${Math.floor(day.startAt / DAY_MS)}_${session++}`;
      who = { ...who, session: name };
    }
    at = person.kind === "shop" ? serveCustomer(day, who, at) : doTask(day, who, at);
    // Work comes in bursts.
    const pauseMinutes = random.chance(0.6) ? random.between(1, 6) : random.between(8, 50);
    at += (pauseMinutes * 60_000) / person.pace;
    const isLunch = at > local(12) && at < local(13);
    if (isLunch) at = local(13);
  }
}

/** A recorded task, one call a run or several, and now and then what else people do. */
function doTask(day: Day, who: Who, startAt: number): number {
  const { random, work } = day;
  if (random.chance(0.16)) return doSomethingElse(day, who, startAt);
  const calls = random.pick(work.office).map((call) => vary(call, day, startAt));
  let at = startAt;
  for (let index = 0; index < calls.length; ) {
    const size = random.chance(0.4) ? calls.length : random.between(1, 3);
    at = toRun(day, { at, who, calls: calls.slice(index, index + size) }) + random.between(4, 60) * 1_000;
    index += size;
  }
  return at;
}

function serveCustomer(day: Day, who: Who, startAt: number): number {
  const { random, work } = day;
  const task = random.pick(work.shop).map((call) => vary(call, day, startAt));
  let at = startAt;
  for (const call of task) at = toRun(day, { at, who, calls: [call] }) + random.between(5, 90) * 1_000;
  if (random.chance(0.4)) {
    const body = "x".repeat(random.between(150, 1_500));
    const args = { to: `customer${random.between(1, 5_000)}@example.com`, subject: "Your order", body };
    const mail = {
      server: "mail",
      tool: "send_email",
      args,
      outputBytes: 80,
      revealed: random.between(1, 4),
    };
    const times = random.chance(0.1) ? 2 : 1;
    for (let index = 0; index < times; index++)
      at = toRun(day, { at, who, calls: [{ ...mail, args: { ...args, body: body + index } }] }) + 20_000;
  }
  return at;
}

const ELSE = [
  fanOut,
  fanOut,
  pollBuild,
  pollBuild,
  deleteFew,
  lookForFiles,
  readOwnSettings,
  postSummary,
  tryDenied,
  useNetwork,
  breakRule,
  writeMany,
  forwardDocuments,
] as const;

function doSomethingElse(day: Day, who: Who, at: number): number {
  return day.random.pick(ELSE)(day, who, at);
}

/** The same for many items, in one program. */
function fanOut(day: Day, who: Who, at: number): number {
  const { random } = day;
  const count = random.between(8, 120);
  const server = random.pick(["github", "crm", "files"]);
  const tool = server === "github" ? "get_issue" : server === "crm" ? "get_contact" : "read_file";
  const base = random.between(1, 9_000);
  const calls = Array.from({ length: count }, (_, index) => ({
    ...{ server, tool, args: { id: base + index, path: `docs/page-${base + index}.md` } },
    outputBytes: random.between(200, 6_000),
    personal: server === "crm" ? 3 : 0,
  }));
  return toRun(day, { at, who, calls });
}

/** Waits for something: the answer changes, the same one comes a few times, or the pauses grow. */
function pollBuild(day: Day, who: Who, at: number): number {
  const { random } = day;
  const args = { build: random.between(1, 99_999) };
  const isBackOff = random.chance(0.3);
  const count = isBackOff ? random.between(5, 14) : random.between(2, 9);
  const calls: MadeCall[] = [];
  let state = 0;
  let pauseMs = random.between(2_000, 15_000);
  let same = 0;
  for (let index = 0; index < count; index++) {
    if (isBackOff) pauseMs *= 1.5;
    else if (random.chance(0.35) || same >= 6) {
      state++;
      same = 0;
    }
    same++;
    const output = `${args.build} ${state}`;
    calls.push({ server: "ci", tool: "get_build_status", args, outputBytes: 220, output, pauseMs });
  }
  return toRun(day, { at, who, calls });
}

function deleteFew(day: Day, who: Who, at: number): number {
  const { random } = day;
  const count = random.chance(0.12) ? random.between(5, 9) : random.between(1, 3);
  const isApproved = count > 4 ? random.chance(0.6) : random.chance(0.3);
  const base = random.between(1, 9_000);
  const calls = Array.from({ length: count }, (_, index) => ({
    ...{ server: "files", tool: "delete_file", args: { path: `tmp/${base + index}` }, outputBytes: 20 },
    isApproved,
  }));
  return toRun(day, { at, who, calls, risk: "medium" });
}

/** Guesses at a few names until it is there. */
function lookForFiles(day: Day, who: Who, at: number): number {
  const { random } = day;
  const count = random.between(2, 6);
  const base = random.between(1, 9_000);
  const calls = Array.from({ length: count }, (_, index) => ({
    ...{ server: "files", tool: "read_file", args: { path: `src/part-${base}-${index}.ts` } },
    outputBytes: random.between(60, 2_000),
    isFailed: index < count - 1,
  }));
  return toRun(day, { at, who, calls });
}

function readOwnSettings(day: Day, who: Who, at: number): number {
  const { random } = day;
  const paths = [".env.example", ".env", "config/app.json", ".npmrc", "package.json"];
  const calls = Array.from({ length: random.between(1, 3) }, () => ({
    ...{ server: "files", tool: "read_file", args: { path: random.pick(paths) }, outputBytes: 400 },
    isFailed: random.chance(0.2),
  }));
  return toRun(day, { at, who, calls });
}

function postSummary(day: Day, who: Who, at: number): number {
  const { random } = day;
  const count = random.between(2, 12);
  const reads = Array.from({ length: count }, () => ({
    ...{ server: "chat", tool: "get_thread", args: { id: random.between(1, 99_999) } },
    outputBytes: random.between(800, 9_000),
  }));
  const args = {
    channel: random.pick(["team", "standup", "general"]),
    text: "x".repeat(random.between(200, 900)),
  };
  const post = { server: "chat", tool: "post_message", args, outputBytes: 60 };
  return toRun(day, { at, who, calls: [...reads, post] });
}

function tryDenied(day: Day, who: Who, at: number): number {
  const { random } = day;
  const count = random.between(1, 4);
  const calls = Array.from({ length: count }, (_, index) => ({
    ...{ server: "github", tool: "merge_pull_request", args: { number: 7, try: index }, outputBytes: 0 },
    isDenied: true,
  }));
  return toRun(day, { at, who, calls, risk: "high" });
}

function useNetwork(day: Day, who: Who, at: number): number {
  const { random } = day;
  const hosts = ["api.github.com", "registry.npmjs.org", "pypi.org", "fonts.example.com", "data.example.org"];
  const egress = Array.from({ length: random.between(1, 4) }, () => ({
    ...{ host: random.pick(hosts), sentBytes: random.between(200, 2_500), isRefused: random.chance(0.3) },
  }));
  return toRun(day, { at, who, calls: [], egress });
}

function breakRule(day: Day, who: Who, at: number): number {
  const { random } = day;
  if (random.chance(0.5)) return toRun(day, { at, who, calls: [], limit: random.pick(["time", "output"]) });
  const rule = random.pick(["no-eval", "no-process", "no-dynamic-import"]);
  return toRun(day, { at, who, calls: [], violations: [rule], risk: "high" });
}

/** Reads things of one place and writes what it made of them into another. */
function writeMany(day: Day, who: Who, at: number): number {
  const { random } = day;
  const base = random.between(1, 9_000);
  const calls = Array.from({ length: random.between(2, 12) }, (_, index) => {
    const bytes = random.between(500, 5_000);
    const text = "x".repeat(Math.round(bytes * (0.1 + random.next() * 0.6)));
    return [
      { server: "web", tool: "fetch_page", args: { page: base + index }, outputBytes: bytes },
      { server: "notes", tool: "create_note", args: { title: `n${base + index}`, text }, outputBytes: 40 },
    ];
  }).flat();
  return toRun(day, { at, who, calls });
}

function forwardDocuments(day: Day, who: Who, at: number): number {
  const { random } = day;
  const to = `colleague${random.between(1, 12)}@example.com`;
  const calls = Array.from({ length: random.between(1, 2) }, () => {
    const bytes = random.between(400, 4_000);
    const args = { to, body: "x".repeat(bytes) };
    return [
      {
        server: "files",
        tool: "read_file",
        args: { path: `doc-${random.between(1, 999)}` },
        outputBytes: bytes,
      },
      { server: "mail", tool: "send_email", args, outputBytes: 80 },
    ];
  }).flat();
  return toRun(day, { at, who, calls });
}

/** What runs by itself: the same every night, but for how much. */
function workNight(day: Day, seed: number, index: number): void {
  const { random, book, startAt } = day;
  const who = (name: string): Who => ({
    principal: `${name}-${seed}`,
    session: `cli-${name}-${seed}-${index}`,
    client: "keyhole-cli",
  });
  const files = Array.from({ length: random.between(180, 220) }, (_, file) => ({
    ...{ server: "files", tool: "read_file", args: { path: `archive/${index}/${file}` } },
    outputBytes: random.between(300, 9_000),
  }));
  const report = {
    server: "files",
    tool: "write_file",
    args: { path: "report.md", text: "x".repeat(6_000) },
    outputBytes: 20,
  };
  book.run({
    at: startAt + 2 * HOUR_MS + random.between(0, 300_000),
    who: who("nightly-read"),
    calls: [...files, report],
  });
  const old = Array.from({ length: random.between(15, 30) }, (_, file) => ({
    ...{ server: "files", tool: "delete_file", args: { path: `tmp/${index}/${file}` }, outputBytes: 20 },
  }));
  book.run({ at: startAt + 3 * HOUR_MS, who: who("nightly-clean"), calls: old });
  const contacts = Array.from({ length: random.between(30, 60) }, (_, row) => {
    const bytes = random.between(500, 1_500);
    const args = { sheet: "contacts", row: "x".repeat(bytes), at: `${index}-${row}` };
    return [
      {
        server: "crm",
        tool: "get_contact",
        args: { id: `${index}-${row}` },
        outputBytes: bytes,
        personal: 4,
      },
      { server: "sheets", tool: "append_row", args, outputBytes: 30, revealed: 4 },
    ];
  }).flat();
  book.run({ at: startAt + 4 * HOUR_MS, who: who("nightly-sync"), calls: contacts });
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const output = random.chance(0.02) ? `down ${index} ${minute}` : "up";
    const call = { server: "status", tool: "get_health", args: { service: "shop" }, outputBytes: 90, output };
    book.run({
      at: startAt + minute * 60_000 + random.between(0, 5_000),
      who: who("monitor"),
      calls: [call],
    });
  }
  if (index % 7 !== 0) return;
  // Bills, each to whom it concerns.
  const bills = Array.from({ length: random.between(25, 40) }, (_, bill) => {
    const bytes = random.between(700, 2_000);
    const args = { to: `client${bill}@example.com`, body: "x".repeat(bytes) };
    return [
      {
        server: "billing",
        tool: "get_invoice",
        args: { id: `${index}-${bill}` },
        outputBytes: bytes,
        personal: 3,
      },
      { server: "mail", tool: "send_email", args, outputBytes: 80, revealed: 3 },
    ];
  }).flat();
  book.run({ at: startAt + 6 * HOUR_MS, who: who("weekly-bills"), calls: bills });
}

/** A recorded call for other things than those it was recorded with. */
function vary(call: RecordedCall, { random, outage }: Day, at: number): MadeCall {
  const isOut = outage !== undefined && outage.server === call.server && at > outage.from && at < outage.to;
  const isFailed = isOut || call.isFailed || random.chance(0.02);
  const args = { ...(call.args as object), case: random.between(1, 20_000) };
  return {
    ...{ server: call.server, tool: call.tool, args, isFailed, personal: call.personal },
    ...(isOut && { code: outage.code }),
    outputBytes: isFailed ? 120 : Math.round(call.outputBytes * (0.6 + random.next() * 0.8)),
    isApproved: random.chance(0.05),
  };
}

function toRun({ book, random }: Day, run: MadeRun): number {
  const risk = run.risk ?? (random.chance(0.04) ? "high" : random.chance(0.2) ? "medium" : "low");
  return book.run({ ...run, risk });
}

/** What a person would do at this time: attacks are mixed with it. */
export function ordinaryCall(work: RecordedWork, random: Random, kind: Person["kind"]): MadeCall {
  const call = random.pick(random.pick(kind === "shop" ? work.shop : work.office));
  const args = { ...(call.args as object), case: random.between(1, 20_000) };
  return {
    server: call.server,
    tool: call.tool,
    args,
    outputBytes: call.outputBytes,
    personal: call.personal,
  };
}
