import { expect, test } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { resolveSpecifier } from "./specifier.ts";

const tool = toolRecord({ name: "index" });
const servers = [serverRecord("github", [tool])];

test("a tool's file is found by its name, also where that was taken", () => {
  for (const file of ["index_", "index__.ts"]) {
    expect(resolveSpecifier(`./servers/github/${file}`, servers)).toMatchObject({ kind: "tool", tool });
  }
});

test("a name of a million underscores is no tool's", () => {
  const file = `${"_".repeat(1_000_000)}a`;
  expect(resolveSpecifier(`./servers/github/${file}`, servers)).toMatchObject({ kind: "unknown" });
});
