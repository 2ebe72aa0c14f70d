/** Fifty-five lines with six calls: pages of issues, grouped, counted, and written down. */
export const REPORT = `const repo = { owner: "acme", repo: "shop" };
const pages = [];
for (let page = 1; page <= 4; page++) {
  const issues = await github.listIssues({ ...repo, page, perPage: 25 });
  pages.push(issues);
}

const issues = pages.flat();
const open = issues.filter((issue) => issue.state === "open");
const closed = issues.filter((issue) => issue.state === "closed");

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) {
      group.push(item);
    } else {
      groups.set(key, [item]);
    }
  }
  return groups;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const byLabel = groupBy(open, (issue) => issue.label);
const labels = [...byLabel.entries()]
  .map(([label, members]) => ({
    label,
    count: members.length,
    comments: members.reduce((sum, issue) => sum + issue.comments, 0),
    oldest: Math.max(...members.map((issue) => issue.ageDays)),
  }))
  .sort((a, b) => b.count - a.count);

const stale = open.filter((issue) => issue.ageDays > 20);
const summary = {
  total: issues.length,
  open: open.length,
  closed: closed.length,
  stale: stale.length,
  medianAge: median(open.map((issue) => issue.ageDays)),
  labels,
};

const created = await github.createIssue({ ...repo, title: "Weekly report", body: JSON.stringify(summary) });
await memory.store({ key: "report", value: created.number });
console.log(\`Open: \${summary.open} of \${summary.total}\`);
console.log(\`Most open: \${labels[0]?.label ?? "none"}\`);

return { number: created.number, summary };`;

/** Answers the calls of `REPORT` in the host. */
export async function answerReport(_server: string, tool: string, args: unknown): Promise<unknown> {
  if (tool !== "listIssues") return { number: 17, tool };
  const page = typeof args === "object" && args !== null && "page" in args ? Number(args.page) : 1;
  return Array.from({ length: 25 }, (_, index) => ({
    number: page * 100 + index,
    title: `Issue ${page}-${index} about something that does not work`,
    state: index % 3 === 0 ? "closed" : "open",
    label: ["bug", "feature", "docs", "question"][index % 4],
    comments: index % 7,
    ageDays: (index * page) % 31,
  }));
}

/** A million rows, filtered and added up; the time is taken inside, where it is spent. */
export const MILLION_ROWS = `const rows = Array.from({ length: 1e6 }, (_, n) => ({ id: n, group: n % 97, value: (n * 7919) % 1000, ok: n % 3 !== 0 }));
const begin = performance.now();
let totals;
for (let round = 0; round < 3; round++) {
  totals = new Map();
  for (const row of rows.filter((row) => row.ok && row.value > 100)) {
    const total = totals.get(row.group) ?? { count: 0, sum: 0 };
    total.count++;
    total.sum += row.value;
    totals.set(row.group, total);
  }
}
const ms = performance.now() - begin;`;
