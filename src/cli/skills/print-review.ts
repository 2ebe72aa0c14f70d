import type { ImportReview, SkillReview } from "../../engine/skills/sharing/review.ts";
import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";
import { count } from "../format.ts";
import type { Output } from "../output.ts";
import { printDiffs, printTexts, toFileDiffs } from "./show.ts";

const MAX_LINES = 60;
const SIGNERS = {
  unsigned: "nobody signed it: anybody can have written it",
  unknown: "signed by a key that you don't know",
  own: "signed by your own key",
  trusted: "signed by a key that you trust",
} as const;
const STATES = {
  new: "new here",
  same: "here already, just so",
  changed: "differs from what is here, which is kept as a version",
} as const;
const TOOLS = {
  same: "",
  changed: "is defined otherwise here than where the skill was checked",
  missing: "the server has no such tool",
  "no server": "there is no such server here",
  "not known": "the server can't be asked",
} as const;

/** All that a person decides by. */
export function printReview(review: ImportReview, output: Output): void {
  const { signer, skills, problems, remarks } = review;
  const name = signer.kind === "trusted" ? ` as ${toExcerpt(signer.name, 64)}` : "";
  const key = signer.kind === "unsigned" ? "" : ` (${signer.fingerprint})`;
  const isKnown = signer.kind === "own" || signer.kind === "trusted";
  output.print(
    `${output.style(isKnown ? "green" : "yellow", isKnown ? "✓" : "!")} ${SIGNERS[signer.kind]}${name}${key}`,
  );
  for (const skill of skills) printReviewed(skill, output);
  for (const { place, problem } of [...problems, ...remarks])
    output.print(`${output.style("yellow", "!")} ${shown(place)}: ${shown(problem)}`);
}

/** The same as data, without the texts. */
export function toReviewData({ signer, from, skills, problems, remarks }: ImportReview) {
  return {
    ...{ signer, from, problems, remarks },
    skills: skills.map(({ texts, before, ...skill }) => ({
      ...skill,
      ...(before && {
        before: { version: before.version, status: before.status },
        ...(before.files && { diff: toFileDiffs(before.files, texts) }),
      }),
    })),
  };
}

/** @param states what to call its state */
export function printReviewed(
  skill: SkillReview,
  output: Output,
  states: Readonly<Record<SkillReview["state"], string>> = STATES,
): void {
  const { name, packedAs, version, state, description, language, files, before, texts, forbidden, remarks } =
    skill;
  const other = packedAs === name ? "" : ` (packed as ${packedAs})`;
  output.print("");
  output.print(`${output.style("bold", name)}${other}  v${version}, ${states[state]}`);
  line(output, "description", description);
  line(output, "language", texts.code === "" ? "none: instructions alone" : language);
  for (const file of files)
    line(output, "file", `${file.name}: ${file.bytes} bytes, sha256 ${file.sha256.slice(0, 16)}`);
  for (const { server, tool, state: how } of skill.tools)
    line(output, "calls", `${server}.${tool}${TOOLS[how] === "" ? "" : ` — ${TOOLS[how]}`}`);
  for (const needed of skill.skills)
    line(
      output,
      "imports",
      `${needed.name}${needed.state === "missing" ? " — which is neither here nor in it" : ""}`,
    );
  printCheck(skill, output);
  for (const remark of remarks) line(output, "!", remark);
  for (const one of forbidden) line(output, "forbidden", one);
  if (before?.files === undefined) printTexts(texts, output);
  else printDiffs(toFileDiffs(before.files, texts), `v${before.version} → v${version}`, output);
}

function printCheck({ check }: SkillReview, output: Output): void {
  if (check === undefined) return;
  const { impact, risk, findings, types, decision } = check;
  if (impact.dynamic) line(output, "calls", "tools that can't be read off its code");
  for (const { access, path } of impact.files)
    line(output, "files", `${access} ${path ?? "a path that is computed"}`);
  for (const { host } of impact.hosts) line(output, "network", host ?? "a host that is computed");
  for (const { command } of impact.commands) line(output, "command", command ?? "one that is computed");
  line(output, "risk", `${risk.score} of 100, ${risk.level}`);
  for (const { points, reason } of risk.reasons) line(output, "", `+${points} ${reason}`);
  line(output, "findings", findings.length === 0 ? "none" : count(findings.length, "finding"));
  for (const { line: at, column, severity, rule, message } of findings.slice(0, MAX_LINES))
    line(output, "", `${at}:${column} ${severity} ${rule}: ${message}`);
  for (const { line: at, column, message } of types.slice(0, MAX_LINES))
    line(output, "mistake", `${at}:${column} ${message}`);
  line(output, "decision", decision);
}

function line({ print }: Output, key: string, value: string): void {
  print(`  ${key.padEnd(13)}${shown(value)}`);
}

function shown(text: string): string {
  return toQuestionText(toExcerpt(text, 1_500));
}
