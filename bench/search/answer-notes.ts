import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { ToolRecord } from "../../src/catalog/tool.ts";
import { createSearch } from "../../src/search/search.ts";
import type { BenchTable } from "../suite.ts";
import type { Dataset, LabelledQuery } from "./data.ts";
import { type Fact, toMissing, toNeededFacts } from "./needed-facts.ts";
import { createSignaturesOnly } from "./signatures-only.ts";

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

type NoteFigures = {
  readonly queries: number;
  /** Of the tools that a query needs: the share that is shown, and the share that is shown with all its notes. */
  readonly shown: number;
  readonly noted: number;
  /** The share of queries with all that they need, with all notes. */
  readonly whole: number;
  /** Of the tools that are shown: the share that the query does not need. */
  readonly needless: number;
  readonly tools: number;
  readonly median: number;
  readonly p95: number;
  readonly most: number;
};

type Row = {
  readonly shown: number;
  readonly noted: number;
  readonly whole: number;
  readonly needless: number;
  readonly tools: number;
  readonly tokens: number;
};

/** The default answers, beside signatures alone, for every data set whose tools have schemas. */
export async function compareNotes(datasets: readonly Dataset[]): Promise<BenchTable> {
  const rows: [string, NoteFigures][] = [];
  for (const set of datasets) {
    const search = createSearch(() => set.servers);
    const answer = async (query: string) => (await search.answer({ query })).text;
    rows.push([`${set.name}: signatures`, await measureNotes(set, createSignaturesOnly(set.servers))]);
    rows.push(["  default answer", await measureNotes(set, answer)]);
  }
  return toNotesTable(rows);
}

/** What the default answers tell of the tools that are needed. */
async function measureNotes(
  { servers, queries }: Dataset,
  answer: (query: string) => Promise<string>,
): Promise<NoteFigures> {
  const tools = new Map<string, { name: string; tool: ToolRecord; facts?: readonly Fact[] }>();
  for (const { name, identifiers, tools: own } of servers)
    for (const tool of own)
      tools.set(`${name}/${tool.name}`, {
        name: `${identifiers.typescript}.${tool.identifiers.typescript}(`,
        tool,
      });
  const rows: Row[] = [];
  for (const labelled of queries) {
    const text = await answer(labelled.query);
    rows.push({ ...judge(labelled, text), tokens: countTokens(text, PLAIN) });
  }
  const mean = (key: "shown" | "noted" | "whole" | "needless" | "tools") =>
    rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
  const tokens = rows.map((row) => row.tokens).sort((a, b) => a - b);
  return {
    queries: rows.length,
    shown: mean("shown"),
    noted: mean("noted"),
    whole: mean("whole"),
    needless: mean("needless"),
    tools: mean("tools"),
    median: tokens[tokens.length >> 1] ?? 0,
    p95: tokens[Math.floor(tokens.length * 0.95)] ?? 0,
    most: tokens.at(-1) ?? 0,
  };

  function judge({ relevant }: LabelledQuery, text: string) {
    const blocks = toBlocks(text);
    const needed = relevant.flatMap((label) => tools.get(label) ?? []);
    const shown = needed.flatMap((one) => {
      const at = blocks.findIndex(({ call }) => call.startsWith(one.name));
      const block = blocks[at];
      if (block === undefined) return [];
      const above = blocks.slice(0, at).filter(({ call }) => toServer(call) === toServer(one.name));
      return [{ one, text: block.text, above: above.map(({ text: of }) => of).join("\n") }];
    });
    const noted = shown.filter(({ one, text: own, above }) => {
      one.facts ??= toNeededFacts(one.tool);
      // The same parameter may have been told of at another function of the server, which stands above.
      return toMissing(one.facts, own).every(
        (fact) =>
          above.includes(`${fact.about}: `) && fact.about !== "" && toMissing([fact], above).length === 0,
      );
    });
    const of = Math.max(1, needed.length);
    return {
      shown: shown.length / of,
      noted: noted.length / of,
      whole: noted.length === needed.length && needed.length > 0 ? 1 : 0,
      needless: blocks.length === 0 ? 0 : 1 - shown.length / blocks.length,
      tools: blocks.length,
    };
  }
}

/** Each function with the comment before it, and the lines after it up to the next comment at the margin. */
function toBlocks(text: string): { call: string; text: string }[] {
  const blocks: { call: string; lines: string[] }[] = [];
  let comment: string[] = [];
  for (const line of text.split("\n")) {
    if (/^(?:\/\/|#) /.test(line)) comment.push(line);
    else if (/^[\p{L}\p{N}_$]+\.[\p{L}\p{N}_$]+\(/u.test(line)) {
      blocks.push({ call: line, lines: [...comment, line] });
      comment = [];
    } else if (!/^(?:\(|also|server )/.test(line)) blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ call, lines }) => ({ call, text: lines.join("\n") }));
}

function toServer(call: string): string {
  return call.slice(0, call.indexOf("."));
}

function toNotesTable(rows: readonly (readonly [string, NoteFigures])[]): BenchTable {
  const share = (value: number) => value.toFixed(3);
  return {
    title:
      "Default answers: of the needed tools the share shown, and shown with all informative notes; queries with all of it; of the shown tools the share not needed",
    columns: ["queries", "shown", "with notes", "all of it", "needless", "tools", "median", "p95", "most"],
    rows: rows.map(([name, figures]) => [
      name,
      share(figures.shown),
      share(figures.noted),
      share(figures.whole),
      share(figures.needless),
      figures.tools.toFixed(1),
      figures.median,
      figures.p95,
      figures.most,
    ]),
  };
}
