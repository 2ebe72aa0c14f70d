import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/**
 * The rooms of `src`, from the ground up: a room may import from rooms that stand before it and from itself, never from
 * one on the same line or after it. New rooms are entered here.
 */
const ORDER = [
  ["errors", "version", "text", "pii-classes"],
  ["run-failure", "session"],
  ["process", "world"],
  ["store", "network"],
  ["config"],
  ["mcp"],
  ["schema"],
  ["catalog"],
  ["codegen"],
  ["policy"],
  ["privacy"],
  ["tokens"],
  ["audit"],
  ["search", "sandbox"],
  ["language"],
  ["workspace"],
  ["skills"],
  ["result"],
  ["engine"],
  ["server"],
  ["cli", "library"],
  ["index"],
];

/** The fronts reach the rest through the engine; `init` works on configuration alone, before there is a project. */
const FRONTS = {
  cli: ["errors", "version", "text", "pii-classes", "session", "store", "config", "engine", "server", "cli"],
  server: ["errors", "run-failure", "version", "text", "session", "engine", "server"],
  library: ["errors", "text", "session", "config", "engine", "library"],
} as const;

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

type Import = { from: string; to: string; typeOnly: boolean };

async function readImports(): Promise<Import[]> {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const imports = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(SRC, file), "utf8");
      const statements = text.matchAll(
        /(?:^|\n)(?:import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g,
      );
      return [...statements].map(([, typeOnly, staticPath, dynamicPath]) => {
        const target = resolve(SRC, dirname(file), staticPath ?? dynamicPath ?? "");
        return { from: file, to: relative(SRC, target), typeOnly: typeOnly !== undefined };
      });
    }),
  );
  return imports.flat();
}

const toCode = (text: string) => text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
const roomOf = (file: string) => (file.split("/")[0] ?? "").replace(/(\.test)?\.ts$/, "");
const rankOf = (room: string) => ORDER.findIndex((line) => line.includes(room));

async function expectWriters(room: string, writers: readonly [RegExp, string[]][]): Promise<void> {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (file) => file.startsWith(room) && file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const texts = await Promise.all(
    files.sort().map(async (file) => ({ file, text: toCode(await readFile(join(SRC, file), "utf8")) })),
  );
  for (const [writes, allowed] of writers)
    expect(texts.filter(({ text }) => writes.test(text)).map(({ file }) => file)).toEqual(allowed);
}

describe("the architecture", () => {
  it("knows every room", async () => {
    const rooms = (await readdir(SRC)).map(roomOf);
    expect(rooms.filter((room) => rankOf(room) === -1)).toEqual([]);
  });

  it("is told in ARCHITECTURE.md in the same order", async () => {
    const map = await readFile(join(SRC, "../ARCHITECTURE.md"), "utf8");
    const cells = [...map.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = ""]) => cell);
    const told = cells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => roomOf(name)),
    );
    expect([...told].sort()).toEqual(
      ORDER.flat()
        .filter((room) => room !== "index")
        .sort(),
    );
    expect(told.map(rankOf)).toEqual(told.map(rankOf).sort((a, b) => a - b));
  });

  it("has imports in one direction only", async () => {
    const imports = await readImports();
    expect(imports.length).toBeGreaterThan(50);
    const wrong = imports.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && rankOf(roomOf(from)) <= rankOf(roomOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("lets the fronts reach the rest through the engine", async () => {
    const imports = await readImports();
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      const room = roomOf(from);
      const allowed: readonly string[] | undefined =
        room in FRONTS ? FRONTS[room as keyof typeof FRONTS] : undefined;
      return allowed && !typeOnly && !allowed.includes(roomOf(to));
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  /** A tier is a folder of its own: nothing but the choice of tiers knows any, and the engine knows the choice alone. */
  it("keeps the sandbox's sides apart", async () => {
    const imports = await readImports();
    const sideOf = (file: string) =>
      /^sandbox\/(host|machine|guest|deno|archive|rootfs|tiers\/[^/]+)\//.exec(file)?.[1];
    const ALLOWED: { readonly [side: string]: readonly string[] } = {
      host: ["host", "machine"],
      machine: ["machine"],
      deno: ["deno"],
      archive: ["archive"],
      rootfs: ["rootfs", "archive", "deno"],
    };
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      const [side, other] = [sideOf(from), sideOf(to)];
      if (roomOf(from) === "engine" && roomOf(to) === "sandbox") return sideOf(to) !== undefined;
      if (other?.startsWith("tiers/")) return side !== other && !(from === "sandbox/tiers/tiers.ts");
      if (side === undefined || other === undefined || typeOnly) return false;
      return !(ALLOWED[side] ?? [side, "machine", "deno", "archive", "rootfs"]).includes(other);
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  /** Programs are hostile, and what reads them is native code: it must not be in the process that holds the credentials. */
  it("reads programs in another process than the host", async () => {
    const imports = (await readImports()).filter(({ typeOnly }) => !typeOnly);
    const reached = new Set(["index.ts", "cli/main.ts"]);
    for (const file of reached) for (const { from, to } of imports) if (from === file) reached.add(to);
    expect(reached).toContain("language/reading/readers.ts");
    expect(
      [...reached].filter((file) =>
        ["/oxc.ts", "/compiler-process.ts", "/reader.ts", "/to-tree.ts"].some((end) => file.endsWith(end)),
      ),
    ).toEqual([]);
  });

  /** So that another database can stand behind the same tables. */
  it("knows the database's library in one file only", async () => {
    const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith(".ts"));
    const texts = await Promise.all(files.map((file) => readFile(join(SRC, file), "utf8")));
    const knowing = files.filter((_, place) => /(from|import\()\s*"libsql[/"]/.test(texts[place] ?? ""));
    expect(knowing).toEqual(["store/database/sqlite.ts"]);
  });

  /** What a model or its client can see leaves through the outbox: whoever could write past it is named here. */
  it("has one way out to the model", async () => {
    const writers: [RegExp, string[]][] = [
      // Servers and transports of the SDK are made where what they send is led through the outbox.
      [/new (Server|OutgoingServer|McpServer|StdioServerTransport)\b/, ["server/mcp/outlet.ts"]],
      [/writeHead\(|response\.end\(|Response\.json\(/, ["server/http/refusals.ts"]],
      // The last two hand on what a transport of the SDK has sent.
      [/new Response\(/, ["server/http/refusals.ts", "server/http/serve-http.ts", "server/http/sessions.ts"]],
      [/\bstdout\b/, ["server/mcp/serve-stdio.ts"]],
    ];
    await expectWriters("server/", writers);
  });

  /** A model with a shell reads what commands print. */
  it("has one way out of the commands", async () => {
    await expectWriters("cli/", [
      // The first one shows a cursor that a question has hidden.
      [/\b(stdout|stderr)\.write\(/, ["cli/interrupt.ts", "cli/output.ts"]],
      // In the text of the skill.
      [/\bconsole\./, ["cli/init/skill-text.ts"]],
    ]);
  });

  it("has no barrels and no rooms without a name", async () => {
    const files = await readdir(SRC, { recursive: true });
    expect(
      files.filter((file) =>
        /(^|\/)(utils?|helpers?|common|misc|manager|service)[^/]*(?<!\.d)\.ts$/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => /\/index\.ts$/.test(file))).toEqual([]);
  });
});
