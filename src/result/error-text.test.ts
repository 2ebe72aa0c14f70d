import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "../tokens/tokens.ts";
import { createCallLog } from "./call-log.ts";
import { toErrorText } from "./error-text.ts";

const counter = await loadTokenCounter();
const update = { name: "tasks.updateTask", isRead: false };
const search = { name: "tasks.searchTasks", isRead: true };
const failure = { kind: "exception", message: "x is not a function", name: "TypeError" };
const show = (error: Parameters<typeof toErrorText>[0], made = createCallLog(), budget = 1000) =>
  toErrorText(error, made, budget, counter);

describe("a failed program's answer", () => {
  it("names the writes with their arguments and how each ended, then counts the reads", () => {
    const made = createCallLog();
    made.start(search, { assignee: "ada" }).answered([]);
    made.start(update, { task_id: "T1", status: "done" }).answered("ok");
    made.start(update, { task_id: "T2", status: "done" }).failed("failed");
    made.start({ name: "mail.sendMail", isRead: false }, { to: "a@b.co", body: "x".repeat(500) });
    made.start(search, {}).failed("unknown");
    expect(show({ kind: "timeout", message: "Too long" }, made).split("\n")).toEqual([
      "error (timeout): Too long",
      "writes made before, in this order; do not repeat what is done:",
      'tasks.updateTask done: {task_id:"T1",status:"done"}',
      'tasks.updateTask failed: {task_id:"T2",status:"done"}',
      `mail.sendMail no answer, may have been done: {to:"a@b.co",body:"${"x".repeat(60)}"…+440 chars}`,
      "reads made before: 2: tasks.searchTasks, tasks.searchTasks (no answer)",
    ]);
  });

  it("says that nothing was called, or that all calls were reads", () => {
    expect(show({ kind: "syntax", message: "m" })).toBe("error (syntax): m\ncalls made before: none");
    const made = createCallLog();
    for (let n = 0; n < 3; n++) made.start(search, {}).answered([]);
    expect(show({ kind: "tool_error", message: "m" }, made)).toBe(
      "error (tool_error): m\ncalls made before, all of them reads: 3: tasks.searchTasks ×3",
    );
  });

  it("keeps what tells which thing was changed when there is room for little", () => {
    const made = createCallLog();
    for (let n = 0; n < 12; n++)
      made.start(update, { note: "a long note ".repeat(4), taskId: `T${n}` }).answered("ok");
    const text = show(failure, made, 220);
    expect(text).toContain("tasks.updateTask ×12 done: ");
    expect(text).toContain('{taskId:"T0",…}');
    expect(text).toContain('{taskId:"T11",…}');
    expect(counter.count(text)).toBeLessThanOrEqual(220);
  });

  it("stays within its room, whatever was called how often with what", () => {
    const made = createCallLog();
    for (let n = 0; n < 3000; n++) {
      const callee = { name: `s.t${n % 7}${"\u202e".repeat(n % 3)}`, isRead: n % 5 === 0 };
      const args = { [`k${n}`]: "\u202e汉".repeat(n), id: Array(50).fill({ a: [n] }) };
      made.start(callee, args).failed(n % 2 ? "failed" : "unknown");
    }
    for (const budget of [50, 200, 1000]) {
      const text = show({ ...failure, hint: "h ".repeat(5000) }, made, budget);
      expect(counter.count(text)).toBeLessThanOrEqual(budget);
      expect(text).not.toContain("\u202e");
    }
  });

  it("tells what the calls returned when the program stumbled over a value", () => {
    const made = createCallLog();
    made.start(search, {}).answered([{ id: 1, name: "x", tags: ["a"] }]);
    made.start({ name: "crm.searchCustomers", isRead: true }, {}).answered("No customers found.");
    const lines = show(failure, made).split("\n");
    expect(lines).toContain('crm.searchCustomers returned string "No customers found."');
    expect(lines).toContain(
      "tasks.searchTasks returned array of 1 { id: number, name: string, tags: array of 1 }",
    );
    expect(show({ kind: "tool_error", message: "m" }, made)).not.toContain("returned");
    expect(show({ ...failure, name: "Error" }, made)).not.toContain("returned");
  });

  it("shows no more of a result than a sample", () => {
    const made = createCallLog();
    made.start(search, {}).answered(`${"a ".repeat(60)}the end`);
    const image = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };
    made.start({ name: "a.shot", isRead: true }, {}).answered({ image, __proto__: null });
    const text = show(failure, made);
    expect(text).toContain(`tasks.searchTasks returned string "${"a ".repeat(40)}"…`);
    expect(text).toContain("a.shot returned { image: <image/png, 5 B> }");
  });
});
