import { remembering } from "./remembering.ts";
import type { TextShape } from "./shape.ts";

/**
 * Which texts may be told by their values ("open", "closed"). Values are never stored, with this one exception: in a field
 * whose name says that it holds one of a few, in a record that is not about a person, while all its values are general words.
 */
const CHOICES =
  "status state type kind level priority severity category mode phase stage visibility conclusion outcome format unit units " +
  "currency encoding protocol scheme method action event direction order side availability access environment tier " +
  "resolution quality scope engine interval period frequency";
/** Where one of these is a part of a field's name, its whole record is somebody's. */
const ABOUT_SOMEBODY =
  "name names firstname lastname fullname forename surname nickname username usernames displayname person persons people " +
  "user users login email emails mail author authors owner owners creator contact contacts customer customers " +
  "buyer seller member members recipient recipients sender patient patients doctor employee employees employer student " +
  "students teacher candidate applicant tenant guest guests passenger spouse " +
  "account accounts profile profiles assignee assignees reviewer reviewers participant participants attendee attendees " +
  "subscriber follower followers friend friends address addresses street city zip postal postcode country nationality " +
  "citizenship phone phones telephone mobile fax birth birthday birthdate dob age gender sex pronouns ethnicity " +
  "religion political blood health medical diagnosis disease allergy allergies disability marital family salary " +
  "income ssn passport iban card password passwords passphrase pin secret secrets token tokens credential " +
  "credentials auth session cookie cookies";

const MIN_VALUES = 20;
const MIN_CALLS = 5;
/** Calls in which a word was seen before it is told. */
const MIN_CALLS_OF_WORD = 3;
/** Of a longer key the beginning is looked at. */
const MAX_KEY = 100;

const choices = new Set(CHOICES.split(" "));
const personal = new Set(ABOUT_SOMEBODY.split(" "));

export type Naming = "unnamed" | "choice" | "personal";

/** What a field's name says of what is in it. */
export function toNaming(key: string): Naming {
  return namingOf(key.slice(0, MAX_KEY));
}

const namingOf = remembering((key): Naming => {
  const words = key
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  if (words.some((word) => personal.has(word))) return "personal";
  return choices.has(words.at(-1) ?? "") ? "choice" : "unnamed";
});

/** The words that recurred over many calls; nothing unless there are at least two. */
export function knownWords({ n, calls, words }: TextShape): string[] {
  if (words === undefined || n < MIN_VALUES || calls < MIN_CALLS) return [];
  const known = [...words].filter(([, word]) => word.calls >= MIN_CALLS_OF_WORD).map(([word]) => word);
  return known.length < 2 ? [] : known.sort();
}
