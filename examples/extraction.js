// A long extraction is cut off in the middle: its process is killed, as by a power cut or an impatient client. The same program, run
// again, goes on where it stopped, by what it has kept in the state. `node examples/extraction.js` after `npm ci`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
const server = { command: process.execPath, args: [here("servers/tracker.js")], trusted: true };
await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: { tracker: server } }));

// A page is a file of its own, and is told as done after it is there: what was cut off between the two is fetched once more.
const PROGRAM = `
const done = await state.get("done", { pages: 0, rows: 0 });
if (done.pages > 0) console.log("goes on after page", done.pages);
const first = done.pages + 1;
for (let page = first; ; page++) {
  const { issues } = await tracker.listIssues({ page });
  if (issues.length === 0) break;
  await fs.promises.writeFile("workspace/page-" + page + ".json", JSON.stringify(issues));
  done.pages = page;
  done.rows += issues.length;
  await state.set("done", done);
  // So that there is somebody to kill.
  while (page === 3 && first === 1) await new Promise((resolve) => setTimeout(resolve, 50));
}
return { fetched: done.pages - first + 1, rows: done.rows };
`;

function start() {
  return spawn(process.execPath, [bin, "run", "--trust", "--project", dir, "-e", PROGRAM], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

try {
  const first = start();
  const pages = async () =>
    (await readdir(join(dir, "workspace")).catch(() => [])).filter((name) => /^page/.test(name));
  while (!(await pages()).includes("page-3.json")) await new Promise((done) => setTimeout(done, 20));
  first.kill("SIGKILL");
  await once(first, "close");
  console.log(`killed after ${(await pages()).length} pages`);

  const second = start();
  for await (const line of createInterface(second.stdout)) console.log(line);
  const texts = await Promise.all(
    (await pages()).map((name) => readFile(join(dir, "workspace", name), "utf8")),
  );
  const ids = texts.flatMap((text) => JSON.parse(text).map(({ id }) => id));
  console.log(`${ids.length} issues in ${texts.length} files, ${new Set(ids).size} of them different`);
} finally {
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
