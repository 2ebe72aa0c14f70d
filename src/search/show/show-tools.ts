import type { Printer } from "../../codegen/printer.ts";
import type { Work } from "../../text/slices.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { Detail, FoundSkill, FoundTool, SearchAnswer, SearchableServer } from "../answer.ts";
import { FIRST, type Hit } from "../query/rank.ts";
import { type Found, isSkillHit, isToolHit } from "../skills/place-skills.ts";
import type { SkillHit } from "../skills/skill-index.ts";
import { toDefinitions } from "./definitions.ts";
import { toSentence } from "./first-sentence.ts";
import { toNameList } from "./name-list.ts";
import { type ShownSkills, showSkills } from "./show-skills.ts";
import { SIBLING_TOKENS, toSiblings } from "./siblings.ts";
import { toTroubleLines } from "./trouble.ts";

export type SearchFindings = {
  readonly query: string;
  readonly detail: Detail | undefined;
  readonly limit: number | undefined;
  readonly printer: Printer;
  readonly hits: readonly Hit[];
  /** The same with skills among them. */
  readonly found: readonly Found[];
  /** Whether nothing but skills was looked for. */
  readonly isForSkills: boolean;
  /** The best score of all. */
  readonly top: number;
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
  default: { limit: FIRST, tokens: 800 },
} as const;
/** Kept free for the line that says how many more there are, and because tokens are only estimated. */
const FOOTER_TOKENS = 45;
const USED_SHARE = { name: 0.92, description: 0.92, full: 0.92, default: 1 } as const;
const MAX_DESCRIPTION = 160;
const MAX_QUOTED = 80;
/** The same of a skill beside the best of all, tool or skill. */
const NEAR_SKILL = 0.5;
/** How much of an answer skills may take where there are tools, too. */
const SKILLS_SHARE = 0.35;
/** A tool of a server that leads nothing is shown if its score is this near to the best: no task needed one that was not. */
const NEAR_SHARE = 0.4;

export function* toToolsAnswer(findings: SearchFindings): Work<SearchAnswer> {
  const { hits, found, detail = "default", printer, query, servers } = findings;
  if (found.length === 0) return { text: toNothingFound(findings), total: 0, tools: [] };
  const { tokens } = LEVELS[detail];
  const wanted = toWanted(findings);
  const tools = wanted.filter(isToolHit);
  const isShort = detail === "default";
  const near = isShort ? bySteps(findings.limit === undefined ? toNear(tools) : tools) : tools;
  const trouble = toTroubleLines(query, servers, near);
  const kept = FOOTER_TOKENS + estimateTokens(trouble.join("\n")) + (isShort ? SIBLING_TOKENS : 0);
  const room = (tokens - kept) * USED_SHARE[detail];
  const isNear = ({ score }: SkillHit) => !isShort || score >= NEAR_SKILL * findings.top;
  const skills = showSkills(wanted.filter(isSkillHit).filter(isNear), {
    detail,
    printer,
    room: tools.length === 0 ? room : room * SKILLS_SHARE,
  });
  const shown = yield* showLevel[detail](near, printer, room - skills.tokens);
  const siblings = isShort && near.length > 0 ? toSiblings(shown.shown, hits, printer) : undefined;
  const footer = [
    ...toMore(shown.tools.length + skills.shown.length, found.length, detail),
    ...shown.notes,
    ...findings.notes,
  ];
  const blocks = [...(shown.text === "" ? [] : [shown.text]), ...(siblings === undefined ? [] : [siblings])];
  const isSkillFirst = wanted[0] !== undefined && isSkillHit(wanted[0]);
  const lines = [
    ...(isSkillFirst ? [...skills.lines, ...blocks] : [...blocks, ...skills.lines]),
    ...trouble,
    ...(footer.length === 0 ? [] : [`(${footer.join("; ")})`]),
  ];
  return { text: lines.join("\n"), total: found.length, tools: toData(wanted, shown, skills, printer) };
}

/** What is asked for by a number is that many; else skills come beside as many tools as there would be without them. */
function toWanted(findings: SearchFindings): Found[] {
  const { found, hits, limit, detail = "default" } = findings;
  if (limit !== undefined) return found.slice(0, limit);
  const tools = new Set(hits.slice(0, Math.max(LEVELS[detail].limit, toStepCount(hits))));
  const skills = new Set(found.filter(isSkillHit).slice(0, LEVELS[detail].limit));
  return found.filter((one) => (isSkillHit(one) ? skills.has(one) : tools.has(one)));
}

