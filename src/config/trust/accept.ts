import type { LoadOptions } from "../places.ts";
import { toPlaces } from "../places.ts";
import type { Brought } from "./brought.ts";
import { updateLedger } from "./ledger.ts";

/** Writes down that the user said yes to these, as they were read: whatever stands in the files by now. */
export function acceptBrought(items: readonly Brought[], options: LoadOptions): Promise<void> {
  return updateLedger(toPlaces(options), (known) => {
    for (const { id, accepted } of items) {
      if (accepted === undefined) known.delete(id);
      else known.set(id, accepted);
    }
  });
}

/** Takes back all that was said yes to in this project; tells how much that was. */
export async function revokeTrust(options: LoadOptions): Promise<number> {
  let count = 0;
  await updateLedger(toPlaces(options), (known) => {
    count = known.size;
    known.clear();
  });
  return count;
}
