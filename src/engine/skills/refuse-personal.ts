import { KeyholeError } from "../../errors.ts";
import { PII_CLASSES, type PiiClass, SECRET_CLASSES } from "../../pii-classes.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import { hasToken } from "../../privacy/token-text/has-token.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { SkillDraft } from "../../skills/skill.ts";

/** What can be taken for nothing else. Names and numbers of other kinds stand in code for many reasons. */
const UNMISTAKABLE: readonly PiiClass[] = [...SECRET_CLASSES, "EMAIL", "CREDIT_CARD", "IBAN", "SSN"];
const PERSONAL: ReadonlySet<PiiClass> = new Set([...PII_CLASSES, ...SECRET_CLASSES]);
/** Of what is masked at once, and of it what is looked at twice, so that nothing is cut in two. */
const PIECE = 48 * 1024;
const OVERLAP = 512;

/**
 * A skill is kept for good, and others read it: nothing personal stands in it. A token, too, would mean something else to
 * others, or nothing.
 */
export function refusePersonal(
  { name, code, description, tests = "", tags = [], body = "", language }: SkillDraft,
  privacy: Pick<WorkspacePrivacy, "knownIn" | "mask">,
  outcome = "it is not saved",
): void {
  for (const text of [code, tests, description, tags.join(", "), body]) {
    if (hasToken(text)) throw refusal(name, "a token for a personal value", outcome);
    const found: FoundValues = new Map();
    privacy.knownIn(text, found);
    const known = [...found.values()].filter((kind) => PERSONAL.has(kind));
    const isCode = text === code || text === tests;
    const seen = pieces(text)
      .flatMap((piece) => privacy.mask(piece, isCode ? language : undefined).found)
      .map((one) => one.class)
      .filter((kind) => UNMISTAKABLE.includes(kind));
    const [first] = [...known, ...seen];
    if (first !== undefined) throw refusal(name, `a personal value (${first})`, outcome);
  }
}

function pieces(text: string): string[] {
  const all: string[] = [];
  for (let start = 0; start < text.length; start += PIECE)
    all.push(text.slice(start, start + PIECE + OVERLAP));
  return all;
}

function refusal(name: string, what: string, outcome: string): KeyholeError {
  return new KeyholeError("denied", `Skill "${name}" has ${what} in it: ${outcome}`, {
    hint: "Hand such values to its functions as arguments",
  });
}
