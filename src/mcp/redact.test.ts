import { describe, expect, it } from "vitest";
import { resolveServer } from "../config/expand.ts";
import { DEFAULT_SETTINGS, type ServerDefinition } from "../config/server-definition.ts";
import { KeyholeError, ToolError } from "../errors.ts";
import { createRedactor } from "./redact.ts";

const SECRET = "Zq3xT9w+Lm2/Kp8vR4";

async function redactorOf(transport: Partial<ServerDefinition["transport"]>, env: NodeJS.ProcessEnv = {}) {
  const whole =
    "url" in transport
      ? { type: "http" as const, headers: {}, url: "", ...transport }
      : { type: "stdio" as const, command: "x", args: [], env: {}, inheritEnv: [], ...transport };
  const definition = {
    name: "s",
    source: { file: "/p/keyhole.config.json", client: "keyhole", path: "servers.s" },
    transport: whole,
    settings: DEFAULT_SETTINGS,
  } as ServerDefinition;
  const resolved = await resolveServer(definition, { env, projectDir: "/p", homeDir: "/h" });
  return createRedactor(definition, resolved, env);
}

describe("a redactor", () => {
  it.each([
    ["after an option", { args: ["--token", SECRET] }],
    ["in an option", { args: [`--api-key=${SECRET}`] }],
    ["in a header among the arguments", { args: ["--header", `Authorization: Bearer ${SECRET}`] }],
    ["as a default of a variable", { args: [`--name=\${UNSET:-${SECRET}}`] }],
    ["in the environment", { env: { THING: SECRET } }],
    ["in a query", { url: `https://example.com/mcp?api_key=${encodeURIComponent(SECRET)}` }],
    ["before a host", { url: `https://me:${encodeURIComponent(SECRET)}@example.com/mcp` }],
    [
      "before a host, beside a header",
      {
        url: `https://me:${encodeURIComponent(SECRET)}@example.com/mcp`,
        headers: { Authorization: "other" },
      },
    ],
    ["in a path", { url: `https://example.com/${encodeURIComponent(SECRET)}/mcp` }],
    ["in a header", { url: "https://example.com", headers: { "X-Auth": SECRET } }],
  ])("takes out a secret that stands %s, however it is written", async (_where, transport) => {
    const redactor = await redactorOf(transport);
    for (const written of [
      SECRET,
      encodeURIComponent(SECRET),
      JSON.stringify(SECRET),
      Buffer.from(SECRET).toString("base64"),
    ]) {
      expect(redactor.text(`before ${written} after`)).not.toContain(written.slice(1, -1));
    }
  });

  it("takes a name and its password out in base64, too", async () => {
    const pair = Buffer.from(`me:${SECRET}`).toString("base64");
    const redactor = await redactorOf({
      url: `https://me:${encodeURIComponent(SECRET)}@example.com`,
      headers: {},
    });
    expect(redactor.text(`Basic ${pair}`)).not.toContain(pair);
  });

  it("takes out most of a secret as well, for others cut texts too", async () => {
    const redactor = await redactorOf({ env: { API_TOKEN: SECRET } });
    expect(redactor.text(`bad token ${SECRET.slice(0, -2)}`)).toBe("bad token [env API_TOKEN]");
    expect(redactor.text(`…${SECRET.slice(3)} is bad`)).toBe("…[env API_TOKEN] is bad");
  });

  describe("of a secret in an environment", () => {
    const secret = "zxcvbnm-HeaderSecret-1234567+/=q";
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const hex = Buffer.from(secret).toString("hex");
    const each = (write: (code: number) => string) =>
      [...secret].map((char) => write(char.charCodeAt(0))).join("");
    const toHex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");

    it.each([
      ["as it is", secret],
      ["in base64", base64(secret)],
      ["in base64, after one character", base64(`X${secret}`)],
      ["in base64, after two, before one", base64(`XY${secret}Z`)],
      ["in base64, with a name", `Basic ${base64(`user:${secret}`)}`],
      ["in base64url, after one", Buffer.from(`a${secret}`).toString("base64url")],
      ["in base64 in an address", encodeURIComponent(base64(`ab${secret}?`))],
      ["in base64 over lines", base64(`user:${secret}`).replace(/.{20}/g, "$&\r\n")],
      ["in hex", hex],
      ["in HEX", hex.toUpperCase()],
      ["as bytes", `<Buffer ${hex.replace(/../g, "$& ")}>`],
      ["in lower case", secret.toLowerCase()],
      ["in upper case", secret.toUpperCase()],
      ["in an address", encodeURIComponent(secret)],
      ["all in percents", each((code) => `%${toHex(code, 2)}`)],
      ["in JSON escapes", each((code) => `\\u${toHex(code, 4)}`)],
      ["in JSON escapes within JSON", JSON.stringify(each((code) => `\\u${toHex(code, 4)}`))],
      ["in HTML", each((code) => `&#${code};`)],
      ["partly in HTML", secret.replace("+", "&#43;").replace("=", "&#x3D;")],
      ["over two lines", `${secret.slice(0, 16)}\n${secret.slice(16)}`],
      ["with spaces", secret.replace(/.{7}/g, "$& ")],
      ["with what nobody sees", [...secret].join("\u200b")],
      ["with an escape of terminals", `${secret.slice(0, 16)}\u001b[0m${secret.slice(16)}`],
      ["in wide letters", each((code) => String.fromCharCode(code + 0xfee0))],
      ["with an end that is spoilt", `${secret.slice(0, 28)}=/=Q`],
    ])("nothing stays that stands %s", async (_how, written) => {
      const redactor = await redactorOf({ env: { API_TOKEN: secret } });
      for (const hide of [redactor.text, redactor.words]) {
        const shown = hide(`before [${written}] after`);
        expect(shown).toMatch(/^before \[.*\] after$/s);
        const left = shown.slice("before [".length, -"] after".length).replaceAll("[env API_TOKEN]", "");
        // What stands around it in base64, and the marks around bytes.
        expect(left.replace(/^Basic /, "").replace(/[\s"<>=]|Buffer|%3D/g, "").length).toBeLessThanOrEqual(7);
      }
    });

    it("is found wherever it stands in a long text", async () => {
      const redactor = await redactorOf({ env: { API_TOKEN: secret } });
      for (const before of [262_100, 262_130, 262_144, 262_200, 600_000]) {
        const text = `${" .".repeat(before / 2)}${secret.toUpperCase()} ${hex}!`;
        expect(redactor.text(text)).toBe(`${" .".repeat(before / 2)}[env API_TOKEN] [env API_TOKEN]!`);
      }
    });
  });

  it("takes out what looks like a secret in a command", async () => {
    const redactor = await redactorOf({ command: "/opt/ghp_Zq3xT9wLm2Kp8vR4/run --password hunter22" });
    expect(redactor.text("no /opt/ghp_Zq3xT9wLm2Kp8vR4/run --password hunter22")).toBe(
      "no /opt/[command]/run --password [command]",
    );
  });

  it("leaves words alone that a short value is a part of", async () => {
    const redactor = await redactorOf({ env: { A: "1", B: "on", PIN: "123", MODE: "test" } });
    const text = "the latest of 1234 tests, 1 on 123";
    expect(redactor.text(text)).toBe(text);
    expect(redactor.text("mode=test")).toBe("mode=[env MODE]");
  });

  it("takes out of a tool's own words what is a secret for sure, and nothing else", async () => {
    const redactor = await redactorOf({ env: { API_TOKEN: SECRET, NODE_ENV: "production" } });
    const said = new ToolError("s", "t", `production refuses ${SECRET}`, [{ type: "text", text: SECRET }]);
    const shown = redactor.error(said);
    expect(shown).toBeInstanceOf(ToolError);
    expect(shown.message).toBe("production refuses [env API_TOKEN]");
    expect(JSON.stringify(shown instanceof ToolError && shown.content)).not.toContain(SECRET);
  });

  it("takes it out of all blocks of a failure, and leaves them blocks", async () => {
    const redactor = await redactorOf({ env: { API_TOKEN: "nine-lives-of-a-cat" } });
    const block = { type: "resource", resource: { text: "\nine-lives-of-a-cat", "nine-lives-of-a-cat": 1 } };
    const shown = redactor.error(new ToolError("s", "t", "It failed", [block, { type: "text", text: "ok" }]));
    expect(shown instanceof ToolError && shown.content).toEqual([
      { type: "resource", resource: { text: "\n[env API_TOKEN]", "[env API_TOKEN]": 1 } },
      { type: "text", text: "ok" },
    ]);
  });

  it("hands no cause on, which would say the same unredacted", async () => {
    const redactor = await redactorOf({ env: { API_TOKEN: SECRET } });
    const cause = new Error(SECRET);
    expect(redactor.error(new KeyholeError("internal", SECRET, { cause })).cause).toBeUndefined();
  });
});
