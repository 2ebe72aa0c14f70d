import { describe, expect, it } from "vitest";
import { readArray } from "../../../../test/fixtures/audit/array-reader.ts";
import { makeDay } from "../../../../test/fixtures/audit/make-day.ts";
import { toReportRequest } from "../../../../test/fixtures/audit/report-request.ts";
import type { AuditEvent } from "../../event.ts";
import { makeReport } from "../make-report.ts";
import { toHtml } from "./html.ts";
import { toReportJson } from "./json.ts";
import { toMarkdown } from "./markdown.ts";
import { toPdf } from "./pdf/pdf.ts";
import { toPdfLines, toPdfString, toPdfText, toPdfWidth } from "./pdf/pdf-font.ts";

const FROM = Date.UTC(2026, 10, 2);
const HOSTILE = `</title><script>alert(1)</script>"' onload=x |\`*[a](http://b)\n# big\u202e`;

async function makeHostileReport() {
  const day = makeDay(40).map(
    (event) =>
      ({
        ...event,
        principal: HOSTILE,
        ...(event.server && { server: HOSTILE, tool: HOSTILE }),
      }) as AuditEvent,
  );
  const request = await toReportRequest({ from: FROM, to: FROM + 86_400_000 });
  return makeReport(readArray(day), { ...request, project: HOSTILE });
}

describe("the formats of a report", () => {
  it("HTML escapes every name, loads nothing and runs nothing", async () => {
    const html = toHtml(await makeHostileReport());
    expect(html).not.toMatch(/<script|<img|<link|<iframe|url\(|@import| onload=x>/i);
    expect(html).not.toContain("\u202e");
    expect(html).toContain("&lt;/title&gt;&lt;script&gt;");
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<title>/g)?.length).toBeGreaterThan(0);
    expect(html.split("<h1>").length).toBe(2);
  });

  it("Markdown leaves no name to mean anything", async () => {
    const lines = toMarkdown(await makeHostileReport()).split("\n");
    expect(lines).not.toContain("# big");
    const outsideCode = lines
      .join("\n")
      .replace(/```[^`]*```/g, "")
      .replace(/(`+) .*? \1/g, "");
    expect(outsideCode).not.toMatch(/(?<!\\)<script/);
    expect(outsideCode).not.toMatch(/(?<!\\)\[a/);
    const tables = lines.filter((line) => line.startsWith("|"));
    for (const [index, line] of tables.entries()) {
      const next = tables[index + 1];
      const isHead = next?.startsWith("| ---");
      if (isHead) expect(cellsOf(line)).toBe(cellsOf(next ?? ""));
    }
  });

  it("JSON has every figure with its events, and every trace with its command", async () => {
    const document = await makeHostileReport();
    const json = JSON.parse(JSON.stringify(toReportJson(document)));
    expect(json.traces.length).toBe(document.traces.length);
    for (const { figures } of json.traces)
      for (const { figure, command } of figures) {
        expect(figure.events).toMatchObject({ count: expect.any(Number), filter: expect.any(Object) });
        expect(command).toMatch(/^keyhole audit list --from 2026-11-02T/);
      }
  });

  it("PDF is a PDF, the same for the same report", async () => {
    const document = await makeHostileReport();
    const pdf = toPdf(document);
    expect(pdf.subarray(0, 8).toString("latin1")).toBe("%PDF-1.4");
    expect(pdf.subarray(-6).toString("latin1")).toBe("%%EOF\n");
    expect(toPdf(document).equals(pdf)).toBe(true);
    const place = Number(/startxref\n(\d+)/.exec(pdf.toString("latin1"))?.[1]);
    expect(pdf.subarray(place, place + 4).toString("latin1")).toBe("xref");
  });

  it("text in a PDF fits its column, and what the fonts lack is named", () => {
    expect(toPdfText("Jürgen ≈ 5 € 日")).toBe("Jürgen ~ 5 € [U+65E5]");
    expect(toPdfString("a(b)\\")).toBe("<612862295c>");
    const lines = toPdfLines(`${"x".repeat(300)} and some words more`, "plain", 8, 100);
    for (const line of lines) expect(toPdfWidth(line, "plain", 8)).toBeLessThanOrEqual(100);
    expect(lines.join("").replaceAll(" ", "")).toBe(`${"x".repeat(300)}andsomewordsmore`);
  });
});

const cellsOf = (line: string) => line.replaceAll("\\|", "").split("|").length;
