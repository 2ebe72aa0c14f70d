/**
 * Regular expressions whose time grows with the text and never explodes: a pattern becomes a small machine that goes over
 * the text once, in all of its states at the same time. What would need to go back (look-around, back-references) is refused.
 */
export type LinearPattern = {
  /** False as well once `work` has nothing left: then it was not told. */
  test(text: string, work: PatternWork): boolean;
  /** The longest plain text without which nothing is found, whatever its case where that is ignored. */
  readonly needed?: string;
};

/** How many steps may still be done; below zero, too many were. */
export type PatternWork = { left: number };

/** Why a pattern can't be used, for whoever wrote it. */
export class PatternProblem extends Error {
  override readonly name = "PatternProblem";
}

const MAX_SOURCE = 500;
const MAX_STEPS = 600;
const MAX_DEPTH = 50;

/** Throws a `PatternProblem`. `(?i)` at the start ignores case, and so does the option. */
export function parseLinearPattern(
  written: string,
  options: { readonly ignoreCase?: boolean } = {},
): LinearPattern {
  if (written.length > MAX_SOURCE)
    throw new PatternProblem(`is longer than the ${MAX_SOURCE} characters that are taken`);
  const isMarked = written.startsWith("(?i)");
  const source = isMarked ? written.slice(4) : written;
  const flags = isMarked || options.ignoreCase === true ? "isu" : "su";
  // What is no regular expression at all is told in the words that people know.
  try {
    new RegExp(source, "u");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new PatternProblem(`is no regular expression: ${message.replace(/^.*?\/u?: /s, "")}`);
  }
  const tree = parse(source, flags);
  const steps: Step[] = [];
  compile(tree, steps);
  push(steps, { kind: "match" });
  const run = toMachine(steps, isHeldAtStart(tree));
  const needed = findNeeded(tree);
  if (needed === "") return { test: run };
  // Ignoring case, other letters than ours can stand for ours.
  if (flags.includes("i")) {
    const small = needed.toLowerCase();
    return {
      needed,
      test: (text, work) => (!isAscii(text) || text.toLowerCase().includes(small)) && run(text, work),
    };
  }
  return { needed, test: (text, work) => text.includes(needed) && run(text, work) };
}

/** The longest text that must stand in whatever is found: most texts are told apart by it. */
function findNeeded(tree: Node): string {
  const parts = tree.kind === "all" ? tree.parts : [tree];
  const runs = [""];
  for (const part of parts) {
    if (part.kind === "one" && part.literal !== undefined) runs.push(`${runs.pop() ?? ""}${part.literal}`);
    else if (part.kind !== "assert") runs.push("");
  }
  return runs.reduce((longest, one) => (one.length > longest.length ? one : longest));
}

function isHeldAtStart(tree: Node): boolean {
  const first = tree.kind === "all" ? tree.parts[0] : tree;
  return first?.kind === "assert" && first.what === "start";
}

function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

type Node =
  | { readonly kind: "one"; readonly is: Matches; readonly literal?: string }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "any"; readonly choices: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly least: number; readonly most: number };

type Matches = (codePoint: number) => boolean;
type Assertion = "start" | "end" | "boundary" | "inside";

type Step =
  | { readonly kind: "one"; readonly is: Matches }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "split"; readonly to: number[] }
  | { readonly kind: "match" };

function parse(source: string, flags: string): Node {
  let at = 0;
  let depth = 0;

  function choices(): Node {
    if (++depth > MAX_DEPTH) throw new PatternProblem("is nested too deeply");
    const found = [sequence()];
    while (source[at] === "|") {
      at++;
      found.push(sequence());
    }
    depth--;
    const [only] = found;
    return found.length === 1 && only !== undefined ? only : { kind: "any", choices: found };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return { kind: "all", parts };
  }

  function repeated(part: Node): Node {
    const [written, least = "", comma, most = ""] =
      /^(?:[*+?]|\{(\d+)(,)?(\d*)\})/.exec(source.slice(at)) ?? [];
    if (written === undefined) return part;
    at += written.length;
    // A lazy one finds the same texts.
    if (source[at] === "?") at++;
    if (written === "*") return { kind: "repeat", part, least: 0, most: Number.POSITIVE_INFINITY };
    if (written === "+") return { kind: "repeat", part, least: 1, most: Number.POSITIVE_INFINITY };
    if (written === "?") return { kind: "repeat", part, least: 0, most: 1 };
    const upTo = comma === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", part, least: Number(least), most: upTo };
  }

  function atom(): Node {
    const character = source[at] ?? "";
    if (character === "(") return group();
    if (character === "^" || character === "$") {
      at++;
      return { kind: "assert", what: character === "^" ? "start" : "end" };
    }
    if (source.startsWith("\\b", at) || source.startsWith("\\B", at)) {
      at += 2;
      return { kind: "assert", what: source[at - 1] === "b" ? "boundary" : "inside" };
    }
    const [written = ""] = ONE_CHARACTER.exec(source.slice(at)) ?? [];
    if (written === "" || /^\\(?:[1-9]|k)/.test(written))
      throw new PatternProblem(`has "${source.slice(at, at + 4)}", a back-reference, which is not taken`);
    at += written.length;
    const literal = /^(?:[\w@ \-,:;<>=!"#%&'~`]|\\[^\w\s])$/.test(written) ? written.slice(-1) : undefined;
    return { kind: "one", is: toMatches(written, flags), ...(literal === undefined ? {} : { literal }) };
  }

  function group(): Node {
    const [open = "("] = /^\((?:\?:|\?<[A-Za-z_]\w*>)?/.exec(source.slice(at)) ?? [];
    if (open === "(" && source[at + 1] === "?")
      throw new PatternProblem(
        `has "${source.slice(at, at + 4)}": looking around and flags inside are not taken`,
      );
    at += open.length;
    const inside = choices();
    at++;
    return inside;
  }

  return choices();
}

/** A class with its escapes, an escape, or one character. */
const ONE_CHARACTER =
  /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])|[\s\S])/u;

