import { z } from "zod";
import { parseDenyRule, parseHostRule } from "../network/rules.ts";
import { DEFAULT_NETWORK } from "../network/settings.ts";
import { auditSchema } from "./audit/schema.ts";
import { cacheSchema } from "./cache/schema.ts";
import { cleanSchema } from "./clean/schema.ts";
import { commandsSchema } from "./commands/schema.ts";
import {
  DEFAULT_APPROVAL,
  DEFAULT_EMBEDDINGS_TIMEOUT_MS,
  DEFAULT_LIMIT_TEXTS,
  DEFAULTS,
} from "./defaults.ts";
import { permissionsSchema, SECURITY_LEVELS } from "./permissions/schema.ts";
import { privacySchema } from "./privacy/schema.ts";
import { CLIENT_IDS, DEFAULT_SETTINGS, MAX_DELAY_MS, PARSE_TEXT } from "./server-definition.ts";
import { CORES_PATTERN, parseCores } from "./size.ts";
import { bytes, SIZE_EXPECTED } from "./size-schema.ts";
import { skillsSchema } from "./skills-schema.ts";
import { workspaceSchema } from "./workspace/schema.ts";

const CORES_EXPECTED = 'must be a number of cores such as "1 core", "2 cores" or 0.5';

/** Names of folders are made of it. */
const PRINCIPAL_PATTERN = /^[a-z0-9][a-z0-9._@-]{0,63}$/;
const PRINCIPAL_EXPECTED = "must have a name of at most 64 lower-case letters, digits and . _ @ -";

const cores = z
  .union([z.string().regex(CORES_PATTERN, CORES_EXPECTED), z.number().positive(CORES_EXPECTED)], {
    error: CORES_EXPECTED,
  })
  .transform((value, context) => parseCores(value) ?? refuse(context, CORES_EXPECTED));

const DOCKER_RUNTIMES = ["runc", "runsc"] as const;
const DOCKER_IMAGE = /^([a-z0-9][a-z0-9._:/-]{0,200}@)?sha256:[0-9a-f]{64}$/;

const MAX_RULES = 1_000;

const milliseconds = z.int().min(1).max(MAX_DELAY_MS);

const strings = z.array(z.string());

const TOKEN_EXPECTED = "must be a token, or a list of tokens";
const token = z.string().min(1);
const tokensByName = z
  .record(z.string(), z.union([token, z.array(token)], { error: TOKEN_EXPECTED }))
  .superRefine((tokens, context) => {
    for (const name of Object.keys(tokens).filter((key) => !PRINCIPAL_PATTERN.test(key)))
      context.addIssue({ code: "custom", path: [name], message: PRINCIPAL_EXPECTED });
    for (const [name, given] of Object.entries(tokens))
      if (given.length === 0) context.addIssue({ code: "custom", path: [name], message: TOKEN_EXPECTED });
  });

const ALLOW_EXPECTED =
  'must be a host such as "api.example.com", "*.example.org:443", "https://api.example.com:8443" or "127.0.0.1:3000"';
const DENY_EXPECTED = 'must be addresses such as "10.0.0.0/8", or a host such as "api.example.com"';

const TEXT_EXPECTED = "must be a string (or a number, true or false)";
export const DIGITS_EXPECTED = "must be in quotes: the number has more digits than would be kept";
const HTTP_TYPE_EXPECTED = 'must be "http" or "sse" for a "url"';
const STDIO_TYPE_EXPECTED = 'must be "stdio" for a "command"';

/** The schema's own words for what a value must be. All its other messages say what is wrong with the key. */
export const EXPECTATIONS: ReadonlySet<string> = new Set([
  SIZE_EXPECTED,
  CORES_EXPECTED,
  ALLOW_EXPECTED,
  DENY_EXPECTED,
  TEXT_EXPECTED,
  DIGITS_EXPECTED,
  HTTP_TYPE_EXPECTED,
  STDIO_TYPE_EXPECTED,
]);

/** Files of other clients have numbers and booleans here, and so has YAML without quotes. */
const text = z
  .union([z.string(), z.number(), z.boolean()], { error: TEXT_EXPECTED })
  .transform((value, context) => {
    const isKept = typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value);
    return isKept ? String(value) : refuse(context, DIGITS_EXPECTED);
  });

/** `null` stands for nothing, as it does in the files of other clients. */
const args = z
  .array(text)
  .nullish()
  .transform((value) => value ?? undefined);
const textMap = z
  .record(z.string(), text)
  .nullish()
  .transform((value) => value ?? undefined);

const type = z
  .enum(["stdio", "http", "sse", "streamable-http", "streamableHttp", "streamable_http"])
  .transform((written) => (written === "stdio" || written === "sse" ? written : "http"));

