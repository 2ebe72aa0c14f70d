import type { SyntaxNode } from "@lezer/common";
import { toPythonModuleName } from "../../../codegen/python/skill-import.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toAnnotationType } from "../skills/annotation-types.ts";
import { type CallParam, type CallSignature, readSignature } from "../skills/signatures.ts";
import { bareNode, callArguments } from "../syntax-nodes.ts";
import type { CheckedPython, PythonMistake } from "./check-python.ts";
import { listed, quoted, type Unfit, unfitValue } from "./fit.ts";
import type { WrittenValue } from "./known-values.ts";
import type { PythonMeaning } from "./meanings.ts";

/** More are not looked for. */
const MAX_MISTAKES = 100;

type Written = (node: SyntaxNode) => WrittenValue;

/** What skills do not have, and arguments that their functions do not take. */
export function findWrongSkillCalls(program: CheckedPython, written: Written): PythonMistake[] {
  const { nodes, meanings } = program;
  const found: PythonMistake[] = [];
  for (const node of nodes) {
    if (found.length >= MAX_MISTAKES) break;
    if (node.name === "MemberExpression" && bareNode(node) === node)
      found.push(...unknownExport(node, meanings.of(node)));
    const called =
      node.name === "CallExpression" && node.firstChild ? meanings.of(node.firstChild) : undefined;
    if (called?.kind !== "skill function") continue;
    const { text } = called.skill.parsed;
    const signature = readSignature(called.definition, text);
    const unfit = findUnfitCall(node, signature, program, (value, { name, annotation }) =>
      // True is 1, to Python.
      annotation === undefined || written(value).kind === "boolean"
        ? []
        : unfitValue(value, toAnnotationType(annotation, text), name, { written }, 1),
    );
    found.push(...unfit.map((one) => ({ ...one, signature: signature.text })));
  }
  return found;
}

function unknownExport(node: SyntaxNode, meant: PythonMeaning | undefined): PythonMistake[] {
  if (meant?.kind !== "no export") return [];
  const { skill, name } = meant;
  const names = skill.exports.map((one) => one.name);
  const hint = didYouMean(name, names) ?? `It has ${names.slice(0, 12).join(", ")}`;
  return [
    {
      node: node.lastChild ?? node,
      message: `${quoted(name)} does not exist in skill '${toPythonModuleName(skill.name)}'`,
      ...(names.length > 0 && { hint }),
    },
  ];
}

/** As Python binds arguments to parameters. */
function findUnfitCall(
  call: SyntaxNode,
  { name, params }: CallSignature,
  { meanings: { textOf } }: CheckedPython,
  unfit: (value: SyntaxNode, param: CallParam) => Unfit[],
): Unfit[] {
  const { positional, keywords, hasMore, hasMoreKeywords } = callArguments(call);
  const places = params.filter(({ kind }) => kind === "either" || kind === "place");
  const named = params.filter(({ kind }) => kind === "either" || kind === "name");
  const has = (kind: CallParam["kind"]) => params.some((one) => one.kind === kind);
  const filled = new Set<CallParam>();
  const found: Unfit[] = [];
  const excess = positional[places.length];
  if (excess && !has("rest") && !hasMore) {
    const takes = places.length === 0 ? "no arguments" : `${places.length}`;
    const message = `${name}() takes ${takes} by place, not ${positional.length}`;
    found.push({ node: excess, message });
  }
  // Where `*more` stands among them is not known.
  for (const [at, param] of hasMore ? [] : places.entries()) {
    const value = positional[at];
    if (value === undefined) break;
    filled.add(param);
    found.push(...unfit(value, param));
  }
  let hasNear = false;
  for (const { name: at, value } of keywords) {
    const key = textOf(at);
    const param = named.find((one) => one.name === key);
    if (param === undefined && has("names")) continue;
    if (param === undefined) {
      const hint = didYouMean(
        key,
        named.map((one) => one.name),
      );
      hasNear ||= hint !== undefined;
      found.push({
        node: at,
        message: `${name}() takes no ${quoted(key)}`,
        ...(hint !== undefined && { hint }),
      });
    } else if (filled.has(param)) found.push({ node: at, message: `${quoted(key)} is given twice` });
    else {
      filled.add(param);
      found.push(...unfit(value, param));
    }
  }
  const missing = params.filter(
    (one) =>
      !one.isOptional &&
      !filled.has(one) &&
      !(hasMore && one.kind !== "name") &&
      !(hasMoreKeywords && one.kind !== "place"),
  );
  // What was misspelt is not told to be missing.
  if (missing.length > 0 && !hasNear)
    found.push({ node: call, message: `${name}() needs ${listed(missing.map((one) => one.name))}` });
  return found;
}
