// `npm start`: what Keyhole does today, on the servers of this repository's own .mcp.json.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const steps = [
  ["The servers, connected for real, and what works on this machine", ["doctor"]],
  ["Their tools, now from the cache: no server is started for this", ["tools"]],
  ["Typed wrappers, a file for each tool", ["generate", "--out", ".keyhole/demo-servers"]],
];

for (const [title, args] of steps) {
  console.log(`\n# ${title}\n# keyhole ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
