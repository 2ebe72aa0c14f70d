import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { commandsSchema } from "./schema.ts";

const problem = (command: string, args: unknown) =>
  commandsSchema.safeParse({ allow: [{ command, args }] }).error?.issues[0]?.message;

it("takes what the docs show", () => {
  expect(commandsSchema.parse({ allow: [{ command: "git", args: ["status", "log *"] }] })).toEqual({
    allow: [{ command: "git", args: ["status", "log *"] }],
  });
  const docs = readFileSync(new URL("../../../docs/commands.md", import.meta.url), "utf8");
  const [, shown = ""] = /```yaml\n([\s\S]*?)```/.exec(docs) ?? [];
  expect(commandsSchema.parse(parse(shown).commands).allow).toHaveLength(4);
  expect(commandsSchema.parse({ allow: null })).toEqual({ allow: [] });
});

it.each([
  "./git",
  "/usr/bin/git",
  "../git",
  "git status",
  "",
  "-c",
  "a\u0000b",
  "node_modules/.bin/x",
  "~/x",
  "[",
  "$SHELL",
])("takes no command by %j", (command) =>
  expect(problem(command, [])).toContain("must be the bare name of a command"),
);

it.each(
  "sh bash env xargs sudo python3 python3.12 perl node awk sed find-nothing make npx ssh timeout busybox gcc-13".split(
    " ",
  ),
)("knows whether %s runs what its arguments say", (command) => {
  const isOpen = command === "find-nothing";
  for (const args of [["*"], ["**"], ["-c *"], ["x*"], [["-c", "*"]]])
    expect(problem(command, args)).toEqual(
      isOpen ? undefined : `must be exact, without "*": "${command}" runs what its arguments say`,
    );
  expect(problem(command, ["build.x --all"])).toBeUndefined();
});

it("does not leave open what options of a command run", () => {
  for (const command of ["git", "tar", "find", "sort", "rsync"])
    expect(problem(command, ["log **"])).toContain('cannot end with "**"');
  for (const command of ["git", "tar"]) expect(problem(command, ["*"])).toContain("must begin with what");
  expect(problem("git", ["l*"])).toContain("must begin with what");
  expect(problem("frob", ["**"])).toBeUndefined();
});

it.each([
  ["log | sh", "there is no shell"],
  ["log; rm", "there is no shell"],
  ["commit -m 'x y'", "there is no shell"],
  ["$(id)", "there is no shell"],
  ["** x", 'has "**" before its end'],
  ["-* x", "would be any option"],
  ["--* x", "would be any option"],
])("refuses the pattern %j", (pattern, message) => {
  expect(problem("frob", [pattern])).toContain(message);
});
