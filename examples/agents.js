// Three agents on one gateway, each with a name, files and a vault of its own: one gathers issues, one analyses them, one writes
// the report. The one that analyses is killed in the middle, and another one takes its place. `node examples/agents.js`
// after `npm ci`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = join(
  dirname(createRequire(import.meta.url).resolve("keyhole-mcp/package.json")),
  "dist/cli/main.js",
);
const dir = await mkdtemp(join(tmpdir(), "keyhole-example-"));
const NAMES = ["gatherer", "analyst", "writer"];
const tokens = Object.fromEntries(NAMES.map((name) => [name, `the-token-of-the-${name}`]));

await writeFile(
  join(dir, "keyhole.config.json"),
  JSON.stringify({
    servers: { tracker: { command: process.execPath, args: [here("servers/tracker.js")], trusted: true } },
    http: { tokens },
    // The desk is theirs; everything else each has alone.
    workspace: { shared: { desk: { write: NAMES } } },
  }),
);
const gateway = spawn(process.execPath, [bin, "serve", "--http", "0", "--trust", "--project", dir], {
  stdio: ["ignore", "pipe", "inherit"],
});

try {
  const [line] = await once(createInterface(gateway.stdout), "line");
  const url = line.split(" ").at(-1);
  const start = (role, principal, name) => {
    const child = spawn(process.execPath, [here("agents/agent.js"), role, url, tokens[principal], name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    const said = [];
    const lines = createInterface(child.stdout).on("line", (text) => said.push(JSON.parse(text)));
    return { child, lines, said, ended };
  };

  const gatherer = start("gather", "gatherer", "gatherer");
  const writer = start("write", "writer", "writer");
  const first = start("analyse", "analyst", "analyst 1");
  // It has done two batches, and is at the third.
  while (first.said.filter(({ analysed }) => analysed).length < 2) await once(first.lines, "line");
  first.child.kill("SIGKILL");
  await first.ended;
  console.log(`analyst 1 was killed after ${first.said.filter(({ analysed }) => analysed).length} batches`);

  const second = start("analyse", "analyst", "analyst 2");
  await Promise.all([gatherer.ended, second.ended, writer.ended]);
  console.log(`analyst 2 did the other ${second.said.filter(({ analysed }) => analysed).length}`);
  const { issues, report } = writer.said.at(-1);
  console.log(`the report is about ${issues} issues:\n${report}`);
} finally {
  gateway.kill();
  await once(gateway, "close");
  await rm(dir, { recursive: true, force: true });
}
