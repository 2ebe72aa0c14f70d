import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { toServerNames } from "../../src/catalog/names.ts";
import type { ServerRecord } from "../../src/catalog/tool.ts";
import type { Checker } from "../../src/language/typescript/check/checker.ts";
import { loadEvalServers } from "../eval-tools.ts";

/**
 * Programs over the tools of the evaluation data, in the shapes in which models write them. Their writers saw the tools
 * and nothing of Keyhole's code: `right` ones must pass, each of the `wrong` ones has one mistake, named in its first line.
 */
export type Collection = "right" | "wrong";

type Written = { readonly file: string; readonly title: string; readonly source: string };

export async function loadCollection(name: Collection): Promise<Written[]> {
  const dir = resolve("bench/check", name);
  const files = (await readdir(dir)).filter((file) => file.endsWith(".txt")).sort();
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(`${dir}/${file}`, "utf8") })),
  );
  return texts.flatMap(({ file, text }) => {
    const [, ...parts] = text.split(/^\/\/\/\/ ?(.*)\n/m);
    return parts.flatMap((title, index) =>
      index % 2 === 0 ? [{ file, title, source: parts[index + 1] ?? "" }] : [],
    );
  });
}

/** The order in which servers of the same name are taken: the first one has it. */
const SOURCES = [
  /^(github|azure)$/,
  /^reference-(.*)$/,
  /^live-(.*)$/,
  /^toucan-(?:\d+\.(?:@[^_]+_)?)?(.*)$/,
];

/** The servers under their own names, without the data set's before them. */
export async function loadOwnServers(dataDir: string): Promise<ServerRecord[]> {
  const { servers } = await loadEvalServers(dataDir);
  const named = new Map<string, ServerRecord>();
  for (const source of SOURCES) {
    for (const server of servers) {
      const own = source.exec(server.name)?.[1];
      if (own !== undefined && !named.has(own)) named.set(own, server);
    }
  }
  const names = toServerNames([...named.keys()]);
  return [...named].map(([name, server]) => ({
    ...server,
    ...names.get(name),
    name,
    tools: server.tools.map((tool) => ({ ...tool, server: name })),
  }));
}

/** Why a program would not be run, or nothing. */
export async function refusalOf(checker: Checker, source: string): Promise<string | undefined> {
  const prepared = checker.prepare(source);
  if (!prepared.ok) return prepared.error.message;
  const checked = await checker.check(source, prepared);
  const finished = prepared.finish();
  if (!finished.ok) return finished.error.message;
  return checked.ok ? undefined : checked.error.errors.map(({ message }) => message).join("; ");
}
