import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSkillsOf } from "../../src/engine/skills/skills-of-project.ts";
import { LOCAL_PRINCIPAL } from "../../src/session.ts";
import { readPack } from "../../src/skills/packs/skill-pack.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../fixtures/postgres.ts";
import { fixture, homeOf, tempDir, writeUserConfig } from "../fixtures/project.ts";

const SERVERS = { math: fixture("math") };
const BY = { principal: LOCAL_PRINCIPAL };
const LABELS =
  "/** Makes a label. */\nexport const label = (title: string): string => title.toLowerCase();\n";
const SUMS = `import { label } from "./skills/labels";
/** Adds, with a label. */
export async function labelled(numbers: number[]): Promise<string> {
  return label("SUM ") + (await math.addUp({ numbers })).sum;
}
`;
const USE = 'import { labelled } from "./skills/sums"; return labelled([1, 2])';
const CODE = { typescript: "typescript" as const };

type Opened = Awaited<ReturnType<typeof openEngine>>["engine"];

async function saveBoth(engine: Opened): Promise<void> {
  const language = CODE.typescript;
  await engine.skills.save({ name: "labels", description: "Makes labels", code: LABELS, language }, BY);
  await engine.skills.save({ name: "sums", description: "Adds up", code: SUMS, language }, BY);
}

/** A pack of two skills, of which one imports the other, and the key that signed it. */
async function packed() {
  const { engine } = await openEngine(SERVERS);
  await saveBoth(engine);
  const { text, key } = await engine.skills.sharing.export(["sums"], BY);
  const path = join(await tempDir(), "pack.json");
  await writeFile(path, text);
  return { path, text, key };
}

const importAll = async ({ skills }: Opened, path: string, options = {}) =>
  skills.sharing.take(await skills.sharing.review(path, BY, options), BY);

