/** A keyword of our own: texts that a value is likely to be, though it may be any other. */
export const KNOWN_VALUES = "x-known-values";

/** Another one: the only text that a value was seen to be. It may be any other, too. */
export const CONSTANT = "x-constant";
