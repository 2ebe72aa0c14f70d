import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GLOBAL_FILES } from "../world/declarations.ts";
import { readGlobalNames } from "../world/declared-names.ts";
import { isReservedInPrograms, type NameStyle, toIdentifiers, toServerNames } from "./names.ts";

const STYLES = ["typescript", "python", "typescriptServer", "pythonServer", "folder"] as const;
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;
const FOLDER = /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.-]*(?<!\.)$/u;

const hostileName = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", "A", "_", "-", ".", "/", "0", "ß", "SS", "é", "e\u0301") }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "..",
    "con",
    "NUL.txt",
    "delete",
    "a__b0b0b0",
    "a-b",
    "a_b",
    "aB",
  ),
);

const one = (name: string, style: NameStyle) => toIdentifiers([name], style).get(name);

describe("toIdentifiers", () => {
  it.each([
    ["create_issue", "createIssue", "create_issue"],
    ["createIssue", "createIssue", "create_issue"],
    ["get-sum", "getSum", "get_sum"],
    ["API.get.HTTPResponse", "apiGetHTTPResponse", "api_get_http_response"],
    ["SEARCH", "search", "search"],
    ["delete", "delete_", "delete"],
    ["import", "import_", "import_"],
    ["then", "then_", "then"],
    ["index", "index_", "index"],
    ["constructor", "constructor_", "constructor"],
    ["__proto__", "proto_", "proto"],
    ["../../etc/passwd", "etcPasswd", "etc_passwd"],
    ["3d_model", "_3dModel", "_3d_model"],
    ["con", "con_", "con_"],
    ["必应搜索", "必应搜索", "必应搜索"],
  ])("turns the tool name %s into %s and %s", (name, typescript, python) => {
    expect([one(name, "typescript"), one(name, "python")]).toEqual([typescript, python]);
  });

  it("lets the name that already is the identifier keep it, and gives the other one an ending of its own", () => {
    const identifiers = toIdentifiers(["get_user", "getUser"], "typescript");
    expect(identifiers.get("getUser")).toBe("getUser");
    expect(identifiers.get("get_user")).toMatch(/^getUser__[0-9a-f]{6}$/);
  });

  it("treats names that differ in case only as a collision, because each is a file", () => {
    const identifiers = [...toIdentifiers(["getuser", "getUser"], "typescript").values()];
    expect(new Set(identifiers.map((identifier) => identifier.toLowerCase())).size).toBe(2);
  });

  it("can't be talked into a collision by a name that imitates the ending", () => {
    const ending = toIdentifiers(["getUser", "get_user"], "python").get("getUser") ?? "";
    const identifiers = toIdentifiers(["getUser", "get_user", ending], "python");
    expect(new Set(identifiers.values()).size).toBe(3);
  });

  it("tells names apart whose short hashes were made to agree", () => {
    const names = ["a--..---.-.-...z", "a--..---...-.-.z"];
    expect(new Set(toIdentifiers(names, "typescript").values()).size).toBe(2);
  });

  it("gives a name without any letter an identifier all the same", () => {
    expect(one("!!!", "typescript")).toMatch(/^_[0-9a-f]{6}$/);
  });

  it("cuts a long name where no character is cut, so that it fits into a file name", () => {
    for (const name of ["𝒳".repeat(300), "必".repeat(300), "a".repeat(3000)]) {
      for (const style of STYLES) {
        const identifier = one(name, style) ?? "";
        expect(() => encodeURIComponent(identifier)).not.toThrow();
        expect(Buffer.byteLength(identifier)).toBeLessThan(240);
      }
    }
  });

  it("is unique, valid and independent of order for any names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(hostileName, { minLength: 1, maxLength: 20 }), (names) => {
        for (const style of STYLES) {
          const identifiers = toIdentifiers(names, style);
          const values = [...identifiers.values()];
          expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(names.length);
          for (const value of values) expect(value).toMatch(style === "folder" ? FOLDER : IDENTIFIER);
          expect(toIdentifiers([...names].reverse(), style)).toEqual(new Map([...identifiers].reverse()));
        }
      }),
    );
  });
});

describe("toServerNames", () => {
  it.each([
    ["github", "github", "github", "github"],
    ["google-drive", "googleDrive", "google_drive", "google-drive"],
    ["Google Drive", "googleDrive", "google_drive", "Google-Drive"],
    ["myServer", "myServer", "my_server", "myServer"],
    ["0001.exa_exa-search", "_0001ExaExaSearch", "_0001_exa_exa_search", "0001.exa_exa-search"],
    ["1password", "_1password", "_1password", "1password"],
    ["io.github.user/server", "ioGithubUserServer", "io_github_user_server", "io.github.user-server"],
    ["fs", "fs_", "fs_", "fs"],
    ["fetch", "fetch_", "fetch", "fetch"],
    ["console", "console_", "console", "console"],
    ["delete", "delete_", "delete", "delete"],
    ["default", "default_", "default", "default"],
    ["process", "process_", "process", "process"],
    ["path", "path_", "path", "path"],
    ["crypto", "crypto_", "crypto", "crypto"],
    ["then", "then_", "then", "then"],
    ["servers", "servers_", "servers_", "servers"],
    ["print", "print", "print_", "print"],
    ["__proto__", "proto_", "proto", "__proto__"],
    ["a/../b", "aB", "a_b", "a-..-b"],
    ["../../etc", "etc", "etc", "etc"],
    ["con.x", "conX", "con_x", "_con.x"],
    ["index.ts", "indexTs", "index_ts", "_index.ts"],
    ["_keyhole", "keyhole", "keyhole", "__keyhole"],
  ])("calls the server %s %s, %s and ./servers/…/%s", (name, typescript, python, folder) => {
    expect(toServerNames([name]).get(name)).toEqual({ identifiers: { typescript, python }, folder });
  });

  it("gives no server the name of a global that the check declares", () => {
    const globals = GLOBAL_FILES.flatMap((file) => readGlobalNames(file).map(({ name }) => name));
    expect(globals).toContain("console");
    const taken = globals.filter((name) => toServerNames([name]).get(name)?.identifiers.typescript === name);
    expect(taken).toEqual([]);
    expect(globals.filter((name) => !isReservedInPrograms(name))).toEqual([]);
  });
});
