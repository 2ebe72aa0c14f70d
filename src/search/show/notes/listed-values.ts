const MAX_VALUES = 20;
const MAX_READ = 1_000;
const QUOTED = `(?:"[^"\\n]{1,40}"|'[^'\\n]{1,40}'|\`[^\`\\n]{1,40}\`|“[^”\\n]{1,40}”|‘[^’\\n]{1,40}’)`;
const GLOSS = `(?:\\s*(?:\\([^()]{0,60}\\)|=\\s*[\\w ]{1,40}(?=[,;)])))?`;
const JOINT = `(?:\\s*[,，、|/]\\s*(?:or\\s+|and\\s+)?|\\s+(?:or|and)\\s+)`;
const JOINT_BUT_STROKE = `(?:\\s*[,，、|]\\s*(?:or\\s+|and\\s+)?|\\s+/\\s+|\\s+(?:or|and)\\s+)`;
const CUE_WORDS =
  "(?:one of|either|(?:allowed|valid|possible|accepted|supported|available|permitted) [a-z]+(?: are| is| include)?|options(?: are)?|choices(?: are)?|values(?: are)?|can be|must be|should be|(?:has|have|needs?) to be)";
const CUE = `(?:\\b${CUE_WORDS}(?: one of)?\\s*[:：(]*\\s*)?`;
/** `"asc" or "desc"`; `'a' (first), 'b' (second)`. */
const QUOTED_LIST = new RegExp(`${CUE}${QUOTED}${GLOSS}(?:${JOINT}${QUOTED}${GLOSS})+`, "giu");
const WORD = `[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_.+-]{0,30}[\\p{L}\\p{N}_+])?`;
const WORDS = `${WORD}(?:${JOINT}${WORD})+`;
/** `one of: line, bar, pie`. What is listed ends where the sentence does, or a bracket. */
const CUED = new RegExp(
  `\\b${CUE_WORDS}(?: one of)?\\s*[:：(]*\\s*(${WORDS})(?=\\s*(?:[.;)\\]]|$|\\(|\\bdefault))`,
  "iu",
);
/** `(kmh, ms or mph)`, `(open|closed)`: nothing else in the brackets. */
const BRACKETED = new RegExp(`[(\\[](${WORDS})[)\\]]`, "u");
/** What follows one of these are some of many. */
const EXAMPLE =
  /(?:e\.?g\.?|such as|for example|for instance|like|examples?|including|i\.e\.?|named?|called|例如|比如|如)[\s:,("'`[：，（“]*$/i;
/** What no list of values has in it, but a sentence does. */
const PROSE =
  /^(?:a|an|the|not|no|it|this|that|is|are|to|of|for|with|optional|required|inclusive|exclusive|string|number|integer|boolean|object|array|list|true|false|null|latitude|longitude|lat|lon|lng|x|y|z|and|or|id|url|path|etc|zero|empty|positive|negative|greater|less|used|provided|specified|set|e\.?g\.?|i\.?e\.?|see|default|defaults|only|if|when|etc\.)$/i;
/** What a parameter is called that has one of a few values. */
const CHOICE_NAME =
  /(?:types?|kinds?|units?|modes?|orders?|orderby|sort|sortby|status|states?|formats?|levels?|directions?|methods?|styles?|themes?|severity|priority|scopes?|category|categories|sizes?|periods?|intervals?|freq|frequency|visibility|actions?|operations?|strategy|engine|encoding|position|align(?:ment)?|roles?|layout|quality|resolution|granularity|aggregation|detail|phase|gender|sex|side|event|outputformat|resulttype)$/i;

export type ListedValues = {
  readonly values: readonly string[];
  /** The words that list them, as they stand in the text. */
  readonly written: string;
  /** Whether they say what a value means, too. */
  readonly isExplained: boolean;
};

export type Listing = { readonly name: string; readonly default?: unknown };

/** The values that a text lists as those which can be given: not examples, and nothing that reads like a sentence. */
export function toListedValues(text: string, parameter: Listing): ListedValues | undefined {
  // Runs of space would be tried in every way.
  const read = text.slice(0, MAX_READ).split(/\s+/).join(" ");
  return toQuoted(read) ?? toCued(read) ?? toBracketed(read, parameter);
}

function toQuoted(text: string): ListedValues | undefined {
  for (const found of text.matchAll(QUOTED_LIST)) {
    if (EXAMPLE.test(text.slice(Math.max(0, found.index - 24), found.index))) continue;
    const values = [...found[0].matchAll(new RegExp(QUOTED, "gu"))].map(([quoted]) => quoted.slice(1, -1));
    const listed = toValues(values, found[0]);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

function toCued(text: string): ListedValues | undefined {
  const found = CUED.exec(text);
  const list = found?.[1];
  return found === null || list === undefined ? undefined : toValues(splitWords(list), found[0]);
}

/** Bare words in brackets may say what something is made of; of a parameter that is a choice, they are the choice. */
function toBracketed(text: string, { name, default: fallback }: Listing): ListedValues | undefined {
  const found = BRACKETED.exec(text);
  const list = found?.[1] ?? "";
  const values = splitWords(list);
  const isChoice = list.includes("|") || CHOICE_NAME.test(name) || values.some((value) => value === fallback);
  return found !== null && isChoice && !/\band\b/.test(list) ? toValues(values, found[0]) : undefined;
}

/** A stroke between two words joins them where commas part the values: `sender, inbox/outbox, subject`. */
function splitWords(list: string): string[] {
  const parts = list.split(new RegExp(/[,，、|]/u.test(list) ? JOINT_BUT_STROKE : JOINT, "u"));
  return parts.filter((word) => word !== "");
}

function toValues(found: readonly string[], written: string): ListedValues | undefined {
  const values = [...new Set(found.map((value) => value.trim()))].filter((value) => value !== "");
  const isProse = values.some((value) => PROSE.test(value));
  const isList = values.length > 1 && values.length <= MAX_VALUES && !isProse;
  return isList ? { values, written, isExplained: /[\p{L}\p{N}"'`]\s*[(=]/u.test(written) } : undefined;
}