describe("a pack", () => {
  it("is reviewed, imported into quarantine, approved and used; importing it again changes nothing", async () => {
    const { path } = await packed();
    const { engine } = await openEngine(SERVERS);
    const review = await engine.skills.sharing.review(path, BY);
    expect(review.signer.kind).toBe("unknown");
    expect(review.skills).toMatchObject([
      { name: "labels", state: "new", tools: [], forbidden: [] },
      {
        name: "sums",
        state: "new",
        tools: [{ server: "math", tool: "add_up", state: "same" }],
        skills: [{ name: "labels", state: "packed" }],
        check: { types: [], risk: { level: "low" } },
      },
    ]);
    expect(engine.skills.store.list()).toEqual([]);
    const taken = await engine.skills.sharing.take(review, BY);
    expect(taken.map(({ name, status, problem }) => [name, status, problem])).toEqual([
      ["labels", "quarantined", undefined],
      ["sums", "quarantined", undefined],
    ]);
    expect((await engine.run({ code: USE })).ok).toBe(false);
    for (const { name, hash } of engine.skills.store.list())
      await engine.skills.store.approve(name, BY, hash);
    expect(await engine.run({ code: USE })).toMatchObject({ ok: true, result: "sum 3" });
    expect((await importAll(engine, path)).map(({ state }) => state)).toEqual(["same", "same"]);
    expect(await engine.skills.store.versions("sums")).toHaveLength(1);
  });

  it("by a trusted key is used at once, and no more once the key is not trusted", async () => {
    const { path, key } = await packed();
    const { engine, opened } = await openEngine(SERVERS, { user: { skills: { trustedKeys: { ann: key } } } });
    expect((await importAll(engine, path)).map(({ status }) => status)).toEqual(["ready", "ready"]);
    expect(await engine.run({ code: USE })).toMatchObject({ ok: true, result: "sum 3" });
    await writeUserConfig(opened.dir, {});
    const of = { projectDir: opened.dir, homeDir: await homeOf(opened.dir), onNotice: () => {} };
    expect(await withSkillsOf(of, async (store) => store.get("sums")?.status)).toBe("quarantined");
    const { engine: other } = await reopenEngine(opened.dir);
    expect((await other.run({ code: USE })).ok).toBe(false);
    expect(other.skills.store.get("sums")?.status).toBe("quarantined");
  });

  it("never replaces silently: what was here is a version, and shown beside what comes", async () => {
    const { path } = await packed();
    const { engine } = await openEngine(SERVERS);
    const mine = { name: "labels", description: "Mine", code: "export const label = 1;\n" };
    await engine.skills.save({ ...mine, language: CODE.typescript }, BY);
    const review = await engine.skills.sharing.review(path, BY, { names: ["labels"] });
    expect(review.skills).toMatchObject([
      { state: "changed", before: { version: 1, files: { code: mine.code } } },
    ]);
    await engine.skills.sharing.take(review, BY);
    expect(
      (await engine.skills.store.versions("labels")).map(({ version, origin }) => [version, origin]),
    ).toEqual([
      [2, "imported"],
      [1, "own"],
    ]);
    await engine.skills.rollback("labels", BY);
    expect(engine.skills.store.get("labels")).toMatchObject({ version: 3, code: mine.code });
  });

  it("is kept as it was reviewed, or not at all", async () => {
    const { path } = await packed();
    const { engine } = await openEngine(SERVERS);
    const review = await engine.skills.sharing.review(path, BY, { names: ["labels"] });
    await writeFile(path, "something else");
    const mine = { name: "labels", description: "Mine", code: "export const label = 1;\n" };
    await engine.skills.save({ ...mine, language: CODE.typescript }, BY);
    await expect(engine.skills.sharing.take(review, BY)).rejects.toThrow(/has changed since the review/);
    expect(engine.skills.store.get("labels")?.code).toBe(mine.code);
  });

  it("for servers that are not here is kept as broken, and mends when they are", async () => {
    const { path, key } = await packed();
    const user = { skills: { trustedKeys: { ann: key } } };
    const { engine, opened } = await openEngine({ other: fixture("good") }, { user });
    const review = await engine.skills.sharing.review(path, BY);
    expect(review.skills[1]?.tools).toEqual([
      { server: "math", tool: "add_up", hash: expect.any(String), state: "no server" },
    ]);
    expect(await engine.skills.sharing.take(review, BY)).toMatchObject([
      { name: "labels", status: "ready" },
      { name: "sums", status: "broken", problem: expect.stringContaining("math") },
    ]);
    await writeFile(join(opened.dir, ".mcp.json"), JSON.stringify({ mcpServers: SERVERS }));
    const { engine: later } = await reopenEngine(opened.dir);
    expect(await later.run({ code: USE })).toMatchObject({ ok: true, result: "sum 3" });
  });

  it("that does what is forbidden here is refused before anything is kept", async () => {
    const { path, key } = await packed();
    const config = {
      permissions: { rules: [{ server: "math", tool: "*", decision: "deny", reason: "no sums" }] },
    };
    const user = { skills: { trustedKeys: { ann: key } } };
    const { engine } = await openEngine(SERVERS, { config, user });
    const review = await engine.skills.sharing.review(path, BY);
    expect(review.skills.map(({ forbidden }) => forbidden)).toEqual([
      [],
      [expect.stringContaining("no sums")],
    ]);
    await expect(engine.skills.sharing.take(review, BY)).rejects.toMatchObject({ code: "denied" });
    expect(engine.skills.store.list()).toEqual([]);
  });

  it("has nothing that nobody said yes to: named, imported by what is named, or as a version before", async () => {
    const { engine } = await openEngine(SERVERS);
    const { sharing, store, save } = engine.skills;
    const agent = { principal: "agent" };
    const labels = { name: "labels", description: "Makes labels", language: CODE.typescript };
    const approve = (name: string) => store.approve(name, BY, store.get(name)?.hash ?? "");
    await save({ ...labels, code: LABELS }, agent);
    await approve("labels");
    await save({ ...labels, name: "sums", code: SUMS }, BY);
    await sharing.export(["sums"], BY);
    await save({ ...labels, code: `${LABELS}export const unapproved = 1;\n` }, agent);
    await expect(sharing.export(["labels"], BY)).rejects.toMatchObject({
      code: "untrusted",
      hint: expect.stringContaining("keyhole skills approve labels"),
    });
    await expect(sharing.export(["sums"], BY)).rejects.toThrow(/Nobody has said yes|is broken/);
    await save({ ...labels, code: `${LABELS}export const mine = 1;\n` }, BY);
    const { text } = await sharing.export(["labels"], BY, { versions: true });
    const read = readPack(Buffer.from(text));
    expect(read.ok && read.pack.skills[0]?.version).toBe(3);
    expect(read.ok && read.pack.skills[0]?.earlier.map(({ version }) => version)).toEqual([1]);
  });

  it("has no skill with personal values", async () => {
    const { engine, opened } = await openEngine(SERVERS);
    await mkdir(join(opened.dir, "skills/found"), { recursive: true });
    await writeFile(
      join(opened.dir, "skills/found/SKILL.md"),
      "---\nname: found\ndescription: Ask ann.miller@example.com\n---\n",
    );
    const { store, sharing, save } = engine.skills;
    const approve = async (name: string) => {
      await store.look();
      await store.approve(name, BY, store.get(name)?.hash ?? "");
    };
    await approve("found");
    await expect(sharing.export(["found"], BY)).rejects.toMatchObject({ code: "denied" });
    await mkdir(join(opened.dir, "skills/labels"), { recursive: true });
    const manual = (more: string) => `---\nname: labels\ndescription: Labels${more}\n---\n`;
    await writeFile(join(opened.dir, "skills/labels/index.ts"), LABELS);
    await writeFile(join(opened.dir, "skills/labels/SKILL.md"), manual(" of ann.miller@example.com"));
    await approve("labels");
    await save({ name: "sums", description: "Adds up", code: SUMS, language: CODE.typescript }, BY);
    await expect(sharing.export(["sums"], BY)).rejects.toMatchObject({ code: "denied" });
    await writeFile(join(opened.dir, "skills/labels/SKILL.md"), manual(""));
    await approve("labels");
    await sharing.export(["labels"], BY);
    await expect(sharing.export(["labels"], BY, { versions: true })).rejects.toThrow(/version 1 is not/);
  });

  it("of what lies here and nobody said yes to is shown whole, not as the same", async () => {
    const { path, text } = await packed();
    const { engine, opened } = await openEngine(SERVERS);
    const read = readPack(Buffer.from(text));
    const [labels] = read.ok ? read.pack.skills : [];
    await mkdir(join(opened.dir, "skills/labels"), { recursive: true });
    await writeFile(join(opened.dir, "skills/labels/SKILL.md"), labels?.files.manual ?? "");
    await writeFile(join(opened.dir, "skills/labels/index.ts"), LABELS);
    const review = await engine.skills.sharing.review(path, BY, { names: ["labels"] });
    expect(review.skills[0]?.before).toEqual({ version: 1, status: expect.any(String) });
  });

  it("has the versions before, where that is asked for", async () => {
    const { engine } = await openEngine(SERVERS);
    await saveBoth(engine);
    const next = { name: "labels", description: "Makes labels", code: `${LABELS}export const more = 1;\n` };
    await engine.skills.save({ ...next, language: CODE.typescript }, BY);
    const { text } = await engine.skills.sharing.export(["labels"], BY, { versions: true });
    const read = readPack(Buffer.from(text));
    expect(
      read.ok && read.pack.skills[0]?.earlier.map(({ version, files }) => [version, files.code]),
    ).toEqual([[1, LABELS]]);
  });
});

