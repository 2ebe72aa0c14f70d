import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { Printer } from "../../codegen/printer.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { toTerms } from "../lexicon/terms.ts";
import { isVerb } from "../lexicon/thesaurus.ts";
import { verbOf } from "../lexicon/verbs.ts";
import type { Hit } from "../query/rank.ts";

export const SIBLING_TOKENS = 45;
const MAX_SIBLINGS = 8;
const MAX_COMPARED = 2_000;

/**
 * The functions beside those that are shown, on the server that leads: who searches tasks may want to update one. Those
 * come first that are about the same thing, then those that match the query at all.
 */
export function toSiblings(
  shown: readonly Hit[],
  hits: readonly Hit[],
  printer: Printer,
): string | undefined {
  const leading = new Set(
    shown.filter(({ step }, at) => at === 0 || step !== undefined).map(({ server }) => server),
  );
  for (const server of leading) {
    const own = shown.filter((hit) => hit.server === server).map(({ tool }) => tool);
    const names = toRelated(server, own, hits).map((tool) => tool.identifiers[printer.naming]);
    const isOnly = shown.every((hit) => hit.server === server);
    const line = toLine(names, isOnly ? "" : `${server.identifiers[printer.naming]}.`);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** `also: crm.{getCustomer, addCustomer}`, `also: crm.getCustomer`, `also: getCustomer`. */
function toLine(names: readonly string[], owner: string): string | undefined {
  const fitting: string[] = [];
  let tokens = estimateTokens(`also: ${owner}{}`);
  for (const name of names.slice(0, MAX_SIBLINGS)) {
    tokens += estimateTokens(name) + 1;
    if (tokens > SIBLING_TOKENS) break;
    fitting.push(name);
  }
  const list = fitting.join(", ");
  if (list === "") return undefined;
  return `also: ${owner}${owner === "" || fitting.length === 1 ? list : `{${list}}`}`;
}

function toRelated(server: ServerRecord, shown: readonly ToolRecord[], hits: readonly Hit[]): ToolRecord[] {
  const things = new Set(shown.flatMap(toThings));
  const others = server.tools.slice(0, MAX_COMPARED).filter((tool) => !shown.includes(tool));
  const alike = new Set(others.filter((tool) => toThings(tool).some((thing) => things.has(thing))));
  const matching = hits.filter((hit) => hit.server === server).map(({ tool }) => tool);
  // Of those about the same thing, the ones that match come first.
  const both = matching.filter((tool) => alike.has(tool));
  return [...new Set([...both, ...alike, ...matching])].filter((tool) => !shown.includes(tool));
}

/** What a function is about: the words of its name that say no doing. */
function toThings({ identifiers }: ToolRecord): string[] {
  return toTerms(identifiers.typescript)
    .filter(({ surface, stem, isStop }) => !isStop && verbOf(surface) === undefined && !isVerb(stem))
    .map(({ stem }) => stem);
}
