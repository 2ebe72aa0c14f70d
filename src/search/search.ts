import type { Printer } from "../codegen/printer.ts";
import { PRINTERS } from "../codegen/printers.ts";
import { finishInSlices } from "../text/slices.ts";
import type { SearchAnswer, SearchableServer, SearchableSkill, SearchRequest } from "./answer.ts";
import type { Reranker } from "./embeddings/rerank.ts";
import { createIndexKeeper } from "./index/index-keeper.ts";
import { buildToolIndex, type IndexOptions } from "./query/rank.ts";
import { toServersAnswer } from "./show/show-servers.ts";
import { toToolsAnswer } from "./show/show-tools.ts";
import { placeSkills, toComparable } from "./skills/place-skills.ts";
import { createSkillShelf } from "./skills/skill-shelf.ts";

export type Search = {
  answer(request?: SearchRequest, options?: AnswerOptions): Promise<SearchAnswer>;
  /** Does beforehand what the first answer would otherwise wait for, or do without. */
  prepare(signal?: AbortSignal): Promise<void>;
};

export type AnswerOptions = {
  /** Told what the answer takes of this thread's time, piece by piece. */
  readonly onWork?: ((ms: number) => void) | undefined;
  /** Whether what is called often comes first (default true). */
  readonly byHabit?: boolean;
  /** What the asker may see of skills. */
  readonly skills?: readonly SearchableSkill[];
};

export type SearchSetup = {
  readonly reranker?: Reranker;
  readonly calls?: IndexOptions["calls"];
  /** What names and signatures can be written in; the first unless told otherwise. */
  readonly printers?: readonly [Printer, ...Printer[]];
};

/** `skill: close old issues` asks for skills alone, as `server:github` does for a server's tools. */
const SKILL_MARK = /^\s*skills?:/i;

function toSkillQuery(query: string): string {
  return query.replace(SKILL_MARK, "");
}

/** Search over what `servers` yields at the time; its index is built when a catalogue is first seen. */
export function createSearch(
  servers: () => readonly SearchableServer[],
  { reranker, calls, printers = [PRINTERS.typescript, PRINTERS.python] }: SearchSetup = {},
): Search {
  const printerOf = (language?: string) => printers.find(({ name }) => name === language) ?? printers[0];
  const shelf = createSkillShelf();
  const keeper = createIndexKeeper((current) => buildToolIndex(current, { calls }));

  return {
    async answer({ query = "", detail, limit, language, only } = {}, options = {}) {
      const { onWork = () => {}, byHabit, skills = [] } = options;
      const isForSkills = only === "skills" || SKILL_MARK.test(query);
      const current = servers();
      if (query.trim() === "") return toServersAnswer(current, skills.length);
      const { rank, near, excludes, notes } = await keeper.indexOf(current);
      const there = new Set(current.map(({ name }) => name));
      const startedAt = performance.now();
      // The index can be of what was there a moment ago.
      const byWords = isForSkills
        ? []
        : rank(query, { byHabit }).filter(({ server }) => there.has(server.name));
      onWork(performance.now() - startedAt);
      const hits =
        reranker && !isForSkills
          ? await reranker.rerank(
              query,
              byWords,
              current.filter(({ name }) => !excludes(query, name)),
            )
          : byWords;
      const tools = current.reduce((sum, server) => sum + server.tools.length, 0);
      const skillHits = toComparable(await shelf.rank(toSkillQuery(query), skills, onWork), {
        skills: skills.length,
        tools,
      });
      const found = placeSkills(hits, skillHits, byWords);
      const findings = {
        query,
        detail,
        limit,
        printer: printerOf(language),
        hits,
        found,
        top: Math.max(byWords[0]?.score ?? 0, skillHits[0]?.score ?? 0),
        near: found.length > 0 || isForSkills ? [] : near(query, 5),
        isForSkills,
        servers: current,
        notes: notes(query, hits),
      };
      return finishInSlices(toToolsAnswer(findings), { onSlice: onWork });
    },
    async prepare(signal) {
      const current = servers();
      await keeper.indexOf(current);
      await reranker?.prepare(current, signal);
    },
  };
}
