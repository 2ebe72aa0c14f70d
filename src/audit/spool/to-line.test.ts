import { describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import type { AuditEvent } from "../event.ts";
import { MAX_LINE_LETTERS, toLine } from "./to-line.ts";

const long = (text: string): AuditEvent => ({
  id: "e_1",
  at: 1,
  action: "run.started",
  outcome: "ok",
  run: "r_1",
  details: { code: { hash: "h", bytes: text.length, text }, language: "typescript", tier: "process" },
});

describe("toLine", () => {
  it("is the event, on one line", () => {
    for (const event of makeEvents(20)) {
      const line = toLine(event);
      expect(JSON.parse(line)).toEqual(event);
      expect(line).not.toContain("\n");
    }
    expect(toLine(long("a\nb\u2028\ud800"))).not.toMatch(/[\n\ud800]/);
  });

  it("cuts what is too long, and leaves the hashes", () => {
    const line = toLine(long("x".repeat(2 * MAX_LINE_LETTERS)));
    expect(line.length).toBeLessThan(MAX_LINE_LETTERS);
    expect(JSON.parse(line)).toMatchObject({
      run: "r_1",
      details: { code: { bytes: 2_000_000, hash: "h" } },
    });
  });

  it("is short also where no single text is long", () => {
    const texts = Array.from({ length: 300 }, () => "y".repeat(9_000));
    const line = toLine({
      id: "e_1",
      at: 1,
      action: "anomaly.found",
      outcome: "ok",
      details: { rule: "x", severity: "info", text: "", action: "log", events: texts },
    });
    expect(JSON.parse(line)).toMatchObject({ id: "e_1", action: "anomaly.found", details: {} });
    expect(line.length).toBeLessThan(MAX_LINE_LETTERS);
  });

  it("has what the seal makes of it, also of one that was cut", () => {
    const seal = ({ id }: AuditEvent) => ({ id, sealed: "s" });
    expect(toLine(long(""), seal)).toBe('{"id":"e_1","sealed":"s"}');
    expect(toLine(long("x".repeat(2 * MAX_LINE_LETTERS)), seal)).toBe('{"id":"e_1","sealed":"s"}');
  });
});
