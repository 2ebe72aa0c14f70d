import { isNobodysWord } from "../names/name-ids.ts";
import { looksLikeName } from "../values/name-look.ts";
import type { TextWalk } from "./fields.ts";

const MAX_LENGTH = 1_000;
const ENTRY = /^\s*(uid|cn|samaccountname|userid|mail)=([^,=]{2,100}),/i;
/** The branch of a directory that people stand in. */
const PEOPLE =
  /,\s*(?:ou|cn)=(?:people|persons?|users?|employees?|staff|accounts?|members|contacts|students?|customers?|personal|mitarbeiter|benutzer)\s*,/i;
const BRANCH = /,\s*(?:dc|o)=/i;

/** `uid=aberg,ou=People,dc=…`: whose entry of a directory it is. */
export function addDirectoryName(walk: TextWalk): void {
  const { text, findings } = walk;
  if (text.length > MAX_LENGTH) return;
  const entry = ENTRY.exec(text);
  if (entry === null || !BRANCH.test(text) || !PEOPLE.test(text)) return;
  const value = entry[2] ?? "";
  const start = entry[0].length - 1 - value.length;
  const span = { start, end: start + value.length, rule: "directory-name" };
  if (looksLikeName(value, 2)) findings.push({ ...span, class: "NAME", confidence: 0.85 });
  else if (/^[\p{L}\d][\p{L}\d._-]{2,63}$/u.test(value) && !isNobodysWord(value))
    findings.push({ ...span, class: "USER_ID", confidence: 0.8 });
}
