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
  /** From now on places are those of this text. */
  enter(text: FactText): void;
  /** Names in the text, each with its first place. */
  readonly names: ReadonlyMap<string, number>;
  name(name: string, at: number): void;
  hit(rule: string, at: number, what?: string): void;
  tool(tool: UsedTool, at: number, inLoop: boolean, functions: readonly Binding[]): void;
  dynamic(at: number, server?: string): void;
  file(path: string | undefined, access: FileUse["access"], at: number): void;
  host(url: string | undefined, at: number, isPrevented: boolean): void;
  /** @param words `undefined` is one that is computed */
  command(words: readonly (string | undefined)[], at: number, isPrevented: boolean): void;
  place(at: number): FactPlace;
  flows(flows: readonly FoundFlow[]): void;
  /** Of one function. */
  ways(count: number): void;
  /** @param repeated functions that run more than once */
  finish(repeated: ReadonlySet<Binding>): ProgramFacts;
};

/** The program, or a skill that it imports. */
export type FactText = { readonly source: string; readonly skill?: string };

type Use = UsedTool & {
  place: FactPlace;
  others: number[];
  inLoop: boolean;
  readonly functions: Set<Binding>;
};

const MAX_NAMES = 50_000;

export function createFactBook(): FactBook {
  let toPlace = (_at: number): FactPlace => ({ line: 1, column: 1 });
  let skill: string | undefined;
  let lines = 0;
  let names = new Map<string, number>();
  const hits = new Map<string, RuleHit>();
  const uses = new Map<string, Use>();
  const dynamic = createList<DynamicCall>();
  const files = createList<FileUse>();
  const hosts = createList<HostUse>();
  const commands = createList<CommandUse>();
  let flows: readonly FoundFlow[] = [];
  let moreHits = 0;
  let complexity = 0;
  /** No other text has it. */
  const keyOf = (at: number) => `${skill ?? ""} ${at}`;
  return {
    enter(text) {
      const positionOf = createPositionOf(text.source);
      skill = text.skill;
      const own = skill === undefined ? {} : { skill };
      toPlace = (at) => ({ ...positionOf(at), ...own });
      names = new Map();
      lines += positionOf(text.source.length).line;
    },
    get names() {
      return names;
    },
    name(name, at) {
      if (names.size < MAX_NAMES && !names.has(name)) names.set(name, at);
    },
    hit(rule, at, what) {
      const key = `${rule} ${keyOf(at)}`;
      if (hits.has(key)) return;
      if (hits.size >= MAX_FACTS) moreHits++;
      else hits.set(key, { rule, ...toPlace(at), ...(what !== undefined && { what: short(what) }) });
    },
    tool({ server, tool }, at, inLoop, functions) {
      const key = `${server}\n${tool}`;
      const known = uses.get(key);
      const place = toPlace(at);
      if (known) {
        known.inLoop ||= inLoop;
        // The program's own place is told rather than that in a skill of it.
        if (known.place.skill !== undefined && skill === undefined) {
          known.place = place;
          known.others = [];
        } else if (known.place.skill === skill && known.others.length < MAX_OTHER_LINES)
          known.others.push(place.line);
        for (const one of functions) if (known.functions.size < 50) known.functions.add(one);
      } else if (uses.size < MAX_FACTS)
        uses.set(key, { server, tool, place, others: [], inLoop, functions: new Set(functions) });
      // Behind as many reads as can be told there must not be something else.
      else dynamic.add(keyOf(at), { ...place, server: short(server) });
    },
    dynamic: (at, server) =>
      dynamic.add(keyOf(at), { ...toPlace(at), ...(server !== undefined && { server }) }),
    file(path, access, at) {
      const use = { ...toPlace(at), access, ...(path !== undefined && { path: short(path) }) };
      files.add(`${access} ${path ?? keyOf(at)}`, use);
    },
    host(url, at, isPrevented) {
      const found = url === undefined ? undefined : hostOf(url);
      const use = { ...toPlace(at), ...found, ...(isPrevented && { isPrevented }) };
      hosts.add(found === undefined ? keyOf(at) : JSON.stringify([found, isPrevented]), use);
    },
    command(words, at, isPrevented) {
      const known = words.filter((word) => word !== undefined);
      const isTellable =
        words.length <= MAX_COMMAND_WORDS && known.every(({ length }) => length <= MAX_FACT_TEXT);
      commands.add(words[0] === undefined ? keyOf(at) : JSON.stringify([words, isPrevented]), {
        ...toPlace(at),
        ...(words[0] !== undefined && { command: short(words.map((word) => word ?? "…").join(" ")) }),
        ...(words.length > 0 && known.length === words.length && isTellable && { words: known }),
        ...(isPrevented && { isPrevented }),
      });
    },
    place: (at) => toPlace(at),
    flows(found) {
      flows = found;
    },
    ways(count) {
      complexity = Math.max(complexity, count);
    },
    finish(repeated) {
      const tools = [...uses.values()].map(({ server, tool, place, others, inLoop, functions }) => ({
        server,
        tool,
        inLoop: inLoop || [...functions].some((one) => repeated.has(one)),
        ...place,
        ...(others.length > 0 && { otherLines: others }),
      }));
      const isTellable = ({ server, tool }: UsedTool) =>
        server.length <= MAX_FACT_TEXT && tool.length <= MAX_FACT_TEXT;
      return {
        lines,
        complexity,
        hits: [...hits.values()].sort(byPlace),
        moreHits,
        tools: tools.filter(isTellable),
        dynamic: [
          ...dynamic.items,
          // Names that are too long to be told must not be taken for no call at all.
          ...tools.filter((tool) => !isTellable(tool)).map(toFactPlace),
        ].slice(0, MAX_FACTS),
        files: files.items,
        hosts: hosts.items,
        commands: commands.items,
        flows: flows
          .filter(({ from, to }) => isTellable(from) && isTellable(to))
          .map(({ from, to, place }) => ({ from, to, ...place })),
      };
    },
  };
}

function createList<T>(): { readonly items: T[]; add(key: string, item: T): void } {
  const keys = new Set<string>();
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

/** The program's own first. */
function byPlace(a: FactPlace, b: FactPlace): number {
  const [one, other] = [a.skill ?? "", b.skill ?? ""];
  if (one !== other) return one < other ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

function toFactPlace({ line, column, skill }: FactPlace): FactPlace {
  return { line, column, ...(skill !== undefined && { skill }) };
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
