import { createCipheriv, createDecipheriv, hkdfSync, randomFillSync } from "node:crypto";
import { type AuditEvent, classOf } from "../event.ts";
import { type SealKeys, toSealKeyId } from "./seal-keys.ts";

/** An event as it stands in a sealed log: what can be asked for is plain, the rest can be read by whoever has the key. */
export type SealedEvent = Omit<AuditEvent, "details" | "error"> & { readonly sealed: string };

/** What a reader gets of an event: all of it, or its head and why there is no more. */
export type OpenedEvent =
  | { readonly event: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | {
      readonly event: Readonly<Record<string, unknown>> & { readonly details: { readonly sealed: true } };
      readonly problem: string;
    };

export type DetailSeal = {
  /** The id of the key that seals. */
  readonly key: string;
  /** What the log says of itself stays plain: whoever verifies it needs that, and no key. */
  seal(event: AuditEvent): SealedEvent | AuditEvent;
  /** Of a parsed line; one that is not sealed is what it was. */
  open(line: Readonly<Record<string, unknown>>): OpenedEvent;
};

const ALGORITHM = "aes-256-gcm";
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const PROOF_BYTES = 16;
const HEAD_BYTES = ID_BYTES + NONCE_BYTES + PROOF_BYTES;

/** Nonces are drawn in advance: asking the system for each costs as much as sealing. */
const POOL = Buffer.alloc(NONCE_BYTES * 256);
let used = POOL.length;

/**
 * Seals `details` and `error` of events, each for its own event of its own log: put into another one, it is not opened. What is
 * sealed is the key's id, nonce, proof and text, as base64.
 */
export function createDetailSeal({ keys }: Pick<SealKeys, "keys">, log: string): DetailSeal {
  const byId = new Map(keys.map((key) => [toSealKeyId(key).toString("hex"), toLogKey(key, log)]));
  const [first] = keys;
  const ownId = toSealKeyId(first);
  const ownKey = toLogKey(first, log);

  return {
    key: ownId.toString("hex"),
    seal(event) {
      if (classOf(event.action) === "audit") return event;
      const { details, error, ...head } = event;
      const nonce = drawNonce();
      const cipher = createCipheriv(ALGORITHM, ownKey, nonce).setAAD(toPlace(log, head.id));
      const text = JSON.stringify(error === undefined ? { details } : { details, error });
      const parts = [cipher.update(text, "utf8"), cipher.final()];
      const sealed = Buffer.concat([ownId, nonce, cipher.getAuthTag(), ...parts]).toString("base64");
      return { ...head, sealed };
    },
    open(line) {
      if (line["sealed"] === undefined) return { event: line };
      const { sealed, ...head } = line;
      const bytes = Buffer.from(typeof sealed === "string" ? sealed : "", "base64");
      const id = bytes.subarray(0, ID_BYTES).toString("hex");
      const key = byId.get(id);
      if (bytes.length < HEAD_BYTES) return closed(head, "what is sealed is not whole");
      if (key === undefined) return closed(head, `the key ${id} that sealed it is not here`);
      const opened = openBytes(key, bytes, toPlace(log, String(head["id"])));
      if (opened === undefined) return closed(head, "what is sealed was changed, or is of another event");
      return { event: { ...head, ...opened } };
    },
  };
}

/** What is sealed, for who has no keys at all: heads only. */
export function toUnopened(line: Readonly<Record<string, unknown>>): OpenedEvent {
  if (line["sealed"] === undefined) return { event: line };
  const { sealed: _sealed, ...head } = line;
  return closed(head, "there is no key for what is sealed");
}

function closed(head: Record<string, unknown>, problem: string): OpenedEvent {
  return { event: { ...head, details: { sealed: true } }, problem };
}

function openBytes(key: Buffer, bytes: Buffer, place: Buffer): Record<string, unknown> | undefined {
  const nonce = bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES);
  const cipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: PROOF_BYTES });
  cipher.setAAD(place).setAuthTag(bytes.subarray(ID_BYTES + NONCE_BYTES, HEAD_BYTES));
  try {
    return JSON.parse(Buffer.concat([cipher.update(bytes.subarray(HEAD_BYTES)), cipher.final()]).toString());
  } catch {
    return undefined;
  }
}

/** One key for each log: so that no two of them can share a nonce. */
function toLogKey(key: Uint8Array, log: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, log, "keyhole audit details", 32));
}

function toPlace(log: string, id: string): Buffer {
  return Buffer.from(`${log}\n${id}`);
}

function drawNonce(): Buffer {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const nonce = Buffer.from(POOL.subarray(used, used + NONCE_BYTES));
  used += NONCE_BYTES;
  return nonce;
}
