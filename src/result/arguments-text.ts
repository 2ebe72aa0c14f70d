import { toInline } from "./preview.ts";
import { toKeyText } from "./shape-text.ts";

/** The arguments of one call, each already short. */
export type ShownArguments = {
  readonly fields: readonly { readonly text: string; readonly isTelling: boolean }[];
  readonly isCut: boolean;
};

const MAX_FIELDS = 16;
const MAX_CHARS = 600;
const MAX_KEY = 100;
export const LINE_CHARS = 298;
const TELLING_CHARS = 120;
const OTHER_CHARS = 60;
/** By what a thing is found again. */
const TELLING =
  /(?:^|[^a-z])(?:ids?|uuid|key|name|title|slug|number|code|email|to|recipients?|path|file|filename|url|uri|subject|date)$/;

/** Short enough to keep for each of ten thousand calls. */
export function toShownArguments(args: object): ShownArguments {
  const fields: { text: string; isTelling: boolean }[] = [];
  const keys = Object.keys(args);
  let chars = 0;
  for (const key of keys.slice(0, MAX_FIELDS)) {
    // No word by which things are found is so long.
    const isTelling =
      key.length <= MAX_KEY && TELLING.test(key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
    const textChars = isTelling ? TELLING_CHARS : OTHER_CHARS;
    const detail = { items: 4, keys: 6, textChars, depth: 2 };
    const text = `${toKeyText(key)}:${toInline(Reflect.get(args, key), detail, 2 * textChars)}`;
    if (chars + text.length > MAX_CHARS) break;
    chars += text.length;
    fields.push({ text, isTelling });
  }
  return { fields, isCut: fields.length < keys.length };
}

/** Of one call, in a line that can be kept with it. */
export function toArgumentsLine(args: object): string {
  return toArgumentsText(toShownArguments(args), LINE_CHARS);
}

/** A line as it was kept. */
export function fromArgumentsLine(line: string): ShownArguments {
  return { fields: [{ text: line.slice(1, -1), isTelling: true }], isCut: false };
}

/** In as many characters as given: what tells which thing was meant comes first, all in its own order. */
export function toArgumentsText({ fields, isCut }: ShownArguments, maxChars: number): string {
  let chars = 0;
  const takes = (field: ShownArguments["fields"][number]) => {
    chars += field.text.length + 1;
    return chars <= maxChars;
  };
  const shown = new Set([
    ...fields.filter((field) => field.isTelling && takes(field)),
    ...fields.filter((field) => !field.isTelling && takes(field)),
  ]);
  const texts = fields.filter((field) => shown.has(field)).map(({ text }) => text);
  if (isCut || shown.size < fields.length) texts.push("…");
  return `{${texts.join(",")}}`;
}
