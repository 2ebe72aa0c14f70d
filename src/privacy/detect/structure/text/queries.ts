import { type Decoded, decodePart, plainPart } from "./decoded.ts";
import type { LabelledValue } from "./fields.ts";

const MAX_KEY = 64;
const MAX_VALUE = 2_000;
const STOP = /[\s"'<>`{}|\\^)\]]/;

/** The parameters of URLs, and bodies of forms: `?email=ann%40lee&first_name=Ann`. */
export function readQueries(text: string): LabelledValue[] {
  const fields: LabelledValue[] = [];
  let group = 0;
  for (let at = text.indexOf("="); at !== -1; at = text.indexOf("=", at + 1)) {
    const start = keyStart(text, at);
    const before = text.charAt(start - 1);
    const isFirst = before === "?" || before === "#";
    const isForm = start === 0 && /^[^\s&]*&[\w.[\]%-]+=/.test(text.slice(0, MAX_VALUE));
    if (start === at || !(isFirst || isForm || before === "&")) continue;
    if (before !== "&") group++;
    let end = at + 1;
    while (
      end < text.length &&
      end - at < MAX_VALUE &&
      text.charAt(end) !== "&" &&
      text.charAt(end) !== "#" &&
      !STOP.test(text.charAt(end))
    )
      end++;
    const key = decodeUrlPart(text, start, at).text;
    fields.push({ key, above: [], group, value: decodeUrlPart(text, at + 1, end) });
    at = end - 1;
  }
  return fields;
}

function keyStart(text: string, mark: number): number {
  let start = mark;
  while (start > 0 && mark - start < MAX_KEY && /[\w.[\]%-]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Percent signs and pluses undone; what is no UTF-8 stays as it is. */
function decodeUrlPart(text: string, from: number, to: number): Decoded {
  const part = text.slice(from, to);
  if (!part.includes("%") && !part.includes("+")) return plainPart(text, from, to);
  return decodePart(text, from, to, (at) => {
    const letter = text.charAt(at);
    if (letter === "+") return { text: " ", length: 1 };
    if (letter !== "%") return undefined;
    for (const length of [3, 6, 9, 12]) {
      const bytes = text.slice(at, Math.min(at + length, to));
      if (bytes.length < length || !/^(?:%[0-9a-f]{2})+$/i.test(bytes)) return undefined;
      const decoded = toLetters(bytes);
      if (decoded !== undefined) return { text: decoded, length };
    }
    return undefined;
  });
}

function toLetters(bytes: string): string | undefined {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return undefined;
  }
}
