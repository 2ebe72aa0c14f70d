// Installs the tools of package.json beside this file, Node 22 among them, from the npm registry. Once: later it is quick.
//
// Without a lock file: the tools bring binaries for each platform, of which a registry's mirror may lack some, and `npm ci`
// would refuse a lock file that names them. The versions of the tools themselves are exact.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const DIR = fileURLToPath(new URL(".", import.meta.url));
const STAMP = join(DIR, "node_modules", ".installed");
const wanted = readFileSync(join(DIR, "package.json"), "utf8");

function isInstalled() {
  try {
    return readFileSync(STAMP, "utf8") === wanted;
  } catch {
    return false;
  }
}

/** The path of a Node that runs the tools: the one installed here, which is there however old the one running is. */
export function installTools() {
  if (!isInstalled()) {
    const args = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", args, {
      cwd: DIR,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`Cannot install the tools in ${DIR}: npm ended with ${status}`);
    writeFileSync(STAMP, wanted);
  }
  return join(DIR, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
}

export const CONFORMANCE = join(DIR, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(installTools());