const settings = {
  enabled: z.boolean().optional().describe("Whether the server is used (default true)"),
  trusted: z.boolean().optional().describe("Whether the server's annotations are believed (default false)"),
  connectTimeoutMs: milliseconds
    .optional()
    .describe(`Time to connect, in milliseconds (default ${DEFAULT_SETTINGS.connectTimeoutMs})`),
  timeoutMs: milliseconds
    .optional()
    .describe(
      `Time for each call, in milliseconds; progress restarts it (default ${DEFAULT_SETTINGS.timeoutMs})`,
    ),
  maxConcurrency: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(`Calls in flight at the same time (default ${DEFAULT_SETTINGS.maxConcurrency})`),
  maxMessageBytes: bytes.optional().describe("Largest message taken from the server (default 16MB)"),
  maxMessageValues: z
    .int()
    .min(1)
    .optional()
    .describe(
      `Most values in one message of the server, each number, text, list and object counted (default ${DEFAULT_SETTINGS.maxMessageValues})`,
    ),
  protocol: z
    .enum(["auto", "legacy", "modern"])
    .optional()
    .describe("Protocol era: 2025-11-25 and before, 2026-07-28, or found out (default auto)"),
  parseText: z
    .enum(PARSE_TEXT)
    .optional()
    .describe(
      "What text in results is read as: JSON and what Python prints, JSON alone, or text (default python)",
    ),
  includeTools: strings.optional().describe("Only these tools, by the server's own names"),
  excludeTools: strings.optional().describe("Not these tools, by the server's own names"),
};

const connection = {
  type: type.optional().describe("Found out from command or url when absent"),
  command: z.string().min(1).optional(),
  args,
  env: textMap,
  envFile: z.string().min(1).optional().describe("A file of NAME=value lines; env wins over it"),
  inheritEnv: strings.optional().describe("Names of variables handed on from Keyhole's own environment"),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  headers: textMap,
  bearerToken: z.string().min(1).optional().describe('Sent as "Authorization: Bearer …"; write "${VAR}"'),
};

const server = z
  .strictObject({
    from: z.enum(CLIENT_IDS).optional().describe("Take the definition from this client's own file"),
    name: z.string().min(1).optional().describe('What the server is called there; only together with "from"'),
    ...connection,
    ...settings,
  })
  .superRefine((entry, context) => {
    for (const { key, message } of contradictions(entry))
      context.addIssue({ code: "custom", path: [key], message });
  })
  .describe("A server, settings for one of .mcp.json, or a link to another client's definition");

export const APPROVAL_CHANNELS = ["elicitation", "terminal", "cli", "http", "webhook", "library"] as const;

