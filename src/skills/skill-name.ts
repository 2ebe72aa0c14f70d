import { KeyholeError } from "../errors.ts";
import { isSkillName } from "../language/skills/skill-names.ts";
import { toExcerpt } from "../text/plain-text.ts";

const MAX_NAME = 64;

export function assertSkillName(name: string): void {
  if (isSkillName(name)) return;
  const suggested = toSkillName(name);
  throw new KeyholeError("usage", `"${toExcerpt(name, 80)}" is no name for a skill`, {
    hint: `Write 1 to ${MAX_NAME} of the characters a-z, 0-9 and -, with no hyphen first, last or twice in a row${
      suggested === undefined ? "" : `: for example "${suggested}"`
    }`,
  });
}

/** The name that a spelling stands for: `sumUp`, `sum_up` and `Sum up` are `sum-up`. Nothing where it can't stand for one. */
export function toSkillName(spelling: string): string | undefined {
  if (spelling.length > 2 * MAX_NAME || !/^[A-Za-z0-9_\- ]+$/.test(spelling)) return undefined;
  const name = spelling
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/[_\- ]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  return isSkillName(name) ? name : undefined;
}
