import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomFillSync } from "node:crypto";

/**
 * What is done with one workspace's keys: each is made from the master key and the workspace's name, so that nothing of one means
 * anything in another.
 */
export type WorkspaceCipher = {
  /** By which its rows are known. */
  readonly tag: Buffer;
  /** A keyed hash, for one purpose. */
  lookup(purpose: string, text: string): Buffer;
  /** Only opened again in the same place. */
  seal(place: string, text: string): Buffer;
  /** Nothing unless it was sealed with this key for this place. */
  open(place: string, sealed: Uint8Array): string | undefined;
};

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const PROOF_BYTES = 16;

/** Nonces are drawn in advance: asking the system for each costs as much as sealing. */
const POOL = Buffer.alloc(NONCE_BYTES * 256);
let used = POOL.length;

export function createWorkspaceCipher(masterKey: Buffer, workspace: string): WorkspaceCipher {
  const derive = (purpose: string, bytes = KEY_BYTES) =>
    Buffer.from(hkdfSync("sha256", masterKey, workspace, `keyhole vault ${purpose}`, bytes));
  const tag = derive("tag", 16);
  const lookupKey = derive("lookup");
  const sealKey = derive("seal");

  return {
    tag,
    lookup: (purpose, text) => createHmac("sha256", lookupKey).update(`${purpose}\n`).update(text).digest(),
    seal(place, text) {
      const nonce = drawNonce();
      const cipher = createCipheriv(ALGORITHM, sealKey, nonce).setAAD(toPlace(tag, place));
      // Not as UTF-8: half of a pair would be lost.
      const sealed = [cipher.update(toBytes(text)), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
    },
    open(place, sealed) {
      if (sealed.length < NONCE_BYTES + PROOF_BYTES) return undefined;
      const cipher = createDecipheriv(ALGORITHM, sealKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: PROOF_BYTES,
      });
      cipher.setAAD(toPlace(tag, place));
      cipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + PROOF_BYTES));
      try {
        return fromBytes(
          Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES + PROOF_BYTES)), cipher.final()]),
        );
      } catch {
        return undefined;
      }
    },
  };
}

function toPlace(tag: Buffer, place: string): Buffer {
  return Buffer.concat([tag, Buffer.from(`\n${place}`)]);
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

const WIDE = 1;
const NARROW = 0;

/** A first byte says how: as UTF-8 what can be. */
function toBytes(text: string): Buffer {
  const narrow = Buffer.from(text, "utf8");
  const isSame = narrow.toString("utf8") === text;
  return Buffer.concat([Buffer.of(isSame ? NARROW : WIDE), isSame ? narrow : Buffer.from(text, "utf16le")]);
}

function fromBytes(bytes: Buffer): string {
  return bytes.toString(bytes[0] === WIDE ? "utf16le" : "utf8", 1);
}
