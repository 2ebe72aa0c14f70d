import { loadSealKeys, type SealKeyOptions, type SealKeys, toSealKeyId } from "../log/seal-keys.ts";
import { noteSealKey } from "../log/sealed-by.ts";
import { createDetailSeal } from "../log/sealed-details.ts";
import type { SealEvent } from "./to-line.ts";

/** Whether events are sealed, and by what: the key is read from a file, and events may come before it is there. */
export type Sealing = {
  /** Whether events have to wait for the key. */
  isOpen(): boolean;
  seal: SealEvent | undefined;
  load(): Promise<void>;
};

export type SealingOptions = SealKeyOptions & {
  readonly logId: string;
  /** What the user's folder has of the log. */
  readonly logFolder: string;
  /** Another key sealed before. `isHere`: what that one sealed can be opened. */
  onChange(change: { readonly key: string; readonly previous: string; readonly isHere: boolean }): void;
};

export function createSealing(isNeeded: boolean, options: SealingOptions): Sealing {
  const { logId, logFolder, onChange } = options;
  let loading: Promise<void> | undefined;
  const sealing: Sealing = {
    isOpen: () => isNeeded && sealing.seal === undefined,
    seal: undefined,
    load() {
      if (!isNeeded) return Promise.resolve();
      loading ??= loadSealKeys(options)
        .then(use)
        .catch((error: unknown) => {
          // It may be there at the next attempt.
          loading = undefined;
          throw error;
        });
      return loading;
    },
  };

  async function use(loaded: SealKeys): Promise<void> {
    const { key, seal } = createDetailSeal(loaded, logId);
    const previous = await noteSealKey(logFolder, key);
    sealing.seal = seal;
    if (previous === undefined) return;
    const isHere = loaded.keys.some((one) => toSealKeyId(one).toString("hex") === previous);
    onChange({ key, previous, isHere });
  }

  return sealing;
}
