import { loadConfig } from "../../config/load.ts";
import type { Places } from "../../config/places.ts";
import { acceptBrought } from "../../config/trust/accept.ts";
import { errorMessage } from "../../errors.ts";
import type { Output } from "../output.ts";
import { askToTrust, printBrought } from "../show-brought.ts";
import type { Draft } from "./config-file.ts";

type Asking = {
  readonly output: Output;
  readonly yes?: boolean | undefined;
  /** Servers that the user has named: to name one is to say yes to it, where nobody can be asked. */
  readonly named?: readonly string[] | undefined;
};

/**
 * What came from the user's own clients is trusted as it was written. What came from files of the folder is the folder's still: it is
 * shown and asked for where somebody can be asked, as `keyhole trust` does, and waits elsewhere.
 */
export async function trustWritten(
  { put, file }: Draft,
  places: Places,
  { output, yes = false, named = [] }: Asking,
): Promise<string[]> {
  const chosen = new Map(put.map((candidate) => [candidate.name, candidate]));
  try {
    const { brought } = await loadConfig(places);
    const written = brought.filter(
      ({ kind, name, state }) => kind === "server" && state !== "trusted" && chosen.has(name),
    );
    // A link to the user's own definition can lead to the folder's, which wins in its client.
    const isOfFolder = ({ name, file: from }: { name: string; file: string }) => {
      const { isBrought = true, others = [] } = chosen.get(name) ?? {};
      return isBrought || others.some((other) => other.isBrought && other.file === from);
    };
    const canAsk = output.interactive && !yes;
    const isOpen = (item: (typeof written)[number]) =>
      isOfFolder(item) && (canAsk || !named.includes(item.name));
    const own = written.filter((item) => !isOpen(item));
    const ofFolder = written.filter(isOpen);
    if (own.length > 0) await acceptBrought(own, places);
    if (ofFolder.length === 0) return [];
    if (canAsk) {
      printBrought(ofFolder, output);
      if (await askToTrust(ofFolder.length)) {
        await acceptBrought(ofFolder, places);
        return [];
      }
    }
    const names = ofFolder.map(({ name }) => name).join(", ");
    return [
      `${names}: this folder brings ${ofFolder.length === 1 ? "it" : "them"}, so nothing of it is started before you look at it with \`keyhole trust\``,
    ];
  } catch (error) {
    return [`What was written to ${file} is not trusted yet, run \`keyhole trust\`: ${errorMessage(error)}`];
  }
}
