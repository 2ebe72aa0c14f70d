/**
 * A program as they often are. What reads it is run on it a number of times before the first one comes: only what runs often is
 * compiled to machine code, and the first hundred programs of a user would be read at a third of the speed.
 */
export const PRACTICE_PROGRAM = `
import { readFile, writeFile } from "node:fs/promises";

type Row = { id: number; name: string; tags: string[]; total?: number };
const limit = 20;
const found: Row[] = [];

async function load(page: number, { retries = 2 } = {}): Promise<Row[]> {
  for (let tries = 0; tries <= retries; tries++) {
    try {
      const answer: any = await callMCPTool("records__list", { page, limit, filter: \`page:\${page}\` });
      return answer?.items?.map((item: any) => ({ ...item, name: String(item.name).trim() })) ?? [];
    } catch (error) {
      console.warn("again", tries, (error as Error).message);
    }
  }
  return [];
}

const pages = await Promise.all(Array.from({ length: 3 }, (_, page) => load(page + 1)));
for (const rows of pages) {
  for (const row of rows) {
    if (row.total === undefined || row.tags.includes("closed")) continue;
    found.push(row);
  }
}
const byName = new Map<string, Row>();
found.forEach((row) => byName.set(row.name.toLowerCase(), row));
const [first, ...others] = [...byName.values()].sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
let sum = 0;
while (others.length > limit) others.pop();
switch (first?.tags[0]) {
  case "new":
    sum += 1;
    break;
  default:
    sum -= first ? first.id % 7 : 0;
}
const before = JSON.parse(await readFile("./workspace/before.json", "utf8").catch(() => "{}"));
const text = others.map(({ id, name }) => id + ": " + name.replace(/[^a-z]+/gi, "-")).join("\\n");
await writeFile("./workspace/found.txt", text);
const isNew = !(before.text === text) && Object.keys(before).length >= 0;
console.log(isNew ? "changed" : "same", sum, typeof before);
return { first, count: others.length, isNew };
`;
