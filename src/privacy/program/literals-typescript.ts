import type { FoundLiterals, LiteralPiece } from "./literal-piece.ts";

/** What is open: brackets, and templates around the code in them. */
const PAREN = 0;
/** Of `if (…)`: a statement follows. */
const HEAD_PAREN = 1;
const BRACKET = 2;
const OBJECT = 3;
const BLOCK = 4;
const TEMPLATE = 5;
const RAW_TEMPLATE = 6;

const BEFORE_EXPRESSION = new Set([
  "return",
  "typeof",
  "instanceof",
  "in",
  "new",
  "delete",
  "void",
  "throw",
  "case",
  "do",
  "else",
  "yield",
  "await",
  "default",
  "extends",
]);
/** Names, unless something stands before them. */
const BETWEEN_EXPRESSIONS = new Set(["of", "as", "satisfies"]);
const BEFORE_HEAD = new Set(["if", "while", "for", "with"]);
const BEFORE_BLOCK = new Set(["", ";", "{", "}", ")", "=>", "else", "do", "try", "finally"]);

/**
 * The literals of a program in TypeScript or JavaScript, without JSX. One pass, and no more memory than brackets are open: a parser
 * is native code, which a program may crash or fill. Whether a slash divides or begins a regular expression is told by what is before it.
 */
export function findTypeScriptLiterals(code: string): FoundLiterals {
  const pieces: LiteralPiece[] = [];
  const open: number[] = [];
  /** Of the brackets that are open: how many `?` wait for their `:`. */
  const questions: number[] = [0];
  let at = code.startsWith("#!") ? findLineEnd(code, 0) : 0;
  /** What ends an expression stands before: a slash divides. */
  let isOperand = false;
  let isNewLine = true;
  let last = "";
  let second = "";
  let third = "";

  const move = (token: string, operand: boolean) => {
    third = second;
    second = last;
    last = token;
    isOperand = operand;
    isNewLine = false;
  };
  const enter = (frame: number) => {
    open.push(frame);
    questions.push(0);
  };
  const leave = () => {
    if (questions.length > 1) questions.pop();
    return open.pop();
  };
  const isModule = () =>
    last === "from" ||
    last === "import" ||
    (last === "(" && (second === "import" || second === "require") && third !== ".");
  const addPiece = (start: number, end: number, raw: boolean, module: boolean) => {
    if (end > start)
      pieces.push({ start, end, isRaw: raw, isBytes: false, isFormat: false, isModule: module });
  };
  /** From behind the backtick or brace before it. Where it ends, or nothing. */
  const readTemplate = (start: number, frame: number, module: boolean): number | undefined => {
    for (let end = start; end < code.length; end++) {
      const unit = code.charCodeAt(end);
      if (unit === 0x5c) end++;
      else if (unit === 0x60) {
        addPiece(start, end, frame === RAW_TEMPLATE, module);
        move("`", true);
        return end + 1;
      } else if (unit === 0x24 && code.charCodeAt(end + 1) === 0x7b) {
        addPiece(start, end, frame === RAW_TEMPLATE, module);
        enter(frame);
        move("${", false);
        return end + 2;
      }
    }
    return undefined;
  };
  const isBlock = () => {
    if (BEFORE_BLOCK.has(last) || isOperand) return true;
    return last === ":" && (open.at(-1) ?? BLOCK) === BLOCK;
  };

  while (at < code.length) {
    const unit = code.charCodeAt(at);
    if (unit === 0x20 || unit === 0x09) {
      at++;
      continue;
    }
    if (isLineEnd(unit)) {
      isNewLine = true;
      at++;
      continue;
    }
    if (isWordUnit(unit)) {
      const end = findWordEnd(code, at, isDigit(unit));
      const word = code.slice(at, end);
      const isName = last === "." || last === "?." || (BETWEEN_EXPRESSIONS.has(word) && !isOperand);
      move(word, isName || !(BEFORE_EXPRESSION.has(word) || BETWEEN_EXPRESSIONS.has(word)));
      at = end;
      continue;
    }
    const next = code.charCodeAt(at + 1);
    switch (unit) {
      case 0x22:
      case 0x27: {
        const end = findStringEnd(code, at + 1, unit);
        if (end === undefined) return { pieces, lostAt: at };
        addPiece(at + 1, end, false, isModule());
        move('"', true);
        at = end + 1;
        continue;
      }
      case 0x60: {
        const isRaw = last === "raw" && second === "." && third === "String";
        const end = readTemplate(at + 1, isRaw ? RAW_TEMPLATE : TEMPLATE, isModule());
        if (end === undefined) return { pieces, lostAt: at };
        at = end;
        continue;
      }
      case 0x2f: {
        if (next === 0x2f) {
          at = findLineEnd(code, at);
          continue;
        }
        if (next === 0x2a) {
          const end = code.indexOf("*/", at + 2);
          if (end < 0) return { pieces, lostAt: at };
          isNewLine ||= hasLineEnd(code, at, end);
          at = end + 2;
          continue;
        }
        if (isOperand) break;
        const end = findPatternEnd(code, at + 1);
        if (end === undefined) return { pieces, lostAt: at };
        move("/", true);
        at = end;
        continue;
      }
      case 0x28: {
        const head = last === "await" ? second : last;
        const before = last === "await" ? third : second;
        enter(BEFORE_HEAD.has(head) && before !== "." && before !== "?." ? HEAD_PAREN : PAREN);
        move("(", false);
        at++;
        continue;
      }
      case 0x29:
        move(")", leave() !== HEAD_PAREN);
        at++;
        continue;
      case 0x5b:
        enter(BRACKET);
        break;
      case 0x5d:
        leave();
        move("]", true);
        at++;
        continue;
      case 0x7b:
        enter(isBlock() ? BLOCK : OBJECT);
        break;
      case 0x7d: {
        const frame = leave();
        if (frame === TEMPLATE || frame === RAW_TEMPLATE) {
          const end = readTemplate(at + 1, frame, false);
          if (end === undefined) return { pieces, lostAt: at };
          at = end;
          continue;
        }
        move("}", frame === OBJECT);
        at++;
        continue;
      }
      case 0x2b:
      case 0x2d:
        if (next === unit) {
          // Behind an operand it belongs to that, before one it leaves all as it was.
          if (isNewLine) isOperand = false;
          at += 2;
          continue;
        }
        break;
      case 0x21:
        if (next !== 0x3d && isOperand && !isNewLine) {
          at++;
          continue;
        }
        break;
      case 0x2e:
        if (next === 0x2e) {
          move("...", false);
          at += 3;
          continue;
        }
        break;
      case 0x3d:
        if (next === 0x3e) {
          move("=>", false);
          at += 2;
          continue;
        }
        break;
      case 0x3f: {
        const isChain = next === 0x2e && !isDigit(code.charCodeAt(at + 2));
        if (isChain || next === 0x3f) {
          move(isChain ? "?." : "??", false);
          at += 2;
          continue;
        }
        questions[questions.length - 1] = (questions.at(-1) ?? 0) + 1;
        break;
      }
      case 0x3a: {
        const waiting = questions.at(-1) ?? 0;
        if (waiting > 0) questions[questions.length - 1] = waiting - 1;
        move(waiting > 0 ? "?:" : ":", false);
        at++;
        continue;
      }
    }
    move(code[at] ?? "", false);
    at++;
  }
  return { pieces };
}

