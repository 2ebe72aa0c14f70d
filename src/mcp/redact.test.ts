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

  it("hands no cause on, which would say the same unredacted", async () => {
    const redactor = await redactorOf({ env: { API_TOKEN: SECRET } });
    const cause = new Error(SECRET);
    expect(redactor.error(new KeyholeError("internal", SECRET, { cause })).cause).toBeUndefined();
  });
});
