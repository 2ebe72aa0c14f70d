import type { CatalogEntry } from "../catalog/entry.ts";
import { untrustedNotice } from "../config/trust/untrusted-notice.ts";
import { findServer } from "../engine/call/find-tool.ts";
import type { Project } from "../engine/project.ts";
import type { CommandContext } from "./command.ts";
import { openTrusted } from "./open-trusted.ts";

/** With one silent server, a list is shown after ten seconds, or three times what the slowest other one took. */
const patience = (slowestMs: number) => Math.max(10_000, 3 * slowestMs);

type ReadOptions = {
  only?: string;
  /** Which servers are read, of all that are configured. */
  needed?: (entries: readonly CatalogEntry[]) => readonly string[];
  refresh?: boolean;
  /** Whether what is not trusted was told already. */
  told?: boolean;
};

export type ReadCatalog = { project: Project; entries: CatalogEntry[] };

/** Opens the project and reads its servers, telling whoever is watching what takes so long. */
export async function withCatalog(
  context: CommandContext,
  use: (read: ReadCatalog) => Promise<number>,
  { only, needed, refresh = context.options["refresh"] === true, told = false }: ReadOptions = {},
): Promise<number> {
  const { output, options } = context;
  const project = await openTrusted(context);
  const { notices, brought } = project.config;
  const known = told ? untrustedNotice(brought, context.projectDir) : [];
  for (const notice of notices) if (!known.includes(notice)) output.notice(notice);
  if (!project.config.config.enabled)
    output.notice('Keyhole is switched off by "enabled": false in its config');
  const one = only === undefined ? undefined : findServer(project.catalog, only).name;
  const progress = output.progress(() => describeProgress(project.catalog.entries()));
  try {
    const entries = await project.catalog.read({
      refresh,
      only: one === undefined ? needed?.(project.catalog.entries()) : [one],
      patience: options["wait"] === true ? undefined : patience,
    });
    progress.done();
    if (options["wait"] !== true && entries.some(({ error }) => error?.code === "timeout"))
      output.note("--wait gives each server its full time to connect");
    // What is wrong with the configuration itself, or switched off, was not read but belongs to the picture.
    const rest =
      one === undefined
        ? project.catalog.entries().filter(({ name }) => !entries.some((entry) => entry.name === name))
        : [];
    return await use({ project, entries: [...entries, ...rest] });
  } finally {
    progress.done();
    await project.close();
  }
}

function describeProgress(entries: readonly CatalogEntry[]): string {
  const open = entries.filter(({ status }) => status === "unread").map(({ name }) => name);
  const done = entries.length - open.length;
  return `Connecting: ${done} of ${entries.length} servers done, waiting for ${open.join(", ")}`;
}
