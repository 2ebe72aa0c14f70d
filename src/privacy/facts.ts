import { type PiiClass, SECRET_CLASSES } from "../pii-classes.ts";
import type { PiiFacts } from "../text/with-facts.ts";
import { toPhoneCountry } from "./detect/values/phone-plan.ts";
import { countryAtEnd } from "./facts/country-names.ts";
import { countryOfId } from "./facts/id-country.ts";
import { domainOf, isNumbered, last4Of, maskOf, yearOf } from "./facts/masks.ts";

const LONGEST_PHONE = 60;
const LONGEST_DOMAIN = 255;

/**
 * What a program may be told of a personal value in place of the value. Of secrets nothing.
 * @param region where numbers without a country are taken to be from
 */
export function factsOf(kind: PiiClass, value: string, region?: string): PiiFacts {
  if (SECRET_CLASSES.some((secret) => secret === kind)) return {};
  const domain = toDomain(kind, value);
  const last4 = isNumbered(kind) ? last4Of(kind, value) : undefined;
  const country = toCountry(kind, value, region);
  const year = kind === "DATE_OF_BIRTH" || kind === "DATE" ? yearOf(value) : undefined;
  return {
    ...(domain === undefined ? {} : { domain }),
    ...(last4 === undefined ? {} : { last4 }),
    ...(country === undefined ? {} : { country }),
    mask: maskOf(kind, value),
    ...(year === undefined ? {} : { year }),
  };
}

function toDomain(kind: PiiClass, value: string): string | undefined {
  if (kind === "EMAIL" || kind === "URL") return domainOf(value);
  if (kind !== "DOMAIN" || value.length > LONGEST_DOMAIN) return undefined;
  return value.trim().toLowerCase();
}

function toCountry(kind: PiiClass, value: string, region: string | undefined): string | undefined {
  switch (kind) {
    case "PHONE":
      return value.length > LONGEST_PHONE ? undefined : toPhoneCountry(value, region);
    case "IBAN":
      return /^\s*([A-Z]{2})\s?\d/i.exec(value.slice(0, LONGEST_PHONE))?.[1]?.toUpperCase();
    case "SSN":
      return "US";
    case "NATIONAL_ID":
      return countryOfId(value, region);
    case "ADDRESS":
      return countryAtEnd(value);
    default:
      return undefined;
  }
}
