import { lstatSync } from "node:fs";
import { StoreError, shown } from "./store-error.ts";

/**
 * Which files a database has open, by their numbers, which no others get as long as they are open. Its log is there from the
 * first time that it is looked at.
 */
export function createPlace(path: string): { assertSame(): void } {
  const file = identify(path);
  let log = "";

  function isSame(): boolean {
    if (identify(path) !== file) return false;
    const found = identify(`${path}-wal`);
    log ||= found;
    return found === log;
  }

  return {
    assertSame() {
      if (path === "" || isSame()) return;
      throw new StoreError(
        "replaced",
        `The store "${shown(path)}" was replaced or deleted while it was in use`,
        "Leave it to Keyhole while that runs",
      );
    },
  };
}

/** Empty where there is none. */
function identify(path: string): string {
  const stats = path === "" ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}-${stats.ino}`;
}