describe("a checkout", () => {
  const manual = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\n`;

  it("has skills in several places; its .git is not read, no hook runs, and no link is followed", async () => {
    const dir = await tempDir();
    const outside = await tempDir();
    await writeFile(join(outside, "SKILL.md"), manual("secret"));
    const write = async (path: string, text: string) => {
      await mkdir(join(dir, path, ".."), { recursive: true });
      await writeFile(join(dir, path), text);
    };
    const told = join(outside, "ran");
    execFileSync("git", ["init", "-q", dir]);
    for (const hook of ["post-checkout", "pre-commit", "post-index-change"])
      await write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${told}"\n`);
    await write(".git/skills/stolen/SKILL.md", manual("stolen"));
    await write("skills/one/SKILL.md", manual("one"));
    await write("skills/one/index.ts", LABELS);
    await write("skills/one/references/more.md", "More");
    await write(".claude/skills/two/SKILL.md", manual("two"));
    await write("three/SKILL.md", manual("three"));
    await symlink(outside, join(dir, "skills/linked"));
    await mkdir(join(dir, "skills/inner"));
    await symlink(join(outside, "SKILL.md"), join(dir, "skills/inner/SKILL.md"));
    await write("skills/pipe/SKILL.md", manual("pipe"));
    execFileSync("mkfifo", [join(dir, "skills/pipe/index.ts")]);
    await write("skills/hard/SKILL.md", manual("hard"));
    await link(join(dir, "skills/one/index.ts"), join(dir, "skills/hard/index.ts"));
    const { engine } = await openEngine(SERVERS);
    const review = await engine.skills.sharing.review(dir, BY);
    expect(review.skills.map(({ name }) => name)).toEqual(["hard", "one", "pipe", "three", "two"]);
    expect(review.signer).toEqual({ kind: "unsigned" });
    expect(review.remarks).toContainEqual({
      place: "skills/one",
      problem: expect.stringContaining("references/more.md is left out"),
    });
    await engine.skills.sharing.take(review, BY);
    expect(new Set(engine.skills.store.list().map(({ status }) => status))).toEqual(new Set(["quarantined"]));
    expect(existsSync(told)).toBe(false);
  });

  it("of one skill can be imported under another name", async () => {
    const dir = await tempDir();
    await mkdir(join(dir, "one"));
    await writeFile(join(dir, "one/SKILL.md"), manual("one"));
    await writeFile(join(dir, "one/index.ts"), LABELS);
    const { engine } = await openEngine(SERVERS);
    await importAll(engine, join(dir, "one"), { as: "other" });
    expect(engine.skills.store.get("other")).toMatchObject({
      name: "other",
      manual: expect.stringContaining("name: other"),
    });
  });
});

