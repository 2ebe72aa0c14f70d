import { lstat, readFile, stat } from "node:fs/promises";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { toPlainText } from "../../text/plain-text.ts";
import type { JsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";
import { type ParsedText, ParseProblem } from "./parsed-text.ts";

export type ConfigDocument = {
  file: string;
  data: JsonValue;
  /** `file:line:column` of a key or its value. */
  at(path: KeyPath, part?: "key" | "value"): string;
  notices: string[];
};

const MAX_FILE_BYTES = 20 * 1024 * 1024;

export async function readDocument(file: string): Promise<ConfigDocument> {
  const text = await readText(file);
  // Elsewhere a file without settings is an empty one; in JSON it is a file that was not written to its end.
  if (text.trim() === "" && !/\.(toml|ya?ml)$/.test(file)) {
    throw new KeyholeError("config_invalid", `${file}:1:1: The file is empty`, {
      hint: "Write {} for a file without settings, or delete it",
    });
  }
  const parsed = await parse(file, text);
  return {
    file,
    data: parsed.data,
    at: (path, part = "value") => {
      const { line, column } = parsed.locate(path, part);
      return `${file}:${line}:${column}`;
    },
    notices: parsed.remarks.map(({ position, text }) =>
      toPlainText(`${file}:${position.line}:${position.column}: ${text}`),
    ),
  };
}

/** The text of a file, refused when it is no file, larger than 20 MB or not UTF-8. */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) throw unreadable(file, "it is UTF-16", "Save it as UTF-8");
  try {
    // Drops a byte order mark, which some Windows editors write.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, "it is not UTF-8", "Save it as UTF-8");
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory())
      throw unreadable(file, "it is a folder", "Put a file there, or remove the folder");
    if (!stats.isFile()) throw unreadable(file, "it is not a regular file");
    if (stats.size > MAX_FILE_BYTES) throw unreadable(file, `it has ${stats.size} bytes, more than 20 MB`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof KeyholeError) throw error;
    const link = await lstat(file).catch(() => undefined);
    if (link?.isSymbolicLink() && isMissing(error))
      throw unreadable(
        file,
        "it is a link that leads nowhere",
        "Remove the link, or create what it points to",
      );
    throw unreadable(file, reason(error), "Check that the file is there and that you may read it", error);
  }
}

async function parse(file: string, text: string): Promise<ParsedText> {
  try {
    return (await parserFor(file))(text);
  } catch (error) {
    if (error instanceof ParseProblem) {
      const { line, column } = error.position;
      throw new KeyholeError("config_invalid", `${file}:${line}:${column}: ${error.message}`, {
        hint: "Mend the file at that place",
      });
    }
    if (error instanceof RangeError) {
      throw new KeyholeError("config_invalid", `${file}:1:1: The file is nested too deeply`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Imported only when such a file is there: a parser takes 10 to 25 ms to import. */
async function parserFor(file: string): Promise<(text: string) => ParsedText> {
  if (/\.ya?ml$/.test(file)) return (await import("./parse-yaml.ts")).parseYaml;
  if (file.endsWith(".toml")) return (await import("./parse-toml.ts")).parseToml;
  return (await import("./parse-json.ts")).parseJson;
}

function unreadable(file: string, why: string, hint?: string, cause?: unknown): KeyholeError {
  return new KeyholeError("config_unreadable", `Cannot read "${file}": ${why}`, {
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}

function reason(error: unknown): string {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (isMissing(error)) return "it does not exist";
  return errorMessage(error);
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