/** All that was wanted; what had room in the text, with its definition. */
function toData(
  wanted: readonly Found[],
  { tools }: Shown,
  skills: ShownSkills,
  printer: Printer,
): (FoundTool | FoundSkill)[] {
  const shown = new Map(tools.map((tool) => [tool.function, tool]));
  return wanted.map((one) => {
    if (isSkillHit(one)) return skills.toData(one);
    const found = toFound(one, printer);
    return shown.get(found.function) ?? found;
  });
}

function toStepCount(hits: readonly Hit[]): number {
  return hits.filter(({ step }) => step !== undefined).length;
}

/** As they were asked for; what leads no step comes after. */
function bySteps(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => (a.step ?? Number.MAX_VALUE) - (b.step ?? Number.MAX_VALUE));
}

function toNear(hits: readonly Hit[]): Hit[] {
  const [best] = hits;
  const leading = new Set(
    hits.filter((hit) => hit === best || hit.step !== undefined).map(({ server }) => server),
  );
  return hits.filter(({ server, score }) => leading.has(server) || score >= NEAR_SHARE * (best?.score ?? 0));
}

type Shown = {
  readonly text: string;
  /** Those that had room, and the same as data. */
  readonly shown: readonly Hit[];
  readonly tools: readonly FoundTool[];
  /** What a reader has to know of the text. */
  readonly notes: readonly string[];
};

const showLevel = {
  name: showNames,
  description: showDescriptions,
  full: (hits: readonly Hit[], printer: Printer, room: number) =>
    showDefinitions(hits, printer, { tokens: room, isDocumented: true }),
  default: (hits: readonly Hit[], printer: Printer, room: number) =>
    showDefinitions(hits, printer, { tokens: room, isDocumented: false }),
};

/** Best server first, so that the order still says something. */
function* showNames(hits: readonly Hit[], printer: Printer, room: number): Work<Shown> {
  const fitting = hits.slice(
    0,
    countFitting(
      hits.map(({ tool }) => estimateTokens(tool.identifiers[printer.naming]) + 1),
      room,
    ),
  );
  const groups = new Map<string, string[]>();
  for (const { server, tool } of fitting) {
    const names = groups.get(server.identifiers[printer.naming]);
    if (names) names.push(tool.identifiers[printer.naming]);
    else groups.set(server.identifiers[printer.naming], [tool.identifiers[printer.naming]]);
  }
  const text = [...groups].map(([server, names]) => toNameList(server, names)).join("\n");
  return {
    text,
    shown: fitting,
    tools: fitting.map((hit) => toFound(hit, printer)),
    notes: /^\w+~ /m.test(text) ? ["get~ A B means getA, getB"] : [],
  };
}

function* showDescriptions(hits: readonly Hit[], printer: Printer, room: number): Work<Shown> {
  const tools = hits.map((hit) => ({
    ...toFound(hit, printer),
    description: toSentence(hit.tool.description || (hit.tool.title ?? ""), MAX_DESCRIPTION),
  }));
  const lines = tools.map(({ function: name, description }) =>
    description === "" ? name : `${name}: ${description}`,
  );
  const fitting = countFitting(lines.map(estimateTokens), room);
  return {
    text: lines.slice(0, fitting).join("\n"),
    shown: hits.slice(0, fitting),
    tools: tools.slice(0, fitting),
    notes: [],
  };
}

function* showDefinitions(
  hits: readonly Hit[],
  printer: Printer,
  room: { tokens: number; isDocumented: boolean },
): Work<Shown> {
  const definitions = yield* toDefinitions(hits, printer, room);
  return {
    text: definitions.map(({ text }) => text).join("\n"),
    shown: definitions.map(({ hit }) => hit),
    tools: definitions.map(({ hit, description, definition }) => ({
      ...toFound(hit, printer),
      description,
      definition,
    })),
    notes: definitions.some(({ isCut }) => isCut) ? ['types are shortened: see detail "full"'] : [],
  };
}

function toFound({ server, tool }: Hit, printer: Printer): FoundTool {
  return {
    server: server.name,
    tool: tool.name,
    function: `${server.identifiers[printer.naming]}.${tool.identifiers[printer.naming]}`,
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

function toNothingFound({ query, near, servers, isForSkills }: SearchFindings): string {
  const asked = JSON.stringify(toSentence(query, MAX_QUOTED));
  if (isForSkills) return `No skill matches ${asked}. Try other words, or search without "skill:" for tools`;
  const trouble = toTroubleLines(query, servers, []);
  const names = servers.map(({ identifiers }) => identifiers.typescript).slice(0, 40);
  const rest = servers.length > names.length ? ", …" : "";
  const hint =
    near.length > 0
      ? `Near: ${near.join(", ")}`
      : `Try other words, or one of the servers: ${names.join(", ")}${rest}`;
  return [`No tool matches ${asked}. ${hint}`, ...trouble].join("\n");
}
