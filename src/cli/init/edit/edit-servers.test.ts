import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseToml } from "../../../config/files/parse-toml.ts";
import { editServers, isBare, namesAt, readEntry, type ServersEdit } from "./edit-servers.ts";
import { readStatements } from "./toml-statements.ts";

const KEYHOLE = { value: { command: "npx", args: ["-y", "keyhole-mcp"] } };
const JSON_PATH = ["mcpServers"];
const TOML_PATH = ["mcp_servers"];

function edit(path: readonly string[], remove: string[], names: string[] = ["keyhole"]): ServersEdit {
  return { path, remove, add: new Map(names.map((name) => [name, KEYHOLE])) };
}

describe("JSON with comments", () => {
  const text = `// mine
{
    "theme": "dark", // stays
    "mcpServers": {
        // the first
        "a": { "command": "a" }, // note on a
        /* the second */
        "b": {
            "command": "b", // inside b
        },
        "c": { "command": "c" }
    },
    "last": 1,
}
`;

  test("keeps comments, order, indentation and trailing commas", () => {
    expect(editServers(text, "json", edit(JSON_PATH, ["b", "c"]))).toBe(`// mine
{
    "theme": "dark", // stays
    "mcpServers": {
        // the first
        "a": { "command": "a" }, // note on a
        /* the second */
        "keyhole": {
            "command": "npx",
            "args": [
                "-y",
                "keyhole-mcp"
            ]
        }
    },
    "last": 1,
}
`);
  });

  test("puts an entry back as it was written", () => {
    const entry = readEntry(text, "json", JSON_PATH, "b");
    const without = editServers(text, "json", { path: JSON_PATH, remove: ["b"], add: new Map() });
    const back = editServers(without ?? "", "json", {
      path: JSON_PATH,
      remove: [],
      add: new Map(entry === undefined ? [] : [["b", entry]]),
    });
    expect(back).toContain("// inside b");
    expect(namesAt(back ?? "", "json", JSON_PATH)).toEqual(["a", "c", "b"]);
  });

  test("keeps tabs, CRLF and a file on one line", () => {
    const tabs = '{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "a"}\r\n\t}\r\n}\r\n';
    const edited = editServers(tabs, "json", edit(JSON_PATH, ["a"]));
    expect(edited).toContain('\r\n\t\t"keyhole": {\r\n\t\t\t"command"');
    expect(edited?.replaceAll("\r\n", "")).not.toContain("\n");
    expect(editServers('{"mcpServers":{"a":{"command":"a"}},"x":1}', "json", edit(JSON_PATH, ["a"]))).toBe(
      '{"mcpServers":{"keyhole": {"command":"npx","args":["-y","keyhole-mcp"]}},"x":1}',
    );
  });

  test("makes the place where servers stand, and finds a file without anything in it", () => {
    const made = editServers("{}\n", "json", edit(["projects", "/p", "mcpServers"], []));
    expect(JSON.parse(made ?? "")).toEqual({
      projects: { "/p": { mcpServers: { keyhole: KEYHOLE.value } } },
    });
    expect(isBare('{ "mcpServers": {} }', "json", JSON_PATH)).toBe(true);
    expect(isBare('{ "mcpServers": {}, "a": 1 }', "json", JSON_PATH)).toBe(false);
  });

  test("refuses a file in which a name occurs twice", () => {
    const twice = '{"mcpServers":{"a":{"command":"1"},"a":{"command":"2"}}}';
    expect(editServers(twice, "json", edit(JSON_PATH, ["a"]))).toBeUndefined();
  });

  test("means what was asked for, whatever the file is like", () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== "__proto__"),
      {
        maxLength: 5,
      },
    );
    const gap = fc.constantFrom("", " ", "\n  ", "\n\t", " // c\n  ", " /* , } */ ", "\r\n");
    fc.assert(
      fc.property(
        names,
        fc.array(gap, { minLength: 40, maxLength: 40 }),
        fc.boolean(),
        fc.nat(31),
        (all, gaps, comma, mask) => {
          let next = 0;
          const g = () => gaps[next++ % gaps.length];
          const list = all.map(
            (name) => `${g()}${JSON.stringify(name)}${g()}:${g()}{${g()}"command":"x"}${g()}`,
          );
          const text = `${g()}{${g()}"mcpServers":{${list.join(",")}${comma && all.length > 0 ? "," : ""}${g()}}${g()}}`;
          const gone = all.filter((_, index) => (mask >> index) % 2 === 1);
          const edited = editServers(text, "json", edit(JSON_PATH, gone, ["\u0000new"]));
          expect(namesAt(edited ?? "", "json", JSON_PATH).sort()).toEqual(
            [...all.filter((name) => !gone.includes(name)), "\u0000new"].sort(),
          );
          for (const comment of ["// c", "/* , } */"]) {
            const within = list.join("").split(comment).length;
            expect((edited ?? "").split(comment).length).toBeGreaterThanOrEqual(
              text.split(comment).length - within + 1,
            );
          }
        },
      ),
    );
  });
});

