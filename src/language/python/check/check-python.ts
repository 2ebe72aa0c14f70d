import type { SyntaxNode } from "@lezer/common";
import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import type { TypeMistake, WrongTypes } from "../../../run-failure.ts";
import { createPositionOf } from "../../../text/position.ts";
import { toWrongTypes } from "../../failure.ts";
import type { Unavailable } from "../../reading/unavailable.ts";
import { toToolSignature } from "../explain/signatures.ts";
import type { ParsedPython } from "../parse-python.ts";
import { SKILLS_PACKAGE } from "../skills/module-names.ts";
import type { PythonModule } from "../skills/python-module.ts";
import { everyNode } from "../syntax-nodes.ts";
import { findBindings, type PythonBindings, type PythonImport } from "./bindings.ts";
import { findWrongCalls } from "./calls.ts";
import { createWrittenValues } from "./known-values.ts";
import { createMeanings, type PythonMeanings } from "./meanings.ts";
import { findUnknownNames } from "./names.ts";
import { findWrongResults } from "./results.ts";
import { findWrongSkillCalls } from "./skill-calls.ts";

/** A mistake with the tool that it is about: its signature stands beside it. */
export type PythonMistake = {
  readonly node: SyntaxNode;
  readonly message: string;
  readonly hint?: string;
  readonly tool?: NamedTool | undefined;
  /** Of the skill's function that it is about. */
  readonly signature?: string;
  /** It is about what the tool gives. */
  readonly isOfResult?: true;
  /** It may be right all the same: then it is told, and refuses nothing. */
  readonly isHint?: true;
};

export type NamedTool = { readonly server: ServerRecord; readonly tool: ToolRecord };

export type PythonCheckInput = {
  readonly parsed: ParsedPython;
  readonly servers: readonly ServerRecord[];
  readonly unavailable: Unavailable;
  /** Those that it imports, and what these import, by any spelling. */
  skillOf(spelling: string): PythonModule | undefined;
  /** Fetches what the tools take and give. */
  load(tools: Iterable<NamedTool>): Promise<void>;
};

/** All that looks at a program shares. */
export type CheckedPython = Omit<PythonCheckInput, "load"> & {
  /** As often as they are gone through, within the time of the check. */
  readonly nodes: Iterable<SyntaxNode>;
  readonly bindings: PythonBindings;
  readonly meanings: PythonMeanings;
};

export type PythonCheck =
  | { readonly ok: true; readonly hints: readonly string[]; readonly skipped?: string }
  | { readonly ok: false; readonly error: WrongTypes };

const MAX_ERRORS = 5;
const MAX_HINTS = 3;
const MAX_TEXT = 300;
/** Of one program: a text made to be slow has more. */
const MAX_NODES = 400_000;
const MAX_MS = 2_000;

/** What of a program can't be right by what its tools take and give. Where anything else is possible, it passes. */
export async function checkPython(input: PythonCheckInput): Promise<PythonCheck> {
  try {
    return await checkInTime(input, performance.now() + MAX_MS);
  } catch (error) {
    if (!(error instanceof CheckOverdue)) throw error;
    // It is a help, not a guard: a program is not kept from running by it.
    return { ok: true, hints: [], skipped: `The check took more than ${MAX_MS} ms` };
  }
}

async function checkInTime(input: PythonCheckInput, deadline: number): Promise<PythonCheck> {
  const { parsed, servers, skillOf, load } = input;
  const all = [...everyNode(parsed.tree)];
  if (all.length > MAX_NODES || parsed.gapAt !== undefined) return { ok: true, hints: [] };
  const nodes = { [Symbol.iterator]: () => untilOverdue(all, deadline) };
  const bindings = findBindings(parsed.tree, parsed.text);
  const used = findUsed(nodes, createMeanings({ text: parsed.text, servers, bindings, skillOf }));
  await load(used);
  // What they mean is looked up again, with their types.
  const meanings = createMeanings({ text: parsed.text, servers, bindings, skillOf });
  const program = { ...input, nodes, bindings, meanings };
  const written = createWrittenValues(meanings, bindings);
  const mistakes = [
    ...findUnknownNames(program),
    ...findWrongCalls(program, written),
    ...(bindings.imports.some(isOfSkills) ? findWrongSkillCalls(program, written) : []),
    ...findWrongResults(program),
  ].sort((a, b) => a.node.from - b.node.from);
  await load(mistakes.flatMap(({ tool }) => tool ?? []));
  return toCheck(mistakes, parsed.text);
}

/** Also `from ..other import f`, in a skill. */
function isOfSkills({ module }: PythonImport): boolean {
  return module.startsWith(SKILLS_PACKAGE) || module.startsWith(".");
}

class CheckOverdue extends Error {}

function* untilOverdue(nodes: readonly SyntaxNode[], deadline: number): Generator<SyntaxNode, void> {
  for (const node of nodes) {
    if (performance.now() > deadline) throw new CheckOverdue();
    yield node;
  }
}

/** The tools that are called or handed on. */
function findUsed(nodes: Iterable<SyntaxNode>, { of }: PythonMeanings): NamedTool[] {
  const used = new Map<ToolRecord, NamedTool>();
  for (const node of nodes) {
    if (node.name !== "MemberExpression" && node.name !== "VariableName" && node.name !== "CallExpression")
      continue;
    const meant = of(node);
    if (meant?.kind === "tool" || meant?.kind === "result")
      used.set(meant.tool, { server: meant.server, tool: meant.tool });
  }
  return [...used.values()];
}

function toCheck(mistakes: readonly PythonMistake[], text: string): PythonCheck {
  const positionOf = createPositionOf(text);
  const said = new Set<string>();
  const errors: TypeMistake[] = [];
  const hints: string[] = [];
  let more = 0;
  for (const { node, message, hint, tool, signature: own, isOfResult, isHint } of mistakes) {
    const { line, column } = positionOf(node.from);
    const told = cut(message);
    const place = `${line}:${column}`;
    if (isHint) {
      const whole = [told, hint].filter((part) => part !== undefined).join(". ");
      if (hints.length < MAX_HINTS) hints.push(`${place} ${whole}`);
      continue;
    }
    if (said.has(place)) continue;
    said.add(place);
    if (errors.length === MAX_ERRORS) {
      more++;
      continue;
    }
    const signature = own ?? (tool && toToolSignature(tool, isOfResult === true));
    const isNews = signature !== undefined && !said.has(signature);
    if (signature !== undefined) said.add(signature);
    errors.push({
      line,
      column,
      message: told,
      ...(hint !== undefined && { hint: cut(hint) }),
      ...(isNews && { signature }),
    });
  }
  if (errors.length === 0) return { ok: true, hints };
  return { ok: false, error: toWrongTypes(errors, more) };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
