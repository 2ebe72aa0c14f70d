import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

type Packed = { files: { path: string }[] };

/** What npm would publish. */
function packedFiles(): string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const text = execFileSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  // Newer versions of npm answer with an object by the packages' names.
  const [packed] = Object.values(JSON.parse(text) as Record<string, Packed>);
  return (packed?.files ?? []).map(({ path }) => path);
}

/** Links without those in code, as `[text](target)`. */
function linksIn(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

function anchorsIn(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}

describe("the published package", () => {
  const files = packedFiles();
  const read = (path: string) => readFileSync(posix.join(ROOT, path), "utf8");

  it("has no Markdown file with a dead link", () => {
    const pages = files.filter((path) => path.endsWith(".md"));
    expect(pages).toContain("README.md");
    expect(pages.length).toBeGreaterThan(10);
    const dead = pages.flatMap((page) =>
      linksIn(read(page))
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [path = "", anchor] = target.split("#");
          const file = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path));
          const folder = `${file.replace(/\/$/, "")}/`;
          const isThere = files.includes(file) || files.some((other) => other.startsWith(folder));
          return !isThere || (anchor !== undefined && !anchorsIn(read(file)).includes(anchor));
        })
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("brings no tests, sources or tools along", () => {
    expect(files.filter((path) => /^(src|test|bench|scripts)\/|\.test\.|\.map$/.test(path))).toEqual([]);
  });
});
