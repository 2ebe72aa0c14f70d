import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandsSchema } from "../../config/commands/schema.ts";
import { createCommandRules } from "./command-rules.ts";
import { isPlainOption } from "./plain-options.ts";

type Entry = { command: string; args?: (string | string[])[]; readOnly?: boolean; needs?: string[] };

function rules(...files: Entry[][]) {
  return createCommandRules(
    files.map((allow, at) => ({ file: `file ${at + 1}`, commands: commandsSchema.parse({ allow }) })),
  );
}

/** One entry, and a command line whose words have no spaces in them. */
function check(entry: Entry, line: string): boolean {
  const [command = "", ...args] = line.split(" ");
  return rules([entry]).check(command, args).ok;
}

const git: Entry = {
  command: "git",
  args: ["status", "log *", "show * --stat", "diff --output=*", "tag v*"],
};
const cat: Entry = { command: "cat", args: ["*"] };
const frob: Entry = { command: "frob", args: ["**"] };

describe("a command line", () => {
  it.each<[Entry, string]>([
    [git, "git status"],
    [git, "git log"],
    [git, "git log main"],
    [git, "git log main other"],
    [git, "git log --oneline -5 main"],
    [git, "git log --format=%h --since=2020-01-01"],
    [git, "git log --since=2020-01-01 -- a.txt b.txt"],
    [cat, "cat -- a"],
    [git, "git show HEAD --stat"],
    [git, "git diff --output=x"],
    [git, "git tag v1.0"],
    [cat, "cat a b"],
    [cat, "cat -"],
    [cat, "cat -n a"],
    [frob, "frob -x --y=z a"],
    [{ command: "ls" }, "ls"],
    [{ command: "ls", args: [""] }, "ls"],
    [{ command: "tar", args: ["-xzf *"] }, "tar -xzf a.tgz"],
    [{ command: "find", args: ["*"] }, "find . -name x -type f"],
    [{ command: "sh", args: ["build.sh"] }, "sh build.sh"],
  ])("that fits %j passes: %s", (entry, line) => {
    expect(check(entry, line)).toBe(true);
  });

  it.each<[Entry, string]>([
    [git, "git"],
    [git, "git push"],
    [git, "git status -s"],
    [git, "git status x"],
    [git, "git -c core.pager=sh log"],
    [git, "git --exec-path=. log"],
    [git, "git -C .. log"],
    [git, "git log --output=x"],
    [git, "git log --outpu=x"],
    [git, "git log --ext-diff"],
    [git, "git log -O."],
    [git, "git log -- --output=x"],
    [git, "git log -- -x"],
    [git, "git status --"],
    [git, "git log -5x"],
    [git, "git show -p --stat"],
    [git, "git diff --output"],
    [git, "git tag -d"],
    [git, "git Log"],
    [git, "git log\u0000 x"],
    [cat, "cat --show-everything a"],
    [{ command: "ls" }, "ls a"],
    [{ command: "tar", args: ["-xzf *"] }, "tar -xzf a.tgz --to-command=sh"],
    [{ command: "tar", args: ["-xzf *"] }, "tar -xzf --use-compress-program=sh a.tgz"],
    [{ command: "find", args: ["*"] }, "find . -exec sh {} ;"],
    [{ command: "find", args: ["*"] }, "find . -delete"],
    [{ command: "sort", args: ["*"] }, "sort --compress-program=sh a"],
    [{ command: "sort", args: ["*"] }, "sort -o a b"],
    [{ command: "sh", args: ["build.sh"] }, "sh -c build.sh"],
    [frob, "./frob x"],
    [frob, "/usr/bin/frob x"],
    [frob, "frobs"],
    [frob, "__proto__"],
  ])("that does not fit %j is refused: %s", (entry, line) => {
    expect(check(entry, line)).toBe(false);
  });

  it("is one list of words, whatever is in them", () => {
    const one = rules([{ command: "git", args: [["commit", "-m", "*"], "log *"] }]);
    expect(one.check("git", ["commit", "-m", "a b; rm -rf /"]).ok).toBe(true);
    expect(one.check("git", ["commit", "-m", "--amend"]).ok).toBe(false);
    expect(one.check("git", ["log", "--oneline --output=x"]).ok).toBe(false);
    expect(one.check("git", ["log --oneline"]).ok).toBe(false);
    expect(one.check("git", ["log", ""]).ok).toBe(true);
  });

  it("is refused with the key that would allow it, and with the option that is in the way", () => {
    expect(createCommandRules([{ file: "a" }]).check("git", ["status"])).toEqual({
      ok: false,
      reason: "Commands are switched off",
      hint: 'The user can allow it in "commands.allow" of keyhole.config.json: {"command":"git","args":[["status"]]}',
    });
    const off = createCommandRules([
      { file: "/home/u/.config/keyhole/config.json" },
      { file: "/p/keyhole.config.yaml" },
    ]);
    expect(off.check("git", [])).toMatchObject({
      hint: expect.stringContaining("of keyhole.config.yaml: {"),
    });
    const commands = commandsSchema.parse({ allow: [git] });
    for (const [file, shown] of [
      ["/p/keyhole.config.yml", "keyhole.config.yml"],
      ["/home/u/.config/keyhole/config.yaml", "keyhole/config.yaml"],
    ] as const)
      for (const args of [["push"], []])
        expect(
          createCommandRules([{ file, commands }]).check(args.length ? "git" : "cat", args),
        ).toMatchObject({
          hint: expect.stringContaining(`"commands.allow" of ${shown}: {`),
        });
    expect(rules([git]).check("cat", [])).toMatchObject({
      reason: expect.stringContaining('"cat" is not among'),
    });
    expect(rules([git]).check("git", ["log", "--output=x"])).toMatchObject({
      reason: expect.stringContaining('"--output=x" is an option'),
    });
    const tar = rules([{ command: "tar", args: ["-xf *"] }]);
    expect(tar.check("tar", ["-xf", "x.tar", "--to-command=sh"])).toMatchObject({
      reason: expect.stringContaining('"--to-command=sh" is an option'),
    });
  });
});

