import { expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { startHttp } from "../fixtures/network.ts";
import { fixture, onCleanup, writeProject } from "../fixtures/project.ts";

it("fetches from what the config names, and from nothing else [run-network]", async () => {
  const server = await startHttp((_asked, response) => void response.end("from the server"));
  onCleanup(server.close);
  const place = `127.0.0.1:${server.port}`;
  const code = `return await (await fetch("http://${place}/")).text()`;
  const mcp = { mcpServers: { good: fixture("good") } };

  const granted = await writeProject({
    ".mcp.json": mcp,
    "keyhole.config.json": { network: { allow: [place] } },
  });
  expect(await keyhole(granted, ["run", "-e", code])).toMatchObject({ code: 0, stdout: "from the server\n" });
  const other = await keyhole(granted, [
    "run",
    "-e",
    'await fetch("http://169.254.169.254/latest/meta-data/")',
  ]);
  expect(other).toMatchObject({ code: 3 });
  expect(other.stdout + other.stderr).toContain("169.254.169.254 is a cloud metadata address");

  const none = await writeProject({ ".mcp.json": mcp });
  const refused = await keyhole(none, ["run", "-e", code]);
  expect(refused.code).toBe(3);
  expect(refused.stdout + refused.stderr).toContain("network.allow");
  expect(server.reached()).toBe(1);

  const wrong = await writeProject({
    ".mcp.json": mcp,
    "keyhole.config.json": { network: { allow: ["*"] } },
  });
  const told = await keyhole(wrong, ["run", "-e", "1"]);
  expect(told.code).toBe(2);
  expect(told.stderr).toMatch(
    /keyhole\.config\.json:1:\d+: key "network\.allow\[0\]" must be a host such as/,
  );
});
