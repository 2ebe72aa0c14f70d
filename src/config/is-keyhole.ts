import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { HttpTarget, StdioTarget } from "./server-definition.ts";

const PACKAGE = "keyhole-mcp";
const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const RUNNERS = new Set(["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun"]);
const RUNNER_VERBS = new Set(["exec", "dlx", "x", "run"]);
const INTERPRETERS = new Set(["node", "bun", "tsx", "deno"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "cmd", "powershell", "pwsh"]);

/** By which rules, questions and the journal know Keyhole's own tools, such as `runCommand`. */
export const OWN_NAME = "keyhole";

/** Whether a rule for Keyhole's own tools would be read as one for a server of this name, in whatever spelling. */
export function isOwnName(name: string): boolean {
  return (
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]/gu, "") === OWN_NAME
  );
}

/** Whether the server is Keyhole: behind itself it would start itself without end. */
export function isKeyhole(transport: StdioTarget | HttpTarget): boolean {
  if (transport.type !== "stdio") return false;
  return startsKeyhole(transport.command, transport.args);
}

function startsKeyhole(command: string, args: readonly string[]): boolean {
  const program = programName(command);
  if (program === PACKAGE) return true;
  if (program === "keyhole") return args.includes("serve");
  if (program === "env") {
    const [first, ...rest] = args.filter((arg) => !/^\w+=/.test(arg));
    return first !== undefined && startsKeyhole(first, rest);
  }
  if (SHELLS.has(program)) return shellStartsKeyhole(args);
  const words = args.filter((arg) => !arg.startsWith("-"));
  if (RUNNERS.has(program) && runnerStartsKeyhole(args)) return true;
  return INTERPRETERS.has(program) && words.slice(0, 2).some((word) => isMain(word, args));
}

function shellStartsKeyhole(args: readonly string[]): boolean {
  const line = args.filter((arg) => !/^[-/]\w+$/.test(arg)).join(" ");
  const [command = "", ...rest] = line.replace(/^exec\s+/, "").split(/\s+/);
  return command !== "" && startsKeyhole(command, rest);
}

function runnerStartsKeyhole(args: readonly string[]): boolean {
  return runnerTargets(args).some(
    (word) => isPackage(word) || (word === "keyhole" && args.includes("serve")),
  );
}

/** The packages named by options, and the first word that is no option: what follows belongs to the program. */
function runnerTargets(args: readonly string[]): string[] {
  const targets: string[] = [];
  let takesValue = false;
  for (const [index, arg] of args.entries()) {
    if (takesValue || arg.startsWith("--package=")) targets.push(arg.replace(/^--package=/, ""));
    const isOption = takesValue || arg.startsWith("-");
    takesValue = !takesValue && (arg === "-p" || arg === "--package");
    if (isOption || (index === 0 && RUNNER_VERBS.has(arg))) continue;
    return [...targets, arg];
  }
  return targets;
}

function isPackage(word: string): boolean {
  return word === PACKAGE || word.startsWith(`${PACKAGE}@`);
}

function isMain(word: string, args: readonly string[]): boolean {
  const path = word.replaceAll("\\", "/");
  if (word === MAIN) return true;
  if (!path.endsWith("/dist/cli/main.js") || !args.includes("serve")) return false;
  // A clone may lie in a folder of any name; this is how `init` starts it.
  return /keyhole/i.test(path) || args.includes("--project");
}

function programName(command: string): string {
  return basename(command.replaceAll("\\", "/"))
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|ps1)$/, "");
}
