import { KeyholeError } from "../../errors.ts";
import { ALL_CLASSES, type PiiClass, toPiiClass } from "../../pii-classes.ts";
import { isRecord } from "../../text/is-record.ts";
import { ownValue } from "../../text/own-value.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { FoundValues } from "../conceal/shown-values.ts";
import type { PrivacySettings } from "../settings.ts";
import { revealTokens, type TokenFault, type TokenValues } from "../token-text/reveal-tokens.ts";

/** The tool that arguments are for. */
export type Recipient = {
  readonly server: string;
  readonly tool: string;
  readonly function?: string;
  readonly inputSchema?: unknown;
  /** Gets the values that it is told, by their tokens. */
  readonly revealed?: FoundValues;
};

type Arguments = Readonly<Record<string, unknown>>;
type MayReveal = (kind: PiiClass, parameter: string) => void;

/** The arguments with values for tokens, where the tool may see them. A token that stands for nothing is an error, not a text. */
export function revealArguments(
  args: Arguments,
  to: Recipient,
  values: TokenValues & { isNumber?(token: string): boolean },
  settings: Pick<PrivacySettings, "reveal">,
): Arguments {
  const assertMay = createRevealGuard(to, settings);
  const properties = isRecord(to.inputSchema) ? ownValue(to.inputSchema, "properties") : undefined;
  let isSame = true;
  const revealed = Object.entries(args).map(([key, value]) => {
    const schema = isRecord(properties) ? ownValue(properties, key) : undefined;
    const name = revealText(key, key, to, values, assertMay);
    const inside = revealValue(value, { parameter: key, schema, to, values, assertMay });
    if (name !== key || inside !== value) isSame = false;
    return [name, inside] as const;
  });
  return isSame ? args : Object.fromEntries(revealed);
}

/** Fails where a tool may not see what it is sent. */
export function createRevealGuard(to: Recipient, settings: Pick<PrivacySettings, "reveal">): MayReveal {
  const headers = headerParameters(to.inputSchema);
  return (kind, parameter) => {
    const answer = settings.reveal(kind, { ...to, parameter });
    if (answer === "denied") throw notRevealed(kind, parameter, to);
    // A header is seen by whatever stands between: it takes a word of its own.
    if (answer === "default" && headers.has(parameter)) throw notInHeader(kind, parameter, to);
  };
}

/** Those that travel as HTTP headers. */
export function headerParameters(schema: unknown): ReadonlySet<string> {
  const properties = isRecord(schema) ? ownValue(schema, "properties") : undefined;
  if (!isRecord(properties)) return NONE;
  const names = Object.keys(properties).filter((name) => {
    const property = ownValue(properties, name);
    return isRecord(property) && ownValue(property, "x-mcp-header") !== undefined;
  });
  return names.length === 0 ? NONE : new Set(names);
}

const NONE: ReadonlySet<string> = new Set();

type Reveal = {
  readonly parameter: string;
  readonly schema: unknown;
  readonly to: Recipient;
  readonly values: TokenValues & { isNumber?(token: string): boolean };
  readonly assertMay: MayReveal;
};

function revealValue(value: unknown, reveal: Reveal): unknown {
  const { parameter, schema, to, values, assertMay } = reveal;
  if (typeof value === "string") {
    const text = revealText(value, parameter, to, values, assertMay);
    return text === value ? value : asDeclared(text, schema, values.isNumber?.(value) ?? false);
  }
  if (Array.isArray(value)) {
    const items = isRecord(schema) ? ownValue(schema, "items") : undefined;
    const revealed = value.map((item: unknown) => revealValue(item, { ...reveal, schema: items }));
    return revealed.some((item, index) => item !== value[index]) ? revealed : value;
  }
  if (!isRecord(value)) return value;
  const properties = isRecord(schema) ? ownValue(schema, "properties") : undefined;
  let isSame = true;
  const entries = Object.entries(value).map(([key, item]) => {
    const own = isRecord(properties) ? ownValue(properties, key) : undefined;
    const name = revealText(key, parameter, to, values, assertMay);
    const inside = revealValue(item, { ...reveal, schema: own });
    if (name !== key || inside !== item) isSame = false;
    return [name, inside] as const;
  });
  return isSame ? value : Object.fromEntries(entries);
}

/** What was a number before it was a token is one again. */
function asDeclared(text: string, schema: unknown, wasNumber: boolean): unknown {
  const type = isRecord(schema) ? ownValue(schema, "type") : undefined;
  const isText = type === "string" || (type !== "number" && type !== "integer" && !wasNumber);
  if (isText) return text;
  const number = Number(text);
  return text.trim() !== "" && String(number) === text ? number : text;
}

function revealText(
  text: string,
  parameter: string,
  to: Recipient,
  values: TokenValues,
  assertMay: MayReveal,
): string {
  if (text.length < SHORTEST_TOKEN) return text;
  const revealed = revealTokens(text, values, { isFromTokens: true });
  const fault = revealed.faults[0] ?? findBeginning(text, values);
  if (fault !== undefined) throw toFault(fault, to);
  for (const token of revealed.tokens) {
    const kind = toPiiClass(token.slice(1, token.lastIndexOf("_")));
    if (kind === undefined) continue;
    assertMay(kind, parameter);
    to.revealed?.set(token, kind);
  }
  return revealed.text;
}

/** `[EMAI` or `[EMAI…`: a token that was cut off before its number. */
function findBeginning(text: string, values: TokenValues): TokenFault | undefined {
  const [written, letters = ""] = BEGINNING.exec(text) ?? [];
  const kind = ALL_CLASSES.find((one) => one.startsWith(letters) && one !== letters && values.hasGiven(one));
  return written === undefined || kind === undefined ? undefined : { kind: "cut", class: kind, written };
}

const BEGINNING = /\[([A-Z_]{3,16})(?=$|…|\.\.\.)/;

/** `[IP_1]`, in base64 no shorter. */
const SHORTEST_TOKEN = 5;

function toFault({ kind, written }: TokenFault, { server, tool }: Recipient): KeyholeError {
  const what = JSON.stringify(toExcerpt(written, 60));
  const why = {
    unknown: "stands for no value that is known here",
    cut: "is a part of a token",
    altered: "is a token that was changed",
  }[kind];
  return new KeyholeError("usage", `Nothing was sent to "${tool}" of server "${server}": ${what} ${why}`, {
    server,
    tool,
    hint: "Tokens such as [EMAIL_1] stand for values as a whole: pass them on unchanged, and use pii.domain, pii.last4 or pii.mask for parts of a value",
  });
}

function notRevealed(kind: PiiClass, parameter: string, { server, tool }: Recipient): KeyholeError {
  const message = `Nothing was sent to "${tool}" of server "${server}": its "${parameter}" holds a value of class ${kind}, which this tool may not see`;
  return new KeyholeError("denied", message, {
    server,
    tool,
    hint: `Do without it, or tell the user: they can add ${kind} to privacy.servers.${server}.reveal in keyhole.config`,
  });
}

function notInHeader(kind: PiiClass, parameter: string, { server, tool }: Recipient): KeyholeError {
  const message = `Nothing was sent to "${tool}" of server "${server}": its "${parameter}" travels as an HTTP header, and holds a value of class ${kind}`;
  return new KeyholeError("denied", message, {
    server,
    tool,
    hint: `Tell the user: they can allow it by privacy.servers.${server}.reveal: [${kind}] in keyhole.config`,
  });
}
