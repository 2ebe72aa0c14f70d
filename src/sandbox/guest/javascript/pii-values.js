// What a value itself shows, for values that the host told nothing of. src/privacy/facts.ts does the same where the kind of a
// value is known; test/sandbox/pii.test.ts holds the two together.

/** Calling codes of one country each; those that several share tell none. */
const CALLING_CODES =
  "20EG 27ZA 30GR 31NL 32BE 33FR 34ES 36HU 40RO 41CH 43AT 45DK 46SE 48PL 49DE 51PE 52MX 53CU 54AR 55BR 56CL " +
  "57CO 58VE 60MY 62ID 63PH 64NZ 65SG 66TH 81JP 82KR 84VN 86CN 90TR 91IN 92PK 93AF 94LK 95MM 98IR 211SS 213DZ " +
  "216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH 234NG 235TD " +
  "236CF 237CM 238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 247AC 248SC 249SD 250RW 251ET 252SO 253DJ " +
  "254KE 255TZ 256UG 257BI 258MZ 260ZM 261MG 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 291ER 297AW 298FO 299GL " +
  "350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY 359BG 370LT 371LV 372EE 373MD 374AM 375BY 376AD 377MC 378SM " +
  "380UA 381RS 382ME 383XK 385HR 386SI 387BA 389MK 420CZ 421SK 423LI 500FK 501BZ 502GT 503SV 504HN 505NI 506CR " +
  "507PA 508PM 509HT 591BO 592GY 593EC 594GF 595PY 596MQ 597SR 598UY 670TL 672NF 673BN 674NR 675PG 676TO 677SB " +
  "678VU 679FJ 680PW 681WF 682CK 683NU 685WS 686KI 687NC 688TV 689PF 690TK 691FM 692MH 850KP 852HK 853MO 855KH " +
  "856LA 880BD 886TW 960MV 961LB 962JO 963SY 964IQ 965KW 966SA 967YE 968OM 970PS 971AE 972IL 973BH 974QA 975BT " +
  "976MN 977NP 992TJ 993TM 994AZ 995GE 996KG 998UZ";

const LONGEST_DOMAIN = 255;
/** @type {Map<string, string>} */
let countries;

/** @param {string} text */
export function domainOf(text) {
  const address = text.trim();
  const url = /^[a-z][a-z\d+.-]{0,30}:\/\//i.test(address) ? toHost(address) : undefined;
  if (url !== undefined) return url;
  const at = address.lastIndexOf("@");
  if (at < 1) return undefined;
  const host = /^[\p{L}\p{N}\p{M}._-]+/u.exec(address.slice(at + 1, at + 1 + LONGEST_DOMAIN))?.[0];
  if (host === undefined || host.length === LONGEST_DOMAIN) return undefined;
  return host.replace(/\.$/, "").toLowerCase();
}

/** @param {string} url */
function toHost(url) {
  try {
    return new URL(url).hostname || undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} text */
export function last4Of(text) {
  let found = "";
  for (let at = text.length - 1; at >= 0 && found.length < 4; at--) {
    const character = text[at] ?? "";
    if (/[\p{L}\p{N}]/u.test(character)) found = character + found;
  }
  return found.length === 4 ? found : undefined;
}

/** @param {string} text */
export function yearOf(text) {
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)?.[0] ?? /^\s*((?:19|20)\d\d)\d{4}\s*$/.exec(text)?.[1];
  return year === undefined ? undefined : Number(year);
}

/** @param {string} text */
export function countryOf(text) {
  const compact = text.slice(0, 100).replace(/[\s().-]+/g, "");
  if (/^[A-Z]{2}\d\d[A-Z\d]{11,30}$/i.test(compact)) return compact.slice(0, 2).toUpperCase();
  if (!/^\+\d{7,15}$/.test(compact)) return undefined;
  countries ??= new Map(CALLING_CODES.split(" ").map((entry) => [entry.slice(0, -2), entry.slice(-2)]));
  for (let length = 1; length <= 3; length++) {
    const country = countries.get(compact.slice(1, 1 + length));
    if (country !== undefined) return country;
  }
  return undefined;
}

/** @param {string} text */
export function maskOf(text) {
  const value = text.trim();
  const domain = value.includes("@") ? domainOf(value) : undefined;
  if (domain !== undefined) return `${initialOf(value)}•••@${domain}`;
  if (isDate(value)) return maskedDate(value);
  if (isNumber(value)) return `••••${last4Of(value) ?? ""}`;
  return value.slice(0, 200).split(/\s+/).slice(0, 6).map(maskedWord).join(" ");
}

/** @param {string} word */
function maskedWord(word) {
  return `${/^\P{L}*(\p{L})/u.exec(word)?.[1] ?? ""}•••`;
}

/** @param {string} text */
function initialOf(text) {
  return /[\p{L}\p{N}]/u.exec(text.slice(0, 64))?.[0] ?? "";
}

/** @param {string} text */
function isDate(text) {
  return /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[T ].{0,40})?$/.test(text);
}

/** @param {string} text */
function maskedDate(text) {
  const year = yearOf(text);
  return year === undefined ? "•••" : `${year}-••-••`;
}

/**
 * Digits mostly: a card, a phone, an account, an id.
 * @param {string} text
 */
function isNumber(text) {
  const compact = text.slice(0, 100).replace(/[^\p{L}\p{N}]+/gu, "");
  const digits = compact.replace(/\D+/g, "").length;
  return digits >= 5 && digits * 2 >= compact.length;
}

/**
 * By case, spaces and the letters' forms; of what is made of digits, by what stands between them too.
 * @param {string} a
 * @param {string} b
 */
export function isSameValue(a, b) {
  return toNormal(a) === toNormal(b);
}

/** @param {string} text */
function toNormal(text) {
  const plain = text.normalize("NFKC").trim().toLowerCase();
  if (plain.includes("@") || !isNumber(plain)) return plain.replace(/\s+/g, " ");
  return plain.replace(/[^\p{L}\p{N}]+/gu, "").replace(/^00(?=[1-9])/, "");
}
