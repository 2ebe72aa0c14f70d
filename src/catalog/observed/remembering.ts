/** A function of a text that remembers its answers: the names of fields are few and come again with every result. */
export function remembering<T>(answer: (text: string) => T, max = 5_000): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (answers.size >= max) answers.clear();
    const fresh = answer(text);
    answers.set(text, fresh);
    return fresh;
  };
}
