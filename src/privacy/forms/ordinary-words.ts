import type { PiiClass } from "../../pii-classes.ts";
import {
  COUNTRY,
  FAMILY,
  FAMILY_RARE,
  FREQUENT,
  FUNCTION_WORD,
  GIVEN,
  GIVEN_RARE,
  LARGE_CITY,
  MONTH,
  NATIONALITY,
  NO_NAME,
  WEEKDAY,
  WORD,
} from "../detect/prose/word-flags.ts";
import { hashOf, loadWordTable } from "../detect/prose/word-table.ts";

/**
 * What a word alone can be taken for. `ordinary`: for anything, so that it is nobody's name wherever it stands. `both`: a name
 * where it is written like one. `rare`: no word that others use.
 */
type Ordinariness = "ordinary" | "both" | "rare";

/** Words, towns, countries and months that are a person's name more often than that. Written down by hand, from those that are in both lists. */
const NAMES =
  toSet(`bob chuck drew frank fuller grace hardy jack ken mark nick pat penny ray rod smith sue wade burns duff leach manning
adelaide anand artem aurora aydin beaumont bello blackburn bradford brandon brent carolina cary chandler charlotte clovis constantine darwin
dasha davenport davie denton dudley edison elizabeth eugene everett florencia fontana fullerton garland gilbert giron gracia hagen hamilton
hampton hassan hastings hayward henderson holguin ibarra irvine irving izumi jackson juarez kara kent khanna kimberley larisa loni madison
mansfield markham mary matsumoto mckinney mendoza merlo milton minna montgomery morena nancy nigel norman olinda paterson pereira pilar ponce
poole preston quevedo richardson rodriguez sakura salinas santos sari serra sofia sutton thornton trujillo tyler valdivia vallejo vaughan
victoria vladimir warren yao zamora dania dominika dominique francie georgie guerrero hidalgo kena malte maurice mauricia mauricio salvador
christian finn marco julio augustus`);

/** Names that are a word too, which few know or write. */
const SURE =
  toSet(`billy bobby brad carol chandler colleen derrick dirk eddy fink grimes harry hector hogan jimmy john johns josh khan lynch madden
maria martin matt meg mike noel peter peters phoebe pierce randy rick rob roger rogers sander sanders stein stokes terry tom tony`);

/** What the lists lack: colours, languages, and words of systems. */
const MORE =
  toSet(`amber beige coral crimson cyan gray grey hazel indigo ivory jade khaki lavender lilac lime magenta maroon mauve navy ochre
olive pearl purple ruby scarlet silver tan teal turquoise violet
arabic bengali cantonese esperanto farsi flemish gaelic gujarati hebrew hindi javanese latin malay mandarin marathi persian punjabi sanskrit
sinhala swahili tagalog tamil telugu tibetan urdu yiddish yoruba zulu
admin administrator anonymous async autumn avenue backend backup boolean bot bugfix changeme changelog checkbox checkout config cron daemon
database dev devops dropdown enum env frontend gateway guest hotfix hostname howto inbox info init integer intranet json kernel keyword
letmein localhost login logout lookup mailbox metadata middleware namespace nobody noreply null offline online org passcode passphrase passwd
plugin popup postmaster preview prod pwd qwerty readme readonly readwrite refactor repo root runtime sandbox screenshot sha shutdown signup sql
stderr stdin stdout subnet superuser svc sysadmin sys timeout timestamp todo uat undefined upload url username utf varchar webhook webmaster
website welcome whitelist wiki wildcard workflow workspace xml yaml`);

const ORDINARY = FREQUENT | FUNCTION_WORD | MONTH | WEEKDAY | NATIONALITY | COUNTRY | LARGE_CITY;
const SOMEBODY = GIVEN | FAMILY;
const LISTED = SOMEBODY | GIVEN_RARE | FAMILY_RARE;
const SECRETS: ReadonlySet<PiiClass> = new Set<PiiClass>(["PASSWORD", "API_KEY"]);
/** Longer than any word in the lists. */
const LONGEST = 24;
const SHORTEST_HALF = 3;

