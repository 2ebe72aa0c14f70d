import { basename, dirname } from "node:path";
import { CONFIG_NAMES } from "../own-config.ts";
import type { PolicySource } from "./policy-source.ts";

/** A config file as programs are told of it, and not where the user's files lie. The user's own is called as many others are. */
export function toShownFile(file: string): string {
  const name = basename(file);
  return name.startsWith("config.") ? `${basename(dirname(file))}/${name}` : name;
}

/** The project's config, by the name that it has, or would have. */
export function toProjectsFile(sources: readonly PolicySource[]): string {
  const names: readonly string[] = CONFIG_NAMES;
  return sources.map(({ file }) => basename(file)).find((name) => names.includes(name)) ?? CONFIG_NAMES[0];
}
