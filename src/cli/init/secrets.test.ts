import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, type ServerDefinition } from "../../config/server-definition.ts";
import { describeStart, literalSecrets, maskSecrets } from "./secrets.ts";

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

const define = (transport: ServerDefinition["transport"]): ServerDefinition => ({
  name: "x",
  source: { file: "f", client: "cursor", path: "mcpServers.x" },
  transport,
  settings: DEFAULT_SETTINGS,
});
const stdio = (args: string[], env: Record<string, string> = {}, command = "npx") =>
  define({ type: "stdio", command, args, env, inheritEnv: [] });
const http = (url: string, headers: Record<string, string> = {}) => define({ type: "http", url, headers });

test.each([
  [["mcp-remote", "https://x.dev/mcp", "--header", `Authorization: Bearer ${SECRET}`], "args[3]"],
  [["mcp-remote", "https://x.dev/mcp", "--header", "X-Auth:abc"], "args[3]"],
  [[`--header=Authorization: Bearer ${SECRET}`], "args[0]"],
  [["server-postgres", "postgresql://admin:S3kretPw@db/app"], "args[1]"],
  [["server-postgres", "postgresql://admin:S3kret/P@w@db/app"], "args[1]"],
  [["--dsn=postgresql://admin:S3kretPw@db/app"], "args[0]"],
  [["run", "-i", "-e", "API_KEY=hunter2", "image"], "args[3]"],
  [["run", "--env=API_KEY=hunter2", "image"], "args[1]"],
  [["API_KEY=hunter2", "node", "x.js"], "args[0]"],
  [["--token", "hunter2"], "args[1]"],
  [["--api-key=hunter2"], "args[0]"],
  [["--db-pass", "1234"], "args[1]"],
  [["--pat", "hunter2"], "args[1]"],
  [["--key", "6f1c2a5e-0b5d-4d0f-9c4e-2f6d1a3b5c7d"], "args[1]"],
  [[SECRET], "args[0]"],
  [["a8Kq2Lz9Xw4Rt7Yb1Nm5Pv3"], "args[0]"],
  [["sh", "-c", "server --token hunter2 --verbose"], "args[2]"],
  [["-c", `curl -H "Authorization: Bearer ${SECRET}" https://x.dev`], "args[1]"],
  [["-c", 'curl --header="X-Auth: hunter2" https://x.dev'], "args[1]"],
  [["--config", '{"region":"eu","githubToken":"hunter2"}'], "args[1]"],
  [["--config", '{\\"githubToken\\":\\"hunter2\\"}'], "args[1]"],
  [["Server=db;Password=hunter2;"], "args[0]"],
  [["${BASE}/mcp?api_key=hunter2"], "args[0]"],
  [["--token", "${T:-hunter2}"], "args[1]"],
  [["--token=${:-$}{T:-hunter2}"], "args[0]"],
  [["admin:S3kretPw@db:5432"], "args[0]"],
])("of the arguments %j shows no secret and names %s", (args, key) => {
  const server = stdio(args);
  expect(describeStart(server)).not.toMatch(/hunter2|S3kret|P@w|16C7|1234|abc$|6f1c|a8Kq/);
  expect(JSON.stringify(maskSecrets(server))).not.toMatch(/hunter2|S3kret|16C7|6f1c|a8Kq/);
  expect(literalSecrets(server)).toEqual([`x.${key}`]);
});

test.each([
  [
    "https://mcp.zapier.com/api/mcp/s/NjY2ZTk1YjgtZTU0Ny00/mcp",
    "https://mcp.zapier.com/api/mcp/s/********/mcp",
  ],
  ["https://mcp.zapier.com/api/mcp/s/shortish/mcp", "https://mcp.zapier.com/api/mcp/s/********/mcp"],
  ["${BASE}/mcp?api_key=SECRET", "${BASE}/mcp?api_key=********"],
  [`https://${SECRET}@x.dev`, "https://********@x.dev"],
  ["https://me:pw@x.dev:8080/mcp", "https://********@x.dev:8080/mcp"],
  ["https://${HOST}/mcp#token=SECRET", "https://${HOST}/mcp#token=********"],
  [`https://x.dev/mcp?a=\${A}&key=\${T:-${SECRET}}`, "https://x.dev/mcp?a=${A}&key=${T:-********}"],
  ["${BASE:-https://u:SECRET@x.dev}/mcp", "${BASE:-https://********@x.dev}/mcp"],
  ["${SCHEME}://u:SECRET@${HOST}/mcp", "${SCHEME}://********@${HOST}/mcp"],
  ["https://x.dev/6f1c2a5e-0b5d-4d0f-9c4e-2f6d1a3b5c7d/sse", "https://x.dev/********/sse"],
])("of the address %s shows %s", (url, shown) => {
  expect(describeStart(http(url))).toBe(shown);
  expect(literalSecrets(http(url))).toEqual(["x.url"]);
});

