import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import type { ServerRecord } from "../../catalog/tool.ts";
import { signalGroup, spawnWatched } from "../../process/spawn-watched.ts";
import { canWatch } from "../../process/watchdog.ts";
import { isRecord } from "../../text/is-record.ts";
import { ownValue } from "../../text/own-value.ts";
import type { ReadResult, SkillSource } from "../language.ts";
import {
  MAX_ANSWER_BYTES,
  MAX_CHECK_MS,
  MAX_HEAP_MB,
  MAX_MEMORY_BYTES,
  MAX_PREPARE_MS,
  STACK_KB,
} from "./limits.ts";
import { readMessages, sendMessage } from "./messages.ts";
import { createMirror } from "./mirror.ts";
import type { ToolName } from "./names.ts";
import { toReadResult } from "./read-result.ts";
import { createToldSkills, MAX_ASKED } from "./told-skills.ts";
import type { Unavailable } from "./unavailable.ts";

export type Job = {
  readonly source: string;
  readonly types: boolean;
  readonly servers: readonly ServerRecord[];
  readonly unavailable: Unavailable | undefined;
  /** Asked when the program imports some, with their spellings. The time that it takes is not the program's. */
  skills(asked: readonly string[]): Promise<readonly SkillSource[]>;
  /** Of the skill that it is read as. */
  readonly skill: string | undefined;
};

type Current = {
  done(result: ReadResult): void;
  fail(error: unknown): void;
  readonly skills: Job["skills"];
  isAsking: boolean;
  questions: number;
};

/** A process that reads programs, one at a time. It ends with us, however we end. */
export type ReaderProcess = {
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Returns when it can begin. */
  ready(): Promise<void>;
  /** Returns when it is as fast as it gets. */
  warm(): Promise<void>;
  /** Rejects with `ReaderEnded`. */
  read(job: Job): Promise<ReadResult>;
  kill(): void;
};

/** Why it gave no answer. `killed`: by somebody else, so not for the program's sake. */
export type Why = "time" | "memory" | "depth" | "killed" | "broken";

export class ReaderEnded extends Error {
  override readonly name = "ReaderEnded";
  readonly why: Why;
  constructor(why: Why) {
    super(`The process that reads programs ended: ${why}`);
    this.why = why;
  }
}

/** More than there are levels of skills that import skills: what asks so often was taken over. */
const MAX_QUESTIONS = 100;

/** One that takes so long must not slow others: it may have what is left of the machine. */
const HEAVY_MS = 300;

const SET_LIMITS = `
ulimit -c 0; ulimit -d ${MAX_MEMORY_BYTES / 1024} 2>/dev/null; ulimit -s ${STACK_KB} 2>/dev/null`;

const early = new Map<string, ReaderProcess>();

/** Starts one that the next who needs one is given, so that it is ready when its program is. */
export function startReaderEarly(main: string): void {
  if (!early.has(main)) early.set(main, startReader(main, { types: true, stays: false }));
}

export type ReaderStart = {
  /** Whether what checks types is started along. */
  readonly types: boolean;
  /** Whether more programs will come: then it practises for them. */
  readonly stays: boolean;
};

