import { createRequire } from "node:module";

type Library = typeof import("libphonenumber-js/core");
type Metadata = typeof import("libphonenumber-js/max/metadata")["default"];

const require = createRequire(import.meta.url);
let loaded: { readonly library: Library; readonly metadata: Metadata } | undefined;

/** Loaded when a first number may be a phone's: it takes longer than all of the rest. */
function loadPlans() {
  loaded ??= {
    library: require("libphonenumber-js/core") as Library,
    metadata: require("libphonenumber-js/max/metadata") as Metadata,
  };
  return loaded;
}

let lengths: Map<string, Set<number>> | undefined;

/** Whether a number with this country code can have so many digits: a look into a table. */
export function isPossibleInternational(digits: string): boolean {
  lengths ??= readLengths();
  for (let length = 1; length <= 3; length++) {
    const possible = lengths.get(digits.slice(0, length));
    if (possible !== undefined) return possible.has(digits.length - length);
  }
  return false;
}

function readLengths(): Map<string, Set<number>> {
  const { library, metadata } = loadPlans();
  const all = new Map(
    [800, 808, 870, 878, 881, 882, 883, 888, 979].map((code) => [`${code}`, lengthsTo(12)]),
  );
  for (const country of library.getCountries(metadata)) {
    const plan = new library.Metadata(metadata);
    plan.selectNumberingPlan(country);
    const code = library.getCountryCallingCode(country, metadata);
    const known = all.get(code) ?? new Set<number>();
    for (const length of plan.numberingPlan?.possibleLengths() ?? []) known.add(length);
    all.set(code, known);
  }
  return all;
}

function lengthsTo(most: number): Set<number> {
  return new Set(Array.from({ length: most - 6 }, (_, index) => index + 7));
}

const MOST_KEPT = 4_096;
const kept = new Map<string, string | undefined>();

/** The number as E.164 has it, if its plan has such numbers. */
export function toValidPhone(number: string, region?: string): string | undefined {
  const key = `${region ?? ""}${number}`;
  if (kept.has(key)) return kept.get(key);
  const parsed = parsePhone(number, region);
  const valid = parsed?.isValid() ? parsed.number : undefined;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, valid);
  return valid;
}

/** The country (ISO 3166) in whose plan a number is, as far as its length allows it to be in any. */
export function toPhoneCountry(number: string, region?: string): string | undefined {
  const parsed = parsePhone(number.trim().replace(/^00(?=[1-9])/, "+"), region);
  return parsed?.isPossible() ? parsed.country : undefined;
}

function parsePhone(number: string, region: string | undefined) {
  const { library, metadata } = loadPlans();
  const country = library.getCountries(metadata).find((known) => known === region?.toUpperCase());
  return country === undefined
    ? library.parsePhoneNumberFromString(number, metadata)
    : library.parsePhoneNumberFromString(number, country, metadata);
}
