import {
  type CommandUse,
  type DynamicCall,
  type FactPlace,
  type FileUse,
  type HostUse,
  MAX_COMMAND_WORDS,
  MAX_FACT_TEXT,
  MAX_FACTS,
  MAX_OTHER_LINES,
  type ProgramFacts,
  type RuleHit,
  type UsedTool,
} from "../../policy/program-facts.ts";
import { createPositionOf } from "../../text/position.ts";
import type { FoundFlow } from "./flows.ts";
import type { Binding } from "./scopes.ts";

/** What is found is written down here, each once, and no more of it than can be told. */
export type FactBook = {
  /** Names in the program, each with its first place. */
  readonly names: ReadonlyMap<string, number>;
  name(name: string, at: number): void;
  hit(rule: string, at: number, what?: string): void;
  tool(tool: UsedTool, at: number, inLoop: boolean, functions: readonly Binding[]): void;
  dynamic(at: number, server?: string): void;
  file(path: string | undefined, access: FileUse["access"], at: number): void;
  host(url: string | undefined, at: number, isPrevented: boolean): void;
  /** @param words `undefined` is one that is computed */
  command(words: readonly (string | undefined)[], at: number, isPrevented: boolean): void;
  flows(flows: readonly FoundFlow[]): void;
  /** Of one function. */
  ways(count: number): void;
  /** @param repeated functions that run more than once */
  finish(repeated: ReadonlySet<Binding>): ProgramFacts;
};

type Use = UsedTool & {
  readonly at: number;
  readonly others: number[];
  inLoop: boolean;
  readonly functions: Set<Binding>;
};

const MAX_NAMES = 50_000;

export function createFactBook(source: string): FactBook {
  const toPlace = createPositionOf(source);
  const names = new Map<string, number>();
  const hits = new Map<string, RuleHit>();
  const uses = new Map<string, Use>();
  const dynamic = createList<DynamicCall>();
  const files = createList<FileUse>();
  const hosts = createList<HostUse>();
  const commands = createList<CommandUse>();
  let flows: readonly FoundFlow[] = [];
  let moreHits = 0;
  let complexity = 0;
  return {
    names,
    name(name, at) {
      if (names.size < MAX_NAMES && !names.has(name)) names.set(name, at);
    },
    hit(rule, at, what) {
      const key = `${rule} ${at}`;
      if (hits.has(key)) return;
      if (hits.size >= MAX_FACTS) moreHits++;
      else hits.set(key, { rule, ...toPlace(at), ...(what !== undefined && { what: short(what) }) });
    },
    tool({ server, tool }, at, inLoop, functions) {
      const key = `${server}\n${tool}`;
      const known = uses.get(key);
      if (known) {
        known.inLoop ||= inLoop;
        if (known.others.length < MAX_OTHER_LINES) known.others.push(at);
        for (const one of functions) if (known.functions.size < 50) known.functions.add(one);
      } else if (uses.size < MAX_FACTS)
        uses.set(key, { server, tool, at, others: [], inLoop, functions: new Set(functions) });
      // Behind as many reads as can be told there must not be something else.
      else dynamic.add(at, { ...toPlace(at), server: short(server) });
    },
    dynamic: (at, server) => dynamic.add(at, { ...toPlace(at), ...(server !== undefined && { server }) }),
    file(path, access, at) {
      const use = { ...toPlace(at), access, ...(path !== undefined && { path: short(path) }) };
      files.add(`${access} ${path ?? at}`, use);
    },
    host(url, at, isPrevented) {
      const found = url === undefined ? undefined : hostOf(url);
      const use = { ...toPlace(at), ...found, ...(isPrevented && { isPrevented }) };
      hosts.add(found === undefined ? at : JSON.stringify([found, isPrevented]), use);
    },
    command(words, at, isPrevented) {
      const known = words.filter((word) => word !== undefined);
      const isTellable =
        words.length <= MAX_COMMAND_WORDS && known.every(({ length }) => length <= MAX_FACT_TEXT);
      commands.add(words[0] === undefined ? at : JSON.stringify([words, isPrevented]), {
        ...toPlace(at),
        ...(words[0] !== undefined && { command: short(words.map((word) => word ?? "…").join(" ")) }),
        ...(words.length > 0 && known.length === words.length && isTellable && { words: known }),
        ...(isPrevented && { isPrevented }),
      });
    },
    flows(found) {
      flows = found;
    },
    ways(count) {
      complexity = Math.max(complexity, count);
    },
    finish(repeated) {
      const tools = [...uses.values()].map(({ server, tool, at, others, inLoop, functions }) => ({
        server,
        tool,
        inLoop: inLoop || [...functions].some((one) => repeated.has(one)),
        ...toPlace(at),
        ...(others.length > 0 && { otherLines: others.map((other) => toPlace(other).line) }),
      }));
      const isTellable = ({ server, tool }: UsedTool) =>
        server.length <= MAX_FACT_TEXT && tool.length <= MAX_FACT_TEXT;
      return {
        lines: toPlace(source.length).line,
        complexity,
        hits: [...hits.values()].sort(byPlace),
        moreHits,
        tools: tools.filter(isTellable),
        dynamic: [
          ...dynamic.items,
          // Names that are too long to be told must not be taken for no call at all.
          ...tools.filter((tool) => !isTellable(tool)).map(({ line, column }) => ({ line, column })),
        ].slice(0, MAX_FACTS),
        files: files.items,
        hosts: hosts.items,
        commands: commands.items,
        flows: flows
          .filter(({ from, to }) => isTellable(from) && isTellable(to))
          .map(({ from, to, at }) => ({ from, to, ...toPlace(at) })),
      };
    },
  };
}

function createList<T>(): { readonly items: T[]; add(key: string | number, item: T): void } {
  const keys = new Set<string | number>();
  const items: T[] = [];
  return {
    items,
    add(key, item) {
      if (keys.has(key) || items.length >= MAX_FACTS) return;
      keys.add(key);
      items.push(item);
    },
  };
}

function byPlace(a: FactPlace, b: FactPlace): number {
  return a.line - b.line || a.column - b.column;
}

function short(text: string): string {
  return text.length > MAX_FACT_TEXT ? `${text.slice(0, MAX_FACT_TEXT - 1)}…` : text;
}

function hostOf(url: string): Pick<HostUse, "host" | "protocol"> | undefined {
  const { host, protocol } = URL.canParse(url) ? new URL(url) : { host: "", protocol: "" };
  if (host === "") return undefined;
  const isWeb = (protocol === "http:" || protocol === "https:") && host.length <= MAX_FACT_TEXT;
  return { host: short(host), ...(isWeb && { protocol: protocol === "http:" ? "http" : "https" }) };
}
