/** What a code says in words: its names, its comments, and the texts in it. */
export type CodeTexts = { readonly names: string; readonly comments: string; readonly texts: string };

/** What does not end ends with the code, so that each character is read once. */
const TYPESCRIPT =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?|[\p{L}_$][\p{L}\p{N}_$]*/gu;
const PYTHON =
  /#[^\n]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[\p{L}_][\p{L}\p{N}_]*/gu;

const KEYWORDS = new Set(
  (
    "const let var return await async function if else for while of in new class export default import from as type interface " +
    "typeof true false null undefined string number boolean void this throw try catch finally switch case break continue " +
    "extends unknown any never Promise Record Array Map Set Object JSON Math Number String Boolean Date Error console log " +
    "map filter push length slice keys values entries reduce forEach flatMap includes toString stringify parse " +
    "def None True False and or not is with lambda yield pass raise except elif print len str int float dict list tuple self range"
  ).split(" "),
);

export function toCodeTexts(code: string, language: string | undefined): CodeTexts {
  const names: string[] = [];
  const comments: string[] = [];
  const texts: string[] = [];
  for (const [token] of code.matchAll(language === "python" ? PYTHON : TYPESCRIPT)) {
    if (/^(?:\/[/*]|#|"""|''')/.test(token)) comments.push(token);
    else if (/^["'`]/.test(token)) texts.push(token);
    else if (!KEYWORDS.has(token)) names.push(token);
  }
  return { names: names.join(" "), comments: comments.join(" "), texts: texts.join(" ") };
}
