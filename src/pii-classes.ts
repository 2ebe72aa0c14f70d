/** What a personal value is. The names are those that users write in `privacy.classes`, and that stand in tokens. */
export const PII_CLASSES = [
  "EMAIL",
  "PHONE",
  "NAME",
  "COMPANY",
  "CREDIT_CARD",
  "SSN",
  "NATIONAL_ID",
  "IBAN",
  "BANK_ACCOUNT",
  "PASSPORT",
  "DRIVING_LICENCE",
  "IP",
  "MAC",
  "ADDRESS",
  "POSTAL_CODE",
  "DATE_OF_BIRTH",
  "USER_ID",
  "URL",
] as const;

/** Concealed also where personal data is not. */
export const SECRET_CLASSES = ["API_KEY", "JWT", "PRIVATE_KEY", "PASSWORD"] as const;

/** Found, and of use to whoever looks for more; alone they tell of nobody, and are kept unless the config says otherwise. */
export const KEPT_CLASSES = ["LOCATION", "DATE", "DOMAIN", "AGE", "NATIONALITY", "TITLE"] as const;

export type PiiClass =
  | (typeof PII_CLASSES)[number]
  | (typeof SECRET_CLASSES)[number]
  | (typeof KEPT_CLASSES)[number];

export const ALL_CLASSES: readonly PiiClass[] = [...PII_CLASSES, ...SECRET_CLASSES, ...KEPT_CLASSES];

/** What was written down once, or stands in a token. */
export function toPiiClass(text: string): PiiClass | undefined {
  return ALL_CLASSES.find((kind) => kind === text);
}
