import type { SkillExport } from "../../skill-export.ts";
import {
  MAX_EXPORT_DESCRIPTION,
  MAX_EXPORT_NAME,
  MAX_EXPORT_SIGNATURE,
  MAX_EXPORTS,
} from "../../skills/skill-exports.ts";
import type { TypeQuery } from "../check/type-checker.ts";
import { exportStatements } from "../prepare/export-statements.ts";
import type { OpenedText, Prepared } from "../prepare/prepare.ts";
import { type SyntaxNode, syntaxChild, syntaxChildren, textOf } from "../prepare/syntax-path.ts";
import { isSignature, toSignature } from "./signature.ts";

/** Where an exported name is declared: its statement, and the node that has the name. */
type Declared = { readonly statement: SyntaxNode; readonly node: SyntaxNode };

/**
 * What a skill offers, as those read it who look for one.
 * @param query the compiler, where it has the skill's text; without it a signature is what is written
 */
export async function printExports(
  { text, parsed }: OpenedText,
  { exports, checked }: Prepared,
  query: TypeQuery | undefined,
): Promise<SkillExport[]> {
  const declared = findDeclared(parsed.tree().body);
  const locals = new Map(
    exportStatements(parsed).flatMap(({ entries }) =>
      entries.map(({ exportName, localName }) => [
        exportName.kind === "Default" ? "default" : (exportName.name ?? ""),
        localName.name ?? "default",
      ]),
    ),
  );
  const shift = checked.text.indexOf("\n") + 1;
  const printed: SkillExport[] = [];
  for (const { name, isType } of exports.slice(0, MAX_EXPORTS)) {
    const found = declared.get(locals.get(name) ?? "");
    const description = found && toDescription(text, found.statement);
    const at = found === undefined ? passedAt(checked.text, name) : nameStart(found.node) + shift;
    // Classes and enums are read best as they are written.
    const isWritten = isType || (found !== undefined && /Class|Enum/.test(found.node.type));
    const type = isWritten || at === undefined ? undefined : await query?.typeAt(at);
    const shown = textOf(syntaxChild(found?.node, "id")) ?? name;
    const signature = type === undefined ? toWritten(text, found, name, isType) : toSignature(shown, type);
    const isFunction = type === undefined ? isWrittenFunction(found?.node) : isSignature(type);
    printed.push({
      name: name.slice(0, MAX_EXPORT_NAME),
      kind: isType ? "type" : isFunction ? "function" : "value",
      signature: cut(signature),
      ...(description !== undefined && { description }),
    });
  }
  return printed;
}

function toWritten(text: string, found: Declared | undefined, name: string, isType: boolean): string {
  if (found === undefined) return isType ? `type ${name}` : name;
  return toPlain(text.slice(found.node.start, headEnd(found.node)));
}

function findDeclared(body: readonly SyntaxNode[]): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (const statement of body) {
    const inside = syntaxChild(statement, "declaration") ?? statement;
    const nodes = inside.type === "VariableDeclaration" ? syntaxChildren(inside, "declarations") : [inside];
    for (const node of nodes) {
      const name = textOf(syntaxChild(node, "id"));
      if (name !== undefined && !found.has(name)) found.set(name, { statement, node });
    }
    if (statement.type === "ExportDefaultDeclaration") found.set("default", { statement, node: inside });
  }
  return found;
}

function nameStart(node: SyntaxNode): number {
  return syntaxChild(node, "id")?.start ?? node.start;
}

/** Up to the body of a function or a class. */
function headEnd(node: SyntaxNode): number {
  const value = syntaxChild(node, "init") ?? node;
  const body = /Function|^Class/.test(value.type) ? syntaxChild(value, "body") : undefined;
  return body?.start ?? node.end;
}

function isWrittenFunction(node: SyntaxNode | undefined): boolean {
  return /Function/.test((syntaxChild(node, "init") ?? node)?.type ?? "");
}

/** What is exported of others stands before the skill, where it is checked. */
function passedAt(checked: string, name: string): number | undefined {
  const at = checked.slice(0, checked.indexOf("\n")).indexOf(` as ${name} }`);
  return at === -1 ? undefined : at + " as ".length;
}

const MAX_COMMENT = 10_000;

/** The first sentence of the comment above. */
function toDescription(text: string, { start }: SyntaxNode): string | undefined {
  const before = text.slice(Math.max(0, start - MAX_COMMENT), start).trimEnd();
  const from = before.lastIndexOf("/**");
  if (!before.endsWith("*/") || from === -1) return undefined;
  const lines = before
    .slice(from + 3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s?/, ""));
  const [own = ""] = lines.join("\n").split(/^\s*@/m);
  const plain = toPlain(own);
  const sentence = /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
  return sentence === "" ? undefined : sentence.slice(0, MAX_EXPORT_DESCRIPTION);
}

function toPlain(text: string): string {
  return text
    .slice(0, 4 * MAX_EXPORT_SIGNATURE)
    .replace(/\s+/g, " ")
    .replace(/\s*(?:=>|=)\s*$/, "")
    .trim();
}

function cut(text: string): string {
  return text.length > MAX_EXPORT_SIGNATURE ? `${text.slice(0, MAX_EXPORT_SIGNATURE - 1)}…` : text;
}
