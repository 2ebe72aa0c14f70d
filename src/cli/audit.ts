import { resolve } from "node:path";
import { type ProjectAudit, withAudit } from "../engine/audit/audit-of-project.ts";
import { KeyholeError } from "../errors.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";

/** One thing that can be done with the log: its code is loaded when it is asked for. */
export type AuditAction = (context: CommandContext, audit: ProjectAudit, subject: string) => Promise<number>;

type Entry = {
  readonly needs?: string;
  /** The options that mean something to it. */
  readonly takes?: readonly string[];
  readonly load: () => Promise<AuditAction>;
  /** Does it without this folder's log, where the options ask for that. */
  readonly apart?: () => Promise<(context: CommandContext) => Promise<number> | undefined>;
};

const SPAN = ["from", "to"];
const FILTER = [
  ...SPAN,
  ...[
    "session",
    "principal",
    "client",
    "server",
    "tool",
    "run",
    "risk",
    "outcome",
    "action",
    "text",
    "where",
  ],
];

const ACTIONS: Readonly<Record<string, Entry>> = {
  list: {
    takes: [...FILTER, "limit", "after", "page", "oldestFirst"],
    load: async () => (await import("./audit/list.ts")).list,
  },
  show: { needs: "RUN", load: async () => (await import("./audit/show.ts")).show },
  verify: {
    takes: ["key", "database", "anchor", "proof", "archive"],
    load: async () => (await import("./audit/verify.ts")).verify,
    apart: async () => (await import("./audit/verify.ts")).verifyApart,
  },
  prove: { needs: "EVENT", takes: ["out"], load: async () => (await import("./audit/prove.ts")).prove },
  report: {
    takes: [...SPAN, "framework", "format", "out"],
    load: async () => (await import("./audit/report.ts")).report,
  },
  export: {
    takes: [...FILTER, "format", "out"],
    load: async () => (await import("./audit/export.ts")).exportEvents,
  },
  anomalies: {
    takes: [...FILTER, "notes", "release"],
    load: async () => (await import("./audit/anomalies.ts")).anomalies,
  },
  prune: { takes: ["dryRun"], load: async () => (await import("./audit/prune.ts")).prune },
  anchor: { load: async () => (await import("./audit/anchor.ts")).anchor },
  keys: { load: async () => (await import("./audit/keys.ts")).keys },
  "rotate-key": { takes: ["seal"], load: async () => (await import("./audit/rotate-key.ts")).rotateKey },
};

/** What was done here, and the proof that the record of it was not changed. No server is started for it. */
export const audit: CommandHandler = async (context) => {
  const [name = "list", subject, ...more] = context.args;
  const entry = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (entry === undefined || more.length > 0 || (entry.needs === undefined && subject !== undefined))
    throw unknown(context.args.join(" "), name);
  if (entry.needs !== undefined && subject === undefined)
    throw new KeyholeError("usage", `keyhole audit ${name} needs an id`, {
      hint: `Write keyhole audit ${name} ${entry.needs}; keyhole audit list shows those there are`,
    });
  const { output, options } = context;
  refuseOthers(name, entry, options);
  const done = await (await entry.apart?.())?.(context);
  if (done !== undefined) return done;
  const act = await entry.load();
  const place = {
    projectDir: resolve(context.projectDir),
    onNotice: output.notice,
    trust: options["trust"] === true,
  };
  return withAudit(place, (opened) => act(context, opened, subject ?? ""));
};

/** What would be ignored is refused: whoever wrote it believes that it counts. */
function refuseOthers(name: string, { takes = [] }: Entry, options: CommandContext["options"]): void {
  const others = new Set(Object.values(ACTIONS).flatMap((entry) => entry.takes ?? []));
  const wrong = [...others].find((option) => options[option] !== undefined && !takes.includes(option));
  if (wrong === undefined) return;
  const where = Object.entries(ACTIONS).flatMap(([other, entry]) =>
    entry.takes?.includes(wrong) ? [other] : [],
  );
  const own = takes.length === 0 ? "has no options of its own" : `takes ${takes.map(toFlag).join(", ")}`;
  throw new KeyholeError("usage", `keyhole audit ${name} has no ${toFlag(wrong)}`, {
    hint: `It ${own}; ${toFlag(wrong)} is for ${where.join(", ")}`,
  });
}

function toFlag(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function unknown(written: string, name: string): KeyholeError {
  const names = Object.keys(ACTIONS);
  return new KeyholeError("usage", `keyhole audit can't "${toExcerpt(written, 60)}"`, {
    hint: [didYouMean(name, names), `Write keyhole audit with one of ${names.join(", ")}`]
      .filter(Boolean)
      .join(" "),
  });
}
