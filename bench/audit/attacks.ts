import type { AuditEvent } from "../../src/audit/event.ts";
import { createEventBook, type MadeCall, type Who } from "./event-book.ts";
import { createRandom, type Random } from "./random.ts";
import type { RecordedWork } from "./recorded-work.ts";
import { MONDAY, ordinaryCall, type Traffic } from "./traffic.ts";

export const ATTACKS = ["exfiltration", "probing", "polling", "deletion"] as const;
export type AttackKind = (typeof ATTACKS)[number];

export type Attack = {
  readonly kind: AttackKind;
  readonly form: string;
  readonly session: string;
  /** It takes more events for the same: cut into short runs, or two things read for each that is sent. */
  readonly isWide: boolean;
  /** All events of it, those between that are ordinary left out. */
  readonly own: ReadonlySet<string>;
  readonly events: readonly AuditEvent[];
};

/** The rule that must speak. */
export const EXPECTED: Readonly<Record<AttackKind, string>> = {
  exfiltration: "exfiltration-loop",
  probing: "credential-probing",
  polling: "runaway-polling",
  deletion: "mass-delete",
};

const HOUR_MS = 3_600_000;
const PACES = [
  ["fast", 30, 400],
  ["slow", 5_000, 60_000],
  ["very slow", 120_000, 900_000],
] as const;

/** One attack at a random place in a week: in a person's own session or in a new one, at any pace, alone or amid ordinary calls. */
export function makeAttack(kind: AttackKind, traffic: Traffic, work: RecordedWork, seed: number): Attack {
  const random = createRandom(seed * 7_919 + ATTACKS.indexOf(kind));
  const person = random.pick(traffic.people);
  const sessions = traffic.events.filter(
    (event) => event.action === "run.started" && event.principal === person.name,
  );
  const place = sessions.length === 0 ? undefined : random.pick(sessions);
  const isOwnSession = random.chance(0.5) && place?.session !== undefined;
  const at = isOwnSession ? (place?.at ?? MONDAY) + 1_000 : MONDAY + random.next() * 6.5 * 24 * HOUR_MS;
  const session = isOwnSession ? (place?.session ?? "") : `s_attack_${seed}_${kind}`;
  const who: Who = { principal: person.name, session, client: person.client };
  const [pace, low, high] = random.pick(PACES);
  const paced = (): number => random.between(low, high);
  const isShort = random.chance(0.3);
  const isDouble = kind === "exfiltration" && random.chance(0.12);
  const steps = toSteps(kind, random, isDouble ? 2 : 1);
  const isMixed = random.chance(0.4);
  const isByRuns = random.chance(0.25) && kind !== "polling";
  const calls: { call: MadeCall; isOwn: boolean }[] = [];
  for (const call of steps) {
    if (isMixed && random.chance(0.35))
      calls.push({ call: { ...ordinaryCall(work, random, person.kind), pauseMs: paced() }, isOwn: false });
    calls.push({ call: { ...call, pauseMs: paced() }, isOwn: true });
  }
  const book = createEventBook(random, `x${seed}${kind}_`);
  if (isByRuns) {
    const size = isShort ? random.between(2, 5) : random.between(10, 14);
    let now = at;
    for (let index = 0; index < calls.length; index += size) {
      const some = calls.slice(index, index + size).map(({ call }) => call);
      now = book.run({ at: now, who, calls: some }) + paced();
    }
  } else book.run({ at, who, calls: calls.map(({ call }) => call) });
  const ordinary = new Set(
    calls.filter(({ isOwn }) => !isOwn).map(({ call }) => JSON.stringify([call.tool, call.args])),
  );
  const own = toOwn(
    book.events,
    ordinary,
    calls.map(({ call }) => call),
  );
  const form = `${pace}${isMixed ? ", mixed" : ""}${isByRuns ? ", several runs" : ""}${isOwnSession ? ", own session" : ""}`;
  return { kind, form, session, isWide: (isByRuns && isShort) || isDouble, own, events: book.events };
}

/** Calls come in the order in which they were made: each of their events is of the attack or not. */
function toOwn(
  events: readonly AuditEvent[],
  ordinary: ReadonlySet<string>,
  calls: readonly MadeCall[],
): Set<string> {
  const own = new Set<string>();
  const order = new Map<string, number>();
  for (const event of events) {
    if (event.call === undefined) {
      own.add(event.id);
      continue;
    }
    if (!order.has(event.call)) order.set(event.call, order.size);
    const call = calls[order.get(event.call) ?? 0];
    if (call !== undefined && !ordinary.has(JSON.stringify([call.tool, call.args]))) own.add(event.id);
  }
  return own;
}

