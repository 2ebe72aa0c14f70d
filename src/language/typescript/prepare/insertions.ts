/** A text that is put into the program, before what stands at the place. */
export type Insertion = { readonly at: number; readonly text: string };

export type Inserted = {
  readonly text: string;
  /** The place in the text as it was of a place in the text as it is. */
  toOldOffset(offset: number): number;
};

/** Puts texts into a text; those for one place stand in the order in which they were given. */
export function insert(text: string, insertions: readonly Insertion[]): Inserted {
  if (insertions.length === 0) return { text, toOldOffset: (offset) => offset };
  const sorted = [...insertions].sort((a, b) => a.at - b.at);
  const pieces: string[] = [];
  /** Where each insertion ends in the new text, and how much has been inserted by then. */
  const ends: { readonly end: number; readonly at: number; readonly added: number }[] = [];
  let done = 0;
  let added = 0;
  for (const { at, text: put } of sorted) {
    pieces.push(text.slice(done, at), put);
    done = at;
    added += put.length;
    ends.push({ end: at + added, at, added });
  }
  pieces.push(text.slice(done));
  return {
    text: pieces.join(""),
    toOldOffset(offset) {
      let low = 0;
      let high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ends[middle]?.end ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      const before = offset - (ends[low - 1]?.added ?? 0);
      // Within an insertion: the place where it was put.
      return Math.min(before, ends[low]?.at ?? before);
    },
  };
}
