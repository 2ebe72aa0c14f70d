import type { PiiFinding } from "../finding.ts";
import { isWordCharacter } from "./characters.ts";
import type { Context } from "./context.ts";

const MOST_HEADER = 4_096;

/** Three parts, the first of which says in JSON how the last was made. */
export function findJwts({ text }: Context, findings: PiiFinding[]): void {
  for (let start = text.indexOf("eyJ"); start !== -1; ) {
    const header = partEnd(text, start);
    let end = -1;
    if (
      text.charCodeAt(header) === 46 &&
      !isPart(text.charCodeAt(start - 1)) &&
      isHeader(text.slice(start, header))
    ) {
      const payload = partEnd(text, header + 1);
      if (payload > header + 1)
        end = text.charCodeAt(payload) === 46 ? lastPartEnd(text, payload + 1) : payload;
    }
    if (end !== -1) findings.push({ class: "JWT", start, end, rule: "jwt", confidence: 0.99 });
    start = text.indexOf("eyJ", Math.max(header, end));
  }
}

function isHeader(part: string): boolean {
  if (part.length > MOST_HEADER) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return (
      typeof header === "object" && header !== null && ("alg" in header || "typ" in header || "enc" in header)
    );
  } catch {
    return false;
  }
}

/** An encrypted one has five. */
function lastPartEnd(text: string, start: number): number {
  let end = partEnd(text, start);
  for (let part = 0; part < 2 && text.charCodeAt(end) === 46 && isPart(text.charCodeAt(end + 1)); part++)
    end = partEnd(text, end + 1);
  return end;
}

function partEnd(text: string, start: number): number {
  let at = start;
  while (isPart(text.charCodeAt(at))) at++;
  return at;
}

function isPart(code: number): boolean {
  return isWordCharacter(code) || code === 45;
}
