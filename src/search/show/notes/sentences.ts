const MAX_READ = 4_000;
const MAX_SENTENCES = 60;
/** A full stop after one of these ends no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|approx|incl|eg|ie|ca|no|max|min)|\b\p{L})\.$/iu;
const END = /[.!?](?=["'”’)\]]*\s+["'`“([]?[\p{Lu}\p{N}])|[。！？]/gu;
/** An item of a list, a heading, or a label of its own. */
const OPENS = /^\s*(?:[-*•–]\s|\d{1,2}[.)]\s|#{1,6}\s)/;

/** It announces what follows, and says nothing alone. */
const LABEL = /^[^:：.]{0,60}[:：]$/;

/** The sentences of a text that has been cleaned, with the items of its lists; each is one line. */
export function toSentences(text: string): string[] {
  const sentences: string[] = [];
  for (const paragraph of toParagraphs(text.slice(0, MAX_READ))) {
    let from = 0;
    for (const end of paragraph.matchAll(END)) {
      if (sentences.length > MAX_SENTENCES * 2) break;
      const to = end.index + end[0].length;
      if (ABBREVIATION.test(paragraph.slice(Math.max(from, to - 8), to))) continue;
      sentences.push(paragraph.slice(from, to));
      from = to;
    }
    sentences.push(paragraph.slice(from));
  }
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !LABEL.test(sentence))
    .slice(0, MAX_SENTENCES);
}

/** Lines are wrapped anywhere; an empty line, an item and a heading begin something new. */
function toParagraphs(text: string): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const words = toWords(line);
    const before = paragraphs.at(-1);
    if (words === "") isOpen = false;
    else if (isOpen && !OPENS.test(line) && before !== undefined)
      paragraphs[paragraphs.length - 1] = `${before} ${words}`;
    else {
      paragraphs.push(words);
      isOpen = true;
    }
  }
  return paragraphs;
}

function toWords(line: string): string {
  return line
    .replace(OPENS, "")
    .replaceAll("**", "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}
