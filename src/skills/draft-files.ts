import { toPythonModuleName } from "../codegen/python/skill-import.ts";
import { KeyholeError } from "../errors.ts";
import { toPlainText } from "../text/plain-text.ts";
import type { SkillDraft, SkillFiles } from "./skill.ts";
import { MAX_CODE_BYTES, MAX_MANUAL_BYTES } from "./skill-folder.ts";
import { readManual, type SkillManual, toTags, writeManual } from "./skill-manual.ts";

/** The files that a draft comes to: what it says nothing of stays as the version before had it. */
export function draftFiles(
  draft: SkillDraft,
  before: SkillFiles | undefined,
): { files: SkillFiles; description: string; tags: readonly string[] } {
  const { name, code, language } = draft;
  const tests = draft.tests ?? (before?.language === language ? before.tests : undefined);
  assertText(code, "code");
  if (tests !== undefined) assertText(tests, "tests");
  const known = before && readManual(before.manual, name);
  const old = known?.ok ? known.manual : undefined;
  const tags = draft.tags === undefined ? (old?.tags ?? []) : toTags(draft.tags);
  const made: SkillManual = {
    ...(old ?? { metadata: {} }),
    name,
    description: draft.description,
    tags,
    body: draft.body === undefined ? toBody(draft, old) : toPlainText(draft.body),
  };
  const manual = writeManual(made);
  const read = readManual(manual, name);
  // What was read once can be longer when it is written.
  if (!read.ok || Buffer.byteLength(manual) > MAX_MANUAL_BYTES)
    throw new KeyholeError("too_large", `SKILL.md of "${name}" would be longer than it may be`, {
      hint: "Leave out what the code says",
    });
  const { description } = read.manual;
  return { files: { manual, language, code, ...(tests && { tests }) }, description, tags };
}

/** What a person wrote stays; what Keyhole wrote is written again. */
function toBody({ name, language }: SkillDraft, old: SkillManual | undefined): string {
  if (old !== undefined && !old.body.startsWith(OPENING)) return old.body;
  const importing =
    language === "python"
      ? ["```python", `from skills.${toPythonModuleName(name)} import …`, "```"]
      : ["```ts", `import { … } from "./skills/${name}";`, "```"];
  return [OPENING, "", ...importing, "", `\`keyhole skills show ${name}\` lists what it exports.`].join("\n");
}

const OPENING = "Made to be imported by programs that Keyhole runs:";

function assertText(text: string, what: "code" | "tests"): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_CODE_BYTES)
    throw new KeyholeError(
      "too_large",
      `The ${what} of the skill has ${bytes} bytes, more than ${MAX_CODE_BYTES}`,
      {
        hint: "Keep data in a file in ./workspace; split what does several things into several skills",
      },
    );
  // A database's text ends at a zero, and UTF-8 has no half characters.
  if (text.includes("\0") || !isWellFormed(text))
    throw new KeyholeError(
      "usage",
      `The ${what} of the skill has a zero character or half a character in it`,
      {
        hint: "Write it as an escape",
      },
    );
}

function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}
