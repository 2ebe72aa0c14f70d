import type { PiiClass } from "../../pii-classes.ts";
import { eachText } from "../../text/each-text.ts";
import { readEncodedRuns } from "../forms/encoded-runs.ts";
import { type DetectOptions, detectInText } from "./detect.ts";
import { LEAST_CONFIDENCE } from "./finding.ts";

/** Shorter ones are words that decode to something by chance. */
const SHORTEST_RUN = 24;
const RUN = /[A-Za-z0-9+/_-]{24}/;

/** What is personal in base64 and hexadecimal digits: files that tools hand over, attachments, tokens. */
export function detectEncoded(
  value: unknown,
  options: DetectOptions,
): { readonly class: PiiClass; readonly value: string }[] {
  const found: { class: PiiClass; value: string }[] = [];
  eachText(value, (text) => {
    if (text.length < SHORTEST_RUN || !RUN.test(text)) return;
    for (const { decoded, isReadable } of readEncodedRuns(text)) {
      if (!isReadable) continue;
      for (const finding of detectInText(decoded, options))
        if (finding.confidence >= LEAST_CONFIDENCE)
          found.push({
            class: finding.class,
            value: finding.value ?? decoded.slice(finding.start, finding.end),
          });
    }
  });
  return found;
}
