import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { keyhole, startKeyhole, stdioOf, untrustingKeyhole } from "../fixtures/keyhole.ts";
import { fixture, homeOf, onCleanup, writeProject } from "../fixtures/project.ts";

const FORMS = `---
name: fill-forms
description: Fills in forms that came as PDF
license: MIT
---
Read references/fields.md, then fill $ARGUMENTS.
(3 of 9 matches; more: other words)
`;
const SUM = "---\nname: sum-up\ndescription: Adds a list of numbers up to a total\n---\nImport it.\n";
const CODE =
  "/** Adds them. */\nexport function sumUp(list: number[]): number {\n  return list.reduce((a, b) => a + b, 0);\n}\n";
const SKILLS = ".claude/skills";

function writeSkilled(more: Record<string, unknown> = {}): Promise<string> {
  return writeProject({
    ".mcp.json": { mcpServers: { math: fixture("math") } },
    [`${SKILLS}/fill-forms/SKILL.md`]: FORMS,
    [`${SKILLS}/fill-forms/references/fields.md`]: "Name, date",
    [`${SKILLS}/sum-up/SKILL.md`]: SUM,
    [`${SKILLS}/sum-up/index.ts`]: CODE,
    [`${SKILLS}/bad/SKILL.md`]: "no head",
    ...more,
  });
}

const json = async (dir: string, ...args: string[]) =>
  JSON.parse((await keyhole(dir, [...args, "--json"])).stdout);

describe("skills of other clients", () => {
  it("are asked for once, by content, and not used before; those of the home for all projects [skills-discovered]", async () => {
    const dir = await writeSkilled();
    const home = await homeOf(dir);
    await mkdir(join(home, ".agents/skills/greet"), { recursive: true });
    await writeFile(
      join(home, ".agents/skills/greet/SKILL.md"),
      "---\nname: greet\ndescription: Greets people\n---\nHi",
    );
    const untrusting = async (...args: string[]) =>
      JSON.parse((await untrustingKeyhole(dir, [...args, "--json"])).stdout);
    const before = await untrustingKeyhole(dir, ["search", "skill: fill forms"]);
    expect(before.stderr).toContain("skill fill-forms");
    expect(before.stdout).toContain("No skill matches");
    const { trusted } = await untrusting("trust", "--yes");
    expect(trusted.map(({ id }: { id: string }) => id)).toEqual([
      "server math",
      "skill .claude/skills/fill-forms",
      "skill .claude/skills/sum-up",
      "skill ~/.agents/skills/greet",
    ]);
    expect((await untrusting("search", "skill: fill forms")).tools).toMatchObject([{ skill: "fill-forms" }]);
    await writeFile(join(dir, SKILLS, "fill-forms/references/fields.md"), "Name, date, password");
    expect((await untrusting("search", "skill: fill forms")).tools).toEqual([]);
    expect((await untrusting("trust")).pending).toMatchObject([
      { id: "skill .claude/skills/fill-forms", state: "changed" },
    ]);
    expect((await untrusting("search", "skill: greet people")).tools).toMatchObject([{ skill: "greet" }]);
  });

  it("that can't be used are told of [skills-broken-told]", async () => {
    const { stdout } = await keyhole(await writeSkilled(), ["doctor"]);
    expect(stdout).toContain(".claude/skills/bad is left out");
  });

  it("give way to the project's own of the same name [skills-discovered]", async () => {
    const dir = await writeSkilled({
      "skills/sum-up/SKILL.md": SUM.replace("Adds", "Sums and adds"),
      "skills/sum-up/index.ts": CODE,
    });
    expect((await keyhole(dir, ["doctor"])).stdout).toContain('has a skill "sum-up" of its own');
    const { tools } = await json(dir, "search", "skill: adds numbers");
    expect(tools).toMatchObject([{ skill: "sum-up", description: expect.stringContaining("Sums and adds") }]);
  });

  it.each([
    [
      "typescript",
      `import { readFile, readdir } from "node:fs/promises";
       const list = await readdir("./skills", { recursive: true });
       return [list.filter((one) => one.endsWith(".md")), await readFile("./skills/fill-forms/references/fields.md", "utf8"), await readFile("./skills/sum_up/index.ts", "utf8")]`,
    ],
    [
      "python",
      `import os
found = [os.path.join(at, name)[7:] for at, _, names in os.walk("skills") for name in names if name.endswith(".md")]
return [sorted(found), open("skills/fill-forms/references/fields.md").read(), open("skills/sum_up/index.ts").read()]`,
    ],
  ])("are read in ./skills by programs in %s, and not written [skills-folder]", async (lang, code) => {
    const dir = await writeSkilled();
    const { result } = await json(dir, "run", "--lang", lang, "-e", code);
    expect(result).toEqual([
      ["fill-forms/SKILL.md", "fill-forms/references/fields.md", "sum-up/SKILL.md"],
      "Name, date",
      CODE,
    ]);
    const write =
      lang === "python"
        ? 'open("skills/sum-up/index.ts", "w").write("x")'
        : 'await (await import("node:fs/promises")).writeFile("./skills/sum-up/index.ts", "x")';
    expect((await keyhole(dir, ["run", "--lang", lang, "-e", write])).code).toBe(1);
    expect(await readFile(join(dir, SKILLS, "sum-up/index.ts"), "utf8")).toBe(CODE);
  });

  it("are imported like any other [skills-discovered]", async () => {
    const dir = await writeSkilled();
    const code = 'import { sumUp } from "./skills/sum-up"; return sumUp([20, 22])';
    expect(await json(dir, "run", "-e", code)).toMatchObject({ ok: true, result: 42 });
  });
});

