import type { StateDir } from "../../store/state-dir.ts";
import type { Contradiction, ObservedType } from "../tool.ts";
import {
  addContradiction,
  addLearned,
  emptyLearned,
  isEmpty,
  type Learned,
  type LearnedTools,
  learnFrom,
  parseStoredTools,
  toStoredTools,
  weigh,
} from "./learned.ts";
import { createPartPace } from "./part-pace.ts";
import { countParts, MAX_PARTS, settle } from "./settle.ts";
import { toResultSchema } from "./to-schema.ts";
import { createToolMemory, newEntry, partsOf, type RememberedTool } from "./tool-memory.ts";

/** Names a tool in one version of it. */
export type ToolKey = {
  /** The name of the server's folder. */
  readonly server: string;
  readonly tool: string;
  /** The tool's definition, and the server's version if it tells one. */
  readonly hash: string;
  readonly version: string | undefined;
};

/** Learns what tools answer from what they answered. */
export type Learner = {
  /** Reads what earlier processes learned of a server's tools. */
  load(server: string): Promise<void>;
  /** Forgets the tools that a server does not have any more; the file keeps them a while. */
  retain(server: string, tools: ReadonlySet<string>): void;
  observe(key: ToolKey, value: unknown): void;
  /** `find` tells where a result was not what its tool declares; it is called when there is time. */
  contradict(key: ToolKey, find: () => readonly Omit<Contradiction, "count">[]): void;
  typeOf(key: ToolKey): ObservedType | undefined;
  /** Nothing where nothing contradicts. */
  contradictionsOf(key: ToolKey): readonly Contradiction[] | undefined;
  /** Writes what is new. */
  flush(): Promise<void>;
};

const FLUSH_DELAY_MS = 1_000;
const MAX_FLUSH_DELAY_MS = 15_000;
/** After a write we rest so many times as long as it took: a large file must not take up all the time. */
const REST_FACTOR = 20;
/** After so many calls a shape is settled, so that it stays bounded. */
const SETTLE_CALLS = 200;
/** After so many results their parts are counted: each alone may bring as many as a tool may have. */
const COUNT_CALLS = 8;
/** Results that may wait to be looked at: they are held in memory for so long. */
const MAX_WAITING = 50;

/** For whoever wants nothing to be learned. */
export const NO_LEARNER: Learner = {
  load: async () => {},
  retain: () => {},
  observe: () => {},
  contradict: () => {},
  typeOf: () => undefined,
  contradictionsOf: () => undefined,
  flush: async () => {},
};

