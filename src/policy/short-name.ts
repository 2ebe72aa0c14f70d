import { basename, dirname } from "node:path";

/** A config file as programs and models are told of it: where the user keeps it is not their business. */
export function toShortName(file: string): string {
  const name = basename(file);
  // The user's own is called as many others are.
  return name.startsWith("config.") ? `${basename(dirname(file))}/${name}` : name;
}
