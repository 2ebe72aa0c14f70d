import { expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { toRenamedHint } from "./renamed-servers.ts";

const servers = [
  "fs",
  "fetch",
  "console",
  "delete",
  "1password",
  "process",
  "path",
  "crypto",
  "default",
  "then",
].map((name) => serverRecord(name, [toolRecord({ name: "read_file" }), toolRecord({ name: "fetch" })]));

it.each([
  ["fs.readFile('x')", "fs_.read_file(…)"],
  ["await fs . read_file()", "fs_.read_file(…)"],
  ["fetch({ url })", "fetch_.fetch(…)"],
  ["console.readFile()", "console_.read_file(…)"],
  ["delete.readFile()", "delete_.read_file(…)"],
  ["1password.readFile()", "_1password.read_file(…)"],
  ["process.readFile()", "process_.read_file(…)"],
  ["path?.readFile()", "path_.read_file(…)"],
  ["crypto.readFile()", "crypto_.read_file(…)"],
  ["default.readFile()", "default_.read_file(…)"],
  ["then.readFile()", "then_.read_file(…)"],
])("%s could be about a server, and is told its name", (source, call) => {
  expect(toRenamedHint(source, servers)).toContain(`write ${call} to call its tool`);
});

it.each(["console.log(1)", "x.fs.readFile()", "github.readFile()", "fs_.readFile()", "crypto.randomUUID()"])(
  "%s can't",
  (source) => {
    expect(toRenamedHint(source, servers)).toBeUndefined();
  },
);

it("takes a program of one long word as it comes", () => {
  expect(toRenamedHint("a".repeat(1_000_000) + " ".repeat(1_000_000), servers)).toBeUndefined();
});
