import { isRecord } from "../text/is-record.ts";

/**
 * What a program does, as far as its text shows: plain data, the same for every language. It is made in the process that
 * read the program, which a program may have taken over: `readProgramFacts` is the border.
 */
export type ProgramFacts = {
  readonly lines: number;
  /** Of its most branched function. */
  readonly complexity: number;
  readonly hits: readonly RuleHit[];
  /** Hits beyond those that are listed. */
  readonly moreHits: number;
  readonly tools: readonly ToolUse[];
  /** Places where a tool is called whose name can't be read off the program; `server` where that much is known. */
  readonly dynamic: readonly DynamicCall[];
  readonly files: readonly FileUse[];
  readonly hosts: readonly HostUse[];
  readonly commands: readonly CommandUse[];
  readonly flows: readonly Flow[];
};

export type FactPlace = {
  readonly line: number;
  readonly column: number;
  /** The skill in whose text it is; nothing in the program's own. */
  readonly skill?: string;
};

/** A place as people are told of it. */
export function toPlaceText({ line, column, skill }: FactPlace): string {
  return skill === undefined ? `${line}:${column}` : `skills/${skill}:${line}:${column}`;
}

/** A rule of `validate/rules.ts`, by its id, and where it was broken. */
export type RuleHit = FactPlace & {
  readonly rule: string;
  /** What was seen: a name or a path, as the program has it. */
  readonly what?: string;
};

/** By the server's configured name and its own name for the tool. */
export type ToolUse = FactPlace & {
  readonly server: string;
  readonly tool: string;
  readonly inLoop: boolean;
  /** Where it is called besides, as far as that is told. */
  readonly otherLines?: readonly number[];
};

export type DynamicCall = FactPlace & { readonly server?: string };

export type FileUse = FactPlace & {
  /** Absent where it is computed. */
  readonly path?: string;
  readonly access: "read" | "write" | "delete";
};

/** A host of the network, absent where it is computed. */
export type HostUse = FactPlace & {
  readonly host?: string;
  readonly protocol?: "http" | "https";
} & Prevented;

/** As one would type it, absent where it is computed. */
export type CommandUse = FactPlace & {
  readonly command?: string;
  /** The command and its arguments, where all of them are known. */
  readonly words?: readonly string[];
} & Prevented;

type Prevented = {
  /** By a way that the sandbox does not have. */
  readonly isPrevented?: true;
};

/** What one tool returned is part of what another one gets. */
export type Flow = FactPlace & { readonly from: UsedTool; readonly to: UsedTool };
export type UsedTool = { readonly server: string; readonly tool: string };

/** Of each list. What is beyond is not told, and is no more dangerous than what is. */
export const MAX_FACTS = 200;
/** Of each text. */
export const MAX_OTHER_LINES = 20;
export const MAX_FACT_TEXT = 200;
export const MAX_COMMAND_WORDS = 50;

/** What the reading process says, if it has the shape; else nothing. */
export function readProgramFacts(value: unknown): ProgramFacts | undefined {
  if (!isRecord(value)) return undefined;
  const lines = readCount(value["lines"]);
  const complexity = readCount(value["complexity"]);
  const moreHits = readCount(value["moreHits"]);
  const hits = readList(value["hits"], readHit);
  const tools = readList(value["tools"], readToolUse);
  const dynamic = readList(value["dynamic"], (one) => withText<DynamicCall>(one, "server"));
  const files = readList(value["files"], readFileUse);
  const hosts = readList(value["hosts"], readHostUse);
  const commands = readList(value["commands"], readCommandUse);
  const flows = readList(value["flows"], readFlow);
  if (lines === undefined || complexity === undefined || moreHits === undefined) return undefined;
  if (!hits || !tools || !dynamic || !files || !hosts || !commands || !flows) return undefined;
  return { lines, complexity, hits, moreHits, tools, dynamic, files, hosts, commands, flows };
}

type Fields = { readonly [key: string]: unknown };

function readList<T>(value: unknown, read: (one: Fields & FactPlace) => T | undefined): T[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_FACTS) return undefined;
  const items: T[] = [];
  for (const one of value) {
    const item = isPlaced(one) ? read(one) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function isPlaced(one: unknown): one is Fields & FactPlace {
  if (!isRecord(one) || !isCount(one["line"]) || !isCount(one["column"])) return false;
  return one["skill"] === undefined || isText(one["skill"]);
}

function toPlace({ line, column, skill }: FactPlace): FactPlace {
  return { line, column, ...(skill !== undefined && { skill }) };
}

function readHit(one: Fields & FactPlace): RuleHit | undefined {
  const { rule } = one;
  const rest = withText<FactPlace & { what?: string }>(one, "what");
  return isText(rule) && rest !== undefined ? { rule, ...rest } : undefined;
}

function readToolUse(use: Fields & FactPlace): ToolUse | undefined {
  const { server, tool, inLoop, otherLines = [] } = use;
  if (!isText(server) || !isText(tool) || typeof inLoop !== "boolean") return undefined;
  if (!Array.isArray(otherLines) || otherLines.length > MAX_OTHER_LINES) return undefined;
  if (!otherLines.every((one): one is number => Number.isSafeInteger(one))) return undefined;
  return { server, tool, inLoop, ...toPlace(use), ...(otherLines.length > 0 && { otherLines }) };
}

function readFileUse(one: Fields & FactPlace): FileUse | undefined {
  const access = ACCESSES.find((known) => known === one["access"]);
  const rest = withText<FactPlace & { path?: string }>(one, "path");
  return access === undefined || rest === undefined ? undefined : { ...rest, access };
}

function readHostUse(one: Fields & FactPlace): HostUse | undefined {
  const rest = withText<FactPlace & { host?: string }>(one, "host");
  const protocol = PROTOCOLS.find((known) => known === one["protocol"]);
  return rest && { ...rest, ...(protocol && { protocol }), ...readPrevented(one) };
}

const PROTOCOLS = ["http", "https"] as const;

function readCommandUse(one: Fields & FactPlace): CommandUse | undefined {
  const rest = withText<FactPlace & { command?: string }>(one, "command");
  const { words } = one;
  if (words === undefined) return rest && { ...rest, ...readPrevented(one) };
  if (!Array.isArray(words) || words.length > MAX_COMMAND_WORDS || !words.every(isText)) return undefined;
  return rest && { ...rest, words, ...readPrevented(one) };
}

function readPrevented({ isPrevented }: Fields): Prevented {
  return isPrevented === true ? { isPrevented } : {};
}

const ACCESSES = ["read", "write", "delete"] as const;

function readFlow(one: Fields & FactPlace): Flow | undefined {
  const [source, target] = [readToolName(one["from"]), readToolName(one["to"])];
  return source && target ? { from: source, to: target, ...toPlace(one) } : undefined;
}

function readToolName(value: unknown): UsedTool | undefined {
  if (!isRecord(value)) return undefined;
  const { server, tool } = value;
  return isText(server) && isText(tool) ? { server, tool } : undefined;
}

/** A place, and one text that may be there. */
function withText<T extends FactPlace>(one: Fields & FactPlace, key: keyof T & string): T | undefined {
  const text = one[key];
  if (text !== undefined && !isText(text)) return undefined;
  return { ...toPlace(one), ...(text !== undefined && { [key]: text }) } as T;
}

function readCount(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_FACT_TEXT;
}
