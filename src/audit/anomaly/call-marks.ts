import { isRecord } from "../../text/is-record.ts";
import type { CallMarks } from "../event.ts";
import { isSecretLike } from "./secret-like.ts";

/** Of hostile or huge arguments the first ones are looked at. */
const MAX_VALUES = 200;
const MAX_DEPTH = 4;
const MAX_TEXT = 1_000;

const RECIPIENT_KEYS =
  /^(?:to|recipients?|recipient_?(?:id|email)|e?mail(?:_?address)?|to_?(?:email|address|number)|cc|bcc|url|uri|webhook(?:_?url)?|endpoint|host|channel(?:_?(?:id|name))?|chat_?id|phone(?:_?number)?|destination|dest|target_?url|bucket|repo(?:sitory)?)$/i;

/**
 * @param hash of the log, so that a recipient can be told from others and not be read
 * @param sends whether the call can send something: only then it has a recipient
 */
export function toCallMarks(
  tool: string,
  args: unknown,
  { hash, sends }: { readonly hash: (text: string) => string; readonly sends: boolean },
): CallMarks | undefined {
  let isSecret = isSecretLike(tool);
  let recipient: string | undefined;
  let left = MAX_VALUES;

  function look(value: unknown, key: string, depth: number): void {
    if (left-- <= 0) return;
    if (typeof value === "string") {
      const text = value.slice(0, MAX_TEXT);
      if (!isSecret && isSecretLike(text)) isSecret = true;
      if (sends && recipient === undefined && RECIPIENT_KEYS.test(key)) recipient = toRecipient(text);
      return;
    }
    if (depth >= MAX_DEPTH) return;
    if (Array.isArray(value)) for (const item of value.slice(0, left)) look(item, key, depth + 1);
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value).slice(0, Math.max(0, left)))
        look(item, name, depth + 1);
  }

  look(args, "", 0);
  if (!isSecret && recipient === undefined) return undefined;
  return {
    ...(isSecret && { isSecret: true as const }),
    ...(recipient !== undefined && { recipient: hash(recipient).slice(0, 32) }),
  };
}

/** Of an address the host: what follows it may be different each time. */
function toRecipient(text: string): string {
  const written = text.trim().toLowerCase();
  return URL.canParse(written) ? new URL(written).host || written : written;
}
