import type { PiiClass } from "../../../src/pii-classes.ts";

/** A value that nobody may see, and the keys and sentences that it stands under or in. */
export type Canary = {
  readonly class: PiiClass;
  readonly value: string;
  readonly keys: readonly string[];
  readonly sentences: readonly string[];
};

export type Draw = (sides: number) => number;

type Maker = (draw: Draw) => Canary;

/** One of every class. Each has enough of its own that it stands in no other text by chance. */
export const MAKERS: readonly Maker[] = [
  (draw) => {
    const value = `${word(draw, 2)}.${word(draw, 3)}${draw(1_000)}@${word(draw, 3)}.example`;
    return canary("EMAIL", value, ["email", "customer_email", "e-mail"], [`Please write to ${value} soon`]);
  },
  (draw) => {
    const value = [
      `+44 20 7946 ${digits(draw, 4)}`,
      `+1 (415) 555-${digits(draw, 4)}`,
      `+49 30 231${digits(draw, 5)}`,
    ][draw(3)] as string;
    return canary("PHONE", value, ["phone", "mobile", "telephone"], [`You can call me at ${value} tomorrow`]);
  },
  (draw) => {
    const value = `${name(draw, 2)} ${name(draw, 3)}`;
    return canary("NAME", value, ["customer_name", "full_name", "contact_person"], []);
  },
  (draw) => {
    const value = `${name(draw, 3)} ${name(draw, 2)} Ltd`;
    return canary("COMPANY", value, ["company", "company_name", "employer"], [`She works for ${value} now`]);
  },
  (draw) => {
    const value = withLuhn(`4${digits(draw, 14)}`);
    return canary(
      "CREDIT_CARD",
      value,
      ["card_number", "credit_card"],
      [`Paid with the card ${value} today`],
    );
  },
  (draw) => {
    const value = `${100 + draw(500)}-${10 + draw(89)}-${1_000 + draw(8_999)}`;
    return canary("SSN", value, ["ssn", "social_security_number"], [`My SSN is ${value} as you asked`]);
  },
  (draw) => {
    const value = `${pick(draw, ["AB", "CE", "JK", "PR"])}${digits(draw, 6)}${pick(draw, ["A", "B", "C", "D"])}`;
    return canary("NATIONAL_ID", value, ["nino", "national_insurance_number"], [`The NINO is ${value} here`]);
  },
  (draw) => {
    const value = toCpf(draw);
    return canary("NATIONAL_ID", value, ["cpf"], [`O CPF ${value} foi aceito`]);
  },
  (draw) => {
    const number = 10_000_000 + draw(80_000_000);
    const value = `${number}${"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]}`;
    return canary("NATIONAL_ID", value, ["dni", "nif"], [`Su DNI es ${value} desde hoy`]);
  },
  (draw) => {
    const value = toIban("DE", digits(draw, 18));
    return canary("IBAN", value, ["iban", "bank_iban"], [`Transfer it to ${value} by Friday`]);
  },
  (draw) => {
    const value = `${pick(draw, ["C", "X", "L"])}${digits(draw, 8)}`;
    return canary("PASSPORT", value, ["passport_number", "passport"], [`Passport number ${value} is valid`]);
  },
  (draw) => {
    const value = `81.${2 + draw(200)}.${2 + draw(200)}.${2 + draw(200)}`;
    return canary("IP", value, ["ip", "ip_address"], [`Logged in from ${value} again`]);
  },
  (draw) => {
    const value = Array.from({ length: 6 }, () => (16 + draw(239)).toString(16)).join(":");
    return canary("MAC", value, ["mac", "mac_address"], [`The device ${value} is known`]);
  },
  (draw) => {
    const value = `${1 + draw(900)} ${name(draw, 3)} ${pick(draw, ["Street", "Road", "Avenue"])}`;
    return canary("ADDRESS", value, ["address", "street_address"], [`The parcel goes to ${value} as usual`]);
  },
  (draw) => {
    const value = `${pick(draw, ["LS", "BS", "NR"])}${1 + draw(9)} ${1 + draw(9)}${letters(draw, 2)}`;
    return canary("POSTAL_CODE", value, ["postal_code", "postcode", "zip"], []);
  },
  (draw) => {
    const value = `19${40 + draw(59)}-${two(1 + draw(12))}-${two(1 + draw(28))}`;
    return canary(
      "DATE_OF_BIRTH",
      value,
      ["dob", "date_of_birth", "birthDate"],
      [`She was born on ${value} there`],
    );
  },
  (draw) => {
    const value = `${word(draw, 2)}_${word(draw, 3)}_${1_000 + draw(8_999)}`;
    return canary("USER_ID", value, ["user_id", "username"], []);
  },
  (draw) => {
    const value = `${pick(draw, ["ghp_", "npm_"])}${key(draw, 36)}`;
    return canary("API_KEY", value, ["api_key", "token"], [`Use ${value} for it`]);
  },
  (draw) => {
    const value = `sk-${key(draw, 32)}`;
    return canary("API_KEY", value, ["apiKey", "secret"], [`The key ${value} is ours`]);
  },
  (draw) => {
    const part = (text: string) => Buffer.from(text).toString("base64url");
    const value = `${part('{"alg":"HS256","typ":"JWT"}')}.${part(`{"sub":"${key(draw, 12)}"}`)}.${key(draw, 43)}`;
    return canary("JWT", value, ["jwt", "access_token"], [`Bearer ${value} was sent`]);
  },
  (draw) => {
    const body = [key(draw, 64), key(draw, 64), key(draw, 40)].join("\n");
    const value = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
    return canary("PRIVATE_KEY", value, ["private_key", "key"], [`Here it is:\n${value}\nKeep it`]);
  },
  (draw) => {
    const value = `${name(draw, 2)}${digits(draw, 3)}!${word(draw, 2)}`;
    return canary("PASSWORD", value, ["password", "passwd"], [`password: ${value}`]);
  },
];

