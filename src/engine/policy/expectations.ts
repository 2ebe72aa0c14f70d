import { type ConfigDocument, readDocument } from "../../config/files/document.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../config/files/json-value.ts";
import { KeyholeError } from "../../errors.ts";
import type { WrittenCall } from "./written-call.ts";

/** What a user expects of a call. */
export type Expectation = {
  readonly call: WrittenCall;
  readonly expect: "allow" | "ask" | "deny";
  /** Where it is written. */
  readonly place: string;
};

const KEYS = ["tool", "args", "expect", "principal", "session", "client", "at"];
const MAX_EXPECTATIONS = 10_000;

/** A list in JSON or YAML: `- { tool: mail.send_email, args: { to: a@corp.com }, expect: allow }`. */
export async function readExpectations(file: string): Promise<Expectation[]> {
  const document = await readDocument(file);
  const { data } = document;
  if (!Array.isArray(data) || data.length === 0 || data.length > MAX_EXPECTATIONS)
    throw wrong(
      document,
      [],
      "must hold a list of expectations",
      "Write - { tool: server.tool, expect: allow }",
    );
  return data.map((entry, at) => readExpectation(document, entry, at));
}

function readExpectation(document: ConfigDocument, entry: JsonValue, at: number): Expectation {
  if (!isJsonObject(entry)) throw wrong(document, [at], "must be an object", "Write { tool, args, expect }");
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw wrong(document, [at, unknown], "is not known here", `Known are ${KEYS.join(", ")}`);
  const { expect, args } = entry;
  const tool = textOf(document, entry, at, "tool");
  if (tool === undefined) throw wrong(document, [at], 'must have a "tool"', 'Write "tool": "server.tool"');
  if (expect !== "allow" && expect !== "ask" && expect !== "deny")
    throw wrong(document, [at, "expect"], "must be allow, ask or deny", 'Write "expect": "allow"');
  if (args !== undefined && !isJsonObject(args))
    throw wrong(document, [at, "args"], "must be an object", "Write the call's arguments by name");
  const when = textOf(document, entry, at, "at");
  const moment = when === undefined ? undefined : new Date(when);
  if (moment !== undefined && Number.isNaN(moment.getTime()))
    throw wrong(document, [at, "at"], "must be a time", 'Write "at": "2026-05-04T09:30:00Z"');
  const call: WrittenCall = {
    tool,
    ...(args === undefined ? {} : { args }),
    ...(moment === undefined ? {} : { at: moment }),
    ...texts(document, entry, at),
  };
  return { call, expect, place: document.at([at]) };
}

function texts(document: ConfigDocument, entry: JsonObject, at: number): Partial<WrittenCall> {
  const found = (["principal", "session", "client"] as const).flatMap((key) => {
    const text = textOf(document, entry, at, key);
    return text === undefined ? [] : [[key, text]];
  });
  return Object.fromEntries(found);
}

function textOf(document: ConfigDocument, entry: JsonObject, at: number, key: string): string | undefined {
  const value = entry[key];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(document, [at, key], "must be a text", "Put it in quotes");
}

function wrong(
  document: ConfigDocument,
  path: (string | number)[],
  what: string,
  hint: string,
): KeyholeError {
  const key =
    path.length === 0
      ? "the file"
      : `entry ${Number(path[0]) + 1}${path[1] === undefined ? "" : ` "${path[1]}"`}`;
  return new KeyholeError("config_invalid", `${document.at(path)}: ${key} ${what}`, { hint });
}
