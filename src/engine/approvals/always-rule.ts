import { parseArgumentPath } from "../../config/permissions/argument-path.ts";
import type { Approval, PendingCall } from "../../policy/approvals/approval.ts";
import { isPlainLine, toExcerpt } from "../../text/plain-text.ts";
import { OWN_SERVER } from "../call/record.ts";

/** A rule of `permissions.rules` that allows calls such as these, and no others. */
export type AlwaysRule = {
  readonly server: string;
  /** Of all servers but Keyhole itself. */
  readonly fingerprint?: string;
  readonly tool: string;
  readonly args?: Readonly<Record<string, ArgumentPattern>>;
  readonly onlyArgs: true;
  readonly decision: "allow";
};

/** Tells a server of this project from others of its name; nothing of one that is not there. */
export type FingerprintOf = (server: string) => string | undefined;

export type ArgumentPattern = { readonly equals: Scalar } | { readonly matches: "" };
type Scalar = string | number | boolean | null;

export type AlwaysRules =
  | { readonly rules: readonly AlwaysRule[] }
  /** Why there can be none. */
  | { readonly reason: string };

/** Longer values are never compared by a rule. */
const MAX_VALUE_CHARS = 4_096;
const MAX_VALUES = 50;
const MAX_RULES = 20;

/**
 * One rule for each call: its tool, of the server as this project has it, and each of its arguments as it is, but for those that are free. Names come from servers:
 * one that a rule would read as a pattern has no rule.
 *
 * @param free paths of arguments that may be anything
 */
export function toAlwaysRules(
  { calls }: Pick<Approval, "calls">,
  fingerprintOf: FingerprintOf,
  free: readonly string[] = [],
): AlwaysRules {
  const rules = new Map<string, AlwaysRule>();
  const unknown = new Set(free);
  for (const call of calls) {
    const made = toRule(call, fingerprintOf, new Set(free));
    if ("reason" in made) return made;
    for (const path of Object.keys(made.args ?? {})) unknown.delete(path);
    rules.set(JSON.stringify(made), made);
  }
  const [missing] = unknown;
  if (missing !== undefined) return { reason: `no call has an argument at "${toExcerpt(missing, 80)}"` };
  if (rules.size > MAX_RULES) return { reason: `it would take ${rules.size} rules` };
  return { rules: [...rules.values()] };
}

/** Where the values of a call stand, as rules write it. */
export function argumentPaths({ args }: Pick<PendingCall, "args">): string[] {
  return listValues(args).map(({ path }) => path);
}

function toRule(
  { server, tool, args }: PendingCall,
  fingerprintOf: FingerprintOf,
  free: ReadonlySet<string>,
): AlwaysRule | { readonly reason: string } {
  for (const name of [server, tool])
    if (!isPlainLine(name) || name.length > 300 || /[*?[\]{}|^\\]/.test(name))
      return { reason: `a rule would read the name "${toExcerpt(name, 80)}" as a pattern` };
  const fingerprint = fingerprintOf(server);
  if (fingerprint === undefined && server !== OWN_SERVER)
    return { reason: `the server "${toExcerpt(server, 80)}" can't be told from others of its name` };
  const values = listValues(args);
  if (values.length > MAX_VALUES) return { reason: `"${tool}" has too many arguments for a rule` };
  const patterns: [string, ArgumentPattern][] = [];
  for (const { path, value } of values) {
    const place = `"${toExcerpt(path, 80)}"`;
    if (parseArgumentPath(path) === undefined) return { reason: `a rule can't name the argument ${place}` };
    if (typeof value === "object" && value !== null)
      return { reason: `a rule can't speak of ${place}, which is empty` };
    if (typeof value === "string" && value.length > MAX_VALUE_CHARS)
      return { reason: `a rule can't hold ${place}, which is longer than ${MAX_VALUE_CHARS} characters` };
    // A pattern is never found in null.
    patterns.push([path, free.has(path) && value !== null ? { matches: "" } : { equals: value as Scalar }]);
  }
  const named = patterns.length === 0 ? {} : { args: Object.fromEntries(patterns) };
  const pinned = fingerprint === undefined ? {} : { fingerprint };
  return { server, ...pinned, tool, ...named, onlyArgs: true, decision: "allow" };
}

type Placed = { readonly path: string; readonly value: unknown };

function listValues(args: object): Placed[] {
  const found: Placed[] = [];
  const open: Placed[] = [{ path: "$", value: args }];
  for (let at = open.pop(); at !== undefined && found.length <= MAX_VALUES; at = open.pop()) {
    const { path, value } = at;
    const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
    if (inside.length === 0) {
      if (value !== args) found.push(at);
      continue;
    }
    const steps = inside.map(([key, inner]) => ({
      path: path + (Array.isArray(value) ? `[${key}]` : toStep(key)),
      value: inner,
    }));
    open.push(...steps.reverse());
  }
  return found;
}

/** A key with both quotes makes a path that can't be read, and then there is no rule. */
function toStep(key: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)) return `.${key}`;
  return key.includes("'") ? `["${key}"]` : `['${key}']`;
}