function canary(
  kind: PiiClass,
  value: string,
  keys: readonly string[],
  sentences: readonly string[],
): Canary {
  return { class: kind, value, keys, sentences };
}

const SYLLABLES = "zor vek kum lin dra pol tesh bru mav qir nop fel gos jax wul hib ryn sav dum kel".split(
  " ",
);
const KEY_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

function word(draw: Draw, length: number): string {
  return Array.from({ length: length + 1 }, () => pick(draw, SYLLABLES)).join("");
}

function name(draw: Draw, length: number): string {
  return word(draw, length).replace(/^./, (letter) => letter.toUpperCase());
}

function digits(draw: Draw, length: number): string {
  return Array.from({ length }, () => draw(10)).join("");
}

function letters(draw: Draw, length: number): string {
  return Array.from({ length }, () => pick(draw, [..."ABDEFGHJLNPQRSTUWXYZ"])).join("");
}

/** Of every kind of letter, as keys of services are. */
function key(draw: Draw, length: number): string {
  return `aB3${Array.from({ length: length - 3 }, () => pick(draw, [...KEY_LETTERS])).join("")}`;
}

function pick<T>(draw: Draw, list: readonly T[]): T {
  return list[draw(list.length)] as T;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function withLuhn(start: string): string {
  for (let last = 0; last < 10; last++) {
    const number = `${start}${last}`;
    let sum = 0;
    for (let at = 0; at < number.length; at++) {
      const doubled = Number(number[number.length - 1 - at]) * (at % 2 === 1 ? 2 : 1);
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    if (sum % 10 === 0) return number;
  }
  return start;
}

function toCpf(draw: Draw): string {
  const base = digits(draw, 9);
  const check = (text: string) => {
    const sum = [...text].reduce((total, digit, at) => total + Number(digit) * (text.length + 1 - at), 0);
    return ((sum * 10) % 11) % 10;
  };
  const first = check(base);
  const second = check(`${base}${first}`);
  return `${base.slice(0, 3)}.${base.slice(3, 6)}.${base.slice(6)}-${first}${second}`;
}

function toIban(country: string, account: string): string {
  const moved = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join("");
  return `${country}${String(98n - (BigInt(moved) % 97n)).padStart(2, "0")}${account}`;
}