/** Of the quote. */
function findStringEnd(code: string, start: number, quote: number): number | undefined {
  for (let at = start; at < code.length; at++) {
    const unit = code.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === 0x0a || unit === 0x0d) return undefined;
    if (unit !== 0x5c) continue;
    at++;
    if (code.charCodeAt(at) === 0x0d && code.charCodeAt(at + 1) === 0x0a) at++;
  }
  return undefined;
}

/** Behind its flags. */
function findPatternEnd(code: string, start: number): number | undefined {
  let isClass = false;
  for (let at = start; at < code.length; at++) {
    const unit = code.charCodeAt(at);
    if (isLineEnd(unit)) return undefined;
    if (unit === 0x5c) {
      at++;
      if (isLineEnd(code.charCodeAt(at))) return undefined;
    } else if (unit === 0x5b) isClass = true;
    else if (unit === 0x5d) isClass = false;
    else if (unit === 0x2f && !isClass) {
      return findWordEnd(code, at, false);
    }
  }
  return undefined;
}

/** A number may have points. */
function findWordEnd(code: string, start: number, isNumber: boolean): number {
  let end = start + 1;
  while (end < code.length) {
    const unit = code.charCodeAt(end);
    if (!isWordUnit(unit) && !(isNumber && unit === 0x2e)) break;
    end++;
  }
  return end;
}

function findLineEnd(code: string, from: number): number {
  let at = from;
  while (at < code.length && !isLineEnd(code.charCodeAt(at))) at++;
  return at;
}

function hasLineEnd(code: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isLineEnd(code.charCodeAt(at))) return true;
  return false;
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Also of numbers, escapes in names and private names; all but blank space that is not ASCII is taken for a letter. */
function isWordUnit(unit: number): boolean {
  const small = unit | 0x20;
  if ((small >= 0x61 && small <= 0x7a) || isDigit(unit)) return true;
  if (unit < 0x80) return unit === 0x5f || unit === 0x24 || unit === 0x23 || unit === 0x5c;
  return unit > 0x7f && !/\s/.test(String.fromCharCode(unit));
}
