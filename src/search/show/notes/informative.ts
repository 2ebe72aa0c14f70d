/** What a note tells that a name and a type do not. */
export type Information =
  | "number"
  | "value"
  | "example"
  | "format"
  | "unit"
  | "default"
  | "limit"
  | "condition"
  | "order"
  | "reference";

const UNITS =
  "seconds?|secs?|milliseconds?|ms|minutes?|hours?|days?|weeks?|months?|years?|bytes?|kb|mb|gb|kib|mib|pixels?|px|points?|pt|inch(?:es)?|" +
  "cm|mm|met(?:er|re)s?|kilomet(?:er|re)s?|km|miles?|feet|percent|percentage|degrees?|celsius|fahrenheit|kelvin|characters?|" +
  "chars|words|tokens|lines|kw|kwh|watts?|kg|grams?|pounds|lbs?|cents|usd|eur|dollars|euros|decimal";
const FORMATS =
  "YYYY\\S*|HH:MM\\S*|MM[-/]DD\\S*|DD[-/]MM\\S*|ISO[ -]?\\d*|RFC ?\\d*|E\\.164|IATA|ICAO|IANA|UTC|GMT|UUID|GUID|base64|cron|regex|" +
  "regular expression|glob|xpath|css selector|hex|unix|epoch|timestamp|slug|wildcards?|rgb|a1 notation";
const NOTATIONS =
  "json|csv|xml|html|markdown|yaml|sql|latex|svg|comma|semicolon|newline|space|pipe|delimited|tsv|mermaid";

/**
 * One pattern for each kind. They name what is said in any field, never a subject: `in meters`, `at most`, `one of`,
 * not "currency" or "repository".
 */
const SIGNS: readonly (readonly [Information, RegExp])[] = [
  ["value", /(?<![\p{L}\p{N}])(?:"[^"]{1,80}"|'[^']{1,80}'|`[^`]{1,80}`|“[^”]{1,80}”|‘[^’]{1,80}’)/u],
  ["number", /(?<![\p{L}\p{N}_])[-+]?\d/u],
  [
    "value",
    /\b(?:one of|either|allowed|valid|possible|accepted|acceptable|supported|permitted) ?(?:values?|options?|types?|are|is)?\b|\b(?:options|values|choices)(?: are)?:|\S\|\S/i,
  ],
  ["value", /\b(?:true|false|null|none|empty string)\b/i],
  // What comes from where: direct, referral or search.
  ["value", /[:：] ?[\p{L}\p{N}_-]{1,30}(?:, [\p{L}\p{N}_-]{1,30}){1,20},? or [\p{L}\p{N}_-]/u],
  ["example", /\be\.g\b|\beg\.|\bfor example\b|\bfor instance\b|\bsuch as\b|\bexamples?:|例如|比如/i],
  ["format", new RegExp(`\\b(?:${FORMATS})(?![\\p{L}\\p{N}])`, "iu")],
  [
    "format",
    new RegExp(
      `\\b(?:in|as|an?|of|valid|raw) (?:${NOTATIONS})\\b|\\b(?:${NOTATIONS})[- ](?:separated|encoded|formatted|delimited|format|string|array|object|syntax|notation)\\b|\\b(?:separated|delimited|joined) (?:by|with)\\b|\\bformat(?:ted)?\\b|格式`,
      "i",
    ),
  ],
  [
    "format",
    /\b(?:absolute|relative|full|fully[- ]qualified) (?:file )?(?:path|url|name)\b|\b(?:zero|one|0|1)[- ](?:based|indexed)\b|\bcase[- ](?:in)?sensitive\b|\b(?:upper|lower)[- ]?case\b/i,
  ],
  ["unit", new RegExp(`(?:\\bin |\\bper |\\(|\\d ?)(?:${UNITS})\\b`, "i")],
  [
    "default",
    /\bdefaults?\b|\bby default\b|\b(?:if|when|where) (?:it is |this is )?(?:not|un)[- ]?(?:provided|specified|given|set|supplied|present|defined)?\b|\b(?:if|when) (?:omitted|absent|missing|empty|blank|left)\b|\bleave (?:empty|blank|out)\b|默认/i,
  ],
  [
    "limit",
    /\bat (?:most|least)\b|\bmax(?:imum)?(?=[ :.]|\b)|\bmin(?:imum)?(?=[ :.]|\b)|\bup to\b|\b(?:no )?(?:more|less|fewer|greater|longer|shorter) than\b|\blimit(?:ed)?\b|\bcapped\b|\bbetween\b|\brange\b|\bexactly\b|\b(?:in|ex)clusive\b|\btruncated?\b|\bpaginat\w*|\bper page\b|最多|最大|最小|至少/i,
  ],
  [
    "condition",
    /\b(?:must|cannot|can't|should not|shouldn't|do not|don't|never|only|unless|otherwise|ignored|instead of|mutually exclusive|not both|either .{1,60} or|at the same time|together with|requires?|required (?:if|when|for|unless|with)|has to|have to|needs? to|before|prerequisite|refused|rejected|one at a time|also (?:accepts?|works?|supports?)|works? (?:too|also|as well)|once (?:for|per) (?:each|every))\b|\b(?:if|when) \S+ \S+|必须|仅|如果/i,
  ],
  [
    "order",
    /\b(?:sorted|ordered|sort(?:s|ing)? by|order(?:s|ing)? by|newest|oldest|latest|most recent|ascending|descending|alphabetical(?:ly)?|chronological(?:ly)?)\b|\bin (?:the )?(?:\w+ )?order\b|\bfirst\b/i,
  ],
  [
    "reference",
    /\b(?:returned|obtained|retrieved|found|provided|given|listed|taken|received|got|comes?) (?:by|from|via|with|using|in) \S+|\bfrom (?:the )?[a-z]+(?:_[a-z]+)+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]{3,}[A-Z][a-z]\w*\b/,
  ],
];

/** Of these kinds a note is worth reading before the program is written. An order such as "first name" alone is none. */
export function toInformation(text: string): Set<Information> {
  return new Set(SIGNS.flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : [])));
}

