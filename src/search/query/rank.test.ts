import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import { createToolIndex, type IndexOptions } from "./rank.ts";

function server(name: string, tools: Record<string, string>): ServerRecord {
  const records = Object.entries(tools).map(([tool, description]) =>
    toolRecord({ name: tool, identifiers: { typescript: tool, python: tool }, description }),
  );
  return serverRecord(name, records);
}

const servers = [
  server("github", {
    create_issue: "Open a new issue in a repository",
    list_issues: "List the issues of a repository",
    get_issue: "Get an issue of a repository",
    merge_pull_request: "Merge a pull request",
    delete_file: "Delete a file from a repository",
  }),
  server("gitlab", {
    create_issue: "Open a new issue in a project",
    merge_merge_request: "Merge a merge request",
  }),
  server("mail", {
    send_message: "Send an electronic letter to somebody",
    search_messages: "Search the inbox",
  }),
  server("desk", {
    hostpool_list: "List the host pools of a virtual desktop",
    convert_to_pdf: "Convert a document to PDF",
    generate_word_cloud: "Draw a word cloud of a text",
  }),
  server("sky", { get_forecast: "查询城市的天气预报", now: "Tells the hour" }),
];

function find(query: string, among: readonly ServerRecord[] = servers, options: IndexOptions = {}): string[] {
  return createToolIndex(among, options)
    .rank(query)
    .map((hit) => `${hit.server.name}.${hit.tool.name}`);
}

describe("rank", () => {
  it.each([
    ["remove a file", "github.delete_file"],
    ["merge PR", "github.merge_pull_request"],
    ["merging of pull requests", "github.merge_pull_request"],
    ["show me the issues", "github.list_issues"],
    ["show me issue 17", "github.get_issue"],
    ["create an issue on gitlab", "gitlab.create_issue"],
    ["write an email to my boss", "mail.send_message"],
    ["all host pools", "desk.hostpool_list"],
    ["do I need an umbrella tomorrow", "sky.get_forecast"],
    ["天气", "sky.get_forecast"],
    ["eine Nachricht senden", "mail.send_message"],
    ["mrege pull reqest", "github.merge_pull_request"],
    ["gitlab__create_issue", "gitlab.create_issue"],
    ["turn the text into /tmp/notes/letter.pdf", "desk.convert_to_pdf"],
  ])("finds for %j first %s", (query, first) => expect(find(query)[0]).toBe(first));

  it("has each step of a request near the top", () => {
    const found = find(
      "Make a word cloud of the inbox and convert it to a PDF. Then merge the pull request.",
    );
    expect(found.slice(0, 3).sort()).toEqual([
      "desk.convert_to_pdf",
      "desk.generate_word_cloud",
      "github.merge_pull_request",
    ]);
  });

  it("finds by title and by what a server says of itself", () => {
    const titled = serverRecord("s", [toolRecord({ name: "x1", title: "Zebra counter", description: "" })]);
    const about = { ...server("t", { x2: "", x3: "" }), instructions: "Everything about giraffes" };
    expect(find("zebra", [titled, about])).toEqual(["s.x1"]);
    expect(find("giraffe", [titled, about])).toEqual(["t.x2", "t.x3"]);
  });

  it("gives the tools of a server whose name is asked for first, all of them", () => {
    expect(find("gitlab").slice(0, 2).sort()).toEqual(["gitlab.create_issue", "gitlab.merge_merge_request"]);
  });

  it("lets habit settle a tie, and no more than that", () => {
    const calls = (_: string, tool: string) => (tool === "twin_b" ? 500 : 0);
    const twins = server("twins", { twin_a: "Counts sheep", twin_b: "Counts sheep" });
    expect(find("count sheep", [twins])[0]).toBe("twins.twin_a");
    expect(find("count sheep", [twins], { calls })[0]).toBe("twins.twin_b");
    expect(find("twin a", [twins], { calls })[0]).toBe("twins.twin_a");
    expect(find("count sheep", [twins], { calls: () => Number.NaN })[0]).toBe("twins.twin_a");
  });

  it("sees the name and the instructions of a server change while its tools stay", () => {
    const before = { ...server("alpha", { x: "" }), instructions: "Walrus" };
    expect(find("walrus", [before])).toEqual(["alpha.x"]);
    const after = { ...before, name: "beta", instructions: "Penguin" };
    expect(find("walrus", [after])).toEqual([]);
    expect(find("penguin", [after])).toEqual(["beta.x"]);
  });

  it("takes any name for a tool", () => {
    const odd = server("odd", { constructor: "Builds", toString: "Prints", hasOwnProperty: "Owns" });
    const proto = serverRecord("__proto__", [toolRecord({ name: "__proto__", description: "Inherits" })]);
    expect(find("constructor", [odd, proto])[0]).toBe("odd.constructor");
    expect(find("__proto__", [odd, proto])[0]).toBe("__proto__.__proto__");
  });

  it.each([
    "",
    " ",
    "💥🔥",
    "(.*)+$ [^",
    "'; DROP TABLE x; --",
    "the of and",
    "x ".repeat(50_000),
    "й".repeat(100_000),
  ])("answers %#: a query that means nothing", (query) => expect(Array.isArray(find(query))).toBe(true));

  it("reads no more of a text than says what a tool does", () => {
    const essay = server("essay", { write: `Write. ${"walrus ".repeat(20_000)}`, read: "a".repeat(100_000) });
    expect(find("write", [essay])).toEqual(["essay.write"]);
  });

  it("never throws, and answers the same each time", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(text, fc.array(fc.tuple(text, text), { maxLength: 5 }), text, (name, tools, query) => {
        const records = tools.map(([tool, description]) => toolRecord({ name: tool, description }));
        const among = [serverRecord(name, records), ...servers];
        expect(find(query, among)).toEqual(find(query, among));
      }),
    );
  });
});
