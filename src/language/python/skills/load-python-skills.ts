import type { SyntaxNode } from "@lezer/common";
import { toPythonModuleName } from "../../../codegen/python/skill-import.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toPosition } from "../../../text/position.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import type { SkillSource, UsedSkill } from "../../language.ts";
import type { KnownSkills } from "../../reading/known-skills.ts";
import { type LoadedSkill, loadSkills, type SkillReader, type WrongSkill } from "../../skills/load-skills.ts";
import { explainSyntax } from "../explain/explain-syntax.ts";
import { fromPythonName } from "./module-names.ts";
import { type ImportingText, mayHave, type PythonModule, readPythonModule } from "./python-module.ts";

/** The skills of a program. */
export type PythonSkills = {
  /** What is imported stands before what imports it. */
  readonly used: readonly UsedSkill[];
  readonly modules: readonly PythonModule[];
  /** By any spelling that the program or one of them has for it. */
  skillOf(spelling: string): PythonModule | undefined;
};

export const NO_SKILLS: PythonSkills = { used: [], modules: [], skillOf: () => undefined };

type Known = Pick<KnownSkills, "find" | "names">;

/** @param self the skill that is read, where it is no program */
export async function loadPythonSkills(
  program: ImportingText,
  known: Known,
  reader: PythonSkillReader,
  self?: string,
): Promise<PythonSkills | ProgramFailure> {
  const { found, odd } = program.imports;
  const fail = (node: SyntaxNode | undefined, message: string, hint?: string) =>
    toFailure("import", message, program.source, node?.from ?? 0, hint);
  const [first] = odd;
  if (first) return fail(first.node, first.message, first.hint);
  if (found.length === 0) return NO_SKILLS;
  const needed = found.filter(({ way }) => way === "plain").map(({ skill }) => skill);
  // What they imported last time is asked for along with them: each question is a way to the host and back.
  await known.find(reader.expected(found.map(({ skill }) => skill)));
  const loaded = await loadSkills([...needed, ...(await findTried(program, known))], known, reader, self);
  const nodeOf = (skill: string) => (found.find((one) => one.skill === skill) ?? found[0])?.node;
  if ("message" in loaded)
    return fail(nodeOf(loaded.by?.name ?? loaded.spelling), toMessage(loaded), loaded.hint);
  for (const { read } of loaded) {
    const broken = findBroken(read);
    if (broken !== undefined) return fail(nodeOf(read.name), broken);
  }
  const skills = await toSkills(loaded, known);
  for (const { skill: spelling, names, way } of found) {
    const skill = way === "plain" ? skills.skillOf(spelling) : undefined;
    const absent = skill && names.find((name) => !mayHave(skill, textOf(name, program)));
    if (!skill || !absent) continue;
    const name = textOf(absent, program);
    const own = skill.exports.map((one) => one.name);
    const hint = didYouMean(name, own) ?? toList(own);
    return fail(absent, `Skill "${skill.name}" has no "${name.slice(0, MAX_NAME)}"`, hint);
  }
  return skills;
}

const MAX_NAME = 80;
const MAX_LISTED = 12;
const MAX_EXPECTED = 100;
/** Characters of texts whose modules are kept. */
const MAX_KEPT = 4 * 1024 * 1024;

type PythonSkillReader = SkillReader<PythonModule> & {
  /** With what they imported when they were read last. */
  expected(skills: readonly string[]): Iterable<string>;
};

/** Each text is read once, however many programs import it. */
export function createSkillReader(): PythonSkillReader {
  const imports = new Map<string, readonly string[]>();
  const kept = new Map<string, PythonModule>();
  let keptCharacters = 0;
  return {
    language: "python",
    title: "Python",
    spell: toPythonModuleName,
    read({ name, hash, code }: SkillSource) {
      const key = `${name} ${hash}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (keptCharacters > MAX_KEPT) {
        kept.clear();
        imports.clear();
        keptCharacters = 0;
      }
      const made = readPythonModule(name, code);
      kept.set(key, made);
      keptCharacters += code.length;
      imports.set(name, importsOf(made));
      return made;
    },
    importsOf,
    expected(skills) {
      const all = new Set(skills);
      // Grows as it goes.
      for (const skill of all) {
        if (all.size > MAX_EXPECTED) break;
        for (const imported of imports.get(skill) ?? []) all.add(imported);
      }
      return all;
    },
  };
}

function importsOf({ imports }: PythonModule): string[] {
  return imports.found.filter(({ way }) => way !== "quoted").map(({ skill }) => skill);
}

/** What it only tries to import, where that works. */
async function findTried({ imports: { found } }: ImportingText, known: Known): Promise<string[]> {
  const tried = found.filter(({ way }) => way !== "plain").map(({ skill }) => skill);
  const meanings = await known.find(tried);
  return tried.filter((spelling) => {
    const meant = meanings.get(spelling);
    return (
      meant?.kind === "one" && meant.value.unavailable === undefined && meant.value.language === "python"
    );
  });
}

async function toSkills(loaded: readonly LoadedSkill<PythonModule>[], known: Known): Promise<PythonSkills> {
  const byName = new Map(loaded.map(({ source, read }) => [source.name, read]));
  const meanings = await known.find([]);
  return {
    used: loaded.map(({ source: { name, hash }, read: { source } }) => ({
      ...{ name, hash, source },
      ...{ code: source, places: new Int32Array() },
    })),
    modules: [...byName.values()],
    skillOf(spelling) {
      const meant = meanings.get(fromPythonName(spelling));
      return meant?.kind === "one" ? byName.get(meant.value.name) : undefined;
    },
  };
}

function toMessage({ message, by }: WrongSkill): string {
  return by === undefined
    ? message
    : `Cannot import the skill "${by.name}", because of what it imports: ${message}`;
}

/** Saved skills are read before; one may have been changed on the disk. */
function findBroken({ name, parsed: { text, wrongAt } }: PythonModule): string | undefined {
  if (wrongAt === undefined) return undefined;
  const { message, at = wrongAt } = explainSyntax(text, wrongAt);
  return `Skill "${name}" is no Python, in line ${toPosition(text, at).line}: ${message}`;
}

function toList(names: readonly string[]): string {
  if (names.length === 0) return "It gives nothing to whoever imports it";
  return `It has ${names.slice(0, MAX_LISTED).join(", ")}${names.length > MAX_LISTED ? ", …" : ""}`;
}

function textOf({ from, to }: SyntaxNode, { parsed: { text } }: ImportingText): string {
  return text.slice(from, to).normalize("NFKC");
}
