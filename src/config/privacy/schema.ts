import { z } from "zod";
import { nameGlob } from "../permissions/schema.ts";
import { CLASS_NAMES, PII_ACTIONS } from "./actions.ts";
import { DEFAULT_PRESIDIO_TIMEOUT_MS, PRIVACY_MODES } from "./privacy-defaults.ts";

const MAX_NAMES = 1_000;
const MAX_TIMEOUT_MS = 60_000;
const REGION_EXPECTED = 'must be a country of two letters such as "US" or "GB" (ISO 3166)';
const URL_EXPECTED = "must be an https address without a password, or http on this machine";

const className = z.enum(CLASS_NAMES);
const classNames = z.array(className).max(CLASS_NAMES.length);
const actions = z.partialRecord(className, z.enum(PII_ACTIONS));

const named = <Value extends z.ZodType>(value: Value) =>
  z.record(nameGlob, value).refine((record) => Object.keys(record).length <= MAX_NAMES, {
    message: `must have at most ${MAX_NAMES} names`,
  });

const tool = z.strictObject({
  reveal: classNames.optional().describe("What this tool may be told"),
  parameters: named(classNames).optional().describe("What each of its parameters may be told"),
});

const server = z.strictObject({
  reveal: classNames.optional().describe("What its tools may be told: these classes and no others"),
  classes: actions.optional().describe("What becomes of values that come from it, before `privacy.classes`"),
  tools: named(tool)
    .optional()
    .describe('The same for some of its tools, by their own or their function names, with "*" for any part'),
});

export const privacySchema = z.strictObject({
  mode: z
    .enum(PRIVACY_MODES)
    .optional()
    .describe(
      "Where values become tokens: on their way to the model, or already before programs see them (default: egress, at securityLevel high and maximum boundary)",
    ),
  classes: actions
    .nullish()
    .describe(
      "What becomes of values, by class: tokenise, mask, keep or block; keep for secrets counts in the user's own config alone",
    ),
  servers: named(server).nullish().describe("The same by server, and what each server may be told"),
  region: z
    .string()
    .refine(isRegion, REGION_EXPECTED)
    .optional()
    .describe("Where phone numbers and the like without a country are taken to be from (ISO 3166)"),
  helpers: z
    .boolean()
    .optional()
    .describe("Whether programs may ask for parts of values by pii.domain and others (default true)"),
  presidio: z
    .strictObject({
      url: z.string().refine(isSafeUrl, URL_EXPECTED).describe("https, or http on this machine"),
      timeoutMs: z
        .int()
        .min(1)
        .max(MAX_TIMEOUT_MS)
        .optional()
        .describe(`What each text may wait for it, in milliseconds (default ${DEFAULT_PRESIDIO_TIMEOUT_MS})`),
    })
    .nullish()
    .describe(
      "A service with the API of Presidio's analyzer that looks for names too; it is sent all texts; counts in the user's own config alone",
    ),
  names: z
    .enum(["lists", "compromise"])
    .optional()
    .describe(
      'How names are found in sentences: by lists and context, or also by "compromise", which you install (default lists)',
    ),
});

export type PrivacySection = z.output<typeof privacySchema>;

/** `UK` and other names of a country that are not its own are refused: who looks them up would find nothing. */
function isRegion(text: string): boolean {
  if (!/^[A-Z]{2}$/.test(text)) return false;
  const known = new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of(text);
  return known !== undefined && new Intl.Locale(`und-${text}`).region === text;
}

function isSafeUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
