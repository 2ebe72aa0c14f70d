import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { TypeMistake } from "../../../run-failure.ts";
import { couldMean, didYouMean, nearNames } from "../../../text/did-you-mean.ts";
import { createPositionOf, type Position } from "../../../text/position.ts";
import { insteadOfName } from "../../../world/absent.ts";
import { troubleOf, type Unavailable } from "../../reading/unavailable.ts";
import { type CalledSkill, calledSkill } from "../check/called-skill.ts";
import { calledTool, type ServerTool, toolWithResult } from "../check/called-tool.ts";
import { checkedTypes } from "../check/declarations.ts";
import { isHarmless, isMissingAwait } from "../check/leniency.ts";
import type { References } from "../check/references.ts";
import type { Diagnostic, TypeQuery } from "../check/type-checker.ts";
import type { CheckedText } from "../prepare/prepare.ts";
import { functionNames, whichFunction } from "../prepare/specifier.ts";
import { pathAt, type SyntaxNode, syntaxChild, textOf } from "../prepare/syntax-path.ts";
import { toSignature as toSignatureOf } from "../skills/signature.ts";
import type { SkillModule } from "../skills/skill-module.ts";
import { isOfType, literalArgument, serverInMessage, suggestedName } from "../typescript-7.ts";
import { findUnawaited } from "./unawaited.ts";

export type Explained = { readonly errors: readonly TypeMistake[]; readonly more: number };

export type ExplainContext = {
  readonly source: string;
  readonly checked: CheckedText;
  readonly references: References;
  readonly servers: readonly ServerRecord[];
  /** That the program imports. */
  readonly skills: readonly SkillModule[];
  readonly unavailable?: Unavailable | undefined;
  /** Fetches what a tool takes, where it is not one of the references. */
  load(tools: Iterable<ServerTool>): Promise<void>;
};

const MAX_ERRORS = 5;
/** Of the compiler's errors. A text full of unknown names has tens of thousands, and each is looked for in the whole tree. */
const MAX_LOOKED_AT = 200;
const MAX_MESSAGE = 300;
const MAX_SIGNATURE = 600;
const MAX_CALL = 60;
const MAX_LISTED = 20;
/** Of a text in the program that may end with the name of a function. */
const MAX_NAME = 100;
const NO_NAME = new Set([2304, 2552, 2503, 2580, 2581, 2582, 2584, 2591, 2592, 2593, 2867, 2868]);

/** The first of the compiler's errors that matter, as the model should read them. */
export async function explain(
  diagnostics: readonly Diagnostic[],
  context: ExplainContext,
  query: TypeQuery,
): Promise<Explained> {
  const errors: TypeMistake[] = [];
  const said = new Set<string>();
  let more = 0;
  const tree = context.checked.parsed.tree();
  const toTextOffset = (offset: number) => offset + context.checked.text.indexOf("\n") + 1;
  const program = {
    source: context.source,
    toTextOffset,
    isField: createFields(context.references),
    isWrong: createFaults(diagnostics, context.checked),
  };
  const toPosition = createPositionOf(context.source);
  for (const { node, why } of findUnawaited(tree, context.source, createIsTool(context.references))) {
    const position = toPosition(node.start);
    if (errors.length === MAX_ERRORS) more++;
    else errors.push({ ...position, message: toUnawaitedMessage(node, why, context.source) });
    said.add(placeOf(position));
  }
  for (const diagnostic of diagnostics.slice(0, MAX_LOOKED_AT)) {
    const offset = context.checked.toSourceOffset(diagnostic.start);
    const path = pathAt(tree, offset);
    const called = calledTool(path, context.checked.parsed.module, context.references);
    const skill = called ? undefined : calledSkill(path, context.checked.parsed.module, context.skills);
    const isOfKnown = called !== undefined || skill !== undefined;
    if (await isHarmless(diagnostic, path, isOfKnown, query, program)) continue;
    const position = toPosition(offset);
    const { signature, ...error } = await toError(diagnostic, path, called, context).then(
      async (one): Promise<Said> =>
        skill === undefined || one.signature
          ? one
          : { ...one, ...(await skillSignature(skill, query, toTextOffset)) },
    );
    const key = placeOf(position);
    if (said.has(key)) continue;
    said.add(key);
    const last = path.at(-1);
    const isKey = last !== undefined && syntaxChild(path.at(-2), "key") === last;
    const message =
      isKey && isOfType(error.message) ? `'${shorten(textOf(last) ?? "")}': ${error.message}` : error.message;
    if (errors.length === MAX_ERRORS) more++;
    else
      errors.push({
        ...position,
        ...error,
        message,
        ...(signature && !said.has(signature) ? { signature } : {}),
      });
    if (signature !== undefined) said.add(signature);
  }
  if (errors.length > 0) more += Math.max(0, diagnostics.length - MAX_LOOKED_AT);
  return { errors, more };
}

