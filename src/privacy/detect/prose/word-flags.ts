/** What a word can be. One word is often several: "Paris", "Jordan", "Mark". */
export const GIVEN = 1;
export const GIVEN_RARE = 1 << 1;
export const FAMILY = 1 << 2;
export const FAMILY_RARE = 1 << 3;
/** An ordinary English word. */
export const WORD = 1 << 4;
export const LARGE_CITY = 1 << 5;
export const CITY = 1 << 6;
export const COUNTRY = 1 << 7;
/** Longer place names begin with it. */
export const STARTS_PHRASE = 1 << 8;
export const NATIONALITY = 1 << 9;
export const MONTH = 1 << 10;
export const WEEKDAY = 1 << 11;
/** Street, Road, Via. */
export const STREET = 1 << 12;
/** Mr, Dr. */
export const HONORIFIC = 1 << 13;
/** Inc, GmbH. */
export const LEGAL_FORM = 1 << 14;
/** Technologies, Group: often the last word of a company's name. */
export const COMPANY_WORD = 1 << 15;
/** van, de: small, within a name. */
export const PARTICLE = 1 << 16;
/** Apt, Suite. */
export const DWELLING = 1 << 17;
/** What only people do: said, lives. */
export const PERSON_VERB = 1 << 18;
/** Before a name: friend, singer, Dear. */
export const BEFORE_PERSON = 1 << 19;
/** The last word of what someone's work is called. */
export const JOB = 1 << 20;
/** Products, languages and feasts that are written like names. */
export const NO_NAME = 1 << 21;
/** WordSet so frequent that a capital means nothing. */
export const FUNCTION_WORD = 1 << 22;
/** A word of every day, or one that a capital tells nothing of. */
export const FREQUENT = 1 << 24;
/** Was found to be a person's name. Not in the lists either. */
export const NAMED = 1 << 26;
/** An ordinary word, also one with an ending that the lists leave out. Not in the lists: set while reading. */
export const PLAIN = 1 << 25;
/** Street types that stand first: Rue, Calle, Via. */
export const STREET_FIRST = 1 << 23;
