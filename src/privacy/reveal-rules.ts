import type { ConfiguredAction } from "../config/privacy/actions.ts";
import type { PrivacySection } from "../config/privacy/schema.ts";
import type { PiiClass } from "../pii-classes.ts";
import { toNamePattern } from "../policy/permissions/name-pattern.ts";

/** Where a value would be told. */
export type RevealPlace = {
  readonly server: string;
  /** By its server's own name for it. */
  readonly tool: string;
  readonly function?: string;
  readonly parameter?: string;
};

/** What one config file says of servers. */
export type RevealRules = {
  actionOf(kind: PiiClass, server: string): ConfiguredAction | undefined;
  reveal(kind: PiiClass, to: RevealPlace): "named" | "denied" | undefined;
  hasRules(server: string): boolean;
};

type Servers = NonNullable<PrivacySection["servers"]>;
type Classes = readonly PiiClass[];

/** Of a value's place the nearest word counts: that on its parameter, on its tool, on its server. */
export function createRevealRules(written: Servers): RevealRules {
  const servers = toEntries(written).map(({ value, ...names }) => ({
    ...names,
    classes: value.classes,
    reveal: value.reveal,
    tools: toEntries(value.tools ?? {}).map(({ value: tool, ...toolNames }) => ({
      ...toolNames,
      reveal: tool.reveal,
      parameters: toEntries(tool.parameters ?? {}),
    })),
  }));
  const speaksOfReveal = ({ reveal, tools }: (typeof servers)[number]) =>
    reveal !== undefined || tools.some((tool) => tool.reveal !== undefined || tool.parameters.length > 0);
  const rulesOf = (server: string) =>
    servers.filter((entry) => entry.couldMean([server]) && speaksOfReveal(entry));

  /** The first list that speaks of the place, and whether it is surely meant. */
  function findList({ server, tool, function: called, parameter }: RevealPlace): Found | undefined {
    const toolNames = called === undefined ? [tool] : [tool, called];
    for (const entry of rulesOf(server)) {
      const isServer = entry.means([server]);
      for (const one of entry.tools.filter(({ couldMean }) => couldMean(toolNames))) {
        const isTool = isServer && one.means(toolNames);
        const own =
          parameter === undefined
            ? undefined
            : one.parameters.find(({ couldMean }) => couldMean([parameter]));
        if (own !== undefined && parameter !== undefined)
          return { classes: own.value, isSure: isTool && own.means([parameter]) };
        if (one.reveal !== undefined) return { classes: one.reveal, isSure: isTool };
      }
      if (entry.reveal !== undefined) return { classes: entry.reveal, isSure: isServer };
    }
    return undefined;
  }

  return {
    actionOf: (kind, server) =>
      servers.find(({ means, classes }) => classes?.[kind] !== undefined && means([server]))?.classes?.[kind],
    reveal(kind, to) {
      if (rulesOf(to.server).length === 0) return undefined;
      const found = findList(to);
      return found?.isSure === true && found.classes.includes(kind) ? "named" : "denied";
    },
    hasRules: (server) => rulesOf(server).length > 0,
  };
}

type Found = { readonly classes: Classes; readonly isSure: boolean };

type Entry<Value> = {
  readonly value: Value;
  means(names: readonly string[]): boolean;
  /** Also by a name that only looks like it. */
  couldMean(names: readonly string[]): boolean;
};

/** Whole names before patterns, and of patterns the longer ones first. */
function toEntries<Value>(written: Readonly<Record<string, Value>>): Entry<Value>[] {
  const isPattern = (name: string) => Number(name.includes("*"));
  return Object.entries(written)
    .sort(([a], [b]) => isPattern(a) - isPattern(b) || b.length - a.length)
    .map(([name, value]) => ({
      value,
      means: toNamePattern(name, "exact"),
      couldMean: toNamePattern(name, "loose"),
    }));
}
