import { KeyholeError } from "../../errors.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { ACTIONS, type EventAction, OUTCOMES } from "../event.ts";
import type { FieldCondition, LogFilter } from "./filter.ts";
import { parseTime } from "./parse-time.ts";
import { parseWhere } from "./where.ts";

const RISKS = ["low", "medium", "high", "critical"] as const;
const TEXTS = ["session", "principal", "client", "server", "tool", "run"] as const;
const MAX_TEXT = 1_000;

/** A filter as it is written on a command line: `--from 2h --outcome failed,denied --action call`. */
export function parseFilter(options: Readonly<Record<string, unknown>>, now = Date.now()): LogFilter {
  const written = (name: string) => {
    const value = options[name];
    if (typeof value !== "string") return undefined;
    const text = value.trim();
    if (text !== "" && text.length <= MAX_TEXT) return text;
    throw new KeyholeError("usage", `--${name} ${text === "" ? "is empty" : "is too long"}`, {
      hint: `Leave it out, or give it up to ${MAX_TEXT} characters`,
    });
  };
  const [from, to, risk, outcome, action, text] = ["from", "to", "risk", "outcome", "action", "text"].map(
    written,
  );
  const span = {
    ...(from !== undefined && { from: parseTime(from, "from", now) }),
    ...(to !== undefined && { to: parseTime(to, "to", now) }),
  };
  if (span.from !== undefined && span.to !== undefined && span.from >= span.to)
    throw new KeyholeError("usage", "--from is not before --to", { hint: "Give the earlier time as --from" });
  return {
    ...span,
    ...Object.fromEntries(
      TEXTS.flatMap((name) => {
        const value = written(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(risk !== undefined && { risk: one("risk", risk, RISKS) }),
    ...(outcome !== undefined && { outcomes: list(outcome).map((name) => one("outcome", name, OUTCOMES)) }),
    ...(action !== undefined && { actions: [...new Set(list(action).flatMap(toActions))] }),
    ...(text !== undefined && { text }),
    ...(Array.isArray(options["where"]) && { where: options["where"].map(toFieldCondition) }),
  };
}

function toFieldCondition(written: unknown): FieldCondition {
  const condition = parseWhere(String(written));
  if (condition !== undefined) return condition;
  throw new KeyholeError("usage", `--where can't be "${toExcerpt(String(written), 40)}"`, {
    hint: "Write for example details.host=api.example.com, details.port!=443, details.classes.EMAIL or !risk",
  });
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function one<Name extends string>(option: string, written: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === written.toLowerCase());
  if (found !== undefined) return found;
  throw new KeyholeError("usage", `--${option} can't be "${toExcerpt(written, 40)}"`, {
    hint: `Write one of ${known.join(", ")}`,
  });
}

/** `call` and `call.*` mean all that happens to calls. */
function toActions(written: string): readonly EventAction[] {
  const name = written.toLowerCase().replace(/\.\*$/, "");
  const found = ACTIONS.filter((action) => action === name || action.startsWith(`${name}.`));
  if (found.length > 0) return found;
  const groups = [...new Set(ACTIONS.map((action) => action.split(".")[0]))];
  throw new KeyholeError("usage", `There is no action "${toExcerpt(written, 40)}"`, {
    hint: didYouMean(name, ACTIONS) ?? `Write one such as call.ended, or all of a kind: ${groups.join(", ")}`,
  });
}
