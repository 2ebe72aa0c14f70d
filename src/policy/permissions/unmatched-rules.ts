import type { CatalogEntry } from "../../catalog/entry.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { PermissionRule } from "../../config/permissions/schema.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type CompiledRule, compileRule } from "./compile-rule.ts";
import { toNamePattern } from "./name-pattern.ts";

/**
 * Rules that no tool meets: misspelt, perhaps, and nobody would know. Only of what can be told: a server that is not connected may have
 * the tool, and the user's own rules speak of other projects' servers too.
 */
export function unmatchedRules(
  { policies, usersFile }: Pick<LoadedConfig, "policies" | "usersFile">,
  entries: readonly CatalogEntry[],
  ownTools: readonly ToolRecord[],
): string[] {
  const tools = [...entries.flatMap(({ record }) => record?.tools ?? []), ...ownTools];
  return policies.flatMap(({ file, permissions }) =>
    (permissions?.rules ?? []).flatMap((rule, at) => {
      const compiled = compileRule(rule, at + 1, file);
      if (tools.some((tool) => compiled.isNamed(tool) && compiled.unmetBy(tool).length === 0)) return [];
      if (!canTell(rule, entries, file === usersFile)) return [];
      return [toNotice(compiled, tools)];
    }),
  );
}

function canTell({ server }: PermissionRule, entries: readonly CatalogEntry[], isUsers: boolean): boolean {
  if (server === undefined) return !isUsers && entries.every(isConnected);
  const isMeant = toNamePattern(server, "loose");
  const meant = entries.filter(({ name }) => isMeant([name]));
  // A name that no server has is told whenever the config is read.
  if (meant.length === 0) return !isUsers && server.includes("*");
  return meant.every(isConnected);
}

function isConnected({ status }: CatalogEntry): boolean {
  return status === "ready";
}

function toNotice(
  { rule, number, file, decision, isNamed, unmetBy }: CompiledRule,
  tools: readonly ToolRecord[],
): string {
  const named = tools.find(isNamed);
  const what = [rule.server, rule.tool].filter((part) => part !== undefined).join(" ");
  const why =
    named === undefined
      ? `no tool that is connected has this name (${toExcerpt(what, 100)})`
      : `of the tools with this name none has what it asks for (${unmetBy(named).join(", ")})`;
  return `${file}: rule ${number} of "permissions" (${decision}) is for nothing here: ${why}`;
}