/** Whether a sentence on a parameter says more than its name and type do: not "Name of the task". */
export function isInformative(sentence: string): boolean {
  const kinds = toInformation(sentence);
  kinds.delete("order");
  return kinds.size > 0;
}

const RESULT =
  /\breturns?\b|\breturned\b|\byields?\b|\bresponds? with\b|\b(?:results?|responses?|outputs?) (?:is|are|has|have|will|contains?|includes?|consists?)\b|\b(?:results?|response|output)s?:|\beach (?:\w+ ){0,2}(?:has|contains?|includes?)\b|返回/i;
const EMPTY =
  /\b(?:empty|no (?:\w+ ){0,3}(?:found|match(?:es)?|results?|exists?)|not found|nothing|null|none|undefined)\b/i;

/** Whether a sentence on a function says what comes back. */
export function saysResult(sentence: string): boolean {
  return RESULT.test(sentence);
}

/** Advice on when to use a tool: it helped to choose it, and is no longer needed. */
const ADVICE =
  /^(?:please |always |you (?:can|should|may) )?(?:use|prefer|choose|try|call) (?:this|it)\b|^(?:this|it) (?:tool |function |command |endpoint )?(?:is|can be) (?:\w+ ){0,2}(?:useful|helpful|essential|ideal|perfect|designed|used|great|referenced|more efficient)\b|^(?:when|if) you (?:only |already )?(?:need|want|know)\b|^(?:useful|ideal|perfect|essential|helpful|great|best) (?:for|when|to)\b/i;

/** Whether a sentence on a function is worth reading before the program is written. */
export function isFact(sentence: string): boolean {
  return !ADVICE.test(sentence) && (saysExtent(sentence) || isInformative(sentence));
}

/** Whether it says of a result what its type does not: how much of it there is, in which order, what comes back when there is nothing. */
export function saysExtent(sentence: string): boolean {
  const kinds = toInformation(sentence);
  return (
    kinds.has("limit") ||
    kinds.has("order") ||
    kinds.has("number") ||
    (saysResult(sentence) && EMPTY.test(sentence))
  );
}
