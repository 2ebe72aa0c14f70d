import type { ToolRecord } from "../../catalog/tool.ts";
import {
  DOERS,
  EFFECT_VERBS,
  type Effect,
  JOINS,
  LOOKED_AT,
  LOOKED_FOR_IN,
  PLAIN_WRITES,
  PREPOSITIONS,
  SPEAKING,
  STATES,
  THINGS,
  VERBS_OR_THINGS,
  WITH_OBJECTS,
} from "./verb-table.ts";
import { toLooks, toWords } from "./words.ts";

export type { Effect } from "./verb-table.ts";

type Described = Pick<ToolRecord, "name" | "trusted" | "declared">;

const effects = new WeakMap<Described, Effect>();

/**
 * What a tool does, by its name and by what its server says. Anybody is believed who says that a tool is more dangerous than
 * its name; that it is less, only a server which the user trusts.
 */
export function toEffect(tool: Described): Effect {
  const known = effects.get(tool);
  if (known !== undefined) return known;
  const effect = effectOf(tool);
  effects.set(tool, effect);
  return effect;
}

/** Those that cannot be taken back, or reach others. */
export function isGrave(effect: Effect): boolean {
  return effect === "destroys" || effect === "sends" || effect === "pays" || effect === "publishes";
}

function effectOf({ name, trusted, declared }: Described): Effect {
  const named = effectOfName(name);
  if (declared?.destructive === true) return isGrave(named) ? named : "destroys";
  if (trusted && declared?.readOnly === true) return "reads";
  if (trusted && declared?.destructive === false && named === "destroys") return "writes";
  if (declared?.readOnly === false && (named === "reads" || named === "unknown")) return "writes";
  return named;
}

/** By the words of the name alone; of several verbs the gravest counts. */
export function effectOfName(name: string): Effect {
  const words = joinChecks(toWords(name).map((word) => withoutNumber(toLooks(word))));
  let gravest: Effect = "unknown";
  for (const clause of toClauses(words)) {
    const effect = effectOfClause(clause);
    if (RANKS[effect] > RANKS[gravest]) gravest = effect;
  }
  return gravest;
}

/** `delete2` deletes. */
function withoutNumber(word: string): string {
  const bare = word.replace(/\d+$/, "");
  const effect = EFFECT_VERBS.get(bare) ?? VERBS_OR_THINGS.get(bare);
  return effect === undefined || effect === "reads" ? word : bare;
}

/** `check_out_cart` looks at nothing; `check_in_stock` does. */
function joinChecks(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    if (before === "check" && (word === "out" || isCheckIn(word, after))) return [];
    if (word !== "check") return [word];
    return after === "out" ? ["checkout"] : isCheckIn(after, words[at + 2]) ? ["checkin"] : [word];
  });
}

function isCheckIn(word: string | undefined, next: string | undefined): boolean {
  return word === "in" && !LOOKED_FOR_IN.has(next ?? "");
}

const RANKS: Readonly<Record<Effect, number>> = {
  unknown: 0,
  reads: 1,
  writes: 2,
  sends: 3,
  publishes: 4,
  pays: 5,
  destroys: 6,
};

/** `get_and_delete` has two. */
function toClauses(words: readonly string[]): string[][] {
  const clauses: string[][] = [[]];
  // A drag ends in a drop, and nothing is lost by it.
  const isDrag = words.includes("drag");
  for (const word of words) {
    if (isDrag && word === "drop") continue;
    if (JOINS.has(word)) clauses.push([]);
    else clauses.at(-1)?.push(word);
  }
  return clauses.filter(({ length }) => length > 0);
}

function effectOfClause(words: readonly string[]): Effect {
  const first = VERBS_OR_THINGS.get(words[0] ?? "");
  // A draft is made, whatever is done with it later.
  if (words[0] === "draft") return "writes";
  const at = findLead(words, first);
  const lead = verbOf(words[at] ?? "");
  const last = verbOf(words.at(-1) ?? "");
  // `list_remove`: a list, and what is done to it.
  if (first === "reads" && words.length > 1 && last !== undefined && last !== "reads") return last;
  const besides =
    (first ?? lead) === "reads" ? besidesReading(words, first === undefined ? at : 0) : undefined;
  if (besides !== undefined) return besides;
  if (first !== undefined && (at === -1 || first === "reads")) return effectOfThing(words, 0, first);
  if (lead !== undefined) return withObject(words, at, lead);
  const thing = words.findIndex((word) => VERBS_OR_THINGS.has(word));
  if (thing !== -1) return effectOfThing(words, thing, VERBS_OR_THINGS.get(words[thing] ?? "") ?? "unknown");
  const running = words.findIndex((word) => WITH_OBJECTS.some(({ verbs }) => verbs.has(word)));
  if (running !== -1) return withObject(words, running, "unknown");
  if (words.some(isGlued)) return "destroys";
  const name = words.at(-1) ?? "";
  // To `log` something is no look at it.
  const isLookedAtHere = LOOKED_AT.has(name) && (words.length > 1 || name !== "log");
  return DOERS.get(name) ?? (isLookedAtHere ? "reads" : "unknown");
}

