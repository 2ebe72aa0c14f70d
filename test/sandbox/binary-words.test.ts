import { describe, expect, it } from "vitest";
import * as result from "../../src/result/binary.ts";

type Words = Pick<typeof result, "describeBinary" | "toByteText">;
const guest: Words = await import(
  new URL("../../src/sandbox/guest/javascript/binary.js", import.meta.url).href
);

/** The guest can't import from outside its folder, so the words are written twice. */
describe("the words for binary in logs and in results", () => {
  const base64 = Buffer.from(Uint8Array.from({ length: 5200 }, (_, n) => (n * 7919) % 251)).toString(
    "base64",
  );

  it.each([
    ["base64", base64],
    ["short base64", base64.slice(0, 100)],
    ["a data URL", `data:image/png;base64,${base64}`],
    ["a data URL of no known type", `data:;base64,${base64}`],
    ["a data URL that is no base64", `data:text/plain,${"x y".repeat(200)}`],
    ["prose", "Words and 1 number. ".repeat(50)],
    ["hexadecimal", "0123456789abcdef".repeat(50)],
    ["an image", { type: "image", data: base64, mimeType: "image/png" }],
    ["an image without a type", { type: "image", data: base64 }],
    ["an image with a hostile type", { type: "image", data: base64, mimeType: "a/b\u001b[31m" }],
    ["audio", { type: "audio", data: "AAAA", mimeType: "audio/wav" }],
    ["a file", { type: "resource", resource: { uri: "a:b", blob: base64, mimeType: "application/pdf" } }],
    ["a resource of text", { type: "resource", resource: { uri: "a:b", text: "x" } }],
    ["an image that is none", { type: "image", data: 5 }],
    ["an object", { a: 1 }],
    ["null", null],
    ["an array", [base64]],
  ])("are the same for %s", (_what, value) => {
    expect(guest.describeBinary(value)).toBe(result.describeBinary(value));
  });

  it.each([0, 999, 1000, 5200, 9_999, 10_000, 34_400, 999_999, 1_234_567])(
    "are the same for %i bytes",
    (bytes) => {
      expect(guest.toByteText(bytes)).toBe(result.toByteText(bytes));
    },
  );
});
