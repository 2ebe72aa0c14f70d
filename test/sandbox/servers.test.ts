import { describe, expect, it } from "vitest";
import { foldName } from "../../src/catalog/name-index.ts";

// The guest is JavaScript with a type check of its own.
const guest = new URL("../../src/sandbox/guest/javascript/servers.js", import.meta.url).href;
const { callByName, createServer, createServers } = await import(guest);

const record = () => {
  const calls: unknown[] = [];
  const callTool = async (...call: unknown[]) => {
    calls.push(call);
  };
  return { calls, callTool };
};

describe("a server in the guest", () => {
  it("makes each function once, with its name, and passes on what it is given", async () => {
    const { calls, callTool } = record();
    const server = createServer("github", ["createIssue"], callTool);
    expect(server.createIssue).toBe(server.createIssue);
    expect(server.createIssue.name).toBe("createIssue");
    await server.createIssue({ a: 1 }, { timeoutMs: 5 });
    await server["create-issue"]();
    expect(calls).toEqual([
      ["github", "createIssue", { a: 1 }, { timeoutMs: 5 }],
      ["github", "create-issue", undefined, undefined],
    ]);
  });

  it("knows a spelling as the host does", () => {
    const names = ["createIssue", "fs_", "getÜberblick", "必应搜索", "ﬁle_x", "_1x", "a__b0b0b0"];
    const server = createServer("s", names, record().callTool);
    for (const name of names) {
      for (const spelling of [name, foldName(name), name.toUpperCase(), `-${name}_`])
        expect([spelling, spelling in server]).toEqual([spelling, true]);
    }
    expect("createIssues" in server).toBe(false);
  });

  it("says that it has no list rather than show an empty one", () => {
    const server = createServer("github", undefined, record().callTool);
    expect(() => Object.keys(server)).toThrow("use searchTools");
    expect(typeof server.anything).toBe("function");
  });

  it("can't be changed", () => {
    const server = createServer("github", ["x"], record().callTool);
    const { x } = server;
    expect(() => Object.defineProperty(server, "x", { value: 1 })).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(server, {})).toThrow(TypeError);
    expect(() => Object.freeze(server)).toThrow(TypeError);
    expect(Reflect.deleteProperty(server, "x")).toBe(false);
    expect(server.x).toBe(x);
  });

  it.each([
    ["github__create_issue", ["github", "create_issue"]],
    ["mcp__github__create_issue", ["mcp", "github__create_issue"]],
    ["my.server__tool", ["my.server", "tool"]],
    ["github.createIssue", ["github", "createIssue"]],
    ["github_create_issue", ["github", "create_issue"]],
    ["_1password__get", ["_1password", "get"]],
  ])("is called by name as %s", async (name, expected) => {
    const { calls, callTool } = record();
    await callByName(name, {}, undefined, callTool);
    expect(calls).toEqual([[...expected, {}, undefined]]);
  });

  it.each(["create", "", "_", "__create", "create__", {}])("is not called by %j", async (name) => {
    await expect(callByName(name, {}, undefined, record().callTool)).rejects.toThrow(
      'expected "server__tool"',
    );
  });

  it("is the same under each of its names, and listed once", () => {
    const start = { servers: ["googleDrive"], aliases: [["google-drive", "googleDrive"]], functions: [] };
    const { all, spelled, shown } = createServers(start, record().callTool);
    expect(Object.keys(all)).toEqual(["googleDrive"]);
    expect([all["google-drive"], spelled["google-drive"]]).toEqual([shown.googleDrive, shown.googleDrive]);
  });
});