/** What a skill's function takes. */
async function skillSignature(
  { callee, name }: CalledSkill,
  query: TypeQuery,
  toTextOffset: (offset: number) => number,
): Promise<Partial<Said>> {
  const type = await query.typeAt(toTextOffset(callee.end) - 1);
  return type === undefined ? {} : { signature: toShort(toSignatureOf(name, type)) };
}

function placeOf({ line, column }: Position): string {
  return `${line}:${column}`;
}

function toUnawaitedMessage(node: SyntaxNode, why: string, source: string): string {
  const text = source.slice(node.start, node.end);
  const name = text.length > MAX_CALL ? `${text.slice(0, MAX_CALL)}…` : text;
  return `'${name}' ${why}`;
}

/** Whether `github.createIssue` is a tool's function. */
function createIsTool(references: References): (callee: SyntaxNode) => boolean {
  const servers = new Map([...references].map(([server, tools]) => [server.identifiers.typescript, tools]));
  return (callee) => {
    const name = textOf(syntaxChild(callee, "property"));
    const tools = servers.get(textOf(syntaxChild(callee, "object")) ?? "");
    return tools !== undefined && [...tools].some(({ identifiers }) => identifiers.typescript === name);
  };
}

/** Whether the compiler finds fault with an expression: it names the property, at its end. */
function createFaults(
  diagnostics: readonly Diagnostic[],
  checked: CheckedText,
): (node: SyntaxNode) => boolean {
  const ends = new Set(diagnostics.map(({ start, end }) => checked.toSourceOffset(start) + end - start));
  return ({ end }) => ends.has(end);
}

/** The names of fields, also of the language's own union: what `Promise.allSettled` gives. */
function createFields(references: References): (name: string) => boolean {
  const tools = [...references].flatMap(([server, of]) => [...of].map((tool) => checkedTypes(tool, server)));
  return (name) =>
    name === "value" ||
    name === "reason" ||
    tools.some(({ responseText, declarations }) =>
      [responseText, declarations].some((text) => text.includes(`${name}: `) || text.includes(`${name}?: `)),
    );
}

type Said = { readonly message: string; readonly hint?: string; readonly signature?: string };

async function toError(
  diagnostic: Diagnostic,
  path: readonly SyntaxNode[],
  called: ServerTool | undefined,
  context: ExplainContext,
): Promise<Said> {
  const text = context.checked.text.slice(diagnostic.start, diagnostic.end);
  const [first = ""] = diagnostic.messages;
  if (NO_NAME.has(diagnostic.code)) {
    const use = { hasMember: isOwner(path), isAssigned: isAssignedTo(path) };
    return unknownName(text, first, use, context);
  }
  const server = serverInMessage(first);
  if (server !== undefined) return unknownFunction(text, server, context);
  const isNamedCall = called === undefined && textOf(syntaxChild(path.at(-2), "callee")) === "callMCPTool";
  const wireName = isNamedCall ? literalArgument(first) : undefined;
  if (wireName !== undefined) return unknownTool(wireName, context);
  if (isMissingAwait(diagnostic)) return missingAwait(text, path, context);
  const result = toolWithResult(first, context.references);
  const tool = result ?? called;
  const blocking = /(\w+)Sync\W?$/.exec(text.slice(-MAX_NAME))?.[1];
  const hint = blocking === undefined ? undefined : insteadOf(blocking);
  return {
    message: toMessage(diagnostic.messages),
    ...(hint === undefined ? {} : { hint }),
    ...(tool === undefined ? {} : { signature: toSignature(tool, result !== undefined) }),
  };
}

/** Whether it is `nope` in `nope.doThis()` or `nope.github.doThis()`. */
function isOwner(path: readonly SyntaxNode[]): boolean {
  const [member, name] = path.slice(-2);
  return name !== undefined && syntaxChild(member, "object") === name;
}

/** Nothing in the sandbox blocks: files are read and written by promises. */
function insteadOf(blocking: string): string {
  const call = blocking === "exists" ? "access(…), which throws when nothing is there," : `${blocking}(…)`;
  return `Use await ${call} from "node:fs/promises"`;
}

