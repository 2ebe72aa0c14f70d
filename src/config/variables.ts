import { KeyholeError } from "../errors.ts";

/**
 * The one syntax of variables behind the readers: `${NAME}` and `${NAME:-default}`. A default ends at the first `}`.
 * Without a name, `${:-text}` is always the text: so a literal `${X}` is written `${:-$}{X}`.
 * Anything else with a dollar sign is ordinary text.
 */
const REFERENCE = /\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?|:-([^}]*))\}/g;

const BRACED = /\$\{([^}]*)\}/g;

export type TemplatePiece =
  | { kind: "text"; text: string }
  | { kind: "variable"; name: string; fallback: string | undefined; written: string };

export function parseTemplate(text: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [written, name, fallback, literal = ""] = match;
    if (match.index > end) pieces.push({ kind: "text", text: text.slice(end, match.index) });
    if (name === undefined) pieces.push({ kind: "text", text: literal });
    else pieces.push({ kind: "variable", name, fallback, written });
    end = match.index + written.length;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end) });
  return pieces;
}

/** Puts in the values of variables, outside of a server's definition; fails for one that is not set, by its name. */
export function expandVariables(text: string, key: string, env: NodeJS.ProcessEnv): string {
  return parseTemplate(text)
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      const value = env[piece.name] || piece.fallback;
      if (value !== undefined) return value;
      throw new KeyholeError(
        "variable_unset",
        `"${key}" needs the variable ${piece.name}, which is not set`,
        {
          hint: `Set ${piece.name} before starting Keyhole`,
        },
      );
    })
    .join("");
}

/** Names of the variables that a text refers to. */
export function variablesIn(text: string): string[] {
  return parseTemplate(text).flatMap((piece) => (piece.kind === "variable" ? [piece.name] : []));
}

/** The same text with nothing in it to expand. */
export function toLiteral(text: string): string {
  return text.replace(REFERENCE, (reference) => `\${:-$}${reference.slice(1)}`);
}

/** `${…}` that Keyhole would leave as it stands, such as another client's `${env:X}`, as it may be shown. */
export function foreignReferences(text: string): string[] {
  return [...text.matchAll(BRACED)]
    .filter(([written]) => !isReference(written))
    .map(([, inside = ""]) => describeReference(inside));
}

/** A `${…}` without its default, which may be a secret. */
export function describeReference(inside: string): string {
  const [, kept] = /^((?:env:)?\w+:?[-=?+])./s.exec(inside) ?? [];
  const shown = kept === undefined && inside.length <= 60 ? inside : `${kept ?? inside.slice(0, 20)}…`;
  return `\${${shown}}`;
}

/** Replaces the inside of each `${…}` by what `convert` makes of it; undefined keeps it as literal text. */
export function convertReferences(text: string, convert: (inside: string) => string | undefined): string {
  return text.replace(BRACED, (written, inside: string) => convert(inside) ?? toLiteral(written));
}

/** `api-key` and `apiKey` become `API_KEY`. */
export function toVariableName(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  const name = words.replace(/^_+|_+$/g, "").toUpperCase();
  return /^\d|^$/.test(name) || SYSTEM_VARIABLES.has(name) ? `INPUT_${name}` : name;
}

/** Set on every machine to something else: an input of that name must not pick it up. */
const SYSTEM_VARIABLES = new Set([
  "PATH",
  "HOME",
  "USER",
  "SHELL",
  "PWD",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "TERM",
]);

function isReference(written: string): boolean {
  return written.replace(REFERENCE, "") === "";
}
