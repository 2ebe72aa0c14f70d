import { readPopularity } from "../engine/journal/read-journal.ts";
import { toLanguageName } from "../engine/language-names.ts";
import { createSearchOf } from "../engine/own-tools/search-of.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import type { CommandHandler } from "./command.ts";
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
    const { text, ...found } = await search.answer(
      { query: args.join(" "), detail, limit, language },
      LOCAL_PRINCIPAL,
    );
    ending.abort();
    if (output.json) output.printJson(found);
    else output.print(text);
    return 0;
  });
};