/** `result = await …`, without a word before it. */
function isAssignedTo(path: readonly SyntaxNode[]): boolean {
  const [parent, last] = path.slice(-2);
  return parent?.type === "AssignmentExpression" && syntaxChild(parent, "left") === last;
}

/** A promise was used as if it were its value. */
function missingAwait(text: string, path: readonly SyntaxNode[], { source }: ExplainContext): Said {
  const member = path.findLast(({ type }) => type === "MemberExpression");
  const object =
    member === undefined || !/^\p{ID_Continue}+$/u.test(text) ? undefined : syntaxChild(member, "object");
  const what = object === undefined ? text : source.slice(object.start, object.end);
  const name = shorten(what);
  return { message: `'${name}' is a promise: an await is missing`, hint: `Write (await ${name})` };
}

function unknownName(
  name: string,
  first: string,
  { hasMember, isAssigned }: { hasMember: boolean; isAssigned: boolean },
  { servers, unavailable }: ExplainContext,
): Said {
  const trouble = troubleOf(name, unavailable);
  if (trouble !== undefined) return { message: trouble.slice(0, MAX_MESSAGE) };
  const message = `Cannot find name '${shorten(name)}'`;
  const variable = suggestedName(first);
  const owner = servers.find((server) => server.tools.some((tool) => tool.identifiers.typescript === name));
  const hint =
    insteadOfName(name) ??
    ambiguous(name, servers) ??
    (owner === undefined ? undefined : `Use ${owner.identifiers.typescript}.${name}`) ??
    (variable === undefined ? undefined : `Did you mean '${variable}'?`) ??
    didYouMean(
      name,
      servers.map((server) => server.identifiers.typescript),
    ) ??
    (hasMember ? toServerList(servers) : undefined) ??
    (isAssigned ? `Declare it: const ${name.slice(0, MAX_NAME)} = …` : undefined);
  return hint === undefined ? { message } : { message, hint };
}

/** `nope.doThis()` and `servers.github.doThis()` were meant for a server, most likely. */
function toServerList(servers: readonly ServerRecord[]): string | undefined {
  const names = servers.slice(0, MAX_LISTED).map((server) => server.identifiers.typescript);
  return names.length === 0
    ? undefined
    : `Each server is a global: ${names.join(", ")}${servers.length > names.length ? ", …" : ""}`;
}

function ambiguous(name: string, servers: readonly ServerRecord[]): string | undefined {
  const meant = nameIndexOf(servers).server(name);
  if (meant.kind !== "many") return undefined;
  return couldMean(meant.values.map(({ identifiers }) => identifiers.typescript));
}

async function unknownFunction(
  name: string,
  identifier: string,
  { servers, load }: ExplainContext,
): Promise<Said> {
  const server = servers.find((candidate) => candidate.identifiers.typescript === identifier);
  const names = server === undefined ? [] : functionNames(server);
  const [nearest] = nearNames(name, names);
  const tool = server?.tools.find((candidate) => candidate.identifiers.typescript === nearest);
  if (server && tool) await load([{ server, tool }]);
  const hint = (server && whichFunction(name, server)) ?? `Find its functions with searchTools("…")`;
  return {
    message: `Property '${shorten(name)}' does not exist on server '${identifier}'`,
    hint,
    ...(tool && server ? { signature: toSignature({ tool, server }, false) } : {}),
  };
}

function unknownTool(name: string, { servers, unavailable }: ExplainContext): Said {
  const [server = ""] = name.replace(/^mcp__/, "").split(/__|\./);
  const trouble = troubleOf(server, unavailable);
  if (trouble !== undefined) return { message: trouble.slice(0, MAX_MESSAGE) };
  const names = servers.flatMap((server) => server.tools.map((tool) => `${server.name}__${tool.name}`));
  const hint = didYouMean(name, names);
  return { message: `There is no tool '${shorten(name)}'`, ...(hint === undefined ? {} : { hint }) };
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** The last message of the chain is the one that says what is wrong, the first where it began. */
function toMessage(messages: readonly string[]): string {
  const text = messages.at(-1) ?? "";
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

function toSignature({ tool, server }: ServerTool, isResult: boolean): string {
  const types = checkedTypes(tool, server);
  const name = `${server.identifiers.typescript}.${tool.identifiers.typescript}`;
  const mark = types.canOmitInput ? "?" : "";
  const text = isResult
    ? `${name}(…): Promise<${types.responseText}>`
    : `${name}(input${mark}: ${types.inputText})`;
  return toShort(text);
}

function toShort(signature: string): string {
  return signature.length > MAX_SIGNATURE ? `${signature.slice(0, MAX_SIGNATURE)}…` : signature;
}