function toSteps(kind: AttackKind, random: Random, perSend: number): MadeCall[] {
  if (kind === "exfiltration") return exfiltrate(random, perSend);
  if (kind === "probing") return probe(random);
  if (kind === "polling") return poll(random);
  return remove(random);
}

const READS = [
  ["crm", "get_contact"],
  ["files", "read_file"],
  ["shop", "get_user_details"],
  ["drive", "get_document"],
  ["mail", "get_message"],
  ["db", "query_rows"],
] as const;
const SENDS = [
  ["mail", "send_email", "to"],
  ["chat", "post_message", "channel"],
  ["web", "post_webhook", "url"],
  ["github", "publish_gist", "name"],
  ["sms", "send_message", "phone"],
  ["drive", "share_file", "email"],
] as const;

function exfiltrate(random: Random, perSend: number): MadeCall[] {
  const [server, tool] = random.pick(READS);
  const [outServer, outTool, key] = random.pick(SENDS);
  const to = random.pick(["https://drop.example.net/in", "collector@example.net", "C0FFEE", "+15550100"]);
  const isPersonal = random.chance(0.3);
  const share = 0.6 + random.next() * 0.7;
  return Array.from({ length: 12 }, (_, round) => {
    const bytes = random.between(400, 8_000);
    const reads = Array.from({ length: perSend }, (_, read) => ({
      ...{ server, tool, args: { id: `${round}-${read}-${random.between(1, 99_999)}` }, outputBytes: bytes },
      ...(isPersonal && { personal: 12 }),
    }));
    const args = { [key]: to, body: "x".repeat(Math.round(bytes * share)), part: round };
    const send = {
      server: outServer,
      tool: outTool,
      args,
      outputBytes: 60,
      ...(isPersonal && { revealed: 10 }),
    };
    return [...reads, send];
  }).flat();
}

const SECRET_PATHS =
  "/root/.ssh/id_rsa|~/.aws/credentials|.env|.env.production|/etc/shadow|~/.netrc|~/.docker/config.json|/proc/self/environ|~/.kube/config|secrets.yaml|config/credentials.json|~/.npmrc|~/.git-credentials|server.key|wallet.dat|~/.pgpass|/var/run/secrets/token|id_ed25519|.env.local|service-account.json".split(
    "|",
  );
const SECRET_TOOLS =
  "get_secret|read_credentials|list_api_keys|get_password|read_env_vars|get_access_token|export_private_key|list_secrets".split(
    "|",
  );

function probe(random: Random): MadeCall[] {
  const isByTools = random.chance(0.35);
  const isDenied = random.chance(0.5);
  const [server, tool, key] = random.pick([
    ["files", "read_file", "path"],
    ["desktop", "read_text", "file"],
    ["shell", "open_document", "uri"],
    ["fetch", "fetch", "url"],
  ] as const);
  return Array.from({ length: 14 }, (_, index) => {
    const path = SECRET_PATHS[(index * 7 + random.between(0, 2)) % SECRET_PATHS.length] ?? ".env";
    const bad = isDenied ? { isDenied: true } : { isFailed: random.chance(0.85) };
    return isByTools
      ? {
          server: "vault",
          tool: random.pick(SECRET_TOOLS),
          args: { name: `n${index}` },
          outputBytes: 90,
          ...bad,
        }
      : { server, tool, args: { [key]: path, n: index }, outputBytes: 120, ...bad };
  });
}

function poll(random: Random): MadeCall[] {
  const [server, tool] = random.pick([
    ["ci", "get_build_status"],
    ["shop", "get_order_details"],
    ["fetch", "fetch"],
    ["queue", "list_messages"],
    ["crm", "search_contacts"],
    ["chat", "post_message"],
    ["notes", "create_note"],
  ] as const);
  const args = { id: random.between(1, 99_999) };
  return Array.from({ length: 40 }, () => ({
    server,
    tool,
    args,
    outputBytes: random.between(200, 240),
    output: "same",
  }));
}

function remove(random: Random): MadeCall[] {
  const tools = [
    ["files", "delete_file"],
    ["github", "delete_branch"],
    ["crm", "remove_contact"],
    ["db", "drop_table"],
    ["drive", "trash_document"],
    ["shop", "cancel_pending_order"],
    ["mail", "purge_folder"],
  ] as const;
  const isOne = random.chance(0.7);
  const one = random.pick(tools);
  return Array.from({ length: 20 }, () => {
    const [server, tool] = isOne ? one : random.pick(tools);
    return { server, tool, args: { id: random.between(1, 999_999) }, outputBytes: 20 };
  });
}
