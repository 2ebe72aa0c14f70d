import type { TypeMistake } from "../../../run-failure.ts";
import type { ServerTool } from "../check/called-tool.ts";
import { checkedTypes } from "../check/declarations.ts";
import { mentionsType, ownerType, toClause, toOurType, withTypeAs } from "../typescript-7.ts";
import type { Explained } from "./explain.ts";

const MAX_HINTS = 3;
const MAX_TEXT = 160;

/** What does not fit the observed results, a line each. */
export function toHints({ errors, more }: Explained, tools: readonly ServerTool[]): string[] {
  const told = new Set<string>();
  const hints = errors.slice(0, MAX_HINTS).map((mistake) => {
    const { text, type } = toHint(mistake, tools);
    const isNews = type !== "" && !told.has(type);
    told.add(type);
    return isNews ? `${text}; ${type}` : text;
  });
  const others = errors.length - hints.length + more;
  return others === 0 ? hints : [...hints, `and ${others} more`];
}

/** The type stands by itself: once is enough. */
type Hint = { readonly text: string; readonly type: string };

function toHint({ line, column, message }: TypeMistake, tools: readonly ServerTool[]): Hint {
  const text = toClause(message, cut);
  const named = tools.find((one) => mentionsType(text, responseOf(one)));
  const found = named ?? onlyOne(tools) ?? onlyOne(tools.filter((one) => isPartOf(one, message)));
  const place = `${line}:${column}`;
  if (found === undefined) return { text: `${place} ${text}; by what was observed of results`, type: "" };
  const { tool, server } = found;
  const result = `the ${tool.observed ? "observed" : "declared"} result of ${server.identifiers.typescript}.${tool.identifiers.typescript}`;
  if (named === undefined) return { text: `${place} ${text}; by ${result}`, type: "" };
  const shown = cut(checkedTypes(tool, server).responseText);
  return {
    text: `${place} ${withTypeAs(text, responseOf(found), result)}`,
    type: `${tool.observed ? "observed" : "declared, but contradicted before"}: ${shown}`,
  };
}

function onlyOne(tools: readonly ServerTool[]): ServerTool | undefined {
  return tools.length === 1 ? tools[0] : undefined;
}

/** Whether the type that a message quotes is in the result of a tool. */
function isPartOf({ tool, server }: ServerTool, message: string): boolean {
  const type = ownerType(message);
  return type !== undefined && checkedTypes(tool, server).responseText.includes(toOurType(type));
}

function responseOf({ tool, server }: ServerTool): string {
  return checkedTypes(tool, server).response;
}

function cut(type: string): string {
  return type.length > MAX_TEXT ? `${type.slice(0, MAX_TEXT)}…` : type;
}
