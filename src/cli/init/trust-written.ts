import { loadConfig } from "../../config/load.ts";
import type { Places } from "../../config/places.ts";
import { acceptBrought } from "../../config/trust/accept.ts";
import { errorMessage } from "../../errors.ts";
import type { Draft } from "./config-file.ts";

/** The user chose these servers just now: they are trusted as they were written. Nothing else of the folder is by that. */
export async function trustWritten({ put, file }: Draft, places: Places): Promise<string[]> {
  const names = new Set(put.map(({ name }) => name));
  try {
    const { brought } = await loadConfig(places);
    const written = brought.filter(
      ({ kind, name, state }) => kind === "server" && state !== "trusted" && names.has(name),
    );
    if (written.length > 0) await acceptBrought(written, places);
    return [];
  } catch (error) {
    return [`What was written to ${file} is not trusted yet, run \`keyhole trust\`: ${errorMessage(error)}`];
  }
}
