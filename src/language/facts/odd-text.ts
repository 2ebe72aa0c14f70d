/** What of a program's characters makes it read other than it runs. One pass over the text, and one over its names. */
export type OddText = { readonly rule: OddRule; readonly at: number; readonly what?: string };
type OddRule =
  | "bidi-unpaired"
  | "bidi-control"
  | "invisible-text"
  | "symbols-only"
  | "look-alike-name"
  | "machine-made-names";

const MAX_FOUND = 20;
/** Characters of a program that is made of almost nothing else than these signs. */
const FEWEST = 200;
const SIGNS_SHARE = 0.85;
/** Invisible characters in a row: emoji have two or three of them. */
const HIDDEN_RUN = 6;
/** Flags of parts of countries, as England's: a black flag, up to six letters and an end, two halves each. */
const FLAG = "\u{1f3f4}";
const FLAG_RUN = 15;

const OPENS_EMBEDDING = new Set([0x202a, 0x202b, 0x202d, 0x202e]);
const OPENS_ISOLATE = new Set([0x2066, 0x2067, 0x2068]);
const POP_EMBEDDING = 0x202c;
const POP_ISOLATE = 0x2069;

export function findOddText(source: string): OddText[] {
  const found: OddText[] = [];
  let signs = 0;
  let shown = 0;
  let hidden = 0;
  let most = HIDDEN_RUN;
  let embeddings = 0;
  let isolates = 0;
  let firstOnLine = -1;
  const endLine = () => {
    if (firstOnLine >= 0 && found.length < MAX_FOUND)
      found.push({
        rule: embeddings > 0 || isolates > 0 ? "bidi-unpaired" : "bidi-control",
        at: firstOnLine,
      });
    embeddings = 0;
    isolates = 0;
    firstOnLine = -1;
  };
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 0x80) {
      hidden = 0;
      if (code === 10 || code === 13) endLine();
      else if (code > 32) {
        shown++;
        // ! ( ) + [ ]
        if (code === 33 || code === 40 || code === 41 || code === 43 || code === 91 || code === 93) signs++;
      }
      continue;
    }
    shown++;
    if (isBidi(code)) {
      if (firstOnLine < 0) firstOnLine = at;
      if (OPENS_EMBEDDING.has(code)) embeddings++;
      else if (OPENS_ISOLATE.has(code)) isolates++;
      else if (code === POP_EMBEDDING) embeddings = Math.max(0, embeddings - 1);
      else if (code === POP_ISOLATE) isolates = Math.max(0, isolates - 1);
    }
    if (!isInvisible(code)) {
      hidden = 0;
      continue;
    }
    if (hidden === 0) most = source.startsWith(FLAG, at - FLAG.length) ? FLAG_RUN : HIDDEN_RUN;
    if (++hidden === most && found.length < MAX_FOUND)
      found.push({ rule: "invisible-text", at: at - most + 1 });
  }
  endLine();
  if (shown >= FEWEST && signs / shown > SIGNS_SHARE) found.push({ rule: "symbols-only", at: 0 });
  return found;
}

function isBidi(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/** Zero width, variation selectors, and both halves of tag characters (U+E0000 and above). */
function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2060 && code <= 0x2064) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xdb40 ||
    (code >= 0xdc00 && code <= 0xddef && isTagTail(code))
  );
}

/** The second halves of U+E0000 to U+E01EF. Emoji have the same ones, but not after the same first half, six times. */
function isTagTail(code: number): boolean {
  return code <= 0xdc7f || code >= 0xdd00;
}

/** Names of the machine kind, `_0x3fa2`: so many different ones make them nobody's own. */
const FEW_MACHINE_NAMES = 3;

/** @param names each with its first place */
export function findOddNames(names: ReadonlyMap<string, number>, watched: ReadonlySet<string>): OddText[] {
  const found: OddText[] = [];
  let machine = 0;
  for (const [name, at] of names) {
    if (isMachineName(name) && ++machine === FEW_MACHINE_NAMES)
      found.push({ rule: "machine-made-names", at, what: name });
    if (isPlain(name) || found.length >= MAX_FOUND) continue;
    const plain = toLatin(name);
    const means = plain !== name && (watched.has(plain) || names.has(plain));
    if (means || hasInvisible(name)) found.push({ rule: "look-alike-name", at, what: plain });
  }
  return found;
}

function isMachineName(name: string): boolean {
  if (!name.startsWith("_0x") || name.length < 5) return false;
  for (let at = 3; at < name.length; at++) if (!HEX.includes(name[at] ?? "")) return false;
  return true;
}

const HEX = "0123456789abcdefABCDEF";

function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) > 0x7f) return false;
  return true;
}

function hasInvisible(name: string): boolean {
  for (let at = 0; at < name.length; at++) if (isInvisible(name.charCodeAt(at))) return true;
  return false;
}

/** Letters of other scripts that look like those of ours. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: "a",
    в: "b",
    е: "e",
    з: "3",
    і: "i",
    ї: "i",
    ј: "j",
    к: "k",
    м: "m",
    н: "h",
    о: "o",
    р: "p",
    с: "c",
    ѕ: "s",
    т: "t",
    у: "y",
    х: "x",
    ԁ: "d",
    ԛ: "q",
    ԝ: "w",
    һ: "h",
    ӏ: "l",
    ѵ: "v",
    А: "A",
    В: "B",
    Е: "E",
    І: "I",
    Ј: "J",
    К: "K",
    М: "M",
    Н: "H",
    О: "O",
    Р: "P",
    С: "C",
    Ѕ: "S",
    Т: "T",
    У: "Y",
    Х: "X",
    α: "a",
    ο: "o",
    ν: "v",
    ρ: "p",
    ι: "i",
    κ: "k",
    τ: "t",
    υ: "u",
    χ: "x",
    γ: "y",
    Α: "A",
    Β: "B",
    Ε: "E",
    Ζ: "Z",
    Η: "H",
    Ι: "I",
    Κ: "K",
    Μ: "M",
    Ν: "N",
    Ο: "O",
    Ρ: "P",
    Τ: "T",
    Υ: "Y",
    Χ: "X",
    ա: "w",
    օ: "o",
    ո: "n",
    ս: "u",
    հ: "h",
    ց: "g",
    ք: "p",
    ɑ: "a",
    ɡ: "g",
    ɩ: "i",
    ℯ: "e",
    ℓ: "l",
    ᴠ: "v",
    ꓲ: "I",
  }),
);

function toLatin(name: string): string {
  let plain = "";
  for (const letter of name.normalize("NFKC")) plain += LOOK_ALIKES.get(letter) ?? letter;
  return plain;
}
