import { KeyholeError } from "../../../errors.ts";
import type { SkillSource } from "../../../language/language.ts";
import { type PackSource, readPackSource } from "../../../skills/packs/read-source.ts";
import type { PackedSkill } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillFindings, Skills } from "../../../skills/skill.ts";
import { readManual, writeManual } from "../../../skills/skill-manual.ts";
import { assertSkillName } from "../../../skills/skill-name.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import type { Project } from "../../project.ts";
import type { SkillCheck } from "../check-skill.ts";
import { type ImportReview, reviewSkill, type SkillReview, toSources } from "./review.ts";
import { findSigner, toApprover } from "./signer.ts";

export type ImportOptions = {
  /** Only these, by the names under which they are packed. */
  readonly names?: readonly string[] | undefined;
  /** Another name for the only one. */
  readonly as?: string | undefined;
};

export type ImportContext = {
  readonly project: Project;
  readonly store: Skills;
  readonly check: SkillCheck;
  readonly sources: (principal: string) => readonly SkillSource[];
  readonly trustedKeys: Readonly<Record<string, string>>;
  readonly userDir: string;
};

export type ImportedSkill = Pick<Skill, "name" | "version" | "status" | "problem"> & {
  readonly state: SkillReview["state"];
};

/** Reads what is to be imported, and says what it is. Nothing is kept. */
export async function reviewImport(
  context: ImportContext,
  path: string,
  by: SkillActor,
  options: ImportOptions = {},
): Promise<ImportReview> {
  return reviewSource(context, await readPackSource(path), by, options);
}

export async function reviewSource(
  context: ImportContext,
  source: Omit<PackSource, "kind"> & { readonly kind: ImportReview["from"] },
  by: SkillActor,
  { names, as }: ImportOptions = {},
): Promise<ImportReview> {
  const { project, store, trustedKeys, userDir } = context;
  const chosen = choose(source.skills, names);
  if (as !== undefined) {
    assertSkillName(as);
    if (chosen.length !== 1)
      throw new KeyholeError("usage", `${chosen.length} skills can't all be called "${as}"`, {
        hint: "Name the one that is meant with --name",
      });
  }
  const signer = await findSigner(source.signature, trustedKeys, userDir);
  await store.look(chosen.map(({ name }) => as ?? name));
  const known = (name: string) => store.get(name);
  const skills: SkillReview[] = [];
  for (const packed of chosen) {
    const name = as ?? packed.name;
    const files = as === undefined ? packed.files : { ...packed.files, manual: rename(packed, as) };
    const renamed = { ...packed, files };
    const among = { project, known, sources: () => context.sources(by.principal), by };
    const others = source.skills.filter((other) => other !== packed);
    skills.push(await reviewSkill(among, renamed, name, others));
  }
  const { kind: from, problems, remarks } = source;
  return { from, signer, skills, problems, remarks };
}

/**
 * Keeps what was reviewed, and nothing else: the texts are those of the review. What is forbidden here is refused before anything
 * is kept. Without a key that the user trusts, each is quarantined.
 */
export async function takeReviewed(
  { store, check }: Pick<ImportContext, "store" | "check">,
  review: ImportReview,
  by: SkillActor,
): Promise<ImportedSkill[]> {
  assertAllowed(review);
  const approvedBy = toApprover(review.signer);
  const taken: ImportedSkill[] = [];
  // What is imported stands before what imports it.
  for (const one of inOrder(review.skills)) {
    const { name, texts: files, state } = one;
    if (state === "same" && approvedBy === undefined) {
      const skill = store.get(name);
      if (skill !== undefined) taken.push(toImported(skill, state));
      continue;
    }
    const others = toSources(
      review.skills
        .filter((other) => other !== one)
        .map((other) => ({ name: other.name, files: other.texts })),
    );
    const findings = withNeeded(await findingsOf(() => check(name, files, by.principal, others)), one);
    const isStill = await isAsReviewed(store, one);
    if (!isStill) throw changedMeanwhile(name);
    taken.push(
      toImported(await store.take({ name, files, origin: "imported", findings, approvedBy }, by), state),
    );
  }
  return taken;
}

export function assertAllowed({ skills }: ImportReview): void {
  const forbidden = skills.flatMap(({ name, forbidden: why }) => why.map((one) => `${name}: ${one}`));
  if (forbidden.length > 0)
    throw toForbiddenError(forbidden, "What is to be imported may not be done here", "Nothing was imported");
}

export function toForbiddenError(
  forbidden: readonly string[],
  message: string,
  outcome: string,
): KeyholeError {
  return new KeyholeError("denied", `${message}: ${toExcerpt(forbidden[0] ?? "")}`, {
    details: forbidden.slice(1, MAX_TOLD).map((one) => toExcerpt(one)),
    hint: `${outcome}. \`keyhole policy explain\` says which rule decides; have its author write it otherwise`,
  });
}

const MAX_TOLD = 20;

/** Somebody may have saved another one while a person read. */
async function isAsReviewed(store: Skills, { name, before }: SkillReview): Promise<boolean> {
  await store.look([name]);
  return store.get(name)?.version === before?.version;
}

async function findingsOf(check: () => Promise<SkillFindings>): Promise<SkillFindings> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof KeyholeError)) throw error;
    return { exports: [], tools: [], skills: [], problem: error.message };
  }
}

/** What it needs and can't be seen while it is not there: once it is, the skill is looked at again. */
function withNeeded(findings: SkillFindings, { tools }: SkillReview): SkillFindings {
  const missing = tools.filter(
    ({ server, tool }) => !findings.tools.some((one) => one.server === server && one.tool === tool),
  );
  const isWhole = findings.problem === undefined;
  return isWhole
    ? findings
    : {
        ...findings,
        tools: [...findings.tools, ...missing.map(({ server, tool }) => ({ server, tool, hash: "" }))],
      };
}

function inOrder(skills: readonly SkillReview[]): SkillReview[] {
  const ordered = new Set<SkillReview>();
  const add = (skill: SkillReview, above: readonly SkillReview[]): void => {
    if (ordered.has(skill) || above.includes(skill)) return;
    for (const { name } of skill.skills) {
      const needed = skills.find((one) => one.name === name);
      if (needed !== undefined) add(needed, [...above, skill]);
    }
    ordered.add(skill);
  };
  for (const skill of skills) add(skill, []);
  return [...ordered];
}

function choose(
  skills: readonly PackedSkill[],
  names: readonly string[] | undefined,
): readonly PackedSkill[] {
  if (names === undefined || names.length === 0) return skills;
  const known = skills.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new KeyholeError("usage", `There is no skill "${toExcerpt(wrong, 80)}" in it`, {
      hint: didYouMean(wrong, known) ?? `It has ${known.slice(0, MAX_TOLD).join(", ")}`,
    });
  return skills.filter(({ name }) => names.includes(name));
}

/** Its SKILL.md says its name. */
function rename({ name, files }: PackedSkill, as: string): string {
  const read = readManual(files.manual, name);
  if (!read.ok) throw new KeyholeError("usage", `Skill "${name}" can't be read: ${read.problem}`);
  return writeManual({ ...read.manual, name: as });
}

function toImported({ name, version, status, problem }: Skill, state: SkillReview["state"]): ImportedSkill {
  return { name, version, status, state, ...(problem !== undefined && { problem }) };
}

function changedMeanwhile(name: string): KeyholeError {
  return new KeyholeError("file_conflict", `Skill "${name}" has changed since the review`, {
    hint: "Import again",
  });
}
