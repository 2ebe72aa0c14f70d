import { resolve } from "node:path";
import { readJournal } from "../engine/journal/read-journal.ts";
import type { Stats } from "../engine/journal/stats.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { count } from "./format.ts";

const MAX_SHOWN = 20;
const MAX_SESSIONS_SHOWN = 10;

/** Reads what the runs left behind; no server is started for it. */
export const stats: CommandHandler = async ({ output, projectDir }) => {
  const found = await readJournal(resolve(projectDir), (journal) => journal.stats());
  if (output.json) {
    output.printJson(found);
    return 0;
  }
  if (found.runs === 0) {
    output.print("No program has run here yet");
    return 0;
  }
  const { tokens, runMs } = found;
  output.print(`${count(found.runs, "run")}, ${found.failed} failed, ${count(found.calls, "call")}`);
  output.print(
    `tokens: the models saw ${tokens.seen}, directly it would have been ${tokens.direct}: ${tokens.savedPercent}% saved`,
  );
  output.print(`kept in the sandbox: ${tokens.kept} tokens`);
  output.print(`a run takes ${runMs.p50} ms (p50), ${runMs.p95} ms (p95)`);
  const shown = found.tools.slice(0, MAX_SHOWN);
  for (const { server, tool, calls, failed, ms } of shown) {
    const failures = failed === 0 ? "" : `, ${failed} failed`;
    // The journal may have come with a repository.
    const name = `${toExcerpt(server, 100)} ${toExcerpt(tool, 100)}`;
    output.print(`  ${name}: ${count(calls, "call")}${failures}, ${ms.p50} ms (p50)`);
  }
  const more = found.tools.length - shown.length + found.toolsLeftOut;
  if (more > 0) output.print(`  and ${count(more, "more tool")}`);
  for (const line of describeSessions(found)) output.print(line);
  return 0;
};

/** Nothing where all of it was one session's. */
function describeSessions({ sessions, sessionsLeftOut }: Stats): string[] {
  if (sessions.length < 2) return [];
  const shown = sessions.slice(0, MAX_SESSIONS_SHOWN);
  const more = sessions.length - shown.length + sessionsLeftOut;
  return [
    "by session, the latest first:",
    ...shown.map(
      ({ session, principal, runs, failed, calls }) =>
        `  ${toExcerpt(session, 80)} of ${toExcerpt(principal, 80)}: ${count(runs, "run")}, ${failed} failed, ${count(calls, "call")}`,
    ),
    ...(more > 0 ? [`  and ${count(more, "more session")}`] : []),
  ];
}