describe("TOML", () => {
  const text = `# mine
model = "o3" # stays

# about a
[mcp_servers.a]
command = "a"
args = [
  "[not.a.table]", # comment ]
]
[mcp_servers.a.env]
TOKEN = """
[mcp_servers.b]
"""

# about b
[mcp_servers."b"]
url = 'https://b' # note

[profiles.x]
k = 1
`;

  test("takes tables out with what belongs to them, and puts one in their place", () => {
    expect(editServers(text, "toml", edit(TOML_PATH, ["a", "b"]))).toBe(`# mine
model = "o3" # stays

# about a
[mcp_servers.keyhole]
command = "npx"
args = [ "-y", "keyhole-mcp" ]

# about b
[profiles.x]
k = 1
`);
  });

  test("knows dotted keys and inline tables below a table", () => {
    const inline = '[mcp_servers]\na = { command = "a" }\nb.command = "b"\n';
    const edited = editServers(inline, "toml", edit(TOML_PATH, ["a"]));
    expect(edited).toBe(
      '[mcp_servers]\nb.command = "b"\n\n[mcp_servers.keyhole]\ncommand = "npx"\nargs = [ "-y", "keyhole-mcp" ]\n',
    );
  });

  test("refuses servers in one inline table", () => {
    expect(
      editServers('mcp_servers = { a = { command = "a" } }\n', "toml", edit(TOML_PATH, ["a"])),
    ).toBeUndefined();
  });

  test("puts tables back as they were written, at the end", () => {
    const entry = readEntry(text, "toml", TOML_PATH, "a");
    const without = editServers(text, "toml", { path: TOML_PATH, remove: ["a"], add: new Map() }) ?? "";
    const back = editServers(without, "toml", {
      path: TOML_PATH,
      remove: [],
      add: new Map(entry === undefined ? [] : [["a", entry]]),
    });
    expect(back).toContain('"[not.a.table]", # comment ]');
    expect(parseToml(back ?? "").data).toEqual(parseToml(text).data);
  });

  test("writes into an empty file, and keeps CRLF", () => {
    expect(editServers("", "toml", edit(TOML_PATH, []))).toMatch(/^\[mcp_servers\.keyhole\]\n/);
    const crlf = 'a = 1\r\n\r\n[mcp_servers.a]\r\ncommand = "a"\r\n';
    expect(editServers(crlf, "toml", edit(TOML_PATH, ["a"]))).toBe(
      'a = 1\r\n\r\n[mcp_servers.keyhole]\r\ncommand = "npx"\r\nargs = [ "-y", "keyhole-mcp" ]\r\n',
    );
  });

  test("statements end where their value does", () => {
    const odd = 'a = """x""""\nb = \'\'\'#\'\'\'\nc = "\\"#" # c\n[ x . "y.z" ]\nd=[[1],\n2]\n[[e]]\n';
    expect(readStatements(odd).map(({ path }) => path.join("|"))).toEqual([
      "a",
      "b",
      "c",
      "x|y.z",
      "x|y.z|d",
      "e",
    ]);
  });
});
