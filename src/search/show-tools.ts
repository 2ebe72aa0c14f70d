import type { Detail, FoundTool, Language, SearchAnswer, SearchableServer } from "./answer.ts";
import { toDefinitions } from "./definitions.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { toSentence } from "./lines.ts";
import { toNameList } from "./name-list.ts";
import type { Hit } from "./rank.ts";

export type Findings = {
  readonly query: string;
  readonly detail: Detail | undefined;
  readonly limit: number | undefined;
  readonly language: Language;
  readonly hits: readonly Hit[];
  /** Names close to the query, when nothing matches it. */
  readonly near: readonly string[];
  readonly servers: readonly SearchableServer[];
  /** What a reader has to know of the search itself. */
  readonly notes: readonly string[];
};

/** How many tools a level shows unless told, and the tokens it may take, whatever was asked for. */
const LEVELS = {
  name: { limit: 100, tokens: 4_000 },
  description: { limit: 20, tokens: 4_000 },
  full: { limit: 5, tokens: 4_000 },
  default: { limit: 5, tokens: 800 },
} as const;
/** Kept free: for the line that says how many more there are, and because tokens are estimated. */
const FOOTER_TOKENS = 45;
const USED_SHARE = 0.92;
const MAX_DESCRIPTION = 160;
const MAX_QUOTED = 80;
const MAX_TROUBLED = 5;

export function toToolsAnswer(findings: Findings): SearchAnswer {
  const { hits, detail = "default", language } = findings;
  if (hits.length === 0) return { text: toNothingFound(findings), total: 0, tools: [] };
  const { limit, tokens } = LEVELS[detail];
  const wanted = hits.slice(0, findings.limit ?? limit);
  const room = (tokens - FOOTER_TOKENS) * USED_SHARE;
  const { text, tools, notes } = showLevel[detail](wanted, language, room);
  const shown = tools.length;
  const shownTools = new Map(tools.map((tool) => [tool.function, tool]));
  const all = wanted
    .map((hit) => toFound(hit, language))
    .map((found) => shownTools.get(found.function) ?? found);
  const footer = [...toMore(shown, hits.length, detail), ...notes, ...findings.notes];
  return {
    text: footer.length === 0 ? text : `${text}\n(${footer.join("; ")})`,
    total: hits.length,
    tools: all,
  };
}

type Shown = {
  readonly text: string;
  /** Those that had room. */
  readonly tools: readonly FoundTool[];
  /** What a reader has to know of the text. */
  readonly notes: readonly string[];
};

const showLevel = {
  name: showNames,
  description: showDescriptions,
  full: (hits: readonly Hit[], language: Language, room: number) =>
    showDefinitions(hits, language, { tokens: room, isDocumented: true }),
  default: (hits: readonly Hit[], language: Language, room: number) =>
    showDefinitions(hits, language, { tokens: room, isDocumented: false }),
};

/** Best server first, so that the order still says something. */
function showNames(hits: readonly Hit[], language: Language, room: number): Shown {
  const fitting = hits.slice(
    0,
    countFitting(
      hits.map(({ tool }) => estimateTokens(tool.identifiers[language]) + 1),
      room,
    ),
  );
  const groups = new Map<string, string[]>();
  for (const { server, tool } of fitting) {
    const names = groups.get(server.identifiers[language]);
    if (names) names.push(tool.identifiers[language]);
    else groups.set(server.identifiers[language], [tool.identifiers[language]]);
  }
  const text = [...groups].map(([server, names]) => toNameList(server, names)).join("\n");
  return {
    text,
    tools: fitting.map((hit) => toFound(hit, language)),
    notes: /^\w+~ /m.test(text) ? ["get~ A B means getA, getB"] : [],
  };
}

function showDescriptions(hits: readonly Hit[], language: Language, room: number): Shown {
  const tools = hits.map((hit) => ({
    ...toFound(hit, language),
    description: toSentence(hit.tool.description || (hit.tool.title ?? ""), MAX_DESCRIPTION),
  }));
  const lines = tools.map(({ function: name, description }) =>
    description === "" ? name : `${name}: ${description}`,
  );
  const fitting = countFitting(lines.map(estimateTokens), room);
  return { text: lines.slice(0, fitting).join("\n"), tools: tools.slice(0, fitting), notes: [] };
}

function showDefinitions(
  hits: readonly Hit[],
  language: Language,
  room: { tokens: number; isDocumented: boolean },
): Shown {
  const shown = toDefinitions(hits, language, room);
  return {
    text: shown.map(({ text }) => text).join("\n"),
    tools: shown.map(({ hit, description, definition }) => ({
      ...toFound(hit, language),
      description,
      definition,
    })),
    notes: shown.some(({ isCut }) => isCut) ? ['types are shortened: see detail "full"'] : [],
  };
}

function toFound({ server, tool }: Hit, language: Language): FoundTool {
  return {
    server: server.name,
    tool: tool.name,
    function: `${server.identifiers[language]}.${tool.identifiers[language]}`,
  };
}

/** The first is always shown: an answer that shows nothing helps nobody. */
function countFitting(tokens: readonly number[], room: number): number {
  let used = 0;
  const over = tokens.findIndex((each) => {
    used += each;
    return used > room;
  });
  return over === -1 ? tokens.length : Math.max(1, over);
}

function toMore(shown: number, total: number, level: keyof typeof LEVELS): string[] {
  if (shown >= total) return [];
  const how = level === "name" ? "a larger limit or a narrower query" : 'detail "name", or other words';
  return [`${shown} of ${total} matches; more: ${how}`];
}

/** What is asked for may be the tool of a server that is not there. */
function toTrouble(servers: readonly SearchableServer[]): string {
  const troubled = servers.filter(({ tools, status }) => tools.length === 0 && status?.startsWith("failed"));
  const lines = troubled
    .slice(0, MAX_TROUBLED)
    .map(({ identifiers, status = "" }) => `\n${identifiers.typescript} [${toSentence(status, MAX_QUOTED)}]`);
  const more = troubled.length - lines.length;
  return [...lines, ...(more > 0 ? [`\n(and ${more} more that failed)`] : [])].join("");
}

function toNothingFound({ query, near, servers }: Findings): string {
  const asked = JSON.stringify(toSentence(query, MAX_QUOTED));
  const trouble = toTrouble(servers);
  if (near.length > 0) return `No tool matches ${asked}. Near: ${near.join(", ")}${trouble}`;
  const names = servers.map(({ identifiers }) => identifiers.typescript).slice(0, 40);
  const rest = servers.length > names.length ? ", …" : "";
  return `No tool matches ${asked}. Try other words, or one of the servers: ${names.join(", ")}${rest}${trouble}`;
}
