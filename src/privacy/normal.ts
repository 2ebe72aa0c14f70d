import type { PiiClass } from "../pii-classes.ts";
import { toValidPhone } from "./detect/values/phone-plan.ts";

/** One form for all spellings of a value: two values are the same when their forms are. */
export function normalise(kind: PiiClass, value: string, region?: string): string {
  // Letters that only look alike are other letters: a server could choose what another one is sent.
  const text = value.normalize("NFC").trim();
  switch (kind) {
    case "EMAIL":
    case "DOMAIN":
      return text.toLowerCase();
    case "PHONE":
      return phoneForm(text, region);
    case "CREDIT_CARD":
    case "SSN":
    case "NATIONAL_ID":
    case "IBAN":
    case "BANK_ACCOUNT":
    case "PASSPORT":
    case "DRIVING_LICENCE":
    case "POSTAL_CODE":
      return text.replace(/[\s./\p{Pd}]+/gu, "").toUpperCase();
    case "IP":
      return ipForm(text.toLowerCase());
    case "MAC":
      return text.replace(/[^\da-f]/gi, "").toLowerCase();
    case "DATE_OF_BIRTH":
    case "DATE":
      return dateForm(text);
    case "NAME":
    case "COMPANY":
    case "ADDRESS":
    case "LOCATION":
    case "AGE":
    case "NATIONALITY":
    case "TITLE":
      return text
        .toLowerCase()
        .replace(/\s+/g, " ")
        .replace(/[\s.,;:]+$/, "");
    case "USER_ID":
    case "URL":
      return text;
    case "API_KEY":
    case "JWT":
    case "PRIVATE_KEY":
    case "PASSWORD":
      // Every character counts.
      return value;
  }
}

const EXTENSION = /(?:x|ext\.?|extension|#)\s?:?\s?(\d{1,6})$/i;

/** The digits with the country's code where it is known, and without where it is not. */
function phoneForm(text: string, region: string | undefined): string {
  const extension = EXTENSION.exec(text);
  const written = extension === null ? text : text.slice(0, extension.index);
  const number = /^\W*(?:\+|00)/.test(written) ? written.replace("(0)", "") : written;
  const suffix = extension === null ? "" : `x${extension[1]}`;
  const digits = number.replace(/\D/g, "");
  if (digits.length > 18) return digits + suffix;
  const isInternational = /^\W*\+/.test(number) || digits.startsWith("00");
  const valid = isInternational
    ? toValidPhone(digits.startsWith("00") ? `+${digits.slice(2)}` : number)
    : region === undefined
      ? undefined
      : toValidPhone(number, region);
  return (valid?.slice(1) ?? digits.replace(/^00/, "")) + suffix;
}

/** IPv6 in full, since it has many short forms. */
function ipForm(text: string): string {
  const [address = "", mask] = text.split("/");
  const [plain = "", zone] = address.split("%");
  const rest = (zone === undefined ? "" : `%${zone}`) + (mask === undefined ? "" : `/${mask}`);
  if (!plain.includes(":") || plain.length > 45) return plain + rest;
  const [left = "", right] = withoutQuad(plain).split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const tail = groupsOf(right ?? "");
  const missing = right === undefined ? 0 : Math.max(0, 8 - groupsOf(left).length - tail.length);
  const groups = [...groupsOf(left), ...new Array<string>(missing).fill("0"), ...tail];
  return groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":") + rest;
}

function withoutQuad(address: string): string {
  return address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...quad: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = quad.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** As ISO 8601 has it where day and month cannot be mistaken for each other. */
function dateForm(text: string): string {
  const iso = (year: string, month: number, day: string) =>
    `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const byYear = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00.*)?$/.exec(text);
  if (byYear !== null) return iso(byYear[1] ?? "", Number(byYear[2]), byYear[3] ?? "");
  const byEnd = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text);
  if (byEnd !== null) {
    const [, first = "", second = "", year = ""] = byEnd;
    if (Number(first) > 12) return iso(year, Number(second), first);
    if (Number(second) > 12 || first === second) return iso(year, Number(first), second);
    return `${first}/${second}/${year}`;
  }
  const words = text.toLowerCase().match(/[a-z]{3,}|\d+/g) ?? [];
  const month = MONTHS.indexOf(words.find((word) => /^[a-z]/.test(word))?.slice(0, 3) ?? "") + 1;
  const year = words.find((word) => /^\d{4}$/.test(word));
  const day = words.find((word) => /^\d{1,2}$/.test(word));
  if (month > 0 && year !== undefined && day !== undefined) return iso(year, month, day);
  return text.toLowerCase().replace(/\s+/g, " ");
}
