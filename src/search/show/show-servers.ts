import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { FoundServer, SearchAnswer, SearchableServer } from "../answer.ts";
import { toCount, toSentence } from "./first-sentence.ts";

const MAX_ABOUT = 120;
const MAX_STATUS = 200;
const MAX_INSTRUCTIONS = 4_000;
const READY = "ready";
const MAX_TOKENS = 2_000;

/** How much is said of each server: the first form that is within the budget for all of them is taken. */
const FORMS = [
  { about: MAX_ABOUT, sample: 4 },
  { about: 60, sample: 2 },
  { about: 0, sample: 0 },
] as const;
type Form = { readonly about: number; readonly sample: number };

/** The servers, what each is for, how many tools it has, and how it is. */
export function toServersAnswer(servers: readonly SearchableServer[], skills = 0): SearchAnswer {
  const lines = servers.length === 0 ? ["No MCP servers are configured."] : toLines(servers);
  const what = servers.length === 0 ? [] : ["Search for what you want to do, to see functions"];
  return {
    text: [...lines, ...toSkillsLine(skills), ...what].join("\n"),
    servers: servers.map(toFound),
    ...(skills > 0 && { skills }),
  };
}

/** They are none of the servers, and found like their functions. */
function toSkillsLine(skills: number): string[] {
  return skills === 0
    ? []
    : [`(and ${toCount(skills, "skill")}, saved to be used again: search finds them, too)`];
}

function toFound(server: SearchableServer): FoundServer {
  const { name, tools, instructions = "", status = READY } = server;
  const about = toAbout(instructions, MAX_ABOUT);
  const found = { name, tools: tools.length, status: toSentence(status, MAX_STATUS) };
  return about === "" ? found : { ...found, about };
}

/** The first sentence of a server's instructions; headings say no more than its name. */
function toAbout(instructions: string, max: number): string {
  const lines = instructions.slice(0, MAX_INSTRUCTIONS).split("\n");
  const prose = lines.filter((line) => !/^\s*(?:#|[-=*_]{3,}\s*$)/.test(line));
  return toSentence(prose.join("\n"), max);
}

function toLines(servers: readonly SearchableServer[]): string[] {
  for (const form of FORMS) {
    const lines = servers.map((server) => toLine(server, form));
    if (lines.reduce((sum, line) => sum + estimateTokens(line), 0) <= MAX_TOKENS) return lines;
  }
  return toFitting(servers);
}

/** Those that have trouble come first: that they are there can't be found out by searching. */
function toFitting(servers: readonly SearchableServer[]): string[] {
  const isTroubled = ({ status = READY }: SearchableServer) => status !== READY;
  const sorted = [...servers.filter(isTroubled), ...servers.filter((server) => !isTroubled(server))];
  const lines: string[] = [];
  let tokens = 0;
  for (const server of sorted) {
    const line = toLine(server, { about: 0, sample: 0 });
    tokens += estimateTokens(line);
    if (tokens > MAX_TOKENS) break;
    lines.push(line);
  }
  const left = sorted.slice(lines.length);
  const tools = left.reduce((sum, server) => sum + server.tools.length, 0);
  return [...lines, `(and ${toCount(left.length, "more server")} with ${toCount(tools, "tool")})`];
}

/** Names of a few tools stand in where a server does not say what it is for. */
function toLine(server: SearchableServer, form: Form): string {
  const { identifiers, instructions = "", status = READY, tools } = server;
  const about = form.about === 0 ? "" : toAbout(instructions, form.about);
  const sample = tools.slice(0, form.sample).map((tool) => tool.identifiers.typescript);
  const rest = tools.length > sample.length && sample.length > 0 ? ", …" : "";
  const purpose = about === "" ? `${sample.join(", ")}${rest}` : about;
  const health = status === READY ? "" : ` [${toSentence(status, MAX_STATUS)}]`;
  return `${identifiers.typescript} (${toCount(tools.length, "tool")})${health}${purpose === "" ? "" : `: ${purpose}`}`;
}
