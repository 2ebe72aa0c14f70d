import { checkProgram, type ProgramCheck } from "../engine/check-program.ts";
import { toNeededServers } from "../engine/needed-servers.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { count, describeTier } from "./format.ts";
import type { Output } from "./output.ts";
import { readProgramFile, toLanguageOption, toProgramLanguage } from "./program-file.ts";
import { withCatalog } from "./read-catalog.ts";

/** Says what a program would do, and whether it may. It runs nothing, and asks no server that the program does not name. */
export const check: CommandHandler = async (context) => {
  const { output, options, args } = context;
  const [file] = args;
  if (file === undefined)
    throw new KeyholeError("usage", "Nothing to check", { hint: "Name a file, or - for standard input" });
  const code = await readProgramFile(file);
  if (code.trim() === "")
    throw new KeyholeError("usage", "There is no program to check", { hint: "Name a file that has one" });
  const language = toProgramLanguage(options["lang"], file);
  return withCatalog(
    context,
    async ({ project }) => {
      const checked = await checkProgram(project, { code, language });
      if (output.json) output.printJson(checked);
      else print(checked, output);
      return toExitCode(checked);
    },
    { needed: (entries) => toNeededServers(code, entries) },
  );
};

/** 3: a rule or a person's word is against it. 1: it is no program that fits its tools. */
function toExitCode({ ok, types, findings, decision }: ProgramCheck): number {
  if (ok) return 0;
  const isRefused = findings.some(({ severity }) => severity === "error");
  return isRefused || (decision === "deny" && types.length === 0) ? 3 : 1;
}

const MAX_SHOWN = 30;
const MAX_PLACES = 5;

function print({ findings, types, risk, impact, decision, tier }: ProgramCheck, output: Output): void {
  section(output, count(findings.length, "finding"), groupFindings(findings));
  section(
    output,
    `Types: ${types.length === 0 ? "no mistake" : count(types.length, "mistake")}`,
    types.map(({ line, column, message, hint }) =>
      [`${line}:${column} ${toPlainText(message)}`, hint && toLanguageOption(toPlainText(hint))]
        .filter(Boolean)
        .join("\n    "),
    ),
  );
  section(
    output,
    `Risk: ${risk.score} of 100, ${risk.level}`,
    risk.reasons.map(
      ({ points, reason, line, skill }) =>
        `+${points} ${toExcerpt(reason)}${line === undefined ? "" : ` (${inSkill(skill)}line ${line})`}`,
    ),
  );
  section(output, describeImpact(impact, types), [
    ...impact.tools.map(({ server, tool, effect, inLoop, decision: own, reason }) =>
      toExcerpt(
        `${server} ${tool}: ${effect}${inLoop ? ", in a loop" : ""}${toVerdict({ decision: own, reason })}`,
      ),
    ),
    ...(impact.dynamic ? ["tools that can't be read off the program"] : []),
    ...impact.files.map(({ path, access }) => `${access} ${toExcerpt(path ?? "a path that is computed")}`),
    ...impact.hosts.map(({ host, ...use }) =>
      toExcerpt(`network ${host ?? "a host that is computed"}${toVerdict(use)}`),
    ),
    ...impact.commands.map(({ command, ...use }) =>
      toExcerpt(`command ${command ?? "one that is computed"}${toVerdict(use)}`),
    ),
  ]);
  section(
    output,
    `Sandbox: ${describeTier(tier)}`,
    tier.missing === undefined
      ? []
      : [
          `missing here, so it would not run: ${toPlainText(tier.missing.why)}`,
          toPlainText(tier.missing.fix),
        ],
  );
  const isHeld = types.length > 0 && decision !== "deny";
  output.print(`Decision: ${decision}${isHeld ? ", once its mistakes are mended" : ""}`);
}

function inSkill(skill: string | undefined): string {
  return skill === undefined ? "" : `skills/${skill} `;
}

type Verdict = { readonly decision?: string | undefined; readonly reason?: string | undefined };

function toVerdict({ decision, reason }: Verdict): string {
  return decision === undefined || decision === "allow" ? "" : `; ${decision}: ${reason}`;
}

/** What was found several times is said once, with its places. */
function groupFindings(findings: ProgramCheck["findings"]): string[] {
  const places = new Map<string, string[]>();
  for (const { severity, rule, message, fix, ...place } of findings) {
    const text = `${severity} ${rule}: ${message}\n    ${fix}`;
    places.set(text, [...(places.get(text) ?? []), `${inSkill(place.skill)}${place.line}:${place.column}`]);
  }
  return [...places].map(([text, at]) => {
    const more = at.length > MAX_PLACES ? ` and ${at.length - MAX_PLACES} more` : "";
    return `${at.slice(0, MAX_PLACES).join(", ")}${more} ${text}`;
  });
}

function describeImpact(
  { modifies, reversible, files }: ProgramCheck["impact"],
  types: ProgramCheck["types"],
): string {
  if (types.some(({ kind }) => kind === "syntax")) return "Impact: not known, since it can't be read";
  const isWriting = files.some(({ access }) => access !== "read");
  if (!modifies) return isWriting ? "Impact: changes files of its workspace alone" : "Impact: reads only";
  return `Impact: changes things${reversible ? ", which can be changed back" : ", not all of which can be taken back"}`;
}

function section(output: Output, title: string, lines: readonly string[]): void {
  output.print(title);
  for (const line of lines.slice(0, MAX_SHOWN)) output.print(`  ${line}`);
  if (lines.length > MAX_SHOWN) output.print(`  and ${lines.length - MAX_SHOWN} more`);
}
