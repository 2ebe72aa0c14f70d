import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Brought } from "../../../config/trust/brought.ts";
import { toShownBrought } from "../../../engine/trust.ts";
import { isRecord } from "../../../text/is-record.ts";

/** More than that nobody reads in a form. */
const MAX_TEXT = 8_000;

export type TrustForm = {
  readonly params: ElicitRequestFormParams;
  /** What is shown whole: a yes is a yes to these alone. */
  readonly shown: readonly Brought[];
};

/** What a folder brings, as a form that a client shows to its user. Nothing where it is too much for one. */
export function toTrustForm(items: readonly Brought[]): TrustForm | undefined {
  let room = MAX_TEXT;
  const shown: Brought[] = [];
  const texts: string[] = [];
  for (const item of items) {
    const text = toText(item);
    if (text.length > room) {
      // No server is started without the settings that came with it.
      if (item.kind === "settings") return undefined;
      continue;
    }
    room -= text.length;
    shown.push(item);
    texts.push(text);
  }
  return shown.length === 0 ? undefined : { params: toParams(shown, texts, items.length), shown };
}

/** Only this is a yes; what was put away or filled in as nobody can is none. */
export function isTrusting(response: unknown): boolean {
  if (!isRecord(response) || response["action"] !== "accept") return false;
  const { content } = response;
  return isRecord(content) && content["decision"] === "trust";
}

function toParams(
  shown: readonly Brought[],
  texts: readonly string[],
  count: number,
): ElicitRequestFormParams {
  const left = count - shown.length;
  const message = [
    "This project's folder brings what Keyhole would start or obey as you. Nothing of it is used before you trust it.",
    ...(left > 0
      ? [`${left} more are too long to be shown here and stay untrusted: look at them by keyhole trust`]
      : []),
    ...texts,
    ...(shown.some(({ kind }) => kind === "settings")
      ? ["With settings among it, all of it holds once Keyhole is started again."]
      : []),
    "Later: keyhole trust, and keyhole trust --revoke",
  ].join("\n");
  return { mode: "form", message, requestedSchema: SCHEMA };
}

const SCHEMA: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      description: "trust: all that is shown here, as it is shown; not now: none of it is used",
      enum: ["trust", "not now"],
    },
  },
  required: ["decision"],
};

function toText(item: Brought): string {
  const { title, state, lines, remarks } = toShownBrought(item);
  const isDiff = item.diff !== undefined;
  return [
    `${title} (${state})`,
    ...lines.map(({ mark, text }) => (isDiff ? `   ${mark} ${text}` : `   ${text}`)),
    ...remarks.map((remark) => `   ! ${remark}`),
  ].join("\n");
}
