const MIB = 1024 * 1024;

/** What the host holds of all programs together, as values and as bytes that wait; and what each of them may always hold. */
const TOTAL_BYTES = 128 * MIB;
const OWN_BYTES = 4 * MIB;
/** A run may hold as many times what is left for the others. */
const SHARE = 2;

export type Ledger = {
  open(maxBytes: number): Account;
  readonly heldBytes: number;
};

/** What the host holds of one run. */
export type Account = {
  /** Takes so much, if it may be held beside all the rest. */
  take(bytes: number): boolean;
  /** Takes it in any case: it is there already. */
  force(bytes: number): void;
  give(bytes: number): void;
  /** Whether as much can't be held of this run, however little the others hold. */
  isOver(bytes: number): boolean;
  close(): void;
};

/**
 * Divides the host's memory among the runs. Each can have twice what it leaves to the others, so that those who hold the most
 * never hold all of it, and a little in any case.
 */
export function createLedger(totalBytes = TOTAL_BYTES, ownBytes = OWN_BYTES): Ledger {
  let allBytes = 0;
  return {
    get heldBytes() {
      return allBytes;
    },
    open(maxBytes) {
      let heldBytes = 0;
      let isOpen = true;
      const force = (bytes: number) => {
        if (!isOpen) return;
        heldBytes += bytes;
        allBytes += bytes;
      };
      return {
        force,
        take(bytes) {
          const wanted = heldBytes + bytes;
          if (wanted > maxBytes) return false;
          if (wanted > ownBytes && wanted > SHARE * (totalBytes - allBytes - bytes)) return false;
          force(bytes);
          return true;
        },
        give: (bytes) => force(-bytes),
        isOver: (bytes) => bytes > maxBytes || bytes > SHARE * (totalBytes - bytes),
        close() {
          force(-heldBytes);
          isOpen = false;
        },
      };
    },
  };
}

/** Of this process: however many sandboxes there are in it, they share its memory. */
export const hostLedger = createLedger();