const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;
const missing = isDemanded ? undefined : postgresMissing;
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (missing === undefined) server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
});

/** What stands there in the place of a version, by somebody who can write there. */
type Place = {
  readonly config: object;
  plant(name: string, version: number, text: string): Promise<void>;
  read(name: string, version: number): Promise<string>;
  hide(): Promise<void>;
};

async function folderPlace(): Promise<Place> {
  const folder = await tempDir();
  return {
    config: { folder },
    async plant(name, version, text) {
      await mkdir(join(folder, name), { recursive: true });
      await rm(join(folder, name, `${version}.json`), { force: true });
      await writeFile(join(folder, name, `${version}.json`), text);
    },
    read: (name, version) => readFile(join(folder, name, `${version}.json`), "utf8"),
    hide: () => rename(folder, `${folder}-away`),
  };
}

async function postgresPlace(): Promise<Place> {
  if (server === undefined) throw new Error(missing);
  const { createDatabase, run } = server;
  const url = await createDatabase();
  return {
    config: { postgres: url },
    async plant(name, version, text) {
      await run(
        url,
        "INSERT INTO keyhole_team_skills (name, version, pack) VALUES ($1, $2, $3) ON CONFLICT (name, version) DO UPDATE SET pack = excluded.pack",
        [name, version, text],
      );
    },
    async read(name, version) {
      const [row] = await run(url, "SELECT pack FROM keyhole_team_skills WHERE name = $1 AND version = $2", [
        name,
        version,
      ]);
      return String(row?.[0]);
    },
    hide: async () => void (await run(url, "DROP TABLE keyhole_team_skills")),
  };
}

const PLACES: readonly [string, () => Promise<Place>, string | undefined][] = [
  ["a folder", folderPlace, undefined],
  ["PostgreSQL", postgresPlace, missing],
];

