import type { LogColumns } from "../../log/log-store.ts";
import { toRiskRank } from "../condition.ts";
import type { LogFilter } from "../filter.ts";
import { addToken, isTokenIn, mixNumber, type Token, textNumber } from "./token-set.ts";

/** Columns of which each has few values: what is asked for together is looked up together. */
const FIELDS = ["principal", "client", "server", "tool", "risk", "outcome", "action"] as const;
type Field = (typeof FIELDS)[number];

/** More combinations than these are not tried one by one. */
const MAX_COMBINATIONS = 64;

/** Adds what can be asked for of an event: each of its columns, each two and each three of them. */
export function createHeadTokens(): (bits: Uint8Array, seen: Set<string>, columns: LogColumns) => void {
  const known = new Map<string, Token>();
  const tokenOf = (name: string): Token => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const token = nameToken(name);
    if (known.size < 10_000) known.set(name, token);
    return token;
  };
  return (bits, seen, columns) => {
    const names = FIELDS.flatMap((field) => {
      const value = columns[field];
      return value === null ? [] : [`${field}=${value}`];
    });
    const all = names.join("\n");
    if (seen.has(all)) return;
    seen.add(all);
    const tokens = names.map(tokenOf);
    for (const [index, first] of tokens.entries()) {
      addToken(bits, first);
      for (const [between, second] of tokens.slice(index + 1).entries()) {
        const pair = combine(first, second);
        addToken(bits, pair);
        for (const third of tokens.slice(index + between + 2)) addToken(bits, combine(pair, third));
      }
    }
  };
}

/** Whether a block may hold an event with these heads; nothing where the filter says nothing of them. */
export function createHeadTest(filter: LogFilter): ((bits: Uint8Array) => boolean) | undefined {
  const conditions = toConditions(filter);
  if (conditions.length === 0) return undefined;
  const groups = toGroups(conditions).flatMap((group) => {
    const combinations = group.reduce((product, values) => product * values.length, 1);
    // Then each condition on its own says enough.
    return combinations > MAX_COMBINATIONS ? group.map((values) => [values]) : [group];
  });
  const wanted = groups.map((group) =>
    group.reduce((tokens, values) => tokens.flatMap((token) => values.map((value) => combine(token, value)))),
  );
  return (bits) => wanted.every((tokens) => tokens.some((token) => isTokenIn(bits, token)));
}

type Conditions = (readonly Token[])[];

function toConditions(filter: LogFilter): Conditions {
  const { risk, outcomes, actions } = filter;
  const wanted: Readonly<Record<Field, readonly (string | number)[] | undefined>> = {
    principal: toList(filter.principal),
    client: toList(filter.client),
    server: toList(filter.server),
    tool: toList(filter.tool),
    risk: risk && [0, 1, 2, 3].filter((rank) => rank >= toRiskRank(risk)),
    outcome: outcomes,
    action: actions,
  };
  return FIELDS.flatMap((field) => {
    const values = wanted[field];
    return values === undefined ? [] : [values.map((value) => nameToken(`${field}=${value}`))];
  });
}

const toList = (value: string | undefined) => (value === undefined ? undefined : [value]);

/** All threes of them; or the two, or the one there is. */
function toGroups(conditions: Conditions): Conditions[] {
  if (conditions.length <= 3) return [conditions];
  return conditions.flatMap((first, one) =>
    conditions
      .slice(one + 1)
      .flatMap((second, two) => conditions.slice(one + two + 2).map((third) => [first, second, third])),
  );
}

function nameToken(name: string): Token {
  return [textNumber(name, 0), textNumber(name, 0x5bd1e995)];
}

/** The order counts: it is that of the fields. */
function combine([a, b]: Token, [c, d]: Token): Token {
  return [mixNumber(Math.imul(a, 31) ^ c), mixNumber(Math.imul(b, 31) ^ d)];
}
