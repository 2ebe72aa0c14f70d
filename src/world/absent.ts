/**
 * What programs ask for and don't get, each with its own sentence: what to use instead. It names nothing that is not
 * there, and is shown after "Cannot import …" or "Cannot find name …".
 */
const CALL_A_TOOL =
  "There is no network in the sandbox but fetch, where the config grants it: call a tool of a server, or fetch";
const NO_PROCESSES = "Programs start no processes and no threads: call a tool, or do the work in the program";
const RUN_COMMAND =
  "Programs start no processes: use runCommand(command, args) where the user allows it, or call a tool";
const NO_LOADING = "A program is one file: write the code into it";
const NO_DATABASE =
  "There is no database here: call a tool of a server that has one, or keep JSON in ./workspace";
const NO_TERMINAL = "There is no terminal: write plain text with console.log";
const NO_TESTS = "There is no test runner: use node:assert, or throw an error";

/** Modules of Node's, by their names without `node:` and what follows a slash. */
const MODULES: ReadonlyMap<string, string> = new Map([
  ["http", CALL_A_TOOL],
  ["https", CALL_A_TOOL],
  ["http2", CALL_A_TOOL],
  ["net", CALL_A_TOOL],
  ["tls", CALL_A_TOOL],
  ["dgram", CALL_A_TOOL],
  ["dns", CALL_A_TOOL],
  ["child_process", RUN_COMMAND],
  ["worker_threads", NO_PROCESSES],
  ["cluster", NO_PROCESSES],
  ["vm", "Code that is not in the program can't be run: write it into the program"],
  ["module", "require is there already: leave createRequire out"],
  ["console", "console is a global: leave the import out"],
  ["inspector", "There is nothing to debug with: log with console.log"],
  ["repl", NO_TERMINAL],
  ["tty", NO_TERMINAL],
  ["v8", "The engine's settings are fixed: structuredClone copies values, process.memoryUsage() measures"],
  ["async_hooks", "Hand the value on as an argument instead of keeping it in AsyncLocalStorage"],
  ["diagnostics_channel", "Use an EventEmitter of node:events"],
  ["domain", "Catch errors with try and catch"],
  ["punycode", "Use new URL(…).hostname, which is in punycode already"],
  ["sqlite", NO_DATABASE],
  ["test", NO_TESTS],
  ["sys", "Use node:util"],
  ["constants", "Use the constants of node:fs or node:crypto"],
  ["trace_events", "Measure with performance.now()"],
  ["wasi", "Use WebAssembly.instantiate"],
  ["sea", NO_LOADING],
]);

