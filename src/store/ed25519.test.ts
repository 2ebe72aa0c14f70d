import { describe, expect, it } from "vitest";
import { parsePublicKey } from "../skills/packs/pack-signature.ts";
import { isPublicKey, isSignedBy, toPrivateKey, toPublicBytes } from "./ed25519.ts";

/** All points of small order, and all other ways to write them; each with either sign. */
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].flatMap((hex) => {
  const bytes = Buffer.from(hex, "hex");
  const negative = Buffer.from(bytes);
  negative.writeUInt8(bytes.readUInt8(31) | 0x80, 31);
  return [bytes, negative];
});
/** R is the identity, S is zero. */
const EMPTY_SIGNATURE = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);

describe("a public key", () => {
  it("is none of small order, by which a signature of nobody's is right, however it is written", () => {
    for (const bytes of SMALL_ORDER) {
      expect(isPublicKey(bytes)).toBe(false);
      expect(parsePublicKey(bytes.toString("base64"))).toBeUndefined();
      for (const text of ["one", "two", "three", "four", "five", "six", "seven", "eight"])
        expect(isSignedBy(bytes, Buffer.from(text), EMPTY_SIGNATURE)).toBe(false);
    }
  });

  it("is none that is written in a second way", () => {
    for (let low = 0xed; low <= 0xff; low++) {
      const bytes = Buffer.concat([Buffer.from([low]), Buffer.alloc(30, 0xff), Buffer.from([0x7f])]);
      expect(isPublicKey(bytes)).toBe(false);
    }
  });

  it("is one that belongs to a private one", () => {
    for (let seed = 0; seed < 64; seed++) {
      const bytes = toPublicBytes(toPrivateKey(Buffer.alloc(32, seed)));
      expect(bytes !== undefined && isPublicKey(bytes)).toBe(true);
    }
  });
});
