import { z } from "zod";
import { PatternProblem, parseLinearPattern } from "../../text/linear-pattern.ts";
import { PATH_EXPECTED, parseArgumentPath } from "./argument-path.ts";
import {
  DAYS_EXPECTED,
  HOURS_EXPECTED,
  isTimeZone,
  parseDays,
  parseHours,
  ZONE_EXPECTED,
} from "./time-window.ts";

export const LEVELS = ["read_only", "write_restricted", "execute_full"] as const;
export const SECURITY_LEVELS = ["low", "moderate", "high", "maximum"] as const;
export const DECISIONS = ["allow", "ask", "deny"] as const;

const MAX_RULES = 5_000;
const GLOB_EXPECTED = 'must be a name in which "*" stands for any part of it; there is no other wildcard';

/** What is meant as a wildcard and is none would leave a rule without effect, and nobody would know. */
export const nameGlob = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^?[\]{}|^\\]*$/, GLOB_EXPECTED);

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be a text, a number, true, false or null",
});

const condition = z
  .strictObject({
    equals: scalar.optional().describe("The value itself"),
    matches: z
      .string()
      .optional()
      .describe(
        "A regular expression, found anywhere in the value unless ^ and $ hold it; (?i) ignores case",
      ),
  })
  .superRefine(({ equals, matches }, context) => {
    if ((equals === undefined) === (matches === undefined))
      context.addIssue({ code: "custom", message: 'must have either "equals" or "matches"' });
    const problem = matches === undefined ? undefined : patternProblem(matches);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["matches"], message: problem });
  });

const time = z
  .strictObject({
    days: z
      .union([z.string(), z.array(z.string())], { error: DAYS_EXPECTED })
      .refine((days) => parseDays(days) !== undefined, DAYS_EXPECTED)
      .optional()
      .describe('"mon-fri", or a list; of hours over midnight the day on which they begin'),
    hours: z
      .string()
      .refine((hours) => parseHours(hours) !== undefined, HOURS_EXPECTED)
      .optional()
      .describe('"09:00-17:00", the end not included'),
    zone: z.string().refine(isTimeZone, ZONE_EXPECTED).optional().describe("Default: that of this machine"),
  })
  .refine(({ days, hours }) => days !== undefined || hours !== undefined, 'must have "days" or "hours"');

const when = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
  trusted: z.boolean().optional().describe("Whether the server is one whose annotations you believe"),
});

const rule = z.strictObject({
  server: nameGlob.optional().describe('The server\'s name, with "*" for any part of it'),
  tool: nameGlob
    .optional()
    .describe('The tool\'s own name or its function name, with "*" for any part of it'),
  fingerprint: z
    .string()
    .regex(/^[0-9a-z]{1,64}$/, "must be as Keyhole wrote it")
    .optional()
    .describe("Which server of that name, as the answer always writes it: as one project defines it"),
  when: when.optional().describe("What the tool is declared to be"),
  args: z
    .record(z.string(), condition)
    .superRefine((conditions, context) => {
      for (const path of Object.keys(conditions))
        if (parseArgumentPath(path) === undefined)
          context.addIssue({ code: "custom", path: [path], message: PATH_EXPECTED });
    })
    .optional()
    .describe('What the call\'s arguments are, by path: "$.to"'),
  onlyArgs: z
    .literal(true)
    .optional()
    .describe("Whether the call may have no other arguments than those that args speaks of"),
  principal: nameGlob.optional().describe("For whom it is done"),
  session: nameGlob.optional().describe("The id of a session"),
  client: nameGlob.optional().describe("What the client calls itself; no proof of anything"),
  time: time.optional(),
  decision: z.enum(DECISIONS),
  reason: z.string().min(1).max(500).optional().describe("Told to whoever made the call"),
});

export const permissionsSchema = z.strictObject({
  level: z
    .enum(LEVELS)
    .optional()
    .describe("What may be done at all, where no rule decides (default execute_full)"),
  rules: z
    .array(rule)
    .max(MAX_RULES)
    .nullish()
    .transform((rules) => rules ?? [])
    .describe("The first that matches decides, before level and securityLevel"),
  onChange: z
    .enum(DECISIONS)
    .optional()
    .describe("For a tool whose definition changed since a rule first allowed it (default ask)"),
});

export type Permissions = z.output<typeof permissionsSchema>;
export type PermissionRule = z.output<typeof rule>;
export type ArgumentCondition = z.output<typeof condition>;
export type TimeCondition = z.output<typeof time>;
export type WhenCondition = z.output<typeof when>;
export type Decision = (typeof DECISIONS)[number];
export type PermissionLevel = (typeof LEVELS)[number];
export type SecurityLevel = (typeof SECURITY_LEVELS)[number];

function patternProblem(source: string): string | undefined {
  try {
    parseLinearPattern(source);
    return undefined;
  } catch (error) {
    if (error instanceof PatternProblem) return error.message;
    throw error;
  }
}