describe.each(PLACES)("a library in %s", (_, makePlace, why) => {
  it.skipIf(why !== undefined)(
    "gives what trusted keys have signed to others of the team, and keeps it when it is away",
    async () => {
      const place = await makePlace();
      const library = place.config;
      const { engine: ann } = await openEngine(SERVERS, { user: { skills: { library } } });
      await saveBoth(ann);
      const published = await ann.skills.sharing.publish(["sums"], BY);
      expect(published.skills).toEqual([
        { name: "labels", version: 1, isSame: false },
        { name: "sums", version: 1, isSame: false },
      ]);
      expect((await ann.skills.sharing.publish(["sums"], BY)).skills.map(({ isSame }) => isSame)).toEqual([
        true,
        true,
      ]);
      const { engine: stranger } = await openEngine(SERVERS, { user: { skills: { library } } });
      expect((await stranger.skills.sharing.team()).map(({ state }) => state)).toEqual([
        "waiting",
        "waiting",
      ]);
      expect(stranger.skills.store.list()).toEqual([]);
      await importAll(stranger, "team:labels");
      expect(stranger.skills.store.get("labels")?.status).toBe("quarantined");
      const user = { skills: { library, trustedKeys: { ann: published.key } } };
      const { engine: bob, opened } = await openEngine(SERVERS, { user });
      expect(await bob.run({ code: USE })).toMatchObject({ ok: true, result: "sum 3" });
      expect(existsSync(join(opened.dir, "skills"))).toBe(false);
      await bob.close();
      await place.hide();
      const { engine: later } = await reopenEngine(opened.dir);
      expect(await later.run({ code: USE })).toMatchObject({ ok: true, result: "sum 3" });
    },
  );

  it.skipIf(why !== undefined)(
    "takes a new version, no earlier one under a new number, and nothing that is not what it says",
    async () => {
      const place = await makePlace();
      const library = place.config;
      const language = CODE.typescript;
      const { engine: ann } = await openEngine(SERVERS, { user: { skills: { library } } });
      const save = (code: string) =>
        ann.skills.save({ name: "labels", description: "Labels", code, language }, BY);
      await save(LABELS);
      const { key } = await ann.skills.sharing.publish(["labels"], BY);
      const user = { skills: { library, trustedKeys: { ann: key } } };
      const { engine: bob } = await openEngine(SERVERS, { user });
      await bob.skills.sharing.team();
      await save(`${LABELS}export const two = 2;\n`);
      await ann.skills.sharing.publish(["labels"], BY);
      await bob.skills.sharing.team();
      expect(bob.skills.store.get("labels")).toMatchObject({
        status: "ready",
        code: expect.stringContaining("two"),
      });
      const old = await place.read("labels", 1);
      await place.plant("labels", 3, old);
      await place.plant("labels", 4, old.slice(0, 300));
      await place.plant("labels", 5, "");
      await place.plant("labels", 6, old.replace('"version": 1', '"version": 6'));
      const handed = await ann.skills.sharing.export(["labels"], BY);
      await place.plant("labels", 7, handed.text.replace('"version": 2', '"version": 7'));
      await place.plant("labels", 8, handed.text);
      await place.plant("other", 1, old);
      await place.plant("huge", 1, " ".repeat(3 * 1024 * 1024));
      expect(
        (await bob.skills.sharing.team()).map(({ name, version, state }) => [name, version, state]),
      ).toEqual(
        expect.arrayContaining([
          ["labels", 2, "used"],
          ["other", 1, "refused"],
        ]),
      );
      expect(bob.skills.store.get("labels")?.code).toContain("two");
      expect(bob.skills.store.list()).toHaveLength(1);
    },
  );

  it.skipIf(why !== undefined)(
    "leaves alone what the project has of its own, and what was removed here",
    async () => {
      const place = await makePlace();
      const library = place.config;
      const { engine: ann } = await openEngine(SERVERS, { user: { skills: { library } } });
      await saveBoth(ann);
      const { key } = await ann.skills.sharing.publish(["sums"], BY);
      const { engine: bob } = await openEngine(SERVERS, {
        user: { skills: { library, trustedKeys: { ann: key } } },
      });
      const mine = { name: "labels", description: "Mine", code: "export const label = (t: string) => t;\n" };
      await bob.skills.save({ ...mine, language: CODE.typescript }, BY);
      expect((await bob.skills.sharing.team()).map(({ state }) => state)).toEqual(["own", "used"]);
      await bob.skills.store.remove("sums", BY);
      expect((await bob.skills.sharing.team()).map(({ state }) => state)).toEqual(["own", "removed"]);
      expect(bob.skills.store.get("labels")?.code).toBe(mine.code);
    },
  );

  it.skipIf(why !== undefined)("gives each of several that publish at once a number of its own", async () => {
    const place = await makePlace();
    const library = place.config;
    const engines = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const { engine } = await openEngine(SERVERS, { user: { skills: { library } } });
        const code = `export const n = ${n};\n`;
        await engine.skills.save({ name: "n", description: "A number", code, language: CODE.typescript }, BY);
        return engine;
      }),
    );
    const all = await Promise.all(engines.map((engine) => engine.skills.sharing.publish(["n"], BY)));
    const numbers = all.flatMap(({ skills }) => skills.map(({ version }) => version));
    expect(numbers.sort()).toEqual([1, 2, 3, 4]);
    for (const version of numbers)
      expect(readPack(Buffer.from(await place.read("n", version)))).toMatchObject({ ok: true });
  });
});

