/**
 * The sentences by which tools say that there is nothing: "No events found." One that is made of these words and of the
 * words of its tool's name says nothing of anybody, so it may be kept and shown. No name, place, number or quotation can
 * be in it.
 */
const GENERAL = `
no not none nothing empty zero any is are was were be been has have had does do did could can there here it this that these
those your you the a an of for in on at with within by to from and or but as all currently yet found find available
returned return exist exists existing match matches matched matching given specified provided requested selected query queries search
searches searched criteria criterion filter filters result results record records entry entries item items data object objects row rows
value values match list lists response content information details error errors sorry please try again different
other another time times period range date dates day days week month year today id ids name names number
event events calendar meeting meetings appointment appointments reminder reminders
email emails mail mails message messages thread threads conversation conversations channel channels comment comments
customer customers contact contacts client clients user users account accounts company companies employee employees people person
lead leads deal deals opportunity opportunities order orders invoice invoices product products payment payments
task tasks project projects board boards issue issues ticket tickets note notes page pages document documents
file files folder folders directory directories image images photo photos video videos repository repositories commit commits branch branches
visit visits metric metrics report reports article articles post posts news book books song songs place places location locations
flight flights hotel hotels route routes job jobs review reviews memory memories node nodes relation relations log logs
`;
const NEGATIVE = new Set(["no", "not", "none", "nothing", "empty", "zero"]);
const MAX_LENGTH = 80;
const MAX_WORDS = 14;
/** A capital only at the start, and after the colon of "Error:". */
const SENTENCE = /^(?:Error: )?[A-Za-z]?[a-z]+(?:,? [a-z]+)*[.!]?$/;

const general = new Set(GENERAL.split(/\s+/).filter(Boolean));

/** Whether a text is such a sentence of a tool. */
export function saysNothingFound(text: string, tool: string): boolean {
  const words = toSentenceWords(text);
  if (words === undefined || words.every((word) => general.has(word))) return words !== undefined;
  const own = new Set(toNameWords(tool).flatMap(toNumbers));
  return words.every((word) => general.has(word) || own.has(word));
}

/** Whether it has the form of one, when its tool's name is not at hand. */
export function isNoResultSentence(text: string): boolean {
  return toSentenceWords(text) !== undefined;
}

function toSentenceWords(text: string): string[] | undefined {
  if (text.length > MAX_LENGTH || !SENTENCE.test(text)) return undefined;
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length > 1 && words.length <= MAX_WORDS && words.some((word) => NEGATIVE.has(word))
    ? words
    : undefined;
}

function toNameWords(name: string): string[] {
  return (
    name
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  );
}

/** Singular and plural of a word, near enough. */
function toNumbers(word: string): string[] {
  if (word.endsWith("ies")) return [word, `${word.slice(0, -3)}y`];
  if (word.endsWith("s")) return [word, word.slice(0, -1)];
  return [word, `${word}s`, `${word.replace(/y$/, "ie")}s`];
}