/** `read_delete_message`, `list_remove_item`: what is done besides, the gravest of it. */
function besidesReading(words: readonly string[], at: number): Effect | undefined {
  const last = words.at(-1) ?? "";
  if (SPEAKING.has(words[at] ?? "") || LOOKED_AT.has(last) || THINGS.has(last)) return undefined;
  let gravest: Effect = "reads";
  for (const word of words.slice(at + 1)) {
    const effect = EFFECT_VERBS.get(word) ?? "reads";
    const isDone = isGrave(effect) || PLAIN_WRITES.has(word);
    if (isDone && RANKS[effect] > RANKS[gravest]) gravest = effect;
  }
  return gravest === "reads" ? undefined : gravest;
}

/** `mark_as_read`: the mark is made, and nothing is read. */
function findLead(words: readonly string[], first: Effect | undefined): number {
  const at = words.findIndex((word) => verbOf(word) !== undefined);
  const isOfFirst = first !== undefined && first !== "reads" && verbOf(words[at] ?? "") === "reads";
  return isOfFirst && words.slice(0, at).some((word) => PREPOSITIONS.has(word)) ? -1 : at;
}

/** Also in the third person. */
function verbOf(word: string): Effect | undefined {
  const known = EFFECT_VERBS.get(word);
  if (known !== undefined || !word.endsWith("s")) return known;
  const stem = EFFECT_VERBS.get(word.slice(0, -1));
  return stem !== undefined && isGrave(stem) ? stem : undefined;
}

/** A verb, unless it is what something else is about: `order_status`, `post_list`. */
function effectOfThing(words: readonly string[], at: number, effect: Effect): Effect {
  if (words.includes("git") && words[at] === "checkout") return "writes";
  const last = words.at(-1) ?? "";
  const isAbout = words.length - 1 > at && !words.slice(at).some((word) => PREPOSITIONS.has(word));
  if (isAbout && last === "draft") return "writes";
  if (isAbout && isLookedAt(last, words[at] ?? "", effect)) return "reads";
  return withObject(words, at, effect);
}

function isLookedAt(last: string, thing: string, effect: Effect): boolean {
  if (VERBS_OR_THINGS.get(last) === "reads" && effect !== "destroys") return true;
  if (effect === "reads" || thing === "trash") return LOOKED_AT.has(last);
  // `clear_history`, `drop_view`: there is more of it than its state.
  if (effect === "destroys") return last === "status" || last === "rate" || last === "info";
  return STATES.has(last) || (last === "summary" && effect !== "sends");
}

function withObject(words: readonly string[], at: number, effect: Effect): Effect {
  const verb = words[at] ?? "";
  const after = words.slice(at + 1);
  const end = after.findIndex((word) => PREPOSITIONS.has(word));
  // `order_create` has it before the verb.
  const thing =
    (after.length === 0 ? words.slice(0, at) : end === -1 ? after : after.slice(0, end)).at(-1) ?? "";
  const found = WITH_OBJECTS.find(({ verbs, things, unless, anywhere }) => {
    if (!verbs.has(verb) || words.some((word) => unless?.has(word))) return false;
    return anywhere ? words.some((word) => things.has(word)) : things.has(thing);
  });
  return found?.effect ?? effect;
}

const GLUED =
  /^(?:delete|remove|destroy|erase|purge|wipe|truncate|uninstall|terminate|revoke|cancel|send|publish|purchase|withdraw|deploy|refund)(?!l?(?:ed|er|ing|able|ation)|ion|ment|als?$|s$|d$|r$)[a-z]{3,}|(?:and|soft|hard|bulk|mass|get|auto)(?:delete|remove|destroy|purge|send|pay|publish)/;

/** `deleteuser`: nothing says where its words end. */
function isGlued(word: string): boolean {
  return GLUED.test(word);
}
