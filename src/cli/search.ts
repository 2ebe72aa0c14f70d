import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { createEngine } from "../engine/create-engine.ts";
import type { SearchAnswer, SearchRequest } from "../engine/engine.ts";
import { readPopularity } from "../engine/journal/read-journal.ts";
import { toLanguageName } from "../engine/language-names.ts";
import { createSearchOf } from "../engine/own-tools/search-of.ts";
import type { Project } from "../engine/project.ts";
import { createSession, LOCAL_PRINCIPAL } from "../session.ts";
import type { CommandHandler } from "./command.ts";
import type { Output } from "./output.ts";
import { withCatalog } from "./read-catalog.ts";

const MAX_PREPARE_MS = 10_000;

export const search: CommandHandler = (context) => {
  const { output, args, options } = context;
  return withCatalog(context, async ({ project }) => {
    const detail = (["name", "description", "full"] as const).find((level) => level === options["detail"]);
    const limit = typeof options["limit"] === "number" ? options["limit"] : undefined;
    const language = toLanguageName(options["lang"]);
    const ending = new AbortController();
    const search = createSearchOf(project, {
      signal: ending.signal,
      onNotice: output.notice,
      popularity: readPopularity(project.state, output.notice),
    });
    const progress = output.progress(() => "Preparing the search by meaning, once for all tools");
    // What was not done by then goes on with the next search.
    await search.prepare(AbortSignal.timeout(MAX_PREPARE_MS));
    progress.done();
    const request = { query: args.join(" "), detail, limit, language };
    const { text, ...found } = (await hasSkills(project))
      ? await searchWithSkills(project, request, output)
      : await search.answer(request, LOCAL_PRINCIPAL);
    ending.abort();
    if (output.json) output.printJson(found);
    else output.print(text);
    return 0;
  });
};

/** To know what state they are in takes an engine, and most projects have none. */
async function hasSkills({ dir, discovered }: Project): Promise<boolean> {
  return (
    discovered.list().length > 0 || (await lstat(join(dir, "skills")).catch(() => undefined)) !== undefined
  );
}

async function searchWithSkills(
  project: Project,
  request: SearchRequest,
  { notice }: Output,
): Promise<SearchAnswer> {
  const engine = createEngine(project, { onNotice: notice });
  try {
    return await engine.search(request, createSession({ client: { name: "cli" }, front: "cli" }));
  } finally {
    await engine.close();
  }
}
