import type { PiiFinding } from "../finding.ts";
import { isDigit, isLatinLetter, isSpace } from "./characters.ts";
import type { Context } from "./context.ts";
import { isPlaceholder, looksRandom } from "./secret-value.ts";

const MOST_USER_INFO = 300;
/** Accounts of machines. */
const NOBODY =
  /^(?:git|hg|svn|root|admin|user|username|guest|anonymous|postgres|mysql|sa|app|web|db|service|svc|backend|default|elastic|neo4j|oauth2|x-access-token|token|apikey|api)$/i;

/** Who and what stands before the host: `postgres://jane:secret@db/app`. */
export function findUserInfo({ text }: Context, findings: PiiFinding[]): void {
  for (let scheme = text.indexOf("://"); scheme !== -1; scheme = text.indexOf("://", scheme + 3)) {
    if (!isLatinLetter(text.charCodeAt(scheme - 1)) && !isDigit(text.charCodeAt(scheme - 1))) continue;
    const start = scheme + 3;
    const at = userInfoEnd(text, start);
    if (at === -1) continue;
    const colon = text.indexOf(":", start);
    const hasPassword = colon !== -1 && colon < at;
    const userEnd = hasPassword ? colon : at;
    const user = text.slice(start, userEnd);
    if (looksRandom(user) || (hasPassword && colon + 1 === at && user.length > 16))
      findings.push({ class: "API_KEY", start, end: userEnd, rule: "url-user", confidence: 0.98 });
    else if (user !== "" && !NOBODY.test(user) && !isPlaceholder(user))
      findings.push({ class: "USER_ID", start, end: userEnd, rule: "url-user", confidence: 0.9 });
    if (hasPassword && !isPlaceholder(text.slice(colon + 1, at)))
      findings.push({ class: "PASSWORD", start: colon + 1, end: at, rule: "url-password", confidence: 0.98 });
  }
}

/** The last `@` before the host ends, or -1. */
function userInfoEnd(text: string, start: number): number {
  let found = -1;
  for (let at = start; at < text.length && at - start < MOST_USER_INFO; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) found = at;
    // / \ ? # " < > end it
    else if (
      code === 47 ||
      code === 92 ||
      code === 63 ||
      code === 35 ||
      code === 34 ||
      code === 60 ||
      code === 62 ||
      isSpace(code)
    )
      break;
  }
  return found === start ? -1 : found;
}
