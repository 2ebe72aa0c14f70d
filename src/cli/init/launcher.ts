import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** How Keyhole is started from elsewhere. From a clone the package's name would fetch another version, or none. */
export function toLauncher(main = MAIN): string[] {
  return /[\\/]node_modules[\\/]/.test(main) ? ["npx", "-y", "keyhole-mcp"] : ["node", main];
}