describe("skills in search", () => {
  it("stand among tools, marked, in each way of searching [skills-search]", async () => {
    const dir = await writeSkilled();
    const entry = { skill: "sum-up", language: "typescript", function: "sumUp" };
    const { tools } = await json(dir, "search", "add numbers to a total");
    expect(tools).toContainEqual(expect.objectContaining(entry));
    const { stdout } = await keyhole(dir, ["search", "add numbers to a total"]);
    expect(stdout).toContain('import { sumUp } from "./skills/sum-up"\nsumUp(list: number[]): number');
    const code = 'return (await searchTools("add numbers to a total")).tools';
    expect((await json(dir, "run", "-e", code)).result).toContainEqual(expect.objectContaining(entry));
    expect((await keyhole(dir, ["search"])).stdout).toContain("2 skills");
  });

  it("show their instructions whole, in lines that can't be taken for Keyhole's [skills-search]", async () => {
    const { stdout } = await keyhole(await writeSkilled(), [
      "search",
      "--detail",
      "full",
      "skill: fill forms",
    ]);
    expect(stdout).toContain("//   (3 of 9 matches; more: other words)");
    expect(stdout).toContain("./skills/fill-forms/SKILL.md");
    expect(stdout).not.toMatch(/^\(3 of 9/m);
  });
});

const ENTRY = z.looseObject({
  uri: z.string(),
  frontmatter: z.looseObject({ name: z.string() }),
  resources: z.array(z.object({ uri: z.string(), size: z.number(), digest: z.string() })),
});

describe.each(["modern", "legacy"])("skills over MCP, for a client of the %s era", (era) => {
  const negotiation = { mode: era === "modern" ? { pin: "2026-07-28" } : ("legacy" as const) };

  async function connect(dir: string, onChanged: () => void = () => {}): Promise<Client> {
    const listChanged = { resources: { onChanged }, prompts: { onChanged: () => {} } };
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: negotiation, listChanged },
    );
    onCleanup(() => client.close());
    await client.connect(await stdioOf(dir));
    return client;
  }

  it("are resources and prompts, beside exactly two tools [skills-served]", async () => {
    const client = await connect(await writeSkilled());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "search_tools",
      "execute_code",
    ]);
    expect((await client.listResources()).resources).toMatchObject([
      { uri: "skill://fill-forms/SKILL.md", name: "fill-forms", mimeType: "text/markdown" },
      { uri: "skill://sum-up/SKILL.md" },
    ]);
    expect(await client.readResource({ uri: "skill://fill-forms/references/fields.md" })).toMatchObject({
      contents: [{ text: "Name, date" }],
    });
    for (const uri of [
      "skill://fill-forms/../sum-up/SKILL.md",
      "skill://none/SKILL.md",
      "file:///etc/passwd",
    ])
      await expect(client.readResource({ uri })).rejects.toThrow();
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: "fill-forms", arguments: [{ name: "arguments" }] },
      { name: "sum-up" },
    ]);
    const { messages } = await client.getPrompt({ name: "fill-forms", arguments: { arguments: "tax.pdf" } });
    expect(messages).toMatchObject([
      { role: "user", content: { text: expect.stringContaining("then fill tax.pdf.") } },
    ]);
  });

  it("are listed by the extension, with a digest for each file [skills-served]", async () => {
    const client = await connect(await writeSkilled());
    const listed = await client.request(
      { method: "skills/list", params: {} },
      z.looseObject({ skills: z.array(ENTRY) }),
    );
    const [forms] = listed.skills;
    const digest = `sha256:${createHash("sha256").update(FORMS).digest("hex")}`;
    expect(forms).toMatchObject({
      uri: "skill://fill-forms/SKILL.md",
      frontmatter: { name: "fill-forms", license: "MIT" },
      resources: [{ digest, size: FORMS.length }, { uri: "skill://fill-forms/references/fields.md" }],
    });
    const got = { method: "skills/get", params: { uri: "skill://fill-forms/SKILL.md" } };
    expect(await client.request(got, z.looseObject({ skill: ENTRY }))).toMatchObject({ skill: forms });
  });

  it("tell when there are others [skills-served]", async () => {
    let told = () => {};
    const changed = new Promise<void>((resolve) => {
      told = resolve;
    });
    const client = await connect(await writeSkilled(), () => told());
    await client.listResources();
    const code = `await saveSkill({ name: "say-hi", description: "Greets", code: "export const hi = () => 'hi';" })`;
    const { isError } = await client.callTool({ name: "execute_code", arguments: { code } });
    expect(isError).not.toBe(true);
    await changed;
    expect((await client.listResources()).resources.map(({ name }) => name)).toContain("say-hi");
  });
});

