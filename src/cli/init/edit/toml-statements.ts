/** One header, or one `key = value`, of a TOML file that is known to be valid. */
export type TomlStatement = {
  kind: "table" | "pair";
  /** From the root on. */
  path: string[];
  /** From the start of its first line to the end of its last one. */
  start: number;
  end: number;
  /** Of what stands after the `=`. */
  value?: { start: number; end: number };
};

/** The statements of a file in their order, comments and blank lines left out. Reads each character once. */
export function readStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: string[] = [];
  let position = 0;
  while (position < text.length) {
    const start = position;
    position = skipBlanks(text, position);
    const character = text[position];
    if (character === undefined || character === "\n" || character === "\r" || character === "#") {
      position = lineEnd(text, position);
      continue;
    }
    if (character === "[") {
      const isArray = text[position + 1] === "[";
      const key = readKey(text, position + (isArray ? 2 : 1));
      table = key.path;
      position = lineEnd(text, key.end);
      statements.push({ kind: "table", path: table, start, end: position });
      continue;
    }
    const key = readKey(text, position);
    const value = { start: skipBlanks(text, key.end + 1), end: 0 };
    value.end = valueEnd(text, value.start);
    position = lineEnd(text, value.end);
    statements.push({ kind: "pair", path: [...table, ...key.path], start, end: position, value });
  }
  return statements;
}

/** A dotted key, up to the `=` or `]` behind it. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let position = from;
  while (position < text.length) {
    position = skipBlanks(text, position);
    const quote = text[position];
    const start = position;
    if (quote === '"' || quote === "'") {
      position = stringEnd(text, position);
      path.push(unquote(text.slice(start, position)));
    } else {
      while (/[\w-]/.test(text[position] ?? "")) position++;
      path.push(text.slice(start, position));
    }
    position = skipBlanks(text, position);
    if (text[position] !== ".") break;
    position++;
  }
  return { path, end: position };
}

function unquote(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1);
  try {
    return String(JSON.parse(written));
  } catch {
    // Escapes that TOML has and JSON has not: no name that a server can have.
    return written;
  }
}

/** The first character behind the value: a line's end or a comment, outside of strings and brackets. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  let position = from;
  while (position < text.length) {
    const character = text[position];
    if (character === '"' || character === "'") {
      position = stringEnd(text, position);
      continue;
    }
    if (depth === 0 && (character === "\n" || character === "#")) break;
    if (character === "#") {
      position = lineEnd(text, position);
      continue;
    }
    if (character === "[" || character === "{") depth++;
    if (character === "]" || character === "}") depth--;
    position++;
  }
  while (position > from && /\s/.test(text[position - 1] ?? "")) position--;
  return position;
}

function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? "";
  const triple = quote.repeat(3);
  const isLong = text.startsWith(triple, from);
  let position = from + (isLong ? 3 : 1);
  while (position < text.length) {
    if (quote === '"' && text[position] === "\\") position += 2;
    else if (isLong ? text.startsWith(triple, position) : text[position] === quote) break;
    else position++;
  }
  if (!isLong) return position + 1;
  position += 3;
  // Up to two more quotes belong to the text itself.
  while (text[position] === quote) position++;
  return position;
}

function skipBlanks(text: string, from: number): number {
  let position = from;
  while (text[position] === " " || text[position] === "\t") position++;
  return position;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}
