import { z } from "zod";
import { bytes } from "../size-schema.ts";

export const cleanSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe("Whether a gateway cleans up by itself, after its start and once an hour (default true)"),
  maxSize: bytes
    .optional()
    .describe(
      "What all of .keyhole may take; above it what can be made again goes first. The audit log, the vault, skills and files of workspaces never go for it (default 5GB)",
    ),
  vaultDays: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .describe("Values in the vault that nobody has met for so many days are forgotten (default: never)"),
});
