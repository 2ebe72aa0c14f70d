import { describe, expect, it } from "vitest";
import { startEmbeddingsEndpoint } from "../fixtures/embeddings-endpoint.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { onCleanup, reference, writeProject } from "../fixtures/project.ts";

const mcp = { mcpServers: { memory: reference("memory"), everything: reference("everything") } };

async function search(dir: string, args: readonly string[], env?: Record<string, string>) {
  const { stdout, stderr, code } = await keyhole(dir, ["search", ...args, "--json"], env);
  return { ...JSON.parse(stdout), stderr, code };
}

describe("keyhole search", () => {
  it("finds a tool by what it does, and shows how to call it [search-find]", async () => {
    const dir = await writeProject({ ".mcp.json": mcp });
    expect(await keyhole(dir, ["search", "delete", "entities"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("memory.deleteEntities("),
    });
    expect(await search(dir, ["delete entities", "--detail", "name", "--limit", "1"])).toMatchObject({
      tools: [{ server: "memory", tool: "delete_entities" }],
    });
  });

  it("shows as much as is asked for, in the language that is asked for [search-levels]", async () => {
    const dir = await writeProject({ ".mcp.json": mcp });
    const at = async (...args: string[]) => (await keyhole(dir, ["search", "memory", ...args])).stdout;
    expect(await at("--detail", "name")).toMatch(/^memory: /);
    expect(await at("--detail", "description")).toMatch(/^memory\.\w+: Create multiple new entities/m);
    expect(await at("--detail", "full")).toMatch(/\/\/ .*\nmemory\.\w+\(input: \{\n/);
    expect(await at("--lang", "python")).toContain("await memory.create_entities(entities: list[");
    expect((await keyhole(dir, ["search"])).stdout).toMatch(/^memory \(9 tools\)/m);
    expect((await keyhole(dir, ["search", "memory", "--detail", "everything"])).code).toBe(2);
  });

  it("tells what has to be known for a call, and what stands beside it [search-notes]", async () => {
    const dir = await writeProject({ ".mcp.json": { mcpServers: { files: reference("filesystem", ".") } } });
    const { stdout } = await keyhole(dir, ["search", "read a text file"]);
    expect(stdout).toContain("files.readTextFile(");
    expect(stdout).toMatch(/^ {2}\/\/ .*head: If provided, returns only the first N lines/m);
    expect(stdout).toMatch(/^also: /m);
  });

  it("says what is wrong with a server that is meant, in a search and in a program [search-trouble]", async () => {
    const jira = { command: "no-such-command-for-keyhole" };
    const dir = await writeProject({ ".mcp.json": { mcpServers: { ...mcp.mcpServers, jira } } });
    const found = await keyhole(dir, ["search", "create", "jira", "entities"]);
    expect(found.stdout).toMatch(
      /^server jira failed: .*no-such-command-for-keyhole.*\(its tools are not in this answer\)$/m,
    );
    expect((await keyhole(dir, ["search", "read", "graph"])).stdout).not.toContain("jira");
    const run = await keyhole(dir, ["run", "-e", "return await jira.createIssue({})"]);
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).toContain("server jira failed: ");
    expect(run.stdout + run.stderr).not.toContain("Cannot find name");
  });

  it("goes by meaning too when an endpoint is configured, and by words when it is not there [search-meaning]", async () => {
    const endpoint = await startEmbeddingsEndpoint([["relations", "liaison"], ["echo"]]);
    onCleanup(() => endpoint.close());
    const embeddings = { url: endpoint.url, model: "concepts", apiKey: "${EMBEDDINGS_KEY}" };
    const dir = await writeProject({ ".mcp.json": mcp, "keyhole.config.json": { search: { embeddings } } });
    const env = { EMBEDDINGS_KEY: "sesame" };
    const found = await search(dir, ["liaisons"], env);
    expect(found.tools[0].tool).toMatch(/relations/);
    expect(endpoint.seen.every(({ authorization }) => authorization === "Bearer sesame")).toBe(true);
    const doctor = await keyhole(dir, ["doctor", "--quick", "--json"], env);
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({ id: "embeddings", status: "ok", detail: "concepts, 3 dimensions" }),
    );

    const unset = await search(dir, ["echo"]);
    expect(unset).toMatchObject({ code: 0, tools: [{ tool: "echo" }] });
    expect(unset.stderr).toContain("EMBEDDINGS_KEY");
    await endpoint.close();
    const down = await search(dir, ["echo"], env);
    expect(down).toMatchObject({ code: 0, tools: [{ tool: "echo" }] });
    expect(down.stderr).toContain("by words alone");
    const broken = await keyhole(dir, ["doctor", "--quick", "--json"], env);
    expect(JSON.parse(broken.stdout).checks).toContainEqual(
      expect.objectContaining({ id: "embeddings", status: "limited", fix: expect.any(String) }),
    );
  });
});