describe("a library in a folder", () => {
  it("that somebody filled with links, pipes and odd names leads nowhere", async () => {
    const [folder, outside] = [await tempDir(), await tempDir()];
    const { engine } = await openEngine(SERVERS, { user: { skills: { library: { folder } } } });
    await saveBoth(engine);
    await engine.skills.sharing.publish(["labels"], BY);
    await writeFile(join(outside, "1.json"), await readFile(join(folder, "labels/1.json")));
    await symlink(outside, join(folder, "sums"));
    await symlink(join(outside, "1.json"), join(folder, "labels/2.json"));
    await mkdir(join(folder, "piped"));
    execFileSync("mkfifo", [join(folder, "piped/1.json")]);
    await mkdir(join(folder, "..x"));
    await mkdir(join(folder, "UPPER"));
    await writeFile(join(folder, "UPPER/1.json"), "{}");
    expect((await engine.skills.sharing.team()).map(({ name, version }) => [name, version])).toEqual([
      ["labels", 1],
    ]);
    await expect(engine.skills.sharing.publish(["sums"], BY)).rejects.toThrow(/is no folder/);
    expect(existsSync(join(outside, "2.json"))).toBe(false);
  });

  it("is shown as it is written, without what its variables hold", async () => {
    const folder = await tempDir();
    const library = { folder: `\${:-${folder}}` };
    const { engine } = await openEngine(SERVERS, { user: { skills: { library } } });
    await saveBoth(engine);
    expect((await engine.skills.sharing.publish(["labels"], BY)).library).toBe(library.folder);
  });

  it("that somebody filled with numbers hides nothing, and takes more; what was half written is read again", async () => {
    const folder = await tempDir();
    const library = { folder };
    const { engine: ann } = await openEngine(SERVERS, { user: { skills: { library } } });
    await saveBoth(ann);
    const { key } = await ann.skills.sharing.publish(["labels"], BY);
    const junk = [...Array.from({ length: 60 }, (_, n) => 1_000 + n), 999_999];
    for (const number of junk) await writeFile(join(folder, `labels/${number}.json`), "{}");
    const two = { name: "labels", description: "Two", code: `${LABELS}export const two = 2;\n` };
    await ann.skills.save({ ...two, language: CODE.typescript }, BY);
    expect((await ann.skills.sharing.publish(["labels"], BY)).skills).toMatchObject([{ version: 2 }]);
    const whole = await readFile(join(folder, "labels/2.json"), "utf8");
    await writeFile(join(folder, "labels/2.json"), whole.slice(0, 300));
    const user = { skills: { library, trustedKeys: { ann: key } } };
    const { engine: bob } = await openEngine(SERVERS, { user });
    const used = (version: number) => [{ name: "labels", version, state: "used" }];
    expect(await bob.skills.sharing.team()).toMatchObject(used(1));
    await writeFile(join(folder, "labels/2.json"), whole);
    expect(await bob.skills.sharing.team()).toMatchObject(used(2));
  });

  it("takes nothing that was packed for somebody, whatever its number", async () => {
    const folder = await tempDir();
    const library = { folder };
    const { engine: ann } = await openEngine(SERVERS, { user: { skills: { library } } });
    await saveBoth(ann);
    const { key } = await ann.skills.sharing.publish(["labels"], BY);
    const two = { name: "labels", description: "Two", code: `${LABELS}export const two = 2;\n` };
    await ann.skills.save({ ...two, language: CODE.typescript }, BY);
    const { text, skills } = await ann.skills.sharing.export(["labels"], BY);
    expect(skills[0]?.version).toBe(2);
    await writeFile(join(folder, "labels/2.json"), text);
    const user = { skills: { library, trustedKeys: { ann: key } } };
    const { engine: bob } = await openEngine(SERVERS, { user });
    expect(await bob.skills.sharing.team()).toMatchObject([{ name: "labels", version: 1, state: "used" }]);
    expect(bob.skills.store.get("labels")?.code).toBe(LABELS);
  });

  it("that is not there is not made", async () => {
    const folder = join(await tempDir(), "share");
    const { engine } = await openEngine(SERVERS, { user: { skills: { library: { folder } } } });
    await saveBoth(engine);
    await expect(engine.skills.sharing.publish(["labels"], BY)).rejects.toThrow(/can't be used/);
    expect(existsSync(folder)).toBe(false);
  });
});