const approvalSchema = z
  .strictObject({
    holdMs: milliseconds
      .default(DEFAULT_APPROVAL.holdMs)
      .describe("How long a program waits for an answer before its run ends as waiting, in milliseconds"),
    expiresMs: milliseconds
      .default(DEFAULT_APPROVAL.expiresMs)
      .describe("How long a question can be answered, in milliseconds"),
    onExpiry: z
      .enum(["deny", "approve"])
      .default(DEFAULT_APPROVAL.onExpiry)
      .describe(
        "What becomes of a question that nobody answered in time; approve counts in the user's own config alone",
      ),
    channels: z
      .array(z.enum(APPROVAL_CHANNELS))
      .default([...DEFAULT_APPROVAL.channels])
      .describe("By which ways a person can answer"),
    mode: z
      .enum(["call", "plan"])
      .optional()
      .describe(
        "Whether people are asked call by call, or for all writes of a program at once, planned without making them (default: plan for programs of high risk)",
      ),
    scriptToken: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and the 64 hexadecimal digits of a token\'s hash')
      .optional()
      .describe(
        "The hash of a token with which a script may approve (KEYHOLE_APPROVAL_TOKEN); counts in the user's own config alone",
      ),
    webhook: z
      .strictObject({
        url: z
          .string()
          .regex(/^(?:https?:\/\/|\$\{)/, 'must be an address such as "https://example.com/approvals"')
          .describe("Where each question is posted: https, or http on this machine"),
        secret: z
          .string()
          .min(1)
          .describe('By which questions and answers are signed, at least 16 characters; write "${VAR}"'),
      })
      .nullish()
      .describe(
        "Tells an address of yours of each question, and takes signed answers; counts in the user's own config alone",
      ),
  })
  .prefault({})
  .describe("How people are asked for what needs their word");

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  enabled: z.boolean().default(DEFAULTS.enabled).describe("Whether Keyhole does anything"),
  sandboxMode: z
    .enum(["process", "docker", "vm", "auto"])
    .default(DEFAULTS.sandboxMode)
    .describe('Where programs run; "auto": as securityLevel demands and as their risk suggests'),
  docker: z
    .strictObject({
      runtime: z
        .enum(DOCKER_RUNTIMES)
        .optional()
        .describe("What runs containers: runc, or runsc, which is gVisor (default: the daemon's own choice)"),
      socket: z
        .string()
        .min(1)
        .optional()
        .describe("The daemon's socket, or an address as in DOCKER_HOST; counts in your own config alone"),
      image: z
        .string()
        .regex(
          DOCKER_IMAGE,
          "must name an image by its content: name@sha256:…, or sha256:… of one that was made here",
        )
        .optional()
        .describe(
          "An image made from what `keyhole sandbox build docker --out DIR` writes, by its digest or id; counts in your own config alone",
        ),
    })
    .nullish()
    .describe("How the docker tier is reached and run"),
  securityLevel: z
    .enum(SECURITY_LEVELS)
    .default(DEFAULTS.securityLevel)
    .describe('What is asked for where no rule decides; "high" demands the tier docker, "maximum" a VM'),
  maxExecutionTime: milliseconds
    .default(DEFAULTS.maxExecutionTime)
    .describe("A program's own time, in milliseconds; waiting for calls and sleeping are not counted"),
  maxSleepTime: milliseconds
    .default(DEFAULTS.maxSleepTime)
    .describe("Time that a program may sleep, nothing but timers left, in milliseconds"),
  piiTokenization: z
    .boolean()
    .default(DEFAULTS.piiTokenization)
    .describe(
      "Whether personal data is replaced by tokens before the model sees it; secrets are in any case",
    ),
  auditLogging: z.boolean().default(DEFAULTS.auditLogging),
  typeCheck: z
    .boolean()
    .default(DEFAULTS.typeCheck)
    .describe("Whether programs are checked against the tools' types before they run"),
  learnTypes: z
    .boolean()
    .default(DEFAULTS.learnTypes)
    .describe("Whether the types of results are learned where a tool declares none; no values are kept"),
  poolSize: z.int().min(0).max(16).default(DEFAULTS.poolSize).describe("Sandbox processes kept warm"),
  maxConcurrentTasks: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("Programs that run at the same time (default: twice the cores)"),
  resourceLimits: z
    .strictObject({
      memory: bytes.prefault(DEFAULT_LIMIT_TEXTS.memory),
      cpu: cores.prefault(DEFAULT_LIMIT_TEXTS.cpu),
      disk: bytes.prefault(DEFAULT_LIMIT_TEXTS.disk),
    })
    .prefault({})
    .transform(({ memory, cpu, disk }) => ({ memoryBytes: memory, cpuCores: cpu, diskBytes: disk })),
  // In YAML, `servers:` with nothing below it is null.
  servers: z
    .record(z.string(), server)
    .nullish()
    .transform((servers) => servers ?? {})
    .describe("MCP servers by name"),
  permissions: permissionsSchema.nullish().describe("Which calls programs may make: allow, ask or deny"),
  network: z
    .strictObject({
      allow: z
        .array(
          z.string().transform((text, context) => parseHostRule(text) ?? refuse(context, ALLOW_EXPECTED)),
        )
        .max(MAX_RULES)
        .default([])
        .describe(
          "Hosts that programs may reach with fetch; loopback and private addresses only when named exactly (default none)",
        ),
      deny: z
        .array(z.string().transform((text, context) => parseDenyRule(text) ?? refuse(context, DENY_EXPECTED)))
        .max(MAX_RULES)
        .default([])
        .describe("Addresses and hosts that they may not reach, whatever allow says"),
      maxBytes: bytes
        .prefault(DEFAULT_NETWORK.maxBytes)
        .describe("What one run may send, and as much that it may receive"),
      perMinute: z
        .int()
        .min(1)
        .max(6_000)
        .default(DEFAULT_NETWORK.perMinute)
        .describe("Requests a minute to what one entry of allow names"),
    })
    .nullish()
    .describe("Where programs may send bytes: nowhere, unless allow says so"),
  approval: approvalSchema,
  commands: commandsSchema.nullish().describe("Which commands programs may run, walled in (runCommand)"),
  privacy: privacySchema.nullish().describe("What personal data becomes before a model sees it"),
  output: z
    .strictObject({
      tokens: z
        .int()
        .min(100)
        .max(100_000)
        .optional()
        .describe("Tokens that one answer may take (default 2000)"),
      answerAfterMs: milliseconds
        .optional()
        .describe(
          "When an MCP client is answered though its program still runs, with what it printed so far, in milliseconds; it goes on (default 50000). The CLI and the library wait for the end",
        ),
    })
    .nullish()
    .describe("What a model sees of a run"),
  http: z
    .strictObject({
      open: z
        .boolean()
        .optional()
        .describe(
          "Whether every program and user of this machine may use the gateway without a token (default false)",
        ),
      tokens: tokensByName
        .optional()
        .describe(
          'Who else may use it: a name, and the token or tokens sent as "Authorization: Bearer …"; write "${VAR}"',
        ),
      approvers: tokensByName
        .optional()
        .describe(
          'Who may answer approvals over HTTP: a name, and the token or tokens; none of those that clients use; counts in the user\'s own config alone; write "${VAR}"',
        ),
    })
    .nullish()
    .describe("The gateway over HTTP (keyhole serve --http)"),
  search: z
    .strictObject({
      embeddings: z
        .strictObject({
          url: z
            .string()
            .regex(/^(?:https?:\/\/|\$\{)/, 'must be an address such as "http://127.0.0.1:11434/v1"')
            .describe("An OpenAI-compatible endpoint, up to and without /embeddings"),
          model: z.string().min(1).describe("As the endpoint calls it"),
          apiKey: z.string().min(1).optional().describe('Sent as "Authorization: Bearer …"; write "${VAR}"'),
          timeoutMs: milliseconds
            .default(DEFAULT_EMBEDDINGS_TIMEOUT_MS)
            .describe("What a search may wait for it, in milliseconds; then it goes by words alone"),
        })
        .nullish()
        .describe("Orders what search finds by meaning too; tool descriptions and queries are sent there"),
    })
    .nullish()
    .describe("How tools are found"),
  journal: z
    .strictObject({
      enabled: z.boolean().optional().describe("Whether runs and calls are written down (default true)"),
      keepDays: z.int().min(1).max(3650).optional().describe("Days for which a run is kept (default 30)"),
      maxSize: bytes
        .optional()
        .describe("Above it the oldest runs go, but none of the last hour (default 256MB)"),
      maxKeptSize: bytes
        .optional()
        .describe(
          "What is kept for runs that wait or were interrupted, copies of the workspace included (default 2GB)",
        ),
      onFailure: z
        .enum(["continue", "stop"])
        .optional()
        .describe(
          "When nothing can be written down: go on with a notice, or run nothing and give no answer (default continue)",
        ),
    })
    .nullish()
    .describe("What is kept of runs in .keyhole/keyhole.db"),
  cache: cacheSchema
    .nullish()
    .describe("Results that are kept, so that the same call need not be sent again"),
  clean: cleanSchema.nullish().describe("How what is kept in .keyhole goes again"),
  workspace: workspaceSchema
    .nullish()
    .describe("What programs keep: how much, how long, and what of it is shared"),
  skills: skillsSchema,
  audit: auditSchema.nullish().describe("The audit log: what agents did, provably"),
});

