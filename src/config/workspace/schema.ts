import { z } from "zod";
import { bytes } from "../size-schema.ts";
import { NAME_EXPECTED, SHARED_NAME } from "./schema-words.ts";

/** A virtual machine has no room for many more. */
const MAX_SHARED = 32;
const MAX_FILES = 200_000;

const days = z.int().min(1).max(3650);

const quota = z.strictObject({
  bytes: bytes
    .optional()
    .describe("What its files may take together (default: as much as resourceLimits.disk)"),
  files: z
    .int()
    .min(1)
    .max(MAX_FILES)
    .optional()
    .describe(`How many files and folders there may be (default and at most ${MAX_FILES})`),
});

const principals = z.array(z.string().min(1).max(64));

const shared = z.strictObject({
  read: principals.optional().describe('Who may read it: names of principals, "*" for all'),
  write: principals.optional().describe("Who may write and read it"),
  quota: quota.optional().describe("In place of the quota of all"),
  expireDays: days.optional().describe("Removed when nobody has used it for so many days (default: never)"),
});

export const workspaceSchema = z.strictObject({
  quota: quota.optional().describe("Of each workspace"),
  expireDays: days
    .optional()
    .describe(
      "Workspaces of principals are removed when nobody has used them for so many days (default: never); ./workspace of the local user stays",
    ),
  snapshots: z
    .strictObject({
      keep: z.int().min(1).max(1000).optional().describe("How many of each workspace are kept (default 10)"),
      bytes: bytes.optional().describe("What all of them may take together (default 2GB)"),
    })
    .optional()
    .describe("Copies of a workspace that were made by `keyhole workspace snapshot`"),
  shared: z
    .record(z.string(), shared)
    .superRefine((all, context) => {
      for (const name of Object.keys(all).filter((key) => !SHARED_NAME.test(key)))
        context.addIssue({ code: "custom", path: [name], message: NAME_EXPECTED });
      if (Object.keys(all).length > MAX_SHARED)
        context.addIssue({ code: "custom", message: `must have at most ${MAX_SHARED} workspaces` });
    })
    .optional()
    .describe("Workspaces by name, ./shared/NAME to programs of those who may use them"),
});
