// `npm run lock`: writes package-lock.json anew, whole.
//
// Some packages ship their binary in one package per platform. A registry mirror may lack those of other platforms; npm
// then leaves them out of the lock file without a word, and `npm ci` refuses the lock file, or another platform gets no
// binary. What is missing is exactly known, name and version, from the package that asks for it: it is filled in here.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const scratch = mkdtempSync(join(tmpdir(), "keyhole-lock-"));
writeFileSync(join(scratch, "package.json"), readFileSync("package.json"));
writeFileSync(join(scratch, "package-lock.json"), readFileSync("package-lock.json"));
const { status } = spawnSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
  cwd: scratch,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
const lock = JSON.parse(readFileSync(join(scratch, "package-lock.json"), "utf8"));
rmSync(scratch, { recursive: true });

const isThere = (owner, name) => {
  for (let at = owner; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`]) return true;
    if (at === "") return false;
  }
};

const OS = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  openharmony: "openharmony",
  win32: "win32",
};
const CPU = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

const added = [];
for (const [owner, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isThere(owner, name)) continue;
    const words = name.split(/[-/]/);
    const os = words.flatMap((word) => OS[word] ?? []);
    const cpu = words.flatMap((word) => (CPU.includes(word) ? [word] : []));
    if (os.length + cpu.length === 0 || !/^\d/.test(version))
      throw new Error(`Cannot tell for which platform ${name}@${version} is`);
    const libc = words.some((word) => word.includes("musl"))
      ? ["musl"]
      : words.some((word) => word.includes("gnu"))
        ? ["glibc"]
        : [];
    const fields = { version, ...(entry.dev && { dev: true }), optional: true };
    Object.assign(
      fields,
      cpu.length > 0 && { cpu },
      os.length > 0 && { os },
      os.includes("linux") && libc.length > 0 && { libc },
    );
    lock.packages[`node_modules/${name}`] = fields;
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`Filled in ${added.length} packages of other platforms`);