export function createLearner(state: StateDir): Learner {
  const memory = createToolMemory();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastWriteMs = 0;
  let writing: Promise<void> = Promise.resolve();

  const waiting: (() => void)[] = [];
  /** What has grown and was not counted since. */
  const grown = new Map<RememberedTool, ToolKey>();
  let uncounted = 0;

  function find({ server, tool, hash, version }: ToolKey): RememberedTool | undefined {
    const entry = memory.find(server, tool);
    return entry?.key === toKey(hash, version) ? entry : undefined;
  }

  function findOrAdd(tool: ToolKey): RememberedTool {
    const entry = find(tool) ?? newEntry(toKey(tool.hash, tool.version));
    memory.put(tool.server, tool.tool, entry);
    return entry;
  }

  /** Nothing is learned while too much waits to be written. */
  function learn(tool: ToolKey, add: (entry: RememberedTool) => void): void {
    noteChange(tool.server);
    if (memory.isFull(tool.server)) return;
    const entry = findOrAdd(tool);
    grown.set(entry, tool);
    add(entry);
    if (++uncounted >= COUNT_CALLS) countGrown();
  }

  /** A thousand results of one tool need not be counted a thousand times. */
  function countGrown(): void {
    for (const [entry, { server, tool }] of grown) {
      if (countParts(entry.fresh.shape) > MAX_PARTS) settle(entry.fresh.shape);
      memory.recount(server, tool, entry);
    }
    grown.clear();
    uncounted = 0;
  }

  /** A result goes to its program first; it is learned from when that is done, or when somebody asks. */
  function later(work: () => void): void {
    if (waiting.push(work) === 1) setImmediate(catchUp);
    if (waiting.length > MAX_WAITING) catchUp();
  }

  function catchUp(): void {
    for (const work of waiting.splice(0)) {
      try {
        work();
      } catch {
        // A help for later programs: what can't be learned costs nobody anything.
      }
    }
    countGrown();
  }

  function noteChange(server: string): void {
    changed.add(server);
    const delayMs = Math.max(FLUSH_DELAY_MS, Math.min(MAX_FLUSH_DELAY_MS, lastWriteMs * REST_FACTOR));
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, delayMs).unref();
  }

  function flush(): Promise<void> {
    catchUp();
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      const due = [...changed];
      changed.clear();
      const startedAtMs = performance.now();
      for (const server of due) await write(server);
      lastWriteMs = performance.now() - startedAtMs;
    });
    return writing;
  }

  /** Adds what is new to the file as it is now: another process may have added to it too. */
  async function write(server: string): Promise<void> {
    const due = memory.entriesOf(server).flatMap(([name, entry]) => {
      const { fresh } = entry;
      if (isEmpty(fresh)) return [];
      entry.inFlight = fresh;
      entry.fresh = emptyLearned();
      return [{ name, entry, fresh }];
    });
    if (due.length === 0) return;
    const at = new Date().toISOString();
    const pace = createPartPace();
    const maxParts = memory.maxPartsOfTool(server);
    let merged: LearnedTools = new Map();
    const isWritten = await state.updateJson<unknown>(
      fileOf(server),
      (stored) => stored,
      async (stored) => {
        merged = (await parseStoredTools(stored)) ?? new Map();
        for (const { name, entry, fresh } of due) {
          const before = merged.get(name);
          const learned = emptyLearned();
          if (before?.key === entry.key) addLearned(learned, before.learned);
          addLearned(learned, fresh);
          await pace(weigh(learned));
          settle(learned.shape, maxParts);
          merged.set(name, { key: entry.key, at, learned });
        }
        return toStoredTools(merged);
      },
    );
    for (const { name, entry, fresh } of due) {
      const now = merged.get(name);
      delete entry.inFlight;
      if (isWritten && now?.key === entry.key) entry.known = now.learned;
      else {
        addLearned(fresh, entry.fresh);
        entry.fresh = fresh;
        changed.add(server);
      }
      memory.recount(server, name, entry);
    }
  }

  return {
    flush,
    async load(server) {
      const stored: LearnedTools =
        (await parseStoredTools(await state.readJson(fileOf(server)))) ?? new Map();
      const used = memory.entriesOf(server);
      // The file has those first that were used last, which are to stay longest.
      for (const [name, { key, learned }] of [...stored].reverse()) {
        const entry = memory.find(server, name);
        if (!entry) memory.put(server, name, newEntry(key, learned));
        // What this process has seen itself is newer than a file about another version.
        // What it wrote while the file was read is newer, too.
        else if (entry.key === key && learned.calls >= entry.known.calls) {
          entry.known = learned;
          memory.recount(server, name, entry);
        }
      }
      for (const [name, entry] of used)
        if (memory.find(server, name) === entry) memory.put(server, name, entry);
    },
    retain: memory.retain,
    observe(tool, value) {
      later(() => {
        learn(tool, ({ fresh, known }) => {
          learnFrom(fresh, value, tool.tool, known);
          if (fresh.calls % SETTLE_CALLS === 0) settle(fresh.shape);
        });
      });
    },
    contradict(tool, findMisfits) {
      later(() => {
        const misfits = findMisfits();
        if (misfits.length === 0) return;
        learn(tool, ({ fresh }) => {
          for (const misfit of misfits) addContradiction(fresh, { ...misfit, count: 1 });
        });
      });
    },
    typeOf(tool) {
      catchUp();
      const entry = find(tool);
      return entry && toType(entry);
    },
    contradictionsOf(tool) {
      catchUp();
      const entry = find(tool);
      if (!entry || partsOf(entry).every(({ contradictions }) => contradictions.size === 0)) return undefined;
      return [...toWhole(entry).contradictions.values()];
    },
  };
}

/** The schema stays the same object while it says the same, so that what was made of it can be kept. */
function toType(entry: RememberedTool): ObservedType | undefined {
  const calls = partsOf(entry).reduce((sum, part) => sum + part.calls, 0);
  if (calls === 0) return undefined;
  if (entry.type?.calls === calls) return entry.type.type;
  const { shape, noResult } = toWhole(entry);
  const schema = toResultSchema(settle(shape), noResult);
  const json = JSON.stringify(schema);
  const type = { schema: entry.type?.json === json ? entry.type.type.schema : schema, calls };
  entry.type = { calls, json, type };
  return type;
}

function toWhole(entry: RememberedTool): Learned {
  const whole = emptyLearned();
  for (const part of partsOf(entry)) addLearned(whole, part);
  return whole;
}

function toKey(hash: string, version: string | undefined): string {
  return version === undefined ? hash : `${hash} ${version}`;
}

function fileOf(server: string): string {
  return `observed/${server}.json`;
}
