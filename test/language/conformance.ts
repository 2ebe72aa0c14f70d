import { describe, expect, it } from "vitest";
import { toTree } from "../../src/codegen/tree.ts";
import { createEngine, type EngineOptions } from "../../src/engine/create-engine.ts";
import type { RunRequest } from "../../src/engine/engine.ts";
import type { Language } from "../../src/language/language.ts";
import { serverRecord, toolRecord } from "../fixtures/codegen/records.ts";
import { inSession } from "../fixtures/in-session.ts";
import { isAlive, until } from "../fixtures/processes.ts";
import { fixture, onCleanup, project } from "../fixtures/project.ts";

/** What the suite has a language say, each as a whole program. The fault of one that fails stands in its third line. */
export type Programs = {
  /** Returns `{ "a": [1, null, "ü😀"] }`. */
  readonly returns: string;
  /** Returns nothing. */
  readonly nothing: string;
  /** Prints "one", then "two 😀". */
  readonly logs: string;
  /** Calls `good.good0` with `{ "value": "x" }` and returns the result. */
  readonly calls: string;
  /** Calls `good.good0` three times. */
  readonly callsThrice: string;
  /** Is no program of the language. */
  readonly noProgram: string;
  /** Calls `good.nope`, which there is not. */
  readonly unknownTool: string;
  /** Calls `absent.tool`; there is no such server. */
  readonly unknownServer: string;
  /** Calls `refuses.limited`, which fails. */
  readonly failedCall: string;
  /** Fails by itself, with the message "out of paper". */
  readonly throws: string;
  readonly endless: string;
  /** Does nothing for a minute. */
  readonly sleeps: string;
  /** Where it has skills. */
  readonly skills?: {
    /** Saves the skill `greet-all`: its `greet` gives "hello " and the name it is given, and fails in line 3 for a name that is empty. */
    readonly saves: string;
    /** Returns what `greet` gives for "you". */
    readonly uses: string;
    /** Has it greet an empty name. */
    readonly fails: string;
    /** Gives it two names too many. */
    readonly misuses: string;
    /** Imports `greet-al`, which there is not. */
    readonly unknown: string;
  };
};

