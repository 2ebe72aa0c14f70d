import { expect, it } from "vitest";
import { createLibrarySession, sessionNamed } from "./library-session.ts";

it("has a caller's names below its own: no name is another's session", () => {
  const [one, other] = [createLibrarySession(), createLibrarySession()];
  expect(one.id).not.toBe(other.id);
  expect(sessionNamed(one, "a").id).toBe(`${one.id}/a`);
  expect(sessionNamed(one, other.id).id).toBe(`${one.id}/${other.id}`);
  expect(sessionNamed(one, undefined)).toBe(one);
  const long = [sessionNamed(one, "x".repeat(1e6)).id, sessionNamed(one, "x".repeat(1e6 + 1)).id];
  expect(new Set(long).size).toBe(2);
  expect(long[0]?.length).toBeLessThan(120);
});
