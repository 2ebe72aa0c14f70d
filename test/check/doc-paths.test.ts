import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TOP = ["src", "test", "bench", "docs", "scripts", "demo", "examples", "schema"];

/**
 * Files and folders that a text names between backticks: from the root of the project, or from `src` by their room. The map
 * of the rooms names nothing else.
 */
function namedPaths(text: string, rooms: readonly string[], mapsRooms: boolean): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span.replace(/:\d+$/, ""));
  return spans.flatMap((span) => {
    if (!/^[\w.-]+(\/[\w.{},-]+)*\/?$/.test(span)) return [];
    const [first = "", ...rest] = span.split("/");
    if (rest.length === 0 || first === ".keyhole") return [];
    if (TOP.includes(first)) return [span];
    const isPath = /\.(ts|js)$/.test(span) || span.endsWith("/");
    return isPath && (rooms.includes(first) || mapsRooms) ? [`src/${span}`] : [];
  });
}

/** `guest/{javascript,python}/` names two. */
function spread(path: string): string[] {
  const braces = /\{([^}]*)\}/.exec(path);
  if (braces === null) return [path];
  return (braces[1] ?? "").split(",").flatMap((one) => spread(path.replace(braces[0], one)));
}

async function markdownFiles(): Promise<string[]> {
  const docs = await readdir(join(ROOT, "docs"), { recursive: true });
  return [
    ...(await readdir(ROOT)).filter((file) => file.endsWith(".md") && file !== "CHANGELOG.md"),
    ...docs.filter((file) => file.endsWith(".md")).map((file) => join("docs", file)),
  ];
}

it("names no file or folder in its documents that is not there", async () => {
  const rooms = (await readdir(join(ROOT, "src"))).filter((name) => !name.includes("."));
  const missing: string[] = [];
  let count = 0;
  for (const file of await markdownFiles()) {
    const text = await readFile(join(ROOT, file), "utf8");
    const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) =>
      join(dirname(file), link),
    );
    for (const path of [...namedPaths(text, rooms, file === "ARCHITECTURE.md").flatMap(spread), ...links]) {
      count++;
      if (!existsSync(join(ROOT, path))) missing.push(`${file}: ${path}`);
    }
  }
  expect(count).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
