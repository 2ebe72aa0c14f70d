import type { PiiFinding } from "../finding.ts";
import type { Context } from "./context.ts";

const BEGIN = /-----BEGIN ((?:[A-Z\d]+ ){0,3}PRIVATE KEY(?: BLOCK)?)-----/g;

/** From its first line to its last; without a last line, all that follows. */
export function findPrivateKeys({ text }: Context, findings: PiiFinding[]): void {
  BEGIN.lastIndex = 0;
  for (let match = BEGIN.exec(text); match !== null; match = BEGIN.exec(text)) {
    const last = `-----END ${match[1]}-----`;
    const found = text.indexOf(last, match.index);
    const end = found === -1 ? text.length : found + last.length;
    findings.push({ class: "PRIVATE_KEY", start: match.index, end, rule: "pem", confidence: 0.99 });
    BEGIN.lastIndex = end;
  }
}
