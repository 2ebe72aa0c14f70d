import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connectKeyhole } from "../fixtures/keyhole.ts";
import { readOfficeTasks } from "../fixtures/office-tasks.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const SERVERS = ["mail", "calendar", "crm", "project-board", "directory"];
const WRITES = /^(create|add|update|delete|send|reply|forward|plot)_/;
/** What 800 tokens of signatures and notes never exceed: facts must be chosen, not poured out. */
const ANSWER_LENGTH = 4_000;

type Run = { ok: boolean; result?: unknown; calls: { tool: string; ok: boolean }[] };

async function openOffice(): Promise<Client> {
  const mcpServers = Object.fromEntries(SERVERS.map((name) => [name, fixture(`office/${name}`)]));
  // They send, cancel and delete, and nobody is there to be asked.
  // What the tasks did is looked at through the same front; with tokens they are solved in `bench -- privacy`.
  const config = { securityLevel: "low", piiTokenization: false };
  return connectKeyhole(await writeProject({ ".mcp.json": { mcpServers }, "keyhole.config.json": config }));
}

async function call(front: Client, name: string, args: Record<string, string>) {
  const { content, _meta } = await front.callTool({ name, arguments: args });
  const [first] = Array.isArray(content) ? content : [];
  return { text: first?.type === "text" ? first.text : "", data: _meta?.["keyhole/result"] };
}

async function run(front: Client, code: string): Promise<Run & { text: string }> {
  const { text, data } = await call(front, "execute_code", { code });
  return { ...(data as Run), text };
}

function countWrites({ calls }: Run): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tool } of calls.filter((made) => made.ok && WRITES.test(made.tool)))
    counts[tool] = (counts[tool] ?? 0) + 1;
  return counts;
}

describe("an office of 27 tools", () => {
  it("is seen whole", async () => {
    const front = await openOffice();
    const { data } = await call(front, "search_tools", {});
    const { servers } = data as { servers: { name: string; tools: number }[] };
    expect(servers.map(({ name }) => name).sort()).toEqual([...SERVERS].sort());
    expect(servers.reduce((sum, { tools }) => sum + tools, 0)).toBe(27);
  });

  // The facts are checked softly, so that a failing test tells of the answer and of the program.
  it.each(readOfficeTasks().map((task) => [task.title, task] as const))(
    "takes one search and one program: %s [office-task]",
    async (_, task) => {
      const front = await openOffice();
      const answer = await call(front, "search_tools", { query: task.query });
      expect.soft(answer.text.length).toBeLessThan(ANSWER_LENGTH);
      const missing = task.facts.filter(({ pattern }) => !pattern.test(answer.text));
      expect
        .soft(
          missing.map(({ pattern, meaning }) => `${meaning}: ${pattern}`),
          `This answer does not say it:\n${answer.text}`,
        )
        .toEqual([]);

      const done = await run(front, task.program);
      expect(done.ok, done.text).toBe(true);
      expect(countWrites(done)).toEqual(task.expected.writes);
      const afterwards = await run(front, task.afterwards);
      expect(afterwards.ok, afterwards.text).toBe(true);
      expect(afterwards.result).toEqual(task.expected.state);
    },
  );
});
