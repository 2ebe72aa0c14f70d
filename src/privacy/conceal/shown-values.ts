import { KeyholeError } from "../../errors.ts";
import type { PiiClass } from "../../pii-classes.ts";
import { maskOf } from "../facts/masks.ts";
import { normalise } from "../normal.ts";
import type { PiiAction, PrivacySettings } from "../settings.ts";
import type { VaultEntry, WorkspaceVault } from "../vault/workspace-vault.ts";
import { isNobodysAddress } from "./nobodys-address.ts";
import type { Spellings } from "./spellings.ts";

/** Whose it is that a value was met with. */
export type Met = {
  readonly session: string;
  /** The same for all values of one record. */
  readonly together?: string | undefined;
  /** The server that it comes from. */
  readonly server?: string | undefined;
  /** It is a number of JSON there. */
  readonly isNumber?: boolean;
  /** Gets each of them by its token, for who counts. */
  readonly found?: FoundValues | undefined;
};

/** Of what class values are, by their tokens. */
export type FoundValues = Map<string, PiiClass>;

export type MetValue = Met & {
  /** The JSON Schema of what it stands in. */
  readonly schema?: unknown;
};

/** What stands for values where they may not be seen. */
export type ShownValues = {
  /** Nothing where it may be seen as it is. The vault knows it from now on. */
  show(kind: PiiClass, value: string, met: Met): string | undefined;
  /** The same for a value that the vault has, with nobody who has met it. */
  showKnown(entry: VaultEntry): string | undefined;
  /** The vault knows it from now on; nothing is shown of it yet. */
  note(kind: PiiClass, value: string, met: Met): void;
  /** Whether there is something that has to be on the disk before anything leaves. */
  readonly isFresh: boolean;
  commit(): Promise<void>;
};

/** All that one vault holds: each takes some three kilobytes of this process. */
const MAX_VALUES = 150_000;
/** A longer one is no value of one person, and gets no token. */
const MAX_VALUE = 16_384;

/** One letter tells nothing. */
const SHORTEST = 2;
/** What may be a word as well: the server "1password" is no password. */
const WORDS: ReadonlySet<PiiClass> = new Set<PiiClass>(["NAME", "COMPANY", "USER_ID", "PASSWORD", "API_KEY"]);

export type ShownValuesOptions = {
  readonly vault: WorkspaceVault;
  readonly settings: PrivacySettings;
  /** Words that stand in the catalogue: the name of a server is no company's where it is the server's. */
  readonly spellings: Spellings;
  isPublic(text: string): boolean;
  onFull(): void;
};

export function createShownValues(options: ShownValuesOptions): ShownValues {
  const { vault, settings, spellings, isPublic, onFull } = options;
  let isFresh = false;
  let count = vault.stats().entries;
  /** Values of servers whose own may be seen. */
  const free = new Set<string>();

  vault.onChange(({ added, removed }) => {
    count += added.length - removed.length;
  });

  function tokenOf(kind: PiiClass, value: string, met: Met): string | undefined {
    const { session, together, server, isNumber = false, found } = met;
    if (value.length > MAX_VALUE) return undefined;
    if (count >= MAX_VALUES) {
      onFull();
      // What a program gets it must be able to send on.
      if (server !== undefined && settings.mode === "boundary") throw isFull();
      return undefined;
    }
    const token = vault.tokenOf(kind, value, {
      session,
      normal: normalise(kind, value, settings.region),
      ...(together === undefined ? {} : { together }),
    });
    isFresh = true;
    found?.set(token, kind);
    if (server !== undefined)
      spellings.note({ session, server }, token, { text: value, isNumber }, vault.valueOf(token));
    return token;
  }

  function isFree(kind: PiiClass, value: string, { server }: Met): boolean {
    if (settings.actionOf(kind) === "keep" || value.length < SHORTEST) return true;
    if (kind === "IP" && isNobodysAddress(value)) return true;
    if (server === undefined) return free.has(`${kind} ${value}`) || isName(kind, value);
    if (settings.actionOf(kind, server) !== "keep") return isName(kind, value);
    if (free.size < MAX_VALUES) free.add(`${kind} ${value}`);
    return true;
  }

  const isName = (kind: PiiClass, value: string) => WORDS.has(kind) && isPublic(value);

  return {
    show(kind, value, met) {
      if (isFree(kind, value, met)) return undefined;
      return toShown(kind, value, settings.actionOf(kind, met.server), tokenOf(kind, value, met));
    },
    showKnown({ class: kind, value, token }) {
      if (isFree(kind, value, NOBODY)) return undefined;
      return toShown(kind, value, settings.actionOf(kind), token);
    },
    note(kind, value, met) {
      if (!isFree(kind, value, met)) tokenOf(kind, value, met);
    },
    get isFresh() {
      return isFresh;
    },
    async commit() {
      if (!isFresh) return;
      isFresh = false;
      await vault.commit();
    },
  };
}

function isFull(): KeyholeError {
  return new KeyholeError("too_large", "The vault of personal values is full", {
    hint: "Tell the user: `keyhole privacy forget --older-than 30d` makes room",
  });
}

const NOBODY: Met = { session: "" };

function toShown(kind: PiiClass, value: string, action: PiiAction, token: string | undefined): string {
  if (action === "block") return `[${kind} blocked]`;
  if (action === "mask") return maskOf(kind, value);
  return token ?? `[${kind}]`;
}
