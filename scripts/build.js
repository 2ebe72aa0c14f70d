// `npm run build`: dist/ from src/. Where nothing of what it is made of has changed since, it is left as it is.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "dist/.built";
const FOLDERS = ["src", "scripts"];
const FILES = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const TSC = "node_modules/typescript/bin/tsc";
const STEPS = [
  [TSC, "-p", "tsconfig.build.json"],
  [TSC, "-p", "src/sandbox/guest/javascript/tsconfig.build.json"],
  [TSC, "-p", "src/sandbox/guest/pyodide/tsconfig.build.json"],
  ["scripts/copy-declarations.js"],
  ["scripts/copy-words.js"],
  ["scripts/copy-python.js"],
  ["scripts/token-table.js"],
  ["scripts/join-modules.js"],
];

const made = hashOf([...FILES, ...FOLDERS.flatMap(filesIn)]);
if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === made) process.exit(0);
// What is half made is no build.
rmSync(STAMP, { force: true });
for (const args of STEPS) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
writeFileSync(STAMP, made);

function filesIn(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$|\.pyc$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function hashOf(files) {
  const hash = createHash("sha256").update(process.version);
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}
