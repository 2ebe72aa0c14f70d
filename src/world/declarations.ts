import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MODULE_NAMES } from "./modules.ts";

/** The files that declare globals; each of the others declares the modules of its name. */
export const GLOBAL_FILES = ["language", "kept", "keyhole", "node", "modules", "runtime"] as const;

/** A program's world as TypeScript reads it: no DOM, and of Node what is there. */
export function loadDeclarations(): string {
  const modules = new Set(MODULE_NAMES.map((name) => name.split("/")[0] ?? name));
  return [...GLOBAL_FILES, ...modules].map(readDeclarations).join("\n");
}

export function readDeclarations(file: string): string {
  return readFileSync(fileURLToPath(new URL(`./declarations/${file}.d.ts`, import.meta.url)), "utf8");
}
