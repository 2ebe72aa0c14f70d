import { expect, test } from "vitest";
import { ABBREVIATIONS } from "./abbreviations.ts";
import { EMPTY, FAINT, FAINT_IN_REQUESTS, STOP } from "./conversational.ts";
import { FIELDS } from "./fields.ts";
import { COMPOUNDS, FORMS } from "./forms.ts";
import { GLOSSES_DE, GLOSSES_ES, GLOSSES_FR, GLOSSES_JA, GLOSSES_KO, STOP_OTHER } from "./glosses-other.ts";
import { GLOSSES_ZH } from "./glosses-zh.ts";
import { toEntries, toGroups } from "./parse-lexicon.ts";
import { PHRASES } from "./phrases.ts";
import { NOUNS, RELATED, VERBS } from "./synonyms.ts";
import { TOPICS } from "./topics.ts";

const GROUPS = { FORMS, VERBS, NOUNS, RELATED };
const GLOSSES = { GLOSSES_ZH, GLOSSES_JA, GLOSSES_KO, GLOSSES_DE, GLOSSES_FR, GLOSSES_ES };
const ENTRIES = { COMPOUNDS, TOPICS, ABBREVIATIONS, PHRASES, ...GLOSSES };
const LISTS = { STOP, EMPTY, FAINT, FAINT_IN_REQUESTS };

test.each(Object.entries(GROUPS))("%s: each group has several words, none twice", (_, text) => {
  for (const group of toGroups(text)) {
    expect(group.length, group.join()).toBeGreaterThan(1);
    expect(new Set(group).size, group.join()).toBe(group.length);
  }
});

test.each(Object.entries(ENTRIES))("%s: each key stands once and has words, none twice", (_, text) => {
  const entries = toEntries(text);
  for (const [key, words] of entries) {
    expect(words, key).not.toEqual([]);
    expect(new Set([key, ...words]).size, key).toBe(words.length + 1);
  }
  const keys = entries.map(([key]) => key);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test.each(Object.entries({ ...GROUPS, ...ENTRIES, ...LISTS, STOP_OTHER }))(
  "%s: lower-case words only",
  (_, text) => {
    expect(text).toBe(text.toLowerCase());
    expect(text).not.toMatch(/[^\p{L}\p{N}\p{M}\s_:]/u);
    expect(text).not.toMatch(/\S {2}|\t|_\s|\s_/);
  },
);

test("each conversational word has one weight", () => {
  const words = Object.values(LISTS).flatMap((text) => toGroups(text).flat());
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});

test.each(Object.entries(GLOSSES))("%s: glosses are English words", (_, text) => {
  for (const [key, words] of toEntries(text)) expect(words.join(" "), key).toMatch(/^[a-z0-9 ]+$/);
});

test("fields group topics, and add no words to them", () => {
  const topics = new Set(toEntries(TOPICS).map(([topic]) => topic));
  const members = toEntries(FIELDS).flatMap(([, words]) => words);
  expect(members.filter((word) => !topics.has(word))).toEqual([]);
});
