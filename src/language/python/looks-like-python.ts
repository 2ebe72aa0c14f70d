/** A line that only Python has. */
const PYTHON_LINE =
  /^[^\S\n]*(?:from [\w.]{1,80} import [\w*(]|import \w+(?:\.\w+){0,5}(?: as \w+)?(?:, ?\w+){0,9}[^\S\n]*$|(?:async )?def \w+\([^\n{]{0,200}:[^\S\n]*$|(?:for|if|while|with|elif|try|except|else)\b[^{;?\n]{0,200}:[^\S\n]*$|# \S|print\()|\b[a-z_]\w{0,80}\((?:[^()\n"'`]{0,200}, ?)?[a-z_]\w{0,80}=[^=>\s]/m;
/** What no program in Python needs, but in a text: who has it is asked which language is meant. */
const OTHER_SIGN =
  /[`]|=>|===|\/\*|^[^\S\n]*(?:export\b|const\b|let\b|var\b|(?:async )?function\b|interface\b|enum\b|\/\/|type \w+ =)|;[^\S\n]*$|\)[^\S\n]*\{[^\S\n]*$/m;
/** What TypeScript refuses: a name that nothing declares gets a value. And what it has no word for: `[a for a in b]`. */
const LIKELY_LINE = /^[a-z_][a-z\d_]{0,80} = [^=\s]|[[({][^\n]{0,200}\bfor [a-z_][\w, ]{0,60} in [a-z_]/m;
/** Names and objects as they are written elsewhere: `listIssues(`, `{ owner:`, `true`. */
const OTHER_LIKELIHOOD =
  /\b[a-z]\w{0,80}[A-Z]\w{0,80}\(|[{,]\s{0,20}[A-Za-z_]\w{0,80}\s{0,3}:|\b(?:true|false|null|undefined|new|typeof)\b|\+\+|&&|\|\||\bfor \(/;
const MAX_READ = 20_000;

/** Whether a text that is no TypeScript was meant to be Python. */
export function hasPythonLine(text: string): boolean {
  return PYTHON_LINE.test(text.slice(0, MAX_READ));
}

/** Whether a text can't be meant to be anything else. */
export function looksLikePython(text: string): boolean {
  const read = text.slice(0, MAX_READ);
  if (OTHER_SIGN.test(read)) return false;
  return PYTHON_LINE.test(read) || (LIKELY_LINE.test(read) && !OTHER_LIKELIHOOD.test(read));
}
