import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startHttpFront, stdioFront } from "../fixtures/front/clients.ts";
import { tempDir } from "../fixtures/project.ts";

const inTools = (path: string) => fileURLToPath(new URL(`../tools/node_modules/${path}`, import.meta.url));
const NODE_22 = inTools(`node/bin/node${process.platform === "win32" ? ".exe" : ""}`);
const INSPECTOR = inTools("@modelcontextprotocol/inspector/clients/launcher/build/index.js");

/** The Inspector needs Node 22, so it is kept apart: `npm run conformance` installs it, `.ci/run` demands it. */
const isThere = existsSync(INSPECTOR) && existsSync(NODE_22);
const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;

async function inspect(target: string[], ...args: string[]): Promise<unknown> {
  const env = { PATH: process.env["PATH"], HOME: await tempDir() };
  const { stdout } = await promisify(execFile)(NODE_22, [INSPECTOR, "--cli", ...target, ...args], { env });
  return JSON.parse(stdout);
}

describe.skipIf(!isThere && !isDemanded)("the MCP Inspector (its own package, in test/tools)", () => {
  it.each(["stdio", "http"])("lists and calls our tools over %s [front-inspector]", async (transport) => {
    const target =
      transport === "stdio"
        ? [process.execPath, ...(await stdioFront()).args]
        : [await startHttpFront(), "--transport", "http"];
    expect(await inspect(target, "--method", "tools/list")).toMatchObject({
      tools: [{ name: "search_tools" }, { name: "execute_code" }],
    });
    const call = ["--method", "tools/call", "--tool-name", "execute_code", "--tool-arg", "code=return 6 * 7"];
    expect(await inspect(target, ...call)).toMatchObject({ content: [{ type: "text", text: "42" }] });
  });
});
