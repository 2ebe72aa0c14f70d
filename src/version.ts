import { createRequire } from "node:module";

function readVersion(): string {
  // By the package's own name, so that it does not matter into which folder this file was compiled.
  const manifest: unknown = createRequire(import.meta.url)("keyhole-mcp/package.json");
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest && typeof manifest.version === "string" ? manifest.version : "unknown";
}

/** Keyhole's own version. */
export const VERSION: string = readVersion();