describe("two files", () => {
  it("must both allow it, and the stricter holds", () => {
    const both = rules(
      [{ command: "git", args: ["log *", "status"], needs: ["sh", "cat"] }, cat],
      [{ command: "git", args: ["log *"], readOnly: true, needs: ["cat"] }],
    );
    expect(both.check("git", ["log"])).toEqual({
      ok: true,
      readOnly: true,
      needs: ["cat"],
      by: [
        { file: "file 1", number: 1 },
        { file: "file 2", number: 1 },
      ],
    });
    expect(both.check("git", ["status"])).toMatchObject({
      ok: false,
      reason: expect.stringContaining("file 2"),
    });
    expect(both.check("cat", ["a"]).ok).toBe(false);
    expect(rules([git], []).check("git", ["status"]).ok).toBe(false);
  });

  it("have the shorter time", () => {
    const time = (timeoutMs?: number) => ({ file: "a", commands: commandsSchema.parse({ timeoutMs }) });
    expect(createCommandRules([time(500), time(), time(900)]).timeoutMs).toBe(500);
  });
});

describe("whatever the arguments are", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "-",
      "--",
      "-c",
      "--output=x",
      "-5",
      "log",
      "*",
      "**",
      "",
      " ",
      "\u2014x",
      "-\u0000",
      "\n-c",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ maxLength: 6 }).map((text) => `-${text}`),
  );
  const lists = fc.array(word, { maxLength: 6 });

  it("stands for no option that is not known to be plain", () => {
    const open = rules([{ command: "git", args: ["log *"] }, cat, { command: "frob", args: ["* x *"] }]);
    fc.assert(
      fc.property(fc.constantFrom("git", "cat", "frob"), lists, (command, args) => {
        if (!open.check(command, args).ok) return;
        const options = args.filter((one) => one.startsWith("-") && one !== "-");
        expect(options.filter((one) => !isPlainOption(command, one))).toEqual([]);
        if (command === "git") expect(args[0]).toBe("log");
      }),
    );
  });

  it("is exact where the pattern is", () => {
    fc.assert(
      fc.property(lists, lists, (written, args) => {
        if (written.some((one) => one.includes("*"))) return;
        const same = JSON.stringify(written) === JSON.stringify(args);
        expect(rules([{ command: "frob", args: [written] }]).check("frob", args).ok).toBe(same);
        expect(rules([{ command: "frob", args: [written] }]).check("frob", written).ok).toBe(true);
      }),
    );
  });
});

it("takes any arguments, and long ones in no time", () => {
  const pattern = rules([{ command: "frob", args: ["a*a*a*a*a*a*b"] }]);
  expect(pattern.check("frob", ["a".repeat(90_000)]).ok).toBe(false);
  expect(pattern.check("frob", [`${"a".repeat(90_000)}b`]).ok).toBe(true);
  // Parts never overlap.
  expect(rules([{ command: "frob", args: ["ab*ba"] }]).check("frob", ["aba"]).ok).toBe(false);
});