/** Packages that programs ask for the most. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ...group(
    [
      "axios",
      "node-fetch",
      "undici",
      "got",
      "superagent",
      "request",
      "ky",
      "cross-fetch",
      "ws",
      "socket.io-client",
    ],
    CALL_A_TOOL,
  ),
  ...group(["express", "fastify", "koa", "hapi"], "A program serves nobody: return its result"),
  ...group(
    ["lodash", "lodash-es", "underscore", "ramda", "remeda"],
    "Use the language's own: Object.groupBy, structuredClone, toSorted, flatMap, Object.fromEntries, Set",
  ),
  ...group(
    ["dayjs", "moment", "moment-timezone", "luxon", "date-fns", "date-fns-tz"],
    "Use Date, and Intl.DateTimeFormat for time zones and formats",
  ),
  ...group(
    ["zod", "yup", "joi", "ajv", "valibot", "superstruct", "io-ts"],
    'Check values by hand: if (typeof value.id !== "string") throw new Error(…)',
  ),
  ...group(
    ["csv-parse", "csv-parser", "csv-stringify", "papaparse", "fast-csv", "csvtojson", "json2csv"],
    'Split lines and fields by hand: text.split("\\n").map((line) => line.split(","))',
  ),
  ...group(["uuid", "nanoid", "cuid", "ulid"], "Use crypto.randomUUID()"),
  ...group(["chalk", "kleur", "picocolors", "colors", "ora", "cli-table3", "boxen", "inquirer"], NO_TERMINAL),
  ...group(
    ["fs-extra", "graceful-fs", "mkdirp", "rimraf", "glob", "fast-glob", "globby"],
    "Use node:fs/promises: mkdir and rm take { recursive: true }, readdir lists with { recursive: true }",
  ),
  ...group(["dotenv", "dotenv-safe", "cross-env"], "There is no environment: servers hold their own secrets"),
  ...group(["js-yaml", "yaml"], "There is no YAML parser: write and read JSON"),
  ...group(
    ["cheerio", "jsdom", "xml2js", "fast-xml-parser", "node-html-parser"],
    "There is no HTML or XML parser: call a tool that returns data, or match with a regular expression",
  ),
  ...group(
    ["puppeteer", "playwright", "selenium-webdriver"],
    "There is no browser: call a tool of a server that has one",
  ),
  ...group(
    [
      "pg",
      "mysql",
      "mysql2",
      "mongodb",
      "mongoose",
      "redis",
      "ioredis",
      "sqlite3",
      "better-sqlite3",
      "knex",
      "prisma",
      "@prisma/client",
      "sequelize",
      "typeorm",
      "drizzle-orm",
    ],
    NO_DATABASE,
  ),
  ...group(
    ["pandas", "numpy", "matplotlib", "danfojs", "nodejs-polars"],
    "Programs are TypeScript: work with arrays of objects, map, filter, reduce, Object.groupBy",
  ),
  ...group(
    ["xlsx", "exceljs", "pdf-lib", "pdfkit", "docx", "sharp", "jimp", "canvas"],
    "There is no such package here: call a tool, or write CSV, JSON or text to ./workspace",
  ),
  ...group(
    [
      "@modelcontextprotocol/sdk",
      "@modelcontextprotocol/client",
      "openai",
      "@anthropic-ai/sdk",
      "octokit",
      "@octokit/rest",
      "@slack/web-api",
      "googleapis",
      "stripe",
      "nodemailer",
      "aws-sdk",
    ],
    'Call the server\'s functions: each server is a global, and searchTools("…") finds them',
  ),
  ...group(
    ["p-limit", "p-queue", "p-map", "p-retry", "async", "bluebird", "bottleneck"],
    "Use Promise.all; calls beyond 8 to one server wait by themselves",
  ),
  ...group(["rxjs", "eventemitter3", "mitt"], "Use node:events"),
  ...group(["jest", "vitest", "mocha", "chai", "ava"], NO_TESTS),
  ...group(
    ["typescript", "ts-node", "tsx", "esbuild", "@babel/core"],
    "Programs may be TypeScript as they are: nothing needs to be compiled",
  ),
  ...group(
    ["bcrypt", "bcryptjs", "crypto-js", "argon2", "jsonwebtoken", "jose"],
    "Use node:crypto: scrypt, createHash, createHmac",
  ),
  ...group(["winston", "pino", "debug", "loglevel"], "Use console.log"),
  ...group(["yargs", "commander", "minimist"], "A program has no arguments: write its values into it"),
  ...group(["qs", "query-string"], "Use URLSearchParams"),
  ...group(["bun", "bun:sqlite", "bun:test"], "Use node:fs/promises for files; nothing of Bun is there"),
]);

/** Names of other worlds that programs use without importing them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["Deno", "Use node:fs/promises for files in ./workspace; nothing of Deno is there"],
  ["Bun", "Use node:fs/promises for files in ./workspace; nothing of Bun is there"],
  ["window", "There is no browser"],
  ["document", "There is no browser"],
  ["navigator", "There is no browser"],
  ["localStorage", "Write files in ./workspace"],
  ["sessionStorage", "Keep it in a variable"],
  ["indexedDB", "Write files in ./workspace"],
  ["alert", "Use console.log"],
  ["prompt", "Nobody can be asked while a program runs: return what is to be decided"],
  ["confirm", "Nobody can be asked while a program runs: return what is to be decided"],
  ["requestAnimationFrame", "Use setTimeout"],
  ["XMLHttpRequest", CALL_A_TOOL],
  ["WebSocket", CALL_A_TOOL],
  ["EventSource", CALL_A_TOOL],
  ["Worker", NO_PROCESSES],
  ["_", "There is no lodash: use the language's own, as Object.groupBy and structuredClone"],
  ["print", 'Use console.log; a program in Python needs language: "python"'],
  ["gc", "Memory is freed by itself"],
]);

/** What to use in place of a module or a package. */
export function insteadOfModule(specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return MODULES.get(topOf(specifier.slice("node:".length)));
  const top = topOf(specifier);
  if (MODULES.has(top)) return MODULES.get(top);
  const scoped = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : top;
  if (PACKAGES.has(scoped)) return PACKAGES.get(scoped);
  if (/^(?:https?|npm|jsr):/.test(specifier))
    return "Nothing is downloaded: a program has its servers and Node's own modules";
  return undefined;
}

/** What to use in place of a name that is not there. */
export function insteadOfName(name: string): string | undefined {
  return NAMES.get(name) ?? PACKAGES.get(name) ?? MODULES.get(name);
}

/** What there is a sentence for, as the docs list it. */
export const ABSENT_MODULES: readonly string[] = [...MODULES.keys()];
export const ABSENT_PACKAGES: readonly string[] = [...PACKAGES.keys()];

function topOf(specifier: string): string {
  return specifier.split("/")[0] ?? specifier;
}

function group(names: readonly string[], instead: string): [string, string][] {
  return names.map((name) => [name, instead]);
}