/** What every language must do, through the whole engine: real servers, real sandboxes, its own reader and guest. */
export function testLanguage(language: Language, programs: Programs): void {
  const open = async (options: EngineOptions = {}) => {
    const opened = await project({ good: fixture("good", "good", "2"), refuses: fixture("refuses") });
    await opened.catalog.read();
    const engine = inSession(createEngine(opened, { poolSize: 1, languages: [language], ...options }));
    onCleanup(() => engine.close());
    return Object.assign(
      (code: string, request: Partial<RunRequest> = {}) =>
        engine.run({ code, language: language.name, ...request }),
      { events: engine.events },
    );
  };

  describe(`a program in ${language.name}`, () => {
    it("returns a value, or nothing", async () => {
      const run = await open();
      expect(await run(programs.returns)).toMatchObject({ ok: true, result: { a: [1, null, "ü😀"] } });
      const nothing = await run(programs.nothing);
      expect(nothing).toMatchObject({ ok: true });
      expect(nothing.result).toBeUndefined();
    });

    it("shows what it prints, in order", async () => {
      const run = await open();
      const { ok, logs, text } = await run(programs.logs);
      expect({ ok, logs: logs.map((entry) => entry.text) }).toEqual({ ok: true, logs: ["one", "two 😀"] });
      expect(text).toContain("two 😀");
    });

    it("calls tools and has their results", async () => {
      const run = await open();
      expect(await run(programs.calls)).toMatchObject({
        ok: true,
        result: { server: "good", echoed: { value: "x" } },
        calls: [{ server: "good", tool: "good_0", ok: true }],
      });
    });

    it("is found by each name of its language, and no other language is", async () => {
      const run = await open();
      for (const name of [...language.aliases, undefined])
        expect(await run(programs.returns, { language: name })).toMatchObject({ ok: true });
      expect(await run(programs.returns, { language: "cobol" })).toMatchObject({
        ok: false,
        error: {
          kind: "language",
          message: expect.stringContaining("cobol"),
          hint: expect.stringContaining(language.name),
        },
      });
    });

    it("is one of several at a time, each with its own answer", async () => {
      const run = await open();
      const results = await Promise.all(
        [programs.returns, programs.calls, programs.throws].map((code) => run(code)),
      );
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
      expect(results[1]?.result).toMatchObject({ echoed: { value: "x" } });
    });
  });

  const { skills } = programs;
  if (skills !== undefined)
    describe(`a skill in ${language.name}`, () => {
      it("is saved, imported by another program, and tells its own place when it fails", async () => {
        const run = await open();
        expect(await run(skills.unknown)).toMatchObject({ ok: false, error: { kind: "import" } });
        expect(await run(skills.saves)).toMatchObject({ ok: true });
        expect(await run(skills.uses)).toMatchObject({ ok: true, result: "hello you" });
        const file = `skills/greet-all/${language.skillFile}`;
        const failed = await run(skills.fails);
        expect(failed).toMatchObject({
          ok: false,
          error: { kind: "exception", inSkill: { file, line: 3 } },
        });
        expect(failed.text).toContain(`at ${file}:3:`);
      });

      it("is held to what it takes, and near names are told", async () => {
        const run = await open();
        expect(await run(skills.saves)).toMatchObject({ ok: true });
        expect(await run(skills.misuses)).toMatchObject({
          ok: false,
          error: { kind: "types", message: expect.stringContaining("greet(") },
        });
        expect(await run(skills.unknown)).toMatchObject({
          ok: false,
          error: { kind: "import", hint: expect.stringMatching(/greet.all/) },
        });
      });
    });

  describe(`a program in ${language.name} that can't run`, () => {
    it("is refused with the place when it is none", async () => {
      const run = await open();
      expect(await run(programs.noProgram)).toMatchObject({
        ok: false,
        error: { kind: "syntax", location: { line: 3 }, excerpt: expect.any(String) },
        calls: [],
      });
    });

    it("is refused when it is too long", async () => {
      const run = await open();
      const code = `${programs.nothing}\n${"# // a comment\n".repeat(100_000)}`;
      expect(await run(code)).toMatchObject({ ok: false, error: { kind: "too_large" } });
    });

    it.each(["unknownTool", "unknownServer"] as const)(
      "is told of an %s before it runs, with the place and the name",
      async (which) => {
        const run = await open();
        const name = which === "unknownTool" ? "nope" : "absent";
        expect(await run(programs[which])).toMatchObject({
          ok: false,
          error: { kind: "types", errors: [{ line: 3, message: expect.stringContaining(name) }] },
          calls: [],
        });
      },
    );
  });

  describe(`a program in ${language.name} that fails`, () => {
    it("says where, with its own words", async () => {
      const run = await open();
      expect(await run(programs.throws)).toMatchObject({
        ok: false,
        error: {
          kind: "exception",
          message: expect.stringContaining("out of paper"),
          location: { line: 3 },
        },
      });
    });

    it("says which call failed, and where it stands", async () => {
      const run = await open();
      expect(await run(programs.failedCall)).toMatchObject({
        ok: false,
        error: {
          kind: "tool_error",
          server: "refuses",
          tool: "limited",
          message: expect.stringContaining("rate limited"),
          location: { line: 3 },
        },
      });
    });

    it("is told of an unknown tool when it calls it, where types are not checked", async () => {
      const run = await open({ checkTypes: false });
      expect(await run(programs.unknownTool)).toMatchObject({
        ok: false,
        error: { kind: "tool_error", message: expect.stringContaining("nope"), location: { line: 3 } },
      });
    });
  });

  describe(`the limits of a program in ${language.name}`, () => {
    it("end it when it never ends by itself", async () => {
      const run = await open();
      const result = await run(programs.endless, { limits: { timeoutMs: 300 } });
      expect(result).toMatchObject({ ok: false, error: { kind: expect.stringMatching(/^(timeout|cpu)$/) } });
    });

    it("end it when it sleeps too long", async () => {
      const run = await open();
      const limits = { sleepMs: 200, timeoutMs: 10_000 };
      expect(await run(programs.sleeps, { limits })).toMatchObject({
        ok: false,
        error: { kind: "timeout" },
      });
    });

    it("end it at the call that is one too many", async () => {
      const run = await open();
      expect(await run(programs.callsThrice, { limits: { calls: 2 } })).toMatchObject({
        ok: false,
        error: { kind: "calls" },
      });
      expect(await run(programs.callsThrice, { limits: { calls: 3 } })).toMatchObject({ ok: true });
    });

    it("end it when it is cancelled", async () => {
      const run = await open();
      const stop = new AbortController();
      const ended = run(programs.endless, {
        signal: stop.signal,
      });
      run.events.subscribe({}, ({ kind }) => kind === "log" && stop.abort());
      expect(await ended).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    });
  });

  describe(`the tools in ${language.name}`, () => {
    const tools = ["create_issue", "list_issues"].map((name) => toolRecord({ name }));
    const server = serverRecord("github", tools);
    const { printer } = language;

    it("have a file each, and an index", () => {
      const { files, warnings } = toTree([server], printer);
      const inFolder = [...files.keys()].filter((path) => path.startsWith(`${printer.folder(server)}/`));
      expect(inFolder).toHaveLength(3);
      expect(inFolder.every((path) => path.endsWith(printer.extension))).toBe(true);
      expect(warnings).toEqual([]);
    });

    it("have a signature with the name that a program calls", () => {
      for (const tool of tools)
        expect(printer.signature(tool, server, "whole").code).toContain(tool.identifiers[printer.naming]);
    });
  });

  it(`what reads ${language.name} is in processes of its own, which end with it`, async () => {
    const readers = language.createReaders({ servers: () => [] });
    await readers.warm();
    const { pids } = readers;
    expect(pids).toHaveLength(1);
    expect(pids).not.toContain(process.pid);
    readers.close();
    await until(() => !pids.some(isAlive), "the end of what reads");
  });
}
