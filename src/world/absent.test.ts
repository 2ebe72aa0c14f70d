import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";
import { resolveSpecifier } from "../language/typescript/prepare/specifier.ts";
import { ABSENT_MODULES, ABSENT_PACKAGES, insteadOfModule, insteadOfName } from "./absent.ts";
import { MODULE_NAMES, toModuleName } from "./modules.ts";

const specifiers = [...ABSENT_MODULES.flatMap((name) => [name, `node:${name}`]), ...ABSENT_PACKAGES];

describe("what a program can't have", () => {
  it.each(specifiers)("is refused with its own sentence: %s", (specifier) => {
    const target = resolveSpecifier(specifier, []);
    expect(target).toMatchObject({ kind: "unknown", message: `Cannot import "${specifier}"` });
    expect(target.kind === "unknown" && target.hint).toBe(insteadOfModule(specifier));
  });

  it("is refused below its top as well", () => {
    expect(insteadOfModule("node:dns/promises")).toBe(insteadOfModule("dns"));
    expect(insteadOfModule("lodash/groupBy")).toBe(insteadOfModule("lodash"));
    expect(insteadOfModule("@octokit/rest/dist")).toBe(insteadOfModule("@octokit/rest"));
    expect(insteadOfModule("npm:left-pad")).toMatch(/^Nothing is downloaded/);
    expect(insteadOfModule("https://esm.sh/zod")).toMatch(/^Nothing is downloaded/);
  });

  it("is every module of Node's that is not there", () => {
    const tops = new Set(builtinModules.map((name) => name.replace(/^node:/, "").split("/")[0] ?? ""));
    const untold = [...tops].filter(
      (name) =>
        !name.startsWith("_") && toModuleName(name) === undefined && insteadOfModule(name) === undefined,
    );
    expect(untold).toEqual([]);
  });

  it("is told without a word of what is not there", () => {
    const sentences = [
      ...specifiers.map(insteadOfModule),
      ...["Deno", "Bun", "window", "_"].map(insteadOfName),
    ];
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/skills|Use fetch|keyhole\.config|"network"/);
      for (const [, name] of String(sentence).matchAll(/node:([\w/]+)/g))
        expect(MODULE_NAMES).toContain(name);
    }
  });

  it("has no near name for nonsense, and does not mind how long it is", () => {
    expect(resolveSpecifier("x".repeat(1_000_000), [])).toMatchObject({ kind: "unknown" });
    expect(resolveSpecifier("node:fs/promise", [])).toMatchObject({
      hint: expect.stringContaining("fs/promises"),
    });
  });
});
