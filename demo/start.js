// `npm start`: the main job on the servers of this repository's own .mcp.json. One task over real MCP servers, done by a
// program in the sandbox; then what a model would have seen with Keyhole, and without. `--once` ends there; otherwise the
// gateway stays up on HTTP for a client to connect.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { createKeyhole } from "keyhole-mcp";

const root = fileURLToPath(new URL("..", import.meta.url));
const isColourful = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (style, text) => (isColourful ? styleText(style, text) : text);
const title = (text) => console.log(`\n${paint("bold", text)}`);

const PROGRAM = `
import { listDirectory, readTextFile } from "./servers/filesystem";

// Read every page of the documentation, and remember which page mentions which other one.
const { content } = await listDirectory({ path: "docs" });
const pages = content.split("\\n").filter((line) => line.endsWith(".md")).map((line) => line.replace("[FILE] ", ""));
const texts = await Promise.all(pages.map(async (page) => (await readTextFile({ path: "docs/" + page })).content));

await memory.createEntities({
  entities: pages.map((page, n) => ({ name: page, entityType: "page", observations: [texts[n].split("\\n")[0]] })),
});
const relations = pages.flatMap((from, n) =>
  pages.filter((to) => to !== from && texts[n].includes(to)).map((to) => ({ from, to, relationType: "mentions" })),
);
await memory.createRelations({ relations });

console.log("read", texts.join("").length, "characters of", pages.length, "pages");
return {
  longest: pages.map((page, n) => ({ page, words: texts[n].split(/\\s+/).length })).sort((a, b) => b.words - a.words).slice(0, 3),
  mostMentioned: Object.entries(Object.groupBy(relations, ({ to }) => to)).map(([page, all]) => [page, all.length]).sort((a, b) => b[1] - a[1]).slice(0, 3),
};
`;

title("Connecting to the servers of .mcp.json");
const started = performance.now();
const keyhole = await createKeyhole({ project: root, trust: true });
try {
  const overview = await keyhole.search();
  for (const { name, tools, status } of overview.servers) {
    console.log(`  ${status === "ready" ? paint("green", "✓") : paint("red", "✗")} ${name}: ${tools} tools`);
  }
  console.log(paint("dim", `  ${Math.round(performance.now() - started)} ms`));

  title(
    "The task: read the documentation, note its pages and links in the knowledge graph, tell which stand out",
  );
  console.log(paint("dim", PROGRAM.trim().replace(/^/gm, "  │ ")));

  title("In the sandbox");
  const onEvent = (event) => {
    if (event.kind === "called")
      console.log(paint("dim", `  ${event.server} ${event.tool} ${event.ok ? "" : "failed "}${event.ms} ms`));
  };
  const result = await keyhole.run(PROGRAM, { onEvent });

  title("What the model sees");
  console.log(result.text.replace(/^/gm, "  "));
  if (!result.ok) process.exitCode = 1;

  const { seenTokens, keptTokens, directTokens, catalogTokens, phasesMs } = result.receipt;
  const saved = (1 - seenTokens / directTokens) * 100;
  title("In tokens (o200k, counted)");
  console.log(`  with Keyhole     ${String(seenTokens).padStart(7)}   the program and this answer`);
  console.log(
    `  without          ${String(directTokens).padStart(7)}   ${catalogTokens} for the tools' definitions, the rest for ${result.calls.length} calls and their results`,
  );
  console.log(`  kept out of sight ${String(keptTokens).padStart(6)}`);
  console.log(
    `  ${paint("green", `${saved.toFixed(1)}% fewer`)}, with ${overview.servers.length} small servers; the more tools, the more it is (npm run bench -- tokens)`,
  );
  console.log(
    paint(
      "dim",
      `  ${Object.entries(phasesMs)
        .map(([phase, ms]) => `${phase} ${Math.round(ms)} ms`)
        .join(", ")}`,
    ),
  );
} finally {
  await keyhole.close();
}

if (!process.argv.includes("--once") && process.exitCode === undefined) {
  title("The gateway, for your client");
  const serve = spawn(process.execPath, ["dist/cli/main.js", "serve", "--trust", "--http", "7391"], {
    cwd: root,
    stdio: "inherit",
  });
  serve.once("exit", (code) => process.exit(code ?? 1));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => serve.kill(signal));
}
