import type { Weights } from "../../src/search/query/weights.ts";

/** Each feature of the ranking, and the weights that leave it out. */
export const FEATURES: readonly (readonly [name: string, weights: Partial<Weights>])[] = [
  ["nothing", {}],
  [
    "all words that stand for others",
    { form: 0, abbreviation: 0, phrase: 0, synonym: 0, topic: 0, field: 0, related: 0 },
  ],
  ["- forms of a word (generate, generator)", { form: 0 }],
  ["- abbreviations (PR, pull request)", { abbreviation: 0 }],
  ["- phrases of requests (how far)", { phrase: 0 }],
  ["- synonyms", { synonym: 0 }],
  ["- topics", { topic: 0 }],
  ["- fields of topics", { field: 0 }],
  ["- related words", { related: 0 }],
  ["stronger where the word is unknown", { standIn: 1 }],
  ["coverage of the name", { coverage: 0 }],
  ["fainter courtesies", { courtesy: 1 }],
  ["fainter generic words", { generic: 1 }],
  ["fainter show me", { command: 1 }],
  ["weights of fields", { name: 1, title: 1, head: 0, body: 1, server: 1, about: 1 }],
  ["- head of the description", { head: 0 }],
  ["- server's name as a field", { server: 0 }],
  ["damping of long texts", { longDamping: 0 }],
  ["the word as it was written", { surface: 0 }],
  ["joining of compounds", { compound: 0 }],
  [
    "steps of a request",
    {
      clause: 0,
      sureClause: Number.POSITIVE_INFINITY,
      statedStep: 0,
      statedSure: Number.POSITIVE_INFINITY,
    },
  ],
  [
    "- leaders of sure steps brought forward",
    { sureClause: Number.POSITIVE_INFINITY, statedSure: Number.POSITIVE_INFINITY },
  ],
  ["- stated steps count more", { statedStep: 0.5, statedSure: 0.4 }],
  ["- servers of other steps preferred", { together: 0 }],
  ["object of the request", { object: 0 }],
  ["verb of the request", { verb: 0 }],
  ["mention of a server", { mention: 1 }],
  ["mending of typos", { typo: 0 }],
  ["cut-off of weak matches", { cutOff: 0 }],
];
