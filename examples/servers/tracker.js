// An issue tracker, and exports of it that take a while: `tracker.js [MS]`, the time that one takes.
import { z } from "zod";
import { createNumbers } from "./numbers.js";
import { serveTools } from "./serve.js";

const [takesMs = "1500"] = process.argv.slice(2);
const number = createNumbers(5);
const AREAS = ["checkout", "search", "login", "invoices", "import", "mobile"];
const ISSUES = ["is slow", "fails for guests", "shows the wrong total", "needs a test", "loses its filter"];
const issues = Array.from({ length: 400 }, (_, index) => ({
  id: index + 1,
  title: `${AREAS[number(AREAS.length)]} ${ISSUES[number(ISSUES.length)]}`,
  state: number(3) === 0 ? "closed" : "open",
  votes: number(90),
}));
const issue = z.object({ id: z.number(), title: z.string(), state: z.string(), votes: z.number() });
const exports = new Map();

serveTools("tracker", "Issues of the web shop.", {
  list_issues: {
    description: "Issues by state, 50 a page, from page 1 on.",
    input: z.object({
      state: z.enum(["open", "closed"]).optional(),
      page: z.number().int().min(1).optional(),
    }),
    output: z.object({ total: z.number(), issues: z.array(issue) }),
    reads: true,
    run: ({ state, page = 1 }) => {
      const found = issues.filter((one) => state === undefined || one.state === state);
      return { total: found.length, issues: found.slice(50 * (page - 1), 50 * page) };
    },
  },
  start_export: {
    description: "Starts an export of all issues as CSV. It takes a while: ask for it with get_export.",
    input: z.object({}),
    output: z.object({ export: z.string() }),
    run: () => {
      const id = `x${exports.size + 1}`;
      exports.set(id, Date.now() + Number(takesMs));
      return { export: id };
    },
  },
  get_export: {
    description: "How far an export is, and its text once it is done.",
    input: z.object({ export: z.string() }),
    output: z.object({ status: z.enum(["running", "done"]), text: z.string().optional() }),
    reads: true,
    run: ({ export: id }) => {
      const ready = exports.get(id);
      if (ready === undefined) throw new Error(`No export ${id}`);
      if (Date.now() < ready) return { status: "running" };
      const lines = issues.map((one) => `${one.id},"${one.title}",${one.state},${one.votes}`);
      return { status: "done", text: ["id,title,state,votes", ...lines].join("\n") };
    },
  },
});
