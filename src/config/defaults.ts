import type { KeyholeConfig } from "./schema.ts";
import { parseBytes, parseCores } from "./size.ts";

/** The schema takes its defaults from here. */
export const DEFAULTS = {
  enabled: true,
  sandboxMode: "auto",
  securityLevel: "moderate",
  maxExecutionTime: 30_000,
  maxSleepTime: 600_000,
  piiTokenization: true,
  auditLogging: true,
  typeCheck: true,
  learnTypes: true,
  poolSize: 2,
} as const;

export const DEFAULT_EMBEDDINGS_TIMEOUT_MS = 1_500;

export const DEFAULT_APPROVAL = {
  holdMs: 120_000,
  expiresMs: 86_400_000,
  onExpiry: "deny",
  channels: ["elicitation", "terminal", "cli", "http", "webhook", "library"],
} as const;

export const DEFAULT_SKILLS = { approval: "others", maxVersions: 20 } as const;

/** As written in a config file. */
export const DEFAULT_LIMIT_TEXTS = { memory: "512MB", cpu: "1 core", disk: "1GB" } as const;

/** What holds without any config file: known without importing Zod, which takes 50 ms. */
export const DEFAULT_CONFIG: KeyholeConfig = {
  ...DEFAULTS,
  resourceLimits: {
    memoryBytes: parseBytes(DEFAULT_LIMIT_TEXTS.memory) ?? 0,
    cpuCores: parseCores(DEFAULT_LIMIT_TEXTS.cpu) ?? 0,
    diskBytes: parseBytes(DEFAULT_LIMIT_TEXTS.disk) ?? 0,
  },
  approval: { ...DEFAULT_APPROVAL, channels: [...DEFAULT_APPROVAL.channels] },
  skills: DEFAULT_SKILLS,
  servers: {},
};