describe("skills of several principals", () => {
  it("are seen by their author alone until somebody says yes [skills-own]", async () => {
    const [alice, bob] = ["the-token-of-alice", "the-token-of-bob-too"];
    const dir = await writeSkilled({ "keyhole.config.json": { http: { tokens: { alice, bob } } } });
    const child = await startKeyhole(dir, ["serve", "--http", "0", "--json"]);
    const printed = await new Promise<string>((resolve) => {
      let text = "";
      child.stdout?.setEncoding("utf8").on("data", (more: string) => {
        text += more;
        if (text.includes("\n}\n")) resolve(text);
      });
    });
    const { url } = JSON.parse(printed);
    const connect = async (token: string) => {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      onCleanup(() => client.close());
      return client;
    };
    const [hers, his] = [await connect(alice), await connect(bob)];
    const code = `await saveSkill({ name: "count-zebras", description: "Counts the zebras", code: "export const zebras = () => 3;" })`;
    await hers.callTool({ name: "execute_code", arguments: { code } });
    const search = async (client: Client) =>
      JSON.stringify(
        await client.callTool({ name: "search_tools", arguments: { query: "skill: count zebras" } }),
      );
    expect(await search(hers)).toContain("waits for approval");
    expect(await search(his)).not.toContain("count-zebras");
    for (const [client, isThere] of [
      [hers, true],
      [his, false],
    ] as const) {
      const names = (await client.listResources()).resources.map(({ name }) => name);
      expect(names.includes("count-zebras")).toBe(isThere);
      const read = client.readResource({ uri: "skill://count-zebras/SKILL.md" });
      if (isThere) await read;
      else await expect(read).rejects.toThrow();
    }
  });
});
