import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/audit/event.ts";
import { makeDay } from "../fixtures/audit/make-day.ts";
import { writeLog } from "../fixtures/audit/write-log.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { onCleanup, writeProject } from "../fixtures/project.ts";

const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;
const CHROMIUM = "/usr/bin/chromium";
const PERIOD = ["--from", "2026-11-02T00:00:00Z", "--to", "2026-11-04T00:00:00Z"];
const HOSTILE = `<img src=x onerror=alert(1)>"'|\`*_[a](http://b)\u202e`;

/** A day with a tool in it whose name wants to be more than a name. */
async function projectWithLog(): Promise<string> {
  const dir = await writeProject({ "keyhole.config.json": {} });
  const day = makeDay(240);
  const last = day.findLast((event) => event.action === "call.ended" && event.details.isSent);
  const hostile = { ...last, id: "e_hostile", tool: HOSTILE, principal: "日本 Jürgen" } as AuditEvent;
  await writeLog(dir, [...day, hostile]);
  return dir;
}

type Figure = { value: number; events: { count: number; sample: string[] } };
type Trace = { figures: { figure: Figure; command: string }[] };

/** The words of a command as a shell takes them. */
function toWords(command: string): string[] {
  const printed = execFileSync("sh", [
    "-c",
    `for word in ${command.replace(/^keyhole /, "")}; do printf '%s\\0' "$word"; done`,
  ]);
  return printed.toString("utf8").split("\0").slice(0, -1);
}

describe("keyhole audit report", () => {
  it("counts and verifies the log, names gaps, and each figure's command lists its events [audit-report]", async () => {
    const dir = await projectWithLog();
    const { code, stdout } = await keyhole(dir, [
      "audit",
      "report",
      "--framework",
      "soc2",
      ...PERIOD,
      "--json",
    ]);
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({ framework: "soc2", verification: { status: "intact", problemCount: 0 } });
    expect(report.gaps.map(({ id }: { id: string }) => id)).toContain("not-encrypted");
    expect(stdout).not.toMatch(/(?<!that anybody or anything is )compliant/);
    const traces: Trace[] = report.traces;
    const wanted = [
      "details.host=api.example.com",
      "!risk",
      HOSTILE.slice(0, 10),
      "details.leave.approved=person",
    ];
    for (const text of wanted) {
      const found = traces
        .flatMap(({ figures }) => figures)
        .find(
          ({ command, figure }) => command.includes(text) && (figure.events.count > 0 || text === "!risk"),
        );
      expect(found?.command).toBeDefined();
      const listed = await keyhole(dir, [...toWords(found?.command ?? ""), "--limit", "5000", "--json"]);
      const { events } = JSON.parse(listed.stdout) as { events: { id: string }[] };
      expect([text, events.length]).toEqual([text, found?.figure.events.count]);
      expect(events.map(({ id }) => id)).toEqual(expect.arrayContaining(found?.figure.events.sample ?? []));
    }
  });

  it("writes Markdown to the terminal, and tells what is wrong with a request [audit-report]", async () => {
    const dir = await projectWithLog();
    const { stdout, code } = await keyhole(dir, ["audit", "report", "--framework", "hipaa", ...PERIOD]);
    expect(code).toBe(0);
    expect(stdout).toContain("# Evidence for the HIPAA security rule");
    expect(stdout).toContain("### 164.312(c)(1): Integrity");
    expect(stdout.replace(/(`+) .*? \1/g, "")).not.toMatch(/(?<!\\)<img/);
    expect(stdout).not.toContain("\u202e");
    for (const [args, said] of [
      [[], "needs a framework"],
      [["--framework", "sox"], `--framework can't be "sox"`],
      [["--framework", "gdpr", "--format", "pdf"], "A PDF needs a file"],
      [["--framework", "gdpr", "--format", "doc"], `--format can't be "doc"`],
      [["--framework", "gdpr", "--out", "report.docx"], `--format can't be "docx"`],
      [["--framework", "gdpr", "--from", "2999-01-01"], "--from is not before the report's end"],
      [["--framework", "gdpr", "--from", "2026-11-03", "--to", "2026-11-02"], "--from is not before --to"],
    ] as const) {
      const wrong = await keyhole(dir, ["audit", "report", ...args]);
      expect(wrong.code).not.toBe(0);
      expect(wrong.stderr).toContain(said);
    }
  });

  it("says so where nothing was ever written down [audit-report]", async () => {
    const dir = await writeProject({});
    const { stdout } = await keyhole(dir, ["audit", "report", "--framework", "gdpr", "--json"]);
    const report = JSON.parse(stdout);
    expect(report.verification).toEqual({ status: "not verified", reason: "there is no log here" });
    expect(report.gaps.map(({ id }: { id: string }) => id)).toContain("no-events");
  });

  it.skipIf(!isDemanded && !existsSync("/usr/bin/pdftotext"))(
    "writes a PDF that other programs read [audit-report-formats]",
    async () => {
      const dir = await projectWithLog();
      const out = join(dir, "report.pdf");
      await keyhole(dir, ["audit", "report", "--framework", "gdpr", ...PERIOD, "--out", out]);
      const text = execFileSync("pdftotext", ["-layout", out, "-"], { encoding: "utf8" });
      expect(text).toContain("Evidence for the GDPR");
      expect(text).toMatch(/Page 1 of \d+/);
      expect(text).toContain("[U+65E5][U+672C] Jürgen");
      expect(text).toContain("Art. 32 / 25 / 5(1)(c)");
      const checked = execFileSync("pdfinfo", [out], { encoding: "utf8" });
      expect(checked).toMatch(/Title: +Evidence for the GDPR/);
    },
  );
});

describe.skipIf(!isDemanded && !existsSync(CHROMIUM))("the report in a browser (Debian's chromium)", () => {
  it("shows all of it, loads nothing, runs nothing, and fits a phone [audit-report-formats]", async () => {
    const dir = await projectWithLog();
    const out = join(dir, "report.html");
    await keyhole(dir, ["audit", "report", "--framework", "soc2", ...PERIOD, "--out", out]);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    onCleanup(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const requests: string[] = [];
    const problems: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`file://${out}`);
    expect(await page.locator("h1").textContent()).toBe("Evidence for SOC 2");
    const titles = await page.locator("h2").allTextContents();
    expect(titles).toEqual(
      expect.arrayContaining([
        "What is missing",
        "Activity",
        "High-risk actions and their approvals",
        "Personal data",
      ]),
    );
    expect(await page.locator("table").count()).toBeGreaterThan(20);
    expect(await page.locator("svg.wide").first().isVisible()).toBe(true);
    expect(await page.locator("img, script, iframe, link").count()).toBe(0);
    expect(await page.getByText("<img src=x onerror=alert(1)>").first().isVisible()).toBe(true);
    const ids = new Set(await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id)));
    const links = await page
      .locator("a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(links.filter((href) => !href.startsWith("#") || !ids.has(href.slice(1)))).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.locator("svg.narrow").first().isVisible()).toBe(true);
    expect(requests).toEqual([`file://${out}`]);
    expect(problems).toEqual([]);
    expect(await readFile(out, "utf8")).not.toMatch(/src=["']|url\(|@import/);
  });
});
