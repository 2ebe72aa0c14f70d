import { type LoadOptions, type Places, toHomePlaces, toPlaces } from "../places.ts";
import type { Brought } from "./brought.ts";
import { updateLedger } from "./ledger.ts";

/** Writes down that the user said yes to these, as they were read: whatever stands in the files by now. */
export async function acceptBrought(items: readonly Brought[], options: LoadOptions): Promise<void> {
  const places = toPlaces(options);
  const ofHome = items.filter(({ isOfHome }) => isOfHome);
  const ofProject = items.filter((item) => !ofHome.includes(item));
  if (ofProject.length > 0) await acceptIn(places, ofProject);
  if (ofHome.length > 0) await acceptIn(toHomePlaces(places), ofHome);
}

function acceptIn(places: Places, items: readonly Brought[]): Promise<void> {
  return updateLedger(places, (known) => {
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