/** @param main the file of the language's that calls `serveReader` */
export function startReader(main: string, how: ReaderStart): ReaderProcess {
  const taken = early.get(main);
  early.delete(main);
  if (taken?.isRunning) return taken;
  const child = start(main, how);
  const { stdin: input, stdout: output } = child;
  if (!input || !output) throw new TypeError("A child with pipes has none");
  const mirror = createMirror();
  const told = createToldSkills();
  let isRunning = true;
  let current: Current | undefined;
  let timer: NodeJS.Timeout | undefined;
  let deadline = 0;
  let why: Why | undefined;
  let holds = 0;
  const ready = createSignal();
  const warm = createSignal();

  function kill(reason: Why): void {
    why ??= reason;
    isRunning = false;
    // The compiler that it started is of its group.
    signalGroup(child, "SIGKILL");
  }

  /** While somebody waits for it, it keeps us from ending, and only then. */
  async function holding<T>(work: Promise<T>): Promise<T> {
    if (++holds === 1) holdHost(child, true);
    try {
      return await work;
    } finally {
      if (--holds === 0) holdHost(child, false);
    }
  }

  function limit(ms: number): void {
    clearTimeout(timer);
    deadline = performance.now() + ms;
    timer = setTimeout(() => kill("time"), ms);
  }

  /** Its own time stands still meanwhile. */
  const answerSkills = async (asking: Current, asked: readonly string[]): Promise<void> => {
    const left = deadline - performance.now();
    clearTimeout(timer);
    asking.isAsking = true;
    try {
      const skills = await asking.skills(asked);
      if (current !== asking) return;
      const { header, texts } = told.answer(asked, skills);
      asking.isAsking = false;
      limit(left);
      sendMessage(input, JSON.stringify(header), texts);
    } catch (error) {
      // It waits for an answer that nobody has.
      asking.fail(error);
      current = undefined;
      kill("killed");
    }
  };

  function end(reason: Why): void {
    isRunning = false;
    clearTimeout(timer);
    current?.fail(new ReaderEnded(why ?? reason));
    current = undefined;
    ready.give();
    warm.give();
  }

  readMessages(
    output,
    MAX_ANSWER_BYTES,
    ({ header, parts }) => {
      const kind = isRecord(header) ? header["kind"] : undefined;
      if (kind === "ready") ready.give();
      else if (kind === "warm") warm.give();
      else if (current === undefined || current.isAsking) kill("broken");
      else if (kind === "prepared") limit(MAX_CHECK_MS);
      else if (kind === "need") sendMessage(input, mirror.types(toToolNames(header)));
      else if (kind === "needSkills" && ++current.questions <= MAX_QUESTIONS)
        void answerSkills(current, toTexts(ownValue(header, "names")).slice(0, MAX_ASKED));
      else {
        const result = kind === "answer" ? toReadResult(header, parts, told.given) : undefined;
        if (result === undefined) return kill("broken");
        clearTimeout(timer);
        current.done(result);
        current = undefined;
      }
    },
    () => kill("broken"),
  );
  child.once("exit", (code, signal) => end(toWhy(code, signal)));
  child.once("error", () => end("broken"));
  input.on("error", () => {});

  return {
    pid: child.pid,
    get isRunning() {
      return isRunning;
    },
    ready: () => holding(ready.given),
    warm: () => holding(warm.given),
    async read({ source, types, servers, unavailable, skills, skill }) {
      if (!isRunning) throw new ReaderEnded("killed");
      const news = mirror.news(servers, unavailable);
      if (news !== undefined) sendMessage(input, news);
      told.begin();
      sendMessage(input, JSON.stringify({ kind: "read", types, skill }), [Buffer.from(source)]);
      const heavy = setTimeout(() => slowDown(child.pid), HEAVY_MS);
      try {
        return await holding(
          new Promise<ReadResult>((done, fail) => {
            current = { done, fail, skills, isAsking: false, questions: 0 };
            limit(MAX_PREPARE_MS);
          }),
        );
      } finally {
        clearTimeout(heavy);
      }
    },
    kill: () => kill("killed"),
  };
}

function createSignal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((done) => {
    give = done;
  });
  return { given, give: () => give() };
}

function start(main: string, { types, stays }: ReaderStart): ChildProcess {
  const args = [
    `--max-old-space-size=${MAX_HEAP_MB}`,
    main,
    ...(types ? ["types"] : []),
    ...(stays ? ["stays"] : []),
  ];
  // Nothing of ours: no variable, and no folder of the project.
  const env = {
    ELECTRON_RUN_AS_NODE: "1",
    ...(!canWatch && { SystemRoot: process.env["SystemRoot"] }),
  };
  const cwd = canWatch ? "/" : undefined;
  const child = spawnWatched(process.execPath, args, { env, cwd, stderr: "ignore", setup: SET_LIMITS });
  holdHost(child, false);
  return child;
}

/** How a process ends that was given too much: the parser has no stack left, or it or V8 no memory. */
function toWhy(code: number | null, signal: NodeJS.Signals | null): Why {
  if (signal === "SIGSEGV" || signal === "SIGBUS") return "depth";
  if (signal === "SIGKILL" || signal === "SIGTERM" || signal === "SIGINT" || signal === "SIGHUP")
    return "killed";
  return signal !== null || (code ?? 0) > 128 ? "memory" : "broken";
}

function toToolNames(header: unknown): ToolName[] {
  const tools = isRecord(header) ? header["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((pair: unknown) => {
    const [server, tool] = Array.isArray(pair) ? pair : [];
    return typeof server === "string" && typeof tool === "string" ? [[server, tool] as const] : [];
  });
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function slowDown(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is gone, or the system does not let us.
  }
}

function holdHost(child: ChildProcess, isBusy: boolean): void {
  // Also when it ends at once: that has to be heard of.
  if (isBusy) child.ref();
  else child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (!(stream instanceof Socket)) continue;
    if (isBusy) stream.ref();
    else stream.unref();
  }
}
