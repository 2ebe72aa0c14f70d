// Documents: among them the transcript of a meeting, long enough that no model should have to read it.
import { z } from "zod";
import { createNumbers } from "./numbers.js";
import { serveTools } from "./serve.js";

const TRANSCRIPT = toTranscript();
const documents = new Map([
  ["d1", { title: "Transcript: sales meeting, 12 November", text: TRANSCRIPT }],
  ["d2", { title: "Travel policy", text: "Trains before planes. Receipts within 30 days." }],
  ["d3", { title: "Onboarding", text: "Day one: laptop, badge, lunch with the team." }],
]);

function toTranscript() {
  const number = createNumbers(3);
  const topics = [
    "the renewal",
    "delivery dates",
    "the new price list",
    "the pilot",
    "support hours",
    "training",
  ];
  const says = [
    "Let us talk about",
    "I am worried about",
    "We agreed on",
    "Nobody has looked at",
    "They asked about",
  ];
  const lines = Array.from({ length: 1_500 }, (_, index) => {
    const minute = `${String(Math.floor(index / 25)).padStart(2, "0")}:${String((index * 7) % 60).padStart(2, "0")}`;
    return `[${minute}] Speaker ${1 + number(4)}: ${says[number(says.length)]} ${topics[number(topics.length)]}.`;
  });
  lines.splice(700, 0, "[28:00] Speaker 2: Action: send the revised offer by Friday.");
  lines.splice(1_300, 0, "[52:00] Speaker 1: Action: book the training room for December.");
  return lines.join("\n");
}

serveTools("docs", "The team's documents.", {
  find_documents: {
    description: "Documents whose title has the words, with their ids.",
    input: z.object({ query: z.string() }),
    output: z.object({ documents: z.array(z.object({ id: z.string(), title: z.string() })) }),
    reads: true,
    run: ({ query }) => ({
      documents: [...documents]
        .filter(([, { title }]) =>
          query
            .toLowerCase()
            .split(/\s+/)
            .every((word) => title.toLowerCase().includes(word)),
        )
        .map(([id, { title }]) => ({ id, title })),
    }),
  },
  get_document: {
    description: "A document's title and its whole text.",
    input: z.object({ id: z.string() }),
    output: z.object({ title: z.string(), text: z.string() }),
    reads: true,
    run: ({ id }) => {
      const document = documents.get(id);
      if (document === undefined) throw new Error(`No document ${id}`);
      return document;
    },
  },
});
