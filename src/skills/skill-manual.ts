import { stringify } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../config/files/json-value.ts";
import { parseYaml } from "../config/files/parse-yaml.ts";
import { ParseProblem } from "../config/files/parsed-text.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { assertSkillName } from "./skill-name.ts";

/** A SKILL.md, in the format of Agent Skills. */
export type SkillManual = {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  /** Names of tools that a client may use for it unasked. Keyhole gives nothing for it. */
  readonly allowedTools?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** `metadata.tags`, apart. */
  readonly tags: readonly string[];
  readonly body: string;
};

export type ReadManual =
  | { readonly ok: true; readonly manual: SkillManual; readonly remarks: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;
const MAX_LICENSE = 500;
const MAX_BODY_LINES = 500;
const MAX_METADATA = 50;
const MAX_METADATA_TEXT = 1_000;
export const MAX_TAGS = 20;
const MAX_TAG = 50;
/** Of the head of a file that somebody else wrote: a YAML parser is handed no more. */
const MAX_HEAD = 20_000;

/**
 * Reads a SKILL.md leniently: it is left out only where its head can't be read or has no description. What does not keep to the
 * rules is cut or left away, with a remark.
 */
export function readManual(text: string, folder: string): ReadManual {
  const parts = splitHead(text);
  if (parts === undefined) return { ok: false, problem: 'SKILL.md does not begin with a head between "---"' };
  const head = parseHead(parts.head);
  if (typeof head === "string") return { ok: false, problem: `The head of SKILL.md can't be read: ${head}` };
  const description = toLine(head["description"]);
  if (description === "") return { ok: false, problem: 'SKILL.md has no "description"' };
  const remarks: string[] = [];
  if (head["name"] !== folder) remarks.push(`"name" in SKILL.md is not the folder's name, "${folder}"`);
  if (description.length > MAX_DESCRIPTION)
    remarks.push(`"description" in SKILL.md is longer than ${MAX_DESCRIPTION} characters, and cut`);
  const metadata = readMetadata(head["metadata"]);
  const { tags: written, ...others } = metadata;
  const [license, compatibility] = [toLine(head["license"]), toLine(head["compatibility"])];
  const allowedTools = Array.isArray(head["allowed-tools"])
    ? head["allowed-tools"].map(toLine).join(" ")
    : toLine(head["allowed-tools"]);
  return {
    ok: true,
    remarks,
    manual: {
      name: folder,
      description: description.slice(0, MAX_DESCRIPTION),
      ...(license !== "" && { license: license.slice(0, MAX_LICENSE) }),
      ...(compatibility !== "" && { compatibility: compatibility.slice(0, MAX_COMPATIBILITY) }),
      ...(allowedTools !== "" && { allowedTools: allowedTools.slice(0, MAX_METADATA_TEXT) }),
      metadata: others,
      tags: toTags(written?.split(",") ?? (Array.isArray(head["tags"]) ? head["tags"].map(toLine) : [])),
      body: parts.body,
    },
  };
}

/** Writes one by the rules, or refuses. */
export function writeManual(manual: SkillManual): string {
  const { name, description, license, compatibility, allowedTools, metadata, tags, body } = manual;
  assertSkillName(name);
  const line = toLine(description);
  if (line === "") throw wrong("A skill needs a description", "Say what it does, and when to use it");
  if (line.length > MAX_DESCRIPTION)
    throw wrong(
      `The description has ${line.length} characters, more than ${MAX_DESCRIPTION}`,
      "Say what it does, and when to use it; the rest belongs into the comments of its functions",
    );
  if (body.split("\n").length > MAX_BODY_LINES)
    throw wrong(`SKILL.md has more than ${MAX_BODY_LINES} lines`, "Leave out what the code says");
  const head = {
    name,
    description: line,
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { "allowed-tools": allowedTools }),
    ...((tags.length > 0 || Object.keys(metadata).length > 0) && {
      metadata: { ...metadata, ...(tags.length > 0 && { tags: tags.join(", ") }) },
    }),
  };
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/** Short words, each once. */
export function toTags(written: readonly string[]): string[] {
  const tags = written.map((tag) => toExcerpt(tag.replaceAll(",", " "), MAX_TAG)).filter((tag) => tag !== "");
  return [...new Set(tags)].slice(0, MAX_TAGS);
}

/** Its head, as it stands there; nothing where it has none that can be read. */
export function readManualHead(text: string): JsonObject | undefined {
  const parts = splitHead(text);
  const head = parts && parseHead(parts.head);
  return typeof head === "string" ? undefined : head;
}

/** What stands below its head; all of a text that has none. */
export function toManualBody(text: string): string {
  return splitHead(text)?.body ?? text;
}

function splitHead(text: string): { head: string; body: string } | undefined {
  const [whole, head = ""] = /^\ufeff?---[ \t]*\r?\n(.*?\n)?---[ \t]*(?:\r?\n|$)/s.exec(text) ?? [];
  if (whole === undefined || head.length > MAX_HEAD) return undefined;
  return { head, body: text.slice(whole.length).trim() };
}

/** The problem, where it can't be read. */
function parseHead(head: string): JsonObject | string {
  try {
    const { data } = parseYaml(head);
    return isJsonObject(data) ? data : "it is no list of keys and values";
  } catch (error) {
    if (error instanceof ParseProblem) return toExcerpt(error.message);
    if (error instanceof RangeError) return "it is nested too deeply";
    throw error;
  }
}

/** String to string: other plain values are taken as they are written, all else is left away. */
function readMetadata(value: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).slice(0, MAX_METADATA);
  return Object.fromEntries(
    entries.flatMap(([key, one]) => {
      const text = Array.isArray(one) ? one.map(toLine).join(", ") : toLine(one);
      return key === "__proto__" || key.length > MAX_METADATA_TEXT || text === ""
        ? []
        : [[key, text.slice(0, MAX_METADATA_TEXT)]];
    }),
  );
}

function toLine(value: JsonValue | undefined): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return "";
  return toPlainText(String(value)).replace(/\s+/g, " ").trim();
}

function wrong(message: string, hint: string): KeyholeError {
  return new KeyholeError("usage", message, { hint });
}
