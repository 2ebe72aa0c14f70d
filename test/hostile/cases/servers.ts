import type { Expectation } from "../judge.ts";
import { LIMITS, TOO_MUCH } from "./case.ts";

/** What a server does in a call, how a program asks for it, and how that may end. */
export type ServerCase = Expectation & {
  readonly name: string;
  readonly kind: string;
  readonly code?: string;
};

const FAILED = ["tool_error"];
/** The key to raise, or what there was too much of. */
const TOO_LARGE = /maxMessage(?:Bytes|Values)|are allowed|limit of|more than|too (?:large|long|many|deep)/i;
const LARGE = { ends: [...FAILED, ...LIMITS], says: TOO_LARGE };
const MAY_BE_LARGE = {
  ends: ["ok", ...FAILED, ...LIMITS],
  says: TOO_LARGE,
};
const MISBEHAVED = { ends: ["ok", ...FAILED, "timeout"] };
const SECRET_HIDDEN = { ends: FAILED, hides: /secret-of-serv/ };

export const SERVER_CASES: readonly ServerCase[] = [
  { name: "an answer of 126 MB that is 42 million values", kind: "objects-126", ...LARGE },
  { name: "an answer of 30 MB that is 10 million values", kind: "objects-30", ...MAY_BE_LARGE },
  { name: "an answer of 12 MB that is 4 million values", kind: "objects-12", ...MAY_BE_LARGE },
  { name: "the same as a text", kind: "objects-in-text", ...MAY_BE_LARGE },
  { name: "the same as Python prints it", kind: "python-in-text", ...MAY_BE_LARGE },
  { name: "6 million numbers as a text", kind: "numbers-in-text", ...MAY_BE_LARGE },
  { name: "400,000 blocks", kind: "blocks", ...MAY_BE_LARGE },
  { name: "eight large answers at once", kind: "objects-12", code: many(8), ...MAY_BE_LARGE },
  {
    name: "20 large answers, one after another",
    kind: "text-12",
    code: `for (let n = 0; n < 20; n++) await hostile.attack({ kind: "text-12" }).catch(() => {}); return 1;`,
    ...MAY_BE_LARGE,
  },
  { name: "an answer of 126 MB of text", kind: "text-126", ...LARGE },
  {
    name: "an answer of 12 MB of text, returned",
    kind: "text-12",
    code: 'return await hostile.attack({ kind: "text-12" });',
    ...MAY_BE_LARGE,
  },
  { name: "half a million levels", kind: "deep-data", ...MAY_BE_LARGE, hides: /Maximum call stack/ },
  {
    name: "half a million levels in a text",
    kind: "deep-text",
    ...MAY_BE_LARGE,
    hides: /Maximum call stack/,
  },
  {
    name: "200,000 levels as Python prints them",
    kind: "deep-python",
    ...MAY_BE_LARGE,
    hides: /Maximum call stack/,
  },
  {
    name: "5 million opening brackets in a text",
    kind: "brackets-in-text",
    ...MAY_BE_LARGE,
    hides: /Maximum call stack/,
  },
  { name: "3 million opening quotes in a text", kind: "quotes-in-text", ...MAY_BE_LARGE },
  { name: "half a million keys", kind: "keys", ...MAY_BE_LARGE },
  {
    name: "half a million keys, returned",
    kind: "keys",
    code: 'return await hostile.attack({ kind: "keys" });',
    ...MAY_BE_LARGE,
  },
  { name: "__proto__", kind: "proto", ends: ["ok"] },
  { name: "a line without an end", kind: "line", ...MISBEHAVED },
  { name: "garbage without an end", kind: "garbage", ...MISBEHAVED },
  { name: "blank lines without an end", kind: "blank-lines", ...MISBEHAVED },
  { name: "notifications without an end", kind: "notifications", ...MISBEHAVED },
  { name: "changed lists without an end", kind: "list-changed", ...MISBEHAVED },
  { name: "progress without an end", kind: "progress", ...MISBEHAVED },
  { name: "requests without an end", kind: "requests", ...MISBEHAVED },
  { name: "100,000 answers to nobody", kind: "wrong-ids", ...MISBEHAVED },
  { name: "1,000 answers to one request", kind: "twice", ...MISBEHAVED },
  { name: "a batch of 200,000 answers", kind: "batch", ...MISBEHAVED },
  {
    name: "an error of 10 MB with a secret at its end",
    kind: "error",
    ...SECRET_HIDDEN,
    ends: [...FAILED, ...LIMITS],
  },
  { name: "a secret where an error is cut", kind: "error-secret", ...SECRET_HIDDEN },
  { name: "a failure of 10 MB", kind: "is-error", ends: [...FAILED, ...LIMITS] },
  { name: "stderr without an end", kind: "stderr", ...MISBEHAVED, hides: /secret-of-serv/ },
  { name: "last words with a secret where they are cut", kind: "dies-of-secret", ...SECRET_HIDDEN },
  { name: "an answer a letter at a time", kind: "drip", ends: ["ok"] },
  {
    name: "no answer",
    kind: "silent",
    code: "return await mute.attack({ kind: KIND });",
    ...MISBEHAVED,
    says: /no answer|time/i,
  },
  {
    name: "silence for 200 calls that wait for a moment",
    kind: "silent",
    code: `return (await Promise.allSettled(Array.from({ length: 200 }, () => mute.attack({ kind: KIND }, { timeoutMs: 50 })))).length;`,
    ends: ["ok", ...FAILED, ...LIMITS],
    says: TOO_MUCH,
  },
  { name: "bytes that are no text", kind: "utf-8", ends: ["ok", ...FAILED] },
];

function many(count: number): string {
  return `return (await Promise.allSettled(Array.from({ length: ${count} }, () => hostile.attack({ kind: KIND })))).length;`;
}

/** What servers do from their start, several at once: the gateway must serve the others all the same. */
export const START_CASES: Readonly<Record<string, readonly string[]>> = {
  "lists of 20,000 tools": ["20,000-tools", "20,000-similar"],
  "schemas without a bottom": ["deep-schemas", "circular-schemas", "exploding-schemas"],
  "large schemas": ["many-properties", "large-enums", "bad-patterns"],
  "long and equal names": ["long-names", "same-names", "long-descriptions"],
  "floods and forks": ["floods", "stderr-floods", "forks"],
  handshakes: ["huge-handshake", "deep-handshake", "no-handshake"],
  "lists without an end": ["endless-list"],
  "a list of 10 million values": ["values-list"],
};