test("every value of a query is masked, but only what looks like a secret is named", () => {
  expect(describeStart(http("https://x.dev/mcp?region=eu"))).toBe("https://x.dev/mcp?region=********");
  expect(literalSecrets(http("https://x.dev/mcp?region=eu"))).toEqual([]);
});

test.each([
  ["npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/home/me/projects"],
  ["-y", "chrome-devtools-mcp@latest", "--browserUrl", "http://127.0.0.1:9222"],
  ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server:v1.2"],
  ["mcp-remote", "https://mcp.linear.app/sse", "--header", "Authorization:${AUTH}"],
  ["--from", "git+https://github.com/oraios/serena", "serena", "start-mcp-server"],
  ["git+ssh://git@github.com/org/repo.git"],
  ["--max-tokens", "4096", "--path", "C:\\Users\\me", "--token", "${TOKEN}", "--header", "A: Bearer ${T}"],
])("leaves %s %s %s as they are", (...args) => {
  expect(maskSecrets(stdio(args)).transport).toMatchObject({ args });
  expect(literalSecrets(stdio(args))).toEqual([]);
});

test("a secret in the command is masked and named", () => {
  const server = stdio([], {}, "x --token hunter2");
  expect(describeStart(server)).toBe("x --token ********");
  expect(literalSecrets(server)).toEqual(["x.command"]);
});

test("every literal value of env and headers is masked as a whole, and the secret-looking ones are named", () => {
  const env = {
    DATABASE_URL: "postgres://db/app",
    DB_PASS: "x",
    DB_PWD: "1234",
    GH_PAT: "a b",
    AUTH: "y",
    SENTRY_DSN: "z",
    OTHER: "postgres://u:pw@db/app",
    WITH_DEFAULT: "Bearer ${T:-ghp_real}",
    MODE: "fast",
    MAX_TOKENS: "4096",
    REGION: "${REGION:-eu}",
    SECRET_ON: "true",
    EMPTY: "",
    TOKEN: "${TOKEN}",
    HEADER: "Bearer ${TOKEN}",
    FOLDER: "${HOME}/bin",
    PART_TOKEN: "abc${TOKEN}",
  };
  const secret = [
    "DATABASE_URL",
    "DB_PASS",
    "DB_PWD",
    "GH_PAT",
    "AUTH",
    "SENTRY_DSN",
    "OTHER",
    "WITH_DEFAULT",
    "PART_TOKEN",
  ];
  expect(literalSecrets(stdio([], env))).toEqual(secret.map((name) => `x.env.${name}`));
  expect(maskSecrets(stdio([], env)).transport).toMatchObject({
    env: {
      ...Object.fromEntries(Object.keys(env).map((name) => [name, "********"])),
      EMPTY: "",
      TOKEN: "${TOKEN}",
      HEADER: "Bearer ${TOKEN}",
      FOLDER: "${HOME}/bin",
    },
  });
  const headers = { "X-Auth": "abc", Accept: "text/plain", Authorization: "Bearer ${T}" };
  expect(literalSecrets(http("http://x", headers))).toEqual(["x.headers.X-Auth"]);
  expect(maskSecrets(http("http://x", headers)).transport).toMatchObject({
    headers: { "X-Auth": "********", Accept: "********", Authorization: "Bearer ${T}" },
  });
});

test("what a client leaves alone is shown as it stands there, and kept as it is written", () => {
  const server = stdio(["Authorization:${:-$}{AUTH}", "${HOME:-$HOME}/x", "${X}"]);
  expect(describeStart(server)).toBe("npx Authorization:${AUTH} $HOME/x ${X}");
  expect(maskSecrets(server)).toEqual(server);
});

test("a text without end is masked unread", () => {
  const long = "a".repeat(5_000_000);
  expect(describeStart(stdio([long], { A: `\${B}${long}` }, long))).toBe("******** ********");
  expect(describeStart(http(long))).toBe("********");
});

test("control and bidi characters are not shown", () => {
  expect(describeStart(stdio(["a\u001b[31mb", "c\u202ed\n\ne"], {}, "x\u009by"))).toBe("xy ab cd e");
});

test("whatever the text, a secret behind a secret name is not shown", () => {
  const around = fc.string({
    unit: fc.constantFrom("$", "{", "}", ":", "-", "/", "?", "#", "@", " ", "a", '"'),
  });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const shown = JSON.stringify(
        maskSecrets(stdio([`${before} --token ${SECRET} ${after}`], { A: SECRET })),
      );
      expect(shown).not.toContain("16C7e42F");
    }),
  );
});
