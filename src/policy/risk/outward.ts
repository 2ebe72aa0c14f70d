import type { UsedTool } from "../program-facts.ts";

/** Words of servers' and tools' names behind which there are things that are nobody else's business. */
const SENSITIVE = new Set(
  (
    "mail email gmail outlook inbox message messages chat whatsapp signal contact contacts crm customer customers client " +
    "patient patients medical health hr payroll salary employee employees bank banking account accounts invoice invoices " +
    "finance stripe tax legal contract contracts secret secrets password passwords credential credentials vault token tokens " +
    "key keys env private personal profile calendar drive file files document documents notes database db sql sqlite mysql " +
    "postgres mongodb salesforce hubspot"
  ).split(" "),
);

/** Whether what a tool returns may be sensitive, by the words of its names: nothing else is known of it. */
export function isSensitive({ server, tool }: UsedTool): boolean {
  return [...toWords(server), ...toWords(tool)].some((word) => SENSITIVE.has(word));
}

/** `googleDrive`, `google-drive` and `GOOGLE_DRIVE` are two words each. */
function toWords(name: string): string[] {
  const words: string[] = [];
  let word = "";
  for (const letter of name) {
    const isLetter = letter.toLowerCase() !== letter.toUpperCase();
    const isUpper = isLetter && letter === letter.toUpperCase();
    const last = word.at(-1);
    if (word !== "" && (!isLetter || (isUpper && last !== last?.toUpperCase()))) {
      words.push(word.toLowerCase());
      word = "";
    }
    if (isLetter) word += letter;
  }
  if (word !== "") words.push(word.toLowerCase());
  return words;
}
