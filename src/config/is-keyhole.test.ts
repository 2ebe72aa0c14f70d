import { expect, test } from "vitest";
import { isKeyhole } from "./is-keyhole.ts";

const stdio = (command: string, ...args: string[]) =>
  isKeyhole({ type: "stdio", command, args, env: {}, inheritEnv: [] });

test.each([
  ["npx", "-y", "keyhole-mcp", "serve"],
  ["npx", "-y", "keyhole-mcp@1.2.3", "serve", "--project", "/x"],
  ["npx", "-p", "keyhole-mcp", "keyhole", "serve"],
  ["npx", "--package=keyhole-mcp", "keyhole", "serve"],
  ["npx", "keyhole", "serve"],
  ["cmd", "/c", "npx", "-y", "keyhole-mcp", "serve"],
  ["pnpm", "dlx", "keyhole-mcp", "serve"],
  ["bun", "x", "keyhole-mcp", "serve"],
  ["keyhole", "serve"],
  ["/usr/local/bin/keyhole", "--project", "/x", "serve"],
  ["C:\\tools\\keyhole.cmd", "serve"],
  ["keyhole-mcp"],
  ["env", "A=1", "keyhole", "serve"],
  ["bash", "-lc", "exec keyhole serve --stdio"],
  ["node", "/repos/keyhole/dist/cli/main.js", "serve"],
])("knows itself in %s %s %s %s", (command, ...args) => {
  expect(stdio(command, ...args)).toBe(true);
});

test.each([
  ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/repos/keyhole-mcp"],
  ["npx", "-y", "server-files", "keyhole-mcp", "serve"],
  ["keyhole", "listen"],
  ["node", "/repos/other/dist/cli/main.js", "serve"],
  ["node", "server.js", "keyhole"],
  ["python", "-m", "keyhole"],
  ["sh", "-c", ""],
  ["npx"],
])("takes %s %s %s %s for another server", (command, ...args) => {
  expect(stdio(command, ...args)).toBe(false);
});

test("an address is never taken for itself", () => {
  expect(isKeyhole({ type: "http", url: "http://localhost:1/keyhole-mcp/serve", headers: {} })).toBe(false);
});
