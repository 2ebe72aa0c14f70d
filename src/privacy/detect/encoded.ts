import type { PiiClass } from "../../pii-classes.ts";
import { eachText } from "../../text/each-text.ts";
import { readEncodedRuns } from "../forms/encoded-runs.ts";
import { readEscapes } from "../forms/written-forms.ts";
import { type DetectOptions, detectInText } from "./detect.ts";
import { LEAST_CONFIDENCE } from "./finding.ts";

/** Shorter ones are words that decode to something by chance. */
const SHORTEST_RUN = 16;
const RUN = /[A-Za-z0-9+/_-]{16}/;
const ESCAPE = /%[0-9A-Fa-f]{2}|\\[ux][0-9A-Fa-f]{2}|&(?:#|[a-z]{2,6};)/;

/** What is personal in base64, hexadecimal digits and escapes: files that tools hand over, attachments, queries. */
export function detectEncoded(
  value: unknown,
  options: DetectOptions,
): { readonly class: PiiClass; readonly value: string }[] {
  const found: { class: PiiClass; value: string }[] = [];
  eachText(value, (text) => {
    if (text.length < SHORTEST_ESCAPED) return;
    if (ESCAPE.test(text)) look(readEscapes(text));
    if (text.length < SHORTEST_RUN || !RUN.test(text)) return;
    for (const { decoded, isReadable } of readEncodedRuns(text)) if (isReadable) look(decoded);
  });
  return found;

  function look(decoded: string): void {
    for (const { class: kind, confidence, start, end, value: read } of detectInText(decoded, options))
      if (confidence >= LEAST_CONFIDENCE)
        found.push({ class: kind, value: read ?? decoded.slice(start, end) });
  }
}

const SHORTEST_ESCAPED = 6;