export type KeyholeConfig = z.output<typeof configSchema>;

export type ApprovalChannel = KeyholeConfig["approval"]["channels"][number];

export type ServerEntry = z.output<typeof server>;

/** The schema of what a user writes, as editors read it. */
export function toConfigJsonSchema() {
  return z.toJSONSchema(configSchema, { io: "input", target: "draft-7" });
}

function refuse(context: z.RefinementCtx, expected: string): never {
  context.addIssue({ code: "custom", message: expected });
  return z.NEVER;
}

type Connection = { [Key in keyof typeof connection]?: unknown } & { from?: unknown; name?: unknown };

function contradictions(entry: Connection): { key: string; message: string }[] {
  const found: { key: string; message: string }[] = [];
  const refuseKey = (key: string, message: string) => found.push({ key, message });
  const own = entry.command !== undefined || entry.url !== undefined;
  if (entry.from === undefined && entry.name !== undefined)
    refuseKey("name", 'stands only together with "from"');
  if (entry.from !== undefined && own) refuseKey("from", 'cannot stand together with "command" or "url"');
  if (entry.command !== undefined && entry.url !== undefined)
    refuseKey("url", 'cannot stand together with "command"');
  if (entry.type === "stdio" && entry.url !== undefined) refuseKey("type", HTTP_TYPE_EXPECTED);
  if (entry.type !== undefined && entry.type !== "stdio" && entry.command !== undefined)
    refuseKey("type", STDIO_TYPE_EXPECTED);
  if (entry.type !== undefined && !own) refuseKey("type", 'needs a "command" or a "url" beside it');
  const wrong = entry.url !== undefined ? STDIO_KEYS : entry.command !== undefined ? HTTP_KEYS : [];
  for (const key of wrong) {
    if (entry[key] === undefined) continue;
    refuseKey(key, `has no meaning for a server with a "${entry.url === undefined ? "command" : "url"}"`);
  }
  return found;
}

const STDIO_KEYS = ["args", "env", "envFile", "inheritEnv", "cwd"] as const;
const HTTP_KEYS = ["headers", "bearerToken"] as const;
