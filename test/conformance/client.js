// Keyhole's client side, as the conformance suite drives it: the URL of its server is the last argument.
// Runs the built code.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "../../dist/engine/project.js";

const url = process.argv.at(-1);
const dir = await mkdtemp(join(tmpdir(), "keyhole-conformance-"));
await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: { suite: { type: "http", url } } }));
const project = await openProject({ dir, homeDir: dir, trust: true });
try {
  const [entry] = await project.catalog.read();
  if (entry.error) throw entry.error;
  if (process.env.MCP_CONFORMANCE_SCENARIO === "tools_call") {
    const result = await project.catalog
      .connection("suite")
      .callTool({ name: "add_numbers" }, { a: 5, b: 3 });
    console.log(JSON.stringify(result));
  }
} finally {
  await project.close();
  await rm(dir, { recursive: true });
}
