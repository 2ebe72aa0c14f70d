import type { LanguageNaming } from "../../catalog/names.ts";
import { OWN_WORDS } from "../../codegen/own-words.ts";
import { createSkillNames } from "../../language/skills/skill-names.ts";
import type { FolderAnswer } from "../../sandbox/sandbox.ts";
import { SKILLS_FOLDER } from "../../skills/skill-folder.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { isRecord } from "../../text/is-record.ts";

/** A skill as its folder: what programs may read of it, whoever keeps it. */
export type SkillInFolder = { readonly name: string; readonly files: readonly FileOfSkill[] };

export type FileOfSkill = {
  /** With `/` between names. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 in hexadecimal digits, where it is known. */
  readonly digest?: string;
  /** Nothing where it is not there any more as it was. */
  read(): Promise<Uint8Array | undefined>;
};

/** `./skills` as the programs of one run read it. */
export type SkillsFolder = (request: unknown) => Promise<FolderAnswer | Uint8Array>;

const MAX_PATH = 1_000;
const NO_PATH = { kind: "missing", message: "No path in ./skills looks like this" } as const;
/** Of all that one run reads, lists among it. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LISTED = 100_000;
const refused = (message: string) => ({ kind: "refused", message }) as const;
const TOO_MUCH = refused("One program can read 64 MB of ./skills");
const TOO_MANY = refused(`There are more than ${MAX_LISTED} files: list one skill at a time`);
const CHANGED = refused("It is not as it was when a person said yes to it: they have to look at it again");
/** Longer texts are read in pieces, like what is no text. */
const MAX_TEXT_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Looking for near names goes over all names, and a program can ask for wrong ones in a loop. */
const MAX_EXPLAINED = 5;
const MAX_COMPARED = 50_000;
const MAX_COMPARED_NAME = 200;

/**
 * A reader for one run. Names are looked up among those there are; a path is never used for anything else.
 * @param skills those that the run's principal may see, as they are at the time
 */
export function openSkillsFolder(
  skills: () => Promise<readonly SkillInFolder[]>,
  naming: LanguageNaming,
): SkillsFolder {
  let bytes = 0;
  let explained = 0;
  let known: readonly SkillInFolder[] = [];
  let names = createSkillNames(known);

  /** By any spelling that means one alone: Python's programs write `sum_up` for `sum-up`. */
  function findSkill(all: readonly SkillInFolder[], spelling: string): SkillInFolder | undefined {
    if (all !== known) names = createSkillNames(all);
    known = all;
    const found = names.find(spelling);
    return found.kind === "one" ? found.value : undefined;
  }

  function explain(name: string, known: readonly string[]): string {
    const otherwise = `${OWN_WORDS[naming].list(`./${SKILLS_FOLDER}`)} lists what is there`;
    const isTooLong = name.length > MAX_COMPARED_NAME || known.length > MAX_COMPARED;
    return isTooLong || ++explained > MAX_EXPLAINED ? otherwise : (didYouMean(name, known) ?? otherwise);
  }

  function missing(name: string, known: readonly string[]): FolderAnswer {
    return { kind: "missing", message: explain(name, known) };
  }

  function count(size: number): boolean {
    bytes += size;
    return bytes <= MAX_BYTES;
  }

  function list(files: readonly string[], recursive: boolean): FolderAnswer {
    const folders = new Set<string>();
    const shown = files.flatMap((path) => {
      const steps = path.split("/");
      for (let depth = 1; depth < steps.length; depth++)
        if (recursive || depth === 1) folders.add(steps.slice(0, depth).join("/"));
      return recursive || steps.length === 1 ? [path] : [];
    });
    if (shown.length + folders.size > MAX_LISTED) return TOO_MANY;
    const all = [...shown, ...folders];
    return count(all.reduce((sum, name) => sum + name.length + 3, 0))
      ? { kind: "folder", files: shown, folders: [...folders] }
      : TOO_MUCH;
  }

  async function find(path: string, recursive: boolean): Promise<FolderAnswer | FileOfSkill> {
    const all = await skills();
    if (path === "") return list(all.flatMap(toPaths), recursive);
    const [name = "", ...steps] = path.split("/");
    const skill = findSkill(all, name);
    if (skill === undefined) return missing(name, all.map(toName));
    const inner = steps.join("/");
    const file = skill.files.find((one) => one.path === inner);
    if (file !== undefined) return file;
    const paths = skill.files.map((one) => one.path);
    const start = inner === "" ? "" : `${inner}/`;
    const within = paths.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
    return within.length === 0 ? missing(inner, paths) : list(within, recursive);
  }

  return async (raw) => {
    const request = readRequest(raw);
    if (request === undefined) return NO_PATH;
    if (bytes > MAX_BYTES) return TOO_MUCH;
    const found = await find(request.path, request.recursive);
    if (!("read" in found)) return found;
    const content = await found.read();
    if (content === undefined) return CHANGED;
    if (request.from !== undefined) {
      const piece = content.subarray(request.from, request.from + PIECE_BYTES);
      return count(piece.length) ? piece : TOO_MUCH;
    }
    const text = content.length > MAX_TEXT_BYTES ? undefined : toText(content);
    if (text === undefined) return { kind: "file", bytes: content.length };
    return count(content.length) ? { kind: "file", text } : TOO_MUCH;
  };
}

function toName({ name }: SkillInFolder): string {
  return name;
}

function toPaths({ name, files }: SkillInFolder): string[] {
  return files.map(({ path }) => `${name}/${path}`);
}

function toText(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** From the program, like everything that comes by `callTool`. */
function readRequest(
  request: unknown,
): { path: string; recursive: boolean; from: number | undefined } | undefined {
  if (!isRecord(request) || request["folder"] !== SKILLS_FOLDER) return undefined;
  const { path, from, recursive } = request;
  if (typeof path !== "string" || path.length > MAX_PATH) return undefined;
  const isPlace = typeof from === "number" && Number.isSafeInteger(from) && from >= 0;
  return { path, recursive: recursive === true, from: isPlace ? from : undefined };
}
