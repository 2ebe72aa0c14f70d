import { asMine } from "../../engine/skills/as-mine.ts";
import { toSkillTexts, withSkillsOf } from "../../engine/skills/skills-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { Skill, SkillFiles, Skills, SkillVersion } from "../../skills/skill.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { type DiffLine, toLineDiff } from "../../text/line-diff.ts";
import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { describeAuthor, describeStatus, toSkillData, toVersionData } from "./describe.ts";

const MARKS = { " ": undefined, "-": "red", "+": "green" } as const;
/** Lines around what differs. */
const AROUND = 3;

/** A skill with its text: as it is, as it was (`--version N`), or what is between two versions (`--diff A..B`). */
export function showSkill({ output, projectDir, options }: CommandContext, name: string): Promise<number> {
  return withSkillsOf(
    { projectDir, onNotice: output.notice, trust: options["trust"] === true },
    async (store) => {
      const skill = findShown(store, name);
      const versions = await store.versions(skill.name);
      const { diff, version: wanted } = options;
      if (typeof diff === "string") return showDiff(toDiffed(diff, versions, skill), output);
      const version = typeof wanted === "number" ? findVersion(versions, wanted, skill.name) : undefined;
      const shown = version ?? skill;
      if (output.json) {
        const { manual, code, tests } = shown;
        const data = version === undefined ? toSkillData(skill) : toVersionData(version);
        output.printJson({ ...data, manual, code, tests, versions: versions.map(toVersionData) });
        return 0;
      }
      for (const line of version === undefined ? describeWhole(skill, output) : []) output.print(line);
      printTexts(shown, output);
      if (versions.length > 1 && version === undefined) {
        output.print(output.style("bold", "Versions"));
        for (const one of versions) output.print(`  v${one.version}  ${describeAuthor(one)}`);
      }
      return 0;
    },
  );
}

/** A removed one has versions still, and is not there. */
export function findShown(store: Skills, name: string): ReturnType<typeof asMine> {
  const found = store.get(name);
  if (found !== undefined) return asMine(found, store.visibleTo(LOCAL_PRINCIPAL));
  throw noSkill(store, name);
}

/** By its own name alone: it is to be changed. */
export function findNamed(store: Skills, name: string): Skill {
  const found = findShown(store, name);
  if (found.name !== name) throw noSkill(store, name);
  return found;
}

function noSkill(store: Skills, name: string): KeyholeError {
  const names = store.list().map((skill) => skill.name);
  const problem = store.faults().get(name);
  return new KeyholeError("usage", `There is no skill "${toExcerpt(name, 80)}"`, {
    hint:
      problem === undefined
        ? (didYouMean(name, names) ?? "keyhole skills list shows what there is")
        : `skills/${name} can't be used as it is: ${problem}`,
  });
}

function findVersion(versions: readonly SkillVersion[], wanted: number, name: string): SkillVersion {
  const found = versions.find(({ version }) => version === wanted);
  if (found !== undefined) return found;
  throw new KeyholeError("usage", `Skill "${name}" has no version ${wanted}`, {
    hint: `Those that are kept: ${versions.map(({ version }) => version).join(", ")}`,
  });
}

/** `2..4`, or `2` for what changed since. */
function toDiffed(text: string, versions: readonly SkillVersion[], { name, version }: Skill) {
  const [, from, to] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined)
    throw new KeyholeError("usage", `"${toExcerpt(text, 40)}" names no versions`, {
      hint: "Write --diff 1..2",
    });
  return {
    before: findVersion(versions, Number(from), name),
    after: findVersion(versions, Number(to ?? version), name),
  };
}

function showDiff({ before, after }: { before: SkillVersion; after: SkillVersion }, output: Output): number {
  const changed = toFileDiffs(before, after);
  if (output.json) {
    output.printJson({ from: before.version, to: after.version, files: changed });
    return 0;
  }
  if (changed.length === 0) output.print(`v${before.version} and v${after.version} are the same`);
  printDiffs(changed, `v${before.version} → v${after.version}`, output);
  return 0;
}

type FileDiff = { readonly file: string; readonly lines: readonly DiffLine[] };

/** File by file, those that differ. */
export function toFileDiffs(before: SkillFiles, after: SkillFiles): FileDiff[] {
  const [old, fresh] = [toSkillTexts(before), toSkillTexts(after)];
  const files = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return files
    .map((file) => ({ file, lines: toLineDiff(old.get(file) ?? "", fresh.get(file) ?? "") }))
    .filter(({ lines }) => lines.some(({ mark }) => mark !== " "));
}

export function printDiffs(diffs: readonly FileDiff[], between: string, output: Output): void {
  for (const { file, lines } of diffs) {
    output.print(output.style("bold", `${file}  ${between}`));
    lines.forEach(({ mark, text }, place) => {
      const isNear = lines
        .slice(Math.max(0, place - AROUND), place + AROUND + 1)
        .some((one) => one.mark !== " ");
      if (!isNear) return;
      const colour = MARKS[mark];
      const line = `${mark} ${toQuestionText(text)}`;
      output.print(colour === undefined ? line : output.style(colour, line));
    });
  }
}

/** What a person decides by: nothing of it is hidden. */
export function describeWhole(skill: ReturnType<typeof asMine>, output: Output): string[] {
  const { name, version, description, tags, language, exports, tools, skills, problem } = skill;
  const { uses, successes, approvedBy } = skill;
  const facts: [string, string][] = [
    ["description", description],
    ...(tags.length > 0 ? [["tags", tags.join(", ")] as [string, string]] : []),
    ["language", language],
    ["version", `${version}, ${describeAuthor(skill)}`],
    ...(approvedBy === undefined ? [] : [["approved", `by ${approvedBy}`] as [string, string]]),
    ["used", `${uses} times, ${successes} of them ended well`],
    ...(tools.length > 0
      ? [["tools", tools.map(({ server, tool }) => `${server}.${tool}`).join(", ")] as [string, string]]
      : []),
    ...(skills.length > 0 ? [["imports", skills.join(", ")] as [string, string]] : []),
    ...(problem === undefined ? [] : [["problem", problem] as [string, string]]),
  ];
  return [
    `${output.style("bold", name)}  ${describeStatus(skill, output)}`,
    ...facts.map(([key, value]) => `  ${key.padEnd(13)}${toQuestionText(toExcerpt(value, 1_500))}`),
    ...exports.map(({ signature }) => `  exports      ${toQuestionText(toExcerpt(signature, 500))}`),
  ];
}

export function printTexts(version: SkillFiles, output: Output): void {
  for (const [file, text] of toSkillTexts(version)) {
    output.print("");
    output.print(output.style("bold", file));
    for (const line of text.replace(/\n$/, "").split("\n")) output.print(`  ${toQuestionText(line)}`);
  }
  output.print("");
}
