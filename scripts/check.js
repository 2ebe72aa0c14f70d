// What looks at the code without running it, side by side: what each says is shown when it has ended.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const CHECKS = [
  ["biome", "ci", "."],
  ["tsc", "--noEmit"],
  ["tsc", "--noEmit", "-p", "src/sandbox/guest/javascript"],
  ["tsc", "--noEmit", "-p", "src/sandbox/guest/pyodide"],
  ["tsc", "-p", "src/world/declarations"],
  ["knip"],
  ["knip", "--production"],
];

const failed = await Promise.all(CHECKS.map(run));
process.exitCode = failed.includes(true) ? 1 : 0;

async function run([command, ...args]) {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const ended = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.stdout.write(`${[command, ...args].join(" ")}: ${code === 0 ? "ok" : "FAILED"}\n${out}${err}`);
  return code !== 0;
}
