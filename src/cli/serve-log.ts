import type { EngineEvent } from "../engine/events/event.ts";
import type { Events } from "../engine/events/events.ts";
import { createOutbox } from "../engine/outbox.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import type { Output } from "./output.ts";

/** What `keyhole serve` tells while it serves. Standard output is MCP's. */
export type ServeLog = {
  readonly output: Output;
  /** Tells of runs too, where it is a log for machines. */
  follow(events: Events): void;
};

const LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
type Level = (typeof LEVELS)[number];
const MAX_TEXT = 2_000;

/** Lines for people, or with `KEYHOLE_LOG=json` one JSON object a line; how much by `KEYHOLE_LOG_LEVEL`. */
export async function openServeLog(output: Output, env: NodeJS.ProcessEnv): Promise<ServeLog> {
  const level = oneOf(env, "KEYHOLE_LOG_LEVEL", LEVELS) ?? "info";
  const form = oneOf(env, "KEYHOLE_LOG", ["text", "json"] as const) ?? "text";
  if (form === "text") return { output: atLevel(output, level), follow: () => {} };
  const log = await createLogger(level, output);
  return {
    output: {
      ...output,
      notice: (line) => log("warn", line),
      note: (line) => log("info", line),
    },
    follow: (events) => {
      events.subscribe({}, (event) => {
        const told = toEntry(event);
        if (told !== undefined) log(told.level, told.text, told.fields);
      });
    },
  };
}

function atLevel(output: Output, level: Level): Output {
  const isTold = (own: Level) => LEVELS.indexOf(own) <= LEVELS.indexOf(level);
  return {
    ...output,
    notice: (line) => {
      if (isTold("warn")) output.notice(line);
    },
    note: (line) => {
      if (isTold("info")) output.note(line);
    },
  };
}

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
type Log = (level: Exclude<Level, "silent">, text: string, fields?: Fields) => void;

/** Loaded where it is asked for. What it is told leaves by the outbox, as all else does. */
async function createLogger(level: Level, { logLine }: Output): Promise<Log> {
  const { pino } = await import("pino");
  const outbox = createOutbox();
  const logger = pino(
    {
      level,
      base: { name: "keyhole", pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: logLine },
  );
  return (own, text, fields = {}) =>
    logger[own](outbox.data(fields), toPlainText(outbox.text(toExcerpt(text, MAX_TEXT))));
}

/** What happens to runs; not what they print. */
function toEntry(event: EngineEvent): { level: "info" | "debug"; text: string; fields: Fields } | undefined {
  const whose = { run: event.runId, session: event.session };
  switch (event.kind) {
    case "started":
      return { level: "debug", text: "run started", fields: whose };
    case "called": {
      const { server, tool, ok, ms } = event;
      return { level: "debug", text: "call ended", fields: { ...whose, server, tool, ok, ms } };
    }
    case "asked":
      return { level: "info", text: "a person is asked", fields: { ...whose, approval: event.approvalId } };
    case "ended": {
      const failure = event.status === "failed" ? event.failure : undefined;
      return { level: "info", text: "run ended", fields: { ...whose, status: event.status, failure } };
    }
    default:
      return undefined;
  }
}

function oneOf<Word extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const said = env[name]?.trim().toLowerCase();
  if (said === undefined || said === "") return undefined;
  const known = words.find((word) => word === said);
  if (known !== undefined) return known;
  throw new KeyholeError("usage", `${name} can't be "${toExcerpt(said, 40)}"`, {
    hint: `Set it to ${words.join(", ")}, or leave it out`,
  });
}
