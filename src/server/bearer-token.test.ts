import { describe, expect, it } from "vitest";
import { createToken, hasToken, isUsableToken } from "./bearer-token.ts";

describe("a bearer token", () => {
  const token = createToken();

  it("is made anew each time, and is usable", () => {
    expect(isUsableToken(token)).toBe(true);
    expect(createToken()).not.toBe(token);
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
  ])("is not in %j", (header) => expect(hasToken(header, token)).toBe(false));

  it("is in a header whatever the scheme's case", () =>
    expect(hasToken(`bearer ${token}`, token)).toBe(true));

  it.each(["", "short", "with spaces in between it", "ünïcödé-is-not-for-headers"])("cannot be %j", (text) =>
    expect(isUsableToken(text)).toBe(false),
  );
});
