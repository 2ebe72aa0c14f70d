import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite } from "../../store/atomic-write.ts";
import { StoreError } from "../../store/database/store-error.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { readWhole } from "../../store/held-file.ts";
import { makeFolders } from "../../store/make-folders.ts";
import { isRecord } from "../../text/is-record.ts";
import { toHex } from "./chain.ts";
import type { Head } from "./log-store.ts";

const FILE = "head.json";
const MAX_BYTES = 256 * 1024;
const MAX_BREAKS = 100;
const MAX_MESSAGE = 500;

/** That the log was not what had been written there, and since when it is known. */
export type LogBreak = {
  readonly at: number;
  readonly kind: "truncated" | "changed" | "spool";
  readonly sequence: number;
  readonly message: string;
};

/** What the user's folder says of a log. Breaks are never forgotten: the log goes on after them, and looks whole. */
export type RememberedLog = {
  readonly head: Head | undefined;
  readonly breaks: readonly LogBreak[];
};

export type CompareEnds = (known: Head) => Promise<LogBreak | undefined>;

export type RememberedHead = {
  read(): Promise<RememberedLog>;
  /**
   * Where the chain ends now. An earlier place than is remembered counts only with a break. `compare` is given what was
   * remembered, while nobody else can change that, and tells what is wrong with the log where it is not the one of both ends.
   */
  remember(head: Head | undefined, compare?: LogBreak | CompareEnds): Promise<void>;
};

/** `head.json` in the log's folder of the user's: whoever cuts the log back, or puts an older copy in its place, can't change it. */
export function openRememberedHead(folder: string): RememberedHead {
  const path = join(folder, FILE);

  async function read(): Promise<RememberedLog> {
    const held = { path: dirname(path), shown: dirname(path), close: async () => {} };
    const bytes = await readWhole(held, FILE, MAX_BYTES);
    return bytes === undefined ? { head: undefined, breaks: [] } : parseRemembered(bytes.toString("utf8"));
  }

  return {
    read,
    async remember(head, compare) {
      await makeFolders(folder);
      const isDone = await withFileLock(`${path}.lock`, async () => {
        const known = await read();
        const broken = typeof compare !== "function" ? compare : known.head && (await compare(known.head));
        const isLater = head !== undefined && head.sequence > (known.head?.sequence ?? 0);
        if (!isLater && broken === undefined) return;
        const kept = isLater || (broken !== undefined && broken === compare) ? head : known.head;
        // The first ones say most; of the others the last.
        const breaks =
          broken === undefined ? known.breaks : [...known.breaks.slice(0, MAX_BREAKS - 1), broken];
        await atomicWrite(path, toJson({ head: kept, breaks }), { mode: 0o600 });
      });
      if (!isDone) throw (await isWritable(folder)) ? heldByAnother(path) : notWritable(path);
    },
  };
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function heldByAnother(path: string): StoreError {
  const message = `Another process holds "${path}", where the end of the audit log is remembered`;
  return new StoreError("locked", message, `Close it; if no other Keyhole runs, remove "${path}.lock"`);
}

function notWritable(path: string): StoreError {
  const message = `Where the audit log ends can't be remembered in "${path}"`;
  return new StoreError("read_only", message, "Make the folder writable for this user");
}

function toJson({ head, breaks }: RememberedLog): string {
  const known = head === undefined ? {} : { sequence: head.sequence, hash: toHex(head.hash) };
  const short = breaks.map((one) => ({ ...one, message: one.message.slice(0, MAX_MESSAGE) }));
  return `${JSON.stringify({ ...known, breaks: short })}\n`;
}

/** A file that was cut off by a power cut is a break, and no reason to stop. */
function parseRemembered(text: string): RememberedLog {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isRecord(value)) return { head: undefined, breaks: [UNREADABLE] };
  const { sequence, hash } = value;
  const isHead = typeof sequence === "number" && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
  const breaks = Array.isArray(value["breaks"]) ? value["breaks"].slice(0, MAX_BREAKS) : [UNREADABLE];
  return {
    head: isHead ? { sequence, hash: Buffer.from(hash, "hex") } : undefined,
    breaks: breaks.map(toBreak),
  };
}

const UNREADABLE: LogBreak = {
  at: 0,
  kind: "changed",
  sequence: 0,
  message: "What was remembered of the log can't be read",
};

function toBreak(value: unknown): LogBreak {
  if (!isRecord(value)) return UNREADABLE;
  const { at, kind, sequence, message } = value;
  if (typeof at !== "number" || typeof sequence !== "number" || typeof message !== "string")
    return UNREADABLE;
  if (kind !== "truncated" && kind !== "changed" && kind !== "spool") return UNREADABLE;
  return { at, kind, sequence, message };
}