/** Of a value, or of a part of one, that is one word. */
export function ordinarinessOf(word: string, kind: PiiClass): Ordinariness {
  const plain = toPlain(word);
  if (plain.length > LONGEST || !/^\p{L}+$/u.test(plain)) return "rare";
  const flags = flagsOf(plain);
  if (SECRETS.has(kind)) return isPlaceholder(plain, flags) ? "ordinary" : "rare";
  if (SURE.has(plain)) return "rare";
  const isWord = (flags & WORD) !== 0;
  if (NAMES.has(plain)) return isWord ? "both" : "rare";
  if ((flags & ORDINARY) !== 0 || MORE.has(plain)) return "ordinary";
  if ((flags & LISTED) !== 0) {
    if (kind === "NAME" || (flags & SOMEBODY) !== 0) return isWord ? "both" : "rare";
    return isWord ? "ordinary" : "rare";
  }
  if (hasStem(plain, FREQUENT)) return "ordinary";
  if (kind === "NAME") return isWord || hasStem(plain, WORD) ? "both" : "rare";
  return isKnownWord(plain, flags) || isCompound(plain) ? "ordinary" : "rare";
}

/** Of secrets the words that everybody writes; another may be one, and is looked for. */
function isPlaceholder(plain: string, flags: number): boolean {
  return (flags & (NO_NAME | ORDINARY)) !== 0 || MORE.has(plain) || hasStem(plain, FREQUENT);
}

function isKnownWord(plain: string, flags: number): boolean {
  return (flags & (WORD | NO_NAME | ORDINARY)) !== 0 || MORE.has(plain) || hasStem(plain, WORD);
}

/** Whether letters that are run together are a word: the name "An Other" is not in "another". */
export function isWordOfLists(letters: string): boolean {
  const plain = toPlain(letters);
  return plain.length <= LONGEST && ((flagsOf(plain) & (WORD | ORDINARY)) !== 0 || hasStem(plain, WORD));
}

/** Small words between names. */
const PARTICLES = toSet(
  "von van der den del della des dos das bin ibn ben abu san santa saint the and mac mrs miss mister doctor prof jun sen iii esq phd",
);

export function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase());
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

function toPlain(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/\p{M}|\p{Cf}/gu, "")
    .toLowerCase();
}

function flagsOf(plain: string): number {
  return loadWordTable().flagsOf(hashOf(plain, 0, plain.length));
}

/** With an ending that the lists leave out. */
function hasStem(plain: string, flag: number): boolean {
  if (plain.length <= 4) return false;
  return toStems(plain).some((stem) => (flagsOf(stem) & flag) !== 0);
}

function toStems(plain: string): string[] {
  if (plain.endsWith("ies")) return [`${plain.slice(0, -3)}y`, plain.slice(0, -1)];
  if (plain.endsWith("es")) return [plain.slice(0, -1), plain.slice(0, -2)];
  if (plain.endsWith("s")) return [plain.slice(0, -1)];
  if (plain.endsWith("ed")) return [plain.slice(0, -1), plain.slice(0, -2)];
  if (plain.endsWith("ing")) return [plain.slice(0, -3), `${plain.slice(0, -3)}e`];
  return plain.endsWith("ly") ? [plain.slice(0, -2)] : [];
}

/** Two words in one, as systems have them; but not two that are names. */
function isCompound(plain: string): boolean {
  const isHalf = (half: string) => {
    const flags = flagsOf(half);
    return (flags & FREQUENT) !== 0 && (flags & SOMEBODY) === 0;
  };
  for (let at = SHORTEST_HALF; at <= plain.length - SHORTEST_HALF; at++)
    if (isHalf(plain.slice(0, at)) && isHalf(plain.slice(at))) return true;
  return false;
}