const ASCII = 128;

/** One character at a time is all that the engine's own expressions are asked for. */
function toMatches(source: string, flags: string): Matches {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const ascii = Array.from({ length: ASCII }, (_, code) => expression.test(String.fromCharCode(code)));
  return (code) => (code < ASCII ? (ascii[code] ?? false) : expression.test(String.fromCodePoint(code)));
}

function push(steps: Step[], step: Step): void {
  if (steps.length >= MAX_STEPS) throw new PatternProblem("is too large, or repeats too often");
  steps.push(step);
}

function compile(node: Node, steps: Step[]): void {
  if (node.kind === "one" || node.kind === "assert") push(steps, node);
  else if (node.kind === "all") for (const part of node.parts) compile(part, steps);
  else if (node.kind === "any") compileChoices(node.choices, steps);
  else compileRepeat(node, steps);
}

function compileChoices(choices: readonly Node[], steps: Step[]): void {
  const to: number[] = [];
  const ends: number[][] = [];
  push(steps, { kind: "split", to });
  for (const choice of choices) {
    to.push(steps.length);
    compile(choice, steps);
    const end: number[] = [];
    ends.push(end);
    push(steps, { kind: "split", to: end });
  }
  for (const end of ends) end.push(steps.length);
}

function compileRepeat(
  { part, least, most }: { readonly part: Node; readonly least: number; readonly most: number },
  steps: Step[],
): void {
  if (least > MAX_STEPS || (Number.isFinite(most) && most > MAX_STEPS))
    throw new PatternProblem("is too large, or repeats too often");
  for (let n = 0; n < least; n++) compile(part, steps);
  if (!Number.isFinite(most)) {
    const to: number[] = [];
    const start = steps.length;
    push(steps, { kind: "split", to });
    to.push(steps.length);
    compile(part, steps);
    push(steps, { kind: "split", to: [start] });
    to.push(steps.length);
    return;
  }
  const exits: number[][] = [];
  for (let n = least; n < most; n++) {
    const to: number[] = [];
    exits.push(to);
    push(steps, { kind: "split", to });
    to.push(steps.length);
    compile(part, steps);
  }
  for (const to of exits) to.push(steps.length);
}

function toMachine(steps: readonly Step[], isHeld: boolean): LinearPattern["test"] {
  const marks = new Uint32Array(steps.length);
  let round = 0;

  /** True when the end of the machine is reached. */
  function enter(states: number[], first: number, text: string, at: number, work: PatternWork): boolean {
    const open = [first];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      work.left--;
      if (marks[state] === round) continue;
      marks[state] = round;
      const step = steps[state];
      if (step === undefined) continue;
      if (step.kind === "match") return true;
      if (step.kind === "one") states.push(state);
      else if (step.kind === "split") for (const to of step.to) open.push(to);
      else if (holds(step.what, text, at)) open.push(state + 1);
    }
    return false;
  }

  function nextRound(): void {
    if (++round < MAX_ROUND) return;
    marks.fill(0);
    round = 1;
  }

  return (text, work) => {
    let waiting: number[] = [];
    nextRound();
    if (enter(waiting, 0, text, 0, work)) return true;
    for (let at = 0; at < text.length && work.left >= 0; ) {
      if (isHeld && waiting.length === 0) return false;
      const code = text.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      nextRound();
      work.left -= waiting.length + 1;
      const next: number[] = [];
      for (const state of waiting) {
        const step = steps[state];
        if (step?.kind === "one" && step.is(code) && enter(next, state + 1, text, at, work)) return true;
      }
      if (!isHeld && enter(next, 0, text, at, work)) return true;
      waiting = next;
    }
    return false;
  };
}

const MAX_ROUND = 2 ** 32 - 1;

function holds(what: Assertion, text: string, at: number): boolean {
  if (what === "start") return at === 0;
  if (what === "end") return at === text.length;
  const isBoundary = isWordAt(text, at - 1) !== isWordAt(text, at);
  return what === "boundary" ? isBoundary : !isBoundary;
}

function isWordAt(text: string, at: number): boolean {
  return /^\w$/.test(text[at] ?? "");
}
