// `npm run conformance`: the official conformance suite, against our MCP front and against our client side.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CONFORMANCE, installTools } from "../tools/install.js";

const SERVER_SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "dns-rebinding-protection",
  "server-sse-multiple-streams",
];
const CLIENT_SCENARIOS = ["initialize", "tools_call"];
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const node = installTools();
// The built front, on the servers of this repository's own .mcp.json; open, since the suite can't send a token.
const home = mkdtempSync(join(tmpdir(), "keyhole-conformance-"));
const front = spawn(process.execPath, [path("../fixtures/front/http.js"), path("../.."), "plain", home], {
  cwd: path("../.."),
  stdio: ["pipe", "pipe", "inherit"],
});
const [url] = await once(createInterface(front.stdout), "line");
const failed = [];

function run(kind, scenario, args) {
  console.log(`\n── ${kind}: ${scenario}`);
  const { status } = spawnSync(node, [CONFORMANCE, kind, "--scenario", scenario, ...args], {
    stdio: "inherit",
  });
  if (status !== 0) failed.push(`${kind} ${scenario}`);
}

for (const scenario of SERVER_SCENARIOS) run("server", scenario, ["--url", url]);
// The suite splits the command at spaces, so no path may go into it that could have one.
process.chdir(path("."));
for (const scenario of CLIENT_SCENARIOS) run("client", scenario, ["--command", "node client.js"]);

front.kill();
await once(front, "exit");
rmSync(home, { recursive: true });
const total = SERVER_SCENARIOS.length + CLIENT_SCENARIOS.length;
console.log(
  `\nConformance: ${total - failed.length} of ${total} scenarios pass${failed.length > 0 ? `; not ${failed.join(", ")}` : ""}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
