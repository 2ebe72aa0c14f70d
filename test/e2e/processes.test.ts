import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startKeyhole } from "../fixtures/keyhole.ts";
import { isAlive, pidsFrom, until } from "../fixtures/processes.ts";
import { fixture, reopen, tempDir, writeProject } from "../fixtures/project.ts";

async function startWithStubbornServer() {
  const file = join(await tempDir(), "pids");
  // A second server that never answers keeps the command from ending by itself.
  const servers = { stubborn: fixture("stubborn", file), hang: fixture("hang") };
  const dir = await writeProject({ ".mcp.json": { mcpServers: servers } });
  const host = await startKeyhole(dir, ["tools", "--wait"]);
  const pids = await pidsFrom(file);
  expect(pids.every(isAlive)).toBe(true);
  return { host, pids };
}

const allGone = (pids: number[]) => until(() => !pids.some(isAlive), `the end of ${pids.join(", ")}`);

describe("server processes", () => {
  it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "end with keyhole when it gets %s, their own children included [kill-children]",
    async (signal) => {
      const { host, pids } = await startWithStubbornServer();
      host.kill(signal);
      await allGone(pids);
    },
  );

  it("end when the connection is closed, even if they ignore the end of stdin and SIGTERM", async () => {
    const file = join(await tempDir(), "pids");
    const dir = await writeProject({ ".mcp.json": { mcpServers: { stubborn: fixture("stubborn", file) } } });
    const project = await reopen(dir);
    await project.catalog.read();
    const pids = await pidsFrom(file);
    await project.close();
    await allGone(pids);
  });

  it("end while they still are being connected", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { hang: fixture("hang") } } });
    const project = await reopen(dir);
    const connecting = project.catalog.connection("hang").connect();
    connecting.catch(() => {});
    await project.close();
    await expect(connecting).rejects.toMatchObject({ code: "cancelled" });
  });
});
