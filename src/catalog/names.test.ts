import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NameStyle, toIdentifiers } from "./names.ts";

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

  it.each([
    ["github", "github"],
    ["my-server", "my_server"],
    ["myServer", "myServer"],
    ["0001.exa_exa-search", "_0001_exa_exa_search"],
    ["fetch", "fetch_"],
    ["__proto__", "__proto___"],
    ["a/../b", "a____b"],
  ])("turns the server name %s into %s", (name, identifier) => {
    expect(one(name, "server")).toBe(identifier);
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

  it("is unique, valid and independent of order for any names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 20 }), (names) => {
        for (const style of ["server", "typescript", "python"] as const) {
          const identifiers = toIdentifiers(names, style);
          const values = [...identifiers.values()];
          expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(names.length);
          for (const value of values) expect(value).toMatch(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u);
          expect(toIdentifiers([...names].reverse(), style)).toEqual(new Map([...identifiers].reverse()));
        }
      }),
    );
  });
});
