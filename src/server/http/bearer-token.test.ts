import { describe, expect, it } from "vitest";
import { createPrincipalOf, isUsableToken } from "./bearer-token.ts";

const token = "a-token-of-some-length";
const principalOf = createPrincipalOf([
  { principal: "local", token },
  { principal: "alice", token: "another-token-of-some-length" },
]);

describe("a bearer token", () => {
  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token} x`,
    `Bearer ${token}, Bearer ${token}`,
  ])("is nobody's in %j", (header) => expect(principalOf(header)).toBeUndefined());

  it("says who sends it, whatever the scheme's case", () => {
    expect(principalOf(`bearer ${token}`)).toBe("local");
    expect(principalOf("Bearer another-token-of-some-length")).toBe("alice");
  });

  it("is nobody's where there are no tokens", () =>
    expect(createPrincipalOf([])(`Bearer ${token}`)).toBeUndefined());

  it.each(["", "short", "with spaces in between it", "ünïcödé-is-not-for-headers"])("cannot be %j", (text) =>
    expect(isUsableToken(text)).toBe(false),
  );
});
