import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyedHash } from "./keyed-hash.ts";

describe("a hash by a key", () => {
  const key = randomBytes(32);
  const hash = createKeyedHash(key);

  it.each([
    "",
    "a",
    '{"value":"1"}',
    "ü€😀".repeat(50),
    "\ud800 alone",
    "x".repeat(2_730),
    "x".repeat(2_731),
    "€".repeat(9_000),
  ])("is an HMAC-SHA256 whatever the length is (%#)", (text) => {
    hash("what was hashed before is not in it, and it was longer than this");
    expect(hash(text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
    expect(hash(Buffer.from(text))).toBe(createHmac("sha256", key).update(text).digest("hex"));
  });

  it("takes no key that would have to be hashed itself", () => {
    expect(() => createKeyedHash(randomBytes(65))).toThrow(RangeError);
  });
});
