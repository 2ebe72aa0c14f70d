import { nearestKey } from "../config/nearest-key.ts";
import { MAX_DELAY_MS } from "../config/server-definition.ts";
import { LANGUAGE_WORDS } from "../engine/language-names.ts";
import { KeyholeError } from "../errors.ts";
import { isRecord } from "../text/is-record.ts";

/** What a key takes: in words, and as a test. */
type Kind = { readonly expected: string; accepts(value: unknown): boolean };
type Kinds = { readonly [key: string]: Kind | Kinds };

const text: Kind = { expected: "a text that is not empty", accepts: (value) => isText(value) };
const flag: Kind = { expected: "true or false", accepts: (value) => typeof value === "boolean" };
const listener: Kind = { expected: "a function", accepts: (value) => typeof value === "function" };
const record: Kind = { expected: "an object", accepts: isRecord };
const texts: Kind = {
  expected: "a list of texts",
  accepts: (value) => Array.isArray(value) && value.every(isText),
};
const signal: Kind = {
  expected: "an AbortSignal",
  accepts: (value) => value instanceof AbortSignal,
};

const MAX_MEMORY_BYTES = 2 ** 40;
/** Below it the sandbox itself does not start. */
const MIN_MEMORY_BYTES = 16 * 1024 * 1024;

const LIMITS: Kinds = {
  timeoutMs: wholeNumber(1, MAX_DELAY_MS),
  sleepMs: wholeNumber(1, MAX_DELAY_MS),
  memoryBytes: wholeNumber(MIN_MEMORY_BYTES, MAX_MEMORY_BYTES),
  calls: wholeNumber(0, 1_000_000),
  outputTokens: wholeNumber(100, 100_000),
};

const RUN_OPTIONS: Kinds = {
  language: oneOf(...LANGUAGE_WORDS),
  tier: oneOf("process", "docker", "vm"),
  session: text,
  model: text,
  limits: LIMITS,
  signal,
  onEvent: listener,
};

const { language: _, ...WITHOUT_LANGUAGE } = RUN_OPTIONS;

const KEYS = {
  createKeyhole: {
    project: text,
    // Its keys are those of the configuration, which has the words for them.
    servers: record,
    trust: flag,
    stateDir: text,
    env: record,
    limits: LIMITS,
    // As for servers: the configuration has the words.
    permissions: record,
    securityLevel: text,
    sandboxMode: text,
    approval: record,
    piiTokenization: flag,
    privacy: record,
    cache: record,
    auditLogging: flag,
    onApproval: listener,
    checkTypes: flag,
    maxConcurrentTasks: wholeNumber(1, 1000),
    poolSize: wholeNumber(0, 16),
    onNotice: listener,
  },
  search: {
    detail: oneOf("name", "description", "full"),
    limit: wholeNumber(1, 1000),
    language: oneOf(...LANGUAGE_WORDS),
  },
  run: RUN_OPTIONS,
  saveSkill: {
    name: text,
    description: text,
    code: text,
    language: oneOf(...LANGUAGE_WORDS),
    tags: texts,
    tests: { expected: "a text", accepts: (value) => typeof value === "string" },
    body: { expected: "a text", accepts: (value) => typeof value === "string" },
  },
  executeSkill: { ...WITHOUT_LANGUAGE, function: text },
  exportSkills: { names: texts, versions: flag },
  importSkills: { path: text, names: texts, as: text, review: listener },
  searchSkills: { detail: oneOf("name", "description", "full"), limit: wholeNumber(1, 1000) },
  executeTask: { ...RUN_OPTIONS, id: text, description: text, code: text, requiredTools: texts },
} as const satisfies { readonly [method: string]: Kinds };

/** Callers without types can pass anything: what is not meant as it would be taken is refused with the way out. */
export function assertOptions(method: keyof typeof KEYS, given: unknown): void {
  if (!isRecord(given)) throw refusal(method, `takes an object, got ${describe(given)}`);
  assertKeys(method, given, KEYS[method], "");
}

function assertKeys(method: string, given: Record<string, unknown>, kinds: Kinds, prefix: string): void {
  for (const [key, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (kind === undefined) throw unknownKey(method, key, Object.keys(kinds), prefix);
    if (value === undefined) continue;
    const path = `${prefix}${key}`;
    if (!isKind(kind)) {
      if (!isRecord(value)) throw wrongValue(method, path, "an object", value);
      assertKeys(method, value, kind, `${path}.`);
    } else if (!kind.accepts(value)) throw wrongValue(method, path, kind.expected, value);
  }
}

function isKind(kind: Kind | Kinds): kind is Kind {
  return typeof kind["accepts"] === "function";
}

function unknownKey(method: string, key: string, known: readonly string[], prefix: string): KeyholeError {
  const near = Object.hasOwn(LIMITS, key) && prefix === "" ? `limits.${key}` : nearestKey(key, known);
  const meant = near === undefined ? "" : `, did you mean "${near}"?`;
  const hint = near === undefined ? `Known keys: ${known.join(", ")}` : `Write "${near}" instead`;
  return refusal(method, `key "${prefix}${key}" is not known${meant}`, hint);
}

function wrongValue(method: string, path: string, expected: string, value: unknown): KeyholeError {
  const hint = `Give "${path}" a value of that kind, or leave it out`;
  return refusal(method, `key "${path}" must be ${expected}, got ${describe(value)}`, hint);
}

function refusal(method: string, text: string, hint = "See docs/library.md"): KeyholeError {
  return new KeyholeError("usage", `${method}: ${text}`, { hint });
}

/** No values but numbers: anything else may be a secret that went astray. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === "") return "an empty text";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function wholeNumber(min: number, max: number): Kind {
  return {
    expected: `a whole number from ${min} to ${max}`,
    accepts: (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
  };
}

function oneOf(...values: readonly string[]): Kind {
  return {
    expected: `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    accepts: (value) => values.some((one) => one === value),
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
