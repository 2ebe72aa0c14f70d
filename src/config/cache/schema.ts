import { z } from "zod";
import { nameGlob } from "../permissions/schema.ts";
import { bytes } from "../size-schema.ts";

const MAX_RULES = 1_000;
const MAX_TTL_MS = 30 * 24 * 60 * 60 * 1000;

const tools = z.strictObject({
  server: nameGlob.optional().describe("The server's name (default: that of the tool that was called)"),
  tool: nameGlob.optional().describe("The tool's own name or its function name (default: all of the server)"),
});

const cacheRule = z
  .strictObject({
    server: nameGlob.optional().describe('The server\'s name, with "*" for any part of it'),
    tool: nameGlob
      .optional()
      .describe('The tool\'s own name or its function name, with "*" for any part of it'),
    ttlMs: z
      .int()
      .min(0)
      .max(MAX_TTL_MS)
      .optional()
      .describe(
        "How long a result holds, in milliseconds, or as long as the server says if that is less; 0: it is not kept. A tool that may write is meant by its whole name alone",
      ),
    invalidates: z
      .array(tools)
      .max(100)
      .optional()
      .describe("Of which tools results are forgotten when this one is called (default: all of its server)"),
  })
  .superRefine(({ ttlMs, invalidates }, context) => {
    if (ttlMs === undefined && invalidates === undefined)
      context.addIssue({ code: "custom", message: 'must have "ttlMs" or "invalidates"' });
  });

export type CacheRule = z.output<typeof cacheRule>;

export const cacheSchema = z.strictObject({
  enabled: z.boolean().optional().describe("Whether results are kept and used again (default true)"),
  maxSize: bytes
    .optional()
    .describe("What the kept results may take; those not used for longest go first (default 64MB)"),
  rules: z
    .array(cacheRule)
    .max(MAX_RULES)
    .default([])
    .describe(
      "How long results hold, and what makes them invalid: of each, the first rule that fits and speaks of it",
    ),
});
