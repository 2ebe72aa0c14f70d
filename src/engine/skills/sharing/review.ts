import type { CatalogEntry } from "../../../catalog/entry.ts";
import type { SkillSource } from "../../../language/language.ts";
import type { PlacedProblem } from "../../../skills/packs/read-source.ts";
import type { PackedSkill } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillFiles, SkillTool } from "../../../skills/skill.ts";
import { toFilesHash, toSkillTexts } from "../../../skills/skill-folder.ts";
import { readManual } from "../../../skills/skill-manual.ts";
import { toHash } from "../../../text/hash.ts";
import { UNSAFE } from "../../../text/plain-text.ts";
import { checkProgram, type ProgramCheck } from "../../check-program.ts";
import { createToolOf } from "../../policy/judge-program.ts";
import type { Project } from "../../project.ts";
import { withOthers } from "../check-skill.ts";
import { isSaid, type Signer } from "./signer.ts";

/** What a person, or a policy, decides by before anything of it is kept. */
export type ImportReview = {
  readonly from: "pack" | "folder" | "team";
  readonly signer: Signer;
  readonly skills: readonly SkillReview[];
  /** What lies there and can't be taken; what is left out of the others. */
  readonly problems: readonly PlacedProblem[];
  readonly remarks: readonly PlacedProblem[];
};

export type SkillReview = {
  /** Under which it will be kept, and under which it was packed. */
  readonly name: string;
  readonly packedAs: string;
  readonly language: SkillFiles["language"];
  readonly description: string;
  /** Of its files, and as which version it was packed. */
  readonly hash: string;
  readonly version: number;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** `same`: what is here already is this; nothing is done. */
  readonly state: "new" | "changed" | "same";
  /** What is here under this name, and stays as a version. */
  readonly before?: {
    readonly version: number;
    readonly status: Skill["status"];
    /** Where somebody has said yes to them: by no others can what comes be told. */
    readonly files?: SkillFiles;
  };
  readonly texts: SkillFiles;
  readonly tools: readonly NeededTool[];
  readonly skills: readonly { readonly name: string; readonly state: "packed" | "here" | "missing" }[];
  /** Of its code, as `keyhole check` says it of a program: nothing where it is instructions alone. */
  readonly check?: ProgramCheck;
  /** Why it can't be imported at all: what its code would do is forbidden here. */
  readonly forbidden: readonly string[];
  /** What a person should look at twice. */
  readonly remarks: readonly string[];
};

/** `changed`: defined otherwise than where the skill was checked. */
export type NeededTool = SkillTool & {
  readonly state: "same" | "changed" | "missing" | "no server" | "not known";
};

export type ReviewContext = {
  readonly project: Project;
  /** As it is here, by name. */
  readonly known: (name: string) => Skill | undefined;
  /** What programs may import here. */
  readonly sources: () => readonly SkillSource[];
  readonly by: SkillActor;
};

/** Reads and judges one; nothing of it runs, and nothing is kept. */
export async function reviewSkill(
  { project, known, sources, by }: ReviewContext,
  packed: PackedSkill,
  name: string,
  others: readonly PackedSkill[],
): Promise<SkillReview> {
  const { files, version } = packed;
  const hash = toFilesHash(files);
  const read = readManual(files.manual, name);
  const before = known(name);
  const check =
    files.code.trim() === ""
      ? undefined
      : await checkProgram(project, {
          code: files.code,
          language: files.language,
          skill: name,
          skills: () => withOthers(toSources(others), sources()),
        });
  const entry = (server: string) => project.catalog.entry(server);
  const used = (check?.impact.tools ?? []).map(({ server, tool }) => ({ server, tool }));
  return {
    name,
    packedAs: packed.name,
    language: files.language,
    description: read.ok ? read.manual.description : "",
    hash,
    version,
    files: [...toSkillTexts(files)].map(([file, text]) => ({
      name: file,
      bytes: Buffer.byteLength(text),
      sha256: toHash(text),
    })),
    state: before === undefined ? "new" : isSame(before, hash) ? "same" : "changed",
    ...(before !== undefined && {
      before: {
        version: before.version,
        status: before.status,
        ...(isSaid(before, by) && { files: toFiles(before) }),
      },
    }),
    texts: files,
    tools: toNeeded(packed.tools, used, project, entry),
    skills: packed.skills.map((one) => ({ name: one, state: stateOf(one, others, known) })),
    ...(check && { check }),
    forbidden: check === undefined ? [] : toForbidden(check),
    remarks: [...(read.ok ? read.remarks : [read.problem]), ...toRemarks(files)],
  };
}

/** As programs could import them. */
export function toSources(skills: readonly Pick<PackedSkill, "name" | "files">[]): SkillSource[] {
  return skills
    .filter(({ files }) => files.code !== "")
    .map(({ name, files }) => ({
      name,
      language: files.language,
      code: files.code,
      hash: toHash(files.code),
    }));
}

function isSame(before: Skill, hash: string): boolean {
  return before.hash === hash && before.status !== "untrusted";
}

function toFiles({ manual, language, code, tests }: SkillFiles): SkillFiles {
  return { manual, language, code, ...(tests !== undefined && { tests }) };
}

function stateOf(
  name: string,
  others: readonly PackedSkill[],
  known: ReviewContext["known"],
): "packed" | "here" | "missing" {
  if (others.some((other) => other.name === name)) return "packed";
  return known(name) === undefined ? "missing" : "here";
}

/** What the pack says that it needs, and what its code is seen to call: the one is its author's word. */
function toNeeded(
  told: readonly SkillTool[],
  used: readonly { readonly server: string; readonly tool: string }[],
  project: Project,
  entry: (server: string) => CatalogEntry | undefined,
): NeededTool[] {
  const toolOf = createToolOf(project.catalog);
  const all = new Map<string, SkillTool>();
  for (const one of used) all.set(JSON.stringify([one.server, one.tool]), { ...one, hash: "" });
  for (const one of told) all.set(JSON.stringify([one.server, one.tool]), one);
  return [...all.values()].map((tool) => {
    const found = entry(tool.server);
    const record = toolOf(tool.server, tool.tool);
    if (found === undefined) return { ...tool, state: "no server" };
    if (record === undefined) return { ...tool, state: found.status === "ready" ? "missing" : "not known" };
    return { ...tool, state: tool.hash === "" || tool.hash === record.hash ? "same" : "changed" };
  });
}

function toForbidden({ findings, impact }: ProgramCheck): string[] {
  const errors = findings
    .filter(({ severity }) => severity === "error")
    .map(({ line, column, rule, message }) => `${line}:${column} ${rule}: ${message}`);
  const denied = [
    ...impact.tools.map(({ server, tool, ...use }) => ({ what: `${server}.${tool}`, ...use })),
    ...impact.hosts.map(({ host, ...use }) => ({ what: `the host ${host ?? "that is computed"}`, ...use })),
    ...impact.commands.map(({ command, ...use }) => ({
      what: `the command ${command ?? "that is computed"}`,
      ...use,
    })),
  ].filter(({ decision }) => decision === "deny");
  return [...errors, ...denied.map(({ what, reason }) => `${what}: ${reason ?? "denied"}`)];
}

function toRemarks(files: SkillFiles): string[] {
  const hiding = [...toSkillTexts(files)].filter(([, text]) => text.search(UNSAFE) !== -1);
  return hiding.map(([name]) => `${name} has characters in it that nobody sees`);
}
