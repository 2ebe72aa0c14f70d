import type { ToolRecord } from "../../catalog/tool.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import type { Callee } from "../../result/call-log.ts";
import type { ToolMatch } from "./find-tool.ts";

type Naming = keyof ToolRecord["identifiers"];

const callees = { typescript: new WeakMap<ToolRecord, Callee>(), python: new WeakMap<ToolRecord, Callee>() };

/**
 * A tool as a failed program's answer names it, in the program's language. What can't be told counts as a write: to name one call
 * too many does no harm.
 */
export function toCallee({ server, tool }: ToolMatch, language?: string): Callee {
  const naming = namingOfLanguage(language);
  const known = callees[naming].get(tool);
  if (known !== undefined) return known;
  const callee = {
    name: `${server.identifiers[naming]}.${tool.identifiers[naming]}`,
    isRead: toEffect(tool) === "reads",
  };
  callees[naming].set(tool, callee);
  return callee;
}

/** The names that programs in a language have for tools. */
export function namingOfLanguage(language: string | undefined): Naming {
  return language === "python" ? "python" : "typescript";
}
