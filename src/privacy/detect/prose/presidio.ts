import { KeyholeError } from "../../../errors.ts";
import { readBounded } from "../../../network/read-bounded.ts";
import type { PiiClass } from "../../../pii-classes.ts";
import { isRecord } from "../../../text/is-record.ts";
import type { PiiFinding } from "../finding.ts";

export type PresidioOptions = {
  /** ISO 639-1. */
  readonly language?: string;
  readonly timeoutMs?: number;
  /** What the service is less sure of is not told. */
  readonly leastScore?: number;
};

/** What the service calls it, and we do. What is not here is not asked for and not believed. */
const CLASSES: { readonly [entity: string]: PiiClass } = {
  PERSON: "NAME",
  ORGANIZATION: "COMPANY",
  LOCATION: "LOCATION",
  GPE: "LOCATION",
  ADDRESS: "ADDRESS",
  STREET_ADDRESS: "ADDRESS",
  ZIP_CODE: "POSTAL_CODE",
  DATE_TIME: "DATE",
  DATE_OF_BIRTH: "DATE_OF_BIRTH",
  AGE: "AGE",
  NRP: "NATIONALITY",
  TITLE: "TITLE",
  EMAIL_ADDRESS: "EMAIL",
  PHONE_NUMBER: "PHONE",
  CREDIT_CARD: "CREDIT_CARD",
  IBAN_CODE: "IBAN",
  IP_ADDRESS: "IP",
  MAC_ADDRESS: "MAC",
  US_SSN: "SSN",
  US_BANK_NUMBER: "BANK_ACCOUNT",
  US_PASSPORT: "PASSPORT",
  US_DRIVER_LICENSE: "DRIVING_LICENCE",
  UK_NINO: "NATIONAL_ID",
  UK_NHS: "NATIONAL_ID",
  ES_NIF: "NATIONAL_ID",
  ES_NIE: "NATIONAL_ID",
  IT_FISCAL_CODE: "NATIONAL_ID",
  IN_AADHAAR: "NATIONAL_ID",
  IN_PAN: "NATIONAL_ID",
  AU_TFN: "NATIONAL_ID",
  AU_MEDICARE: "NATIONAL_ID",
};

const MAX_TEXT = 1_000_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_FINDINGS = 20_000;
const TIMEOUT_MS = 5_000;

/**
 * Asks a service that speaks the API of Presidio's analyzer: `POST /analyze`. It is chosen by the user, yet its answer is
 * foreign: bounded in time and size, and no place in it is believed before it is checked.
 */
export async function findByPresidio(
  url: string,
  text: string,
  { language = "en", timeoutMs = TIMEOUT_MS, leastScore = 0.5 }: PresidioOptions = {},
): Promise<PiiFinding[]> {
  const target = toTarget(url);
  if (text.length > MAX_TEXT) throw new KeyholeError("too_large", "Text is too long for the privacy service");
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ text: toWellFormed(text), language }),
      signal: AbortSignal.timeout(timeoutMs),
      // The text would go along to another host.
      redirect: "error",
    });
    const answer = await readAnswer(response);
    if (!response.ok) throw failed(`answered ${response.status}`);
    return toFindings(parse(answer), text, leastScore);
  } catch (error) {
    if (error instanceof KeyholeError) throw error;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw isLate
      ? new KeyholeError("timeout", `Privacy service did not answer within ${timeoutMs} ms`)
      : failed("cannot be reached");
  }
}

/** Half a pair cannot be sent as UTF-8; its place stays. */
const toWellFormed = (text: string) =>
  text.replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

function toTarget(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new KeyholeError("config_invalid", "Address of the privacy service is no http or https URL");
  base.pathname = `${base.pathname.replace(/\/+$/, "").replace(/\/analyze$/, "")}/analyze`;
  return base;
}

async function readAnswer(response: Response): Promise<string> {
  const text = await readBounded(response, MAX_ANSWER_BYTES);
  if (text === undefined) throw failed(`answered with more than ${MAX_ANSWER_BYTES} bytes`);
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed("answered with what is no JSON");
  }
}

function toFindings(answer: unknown, text: string, leastScore: number): PiiFinding[] {
  if (!Array.isArray(answer)) throw failed("answered with what is no list");
  if (answer.length > MAX_FINDINGS) throw failed(`answered with more than ${MAX_FINDINGS} findings`);
  const places = toPlaces(text);
  const findings = answer.flatMap((one) => toFinding(one, places) ?? []);
  return findings
    .filter(({ confidence }) => confidence >= leastScore)
    .sort((one, other) => one.start - other.start || other.end - one.end);
}

function toFinding(one: unknown, placeOf: (codePoint: number) => number | undefined): PiiFinding | undefined {
  if (!isRecord(one)) return undefined;
  const { entity_type: entity, start, end, score } = one;
  if (typeof entity !== "string" || !Object.hasOwn(CLASSES, entity)) return undefined;
  const found = CLASSES[entity];
  if (found === undefined || typeof score !== "number" || !(score >= 0 && score <= 1)) return undefined;
  if (typeof start !== "number" || typeof end !== "number" || !(start < end)) return undefined;
  const from = placeOf(start);
  const to = placeOf(end);
  if (from === undefined || to === undefined) return undefined;
  return { class: found, start: from, end: to, rule: "presidio", confidence: score };
}

/** The service counts characters as Python does, by code points; we count UTF-16 units. */
function toPlaces(text: string): (codePoint: number) => number | undefined {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text))
    return (at) => (Number.isInteger(at) && at >= 0 && at <= text.length ? at : undefined);
  const places: number[] = [];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) places.push(at);
  places.push(text.length);
  return (at) => places[at];
}

function failed(what: string): KeyholeError {
  return new KeyholeError("server_misbehaved", `Privacy service ${what}`);
}
