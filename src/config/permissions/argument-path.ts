/** One step into a call's arguments; `[*]` is each element of a list, `*` also each value of an object. */
export type PathStep = { readonly key: string } | { readonly index: number } | "*" | "[*]";

export const PATH_EXPECTED =
  'must be a path into the arguments such as "$.to", "$.labels[0]", "$.files[*].path" or "$[\'odd key\']"';

const MAX_STEPS = 20;
const STEP = /^(?:\.\*|\[\*\]|\.([^.[\]*'"\s()?@]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\])/;

/**
 * A small part of JSONPath: names, places in lists and `*`. What looks everywhere (`..`) or computes (filters, slices) is
 * refused. Undefined when it is none.
 */
export function parseArgumentPath(text: string): readonly PathStep[] | undefined {
  if (!text.startsWith("$")) return undefined;
  const steps: PathStep[] = [];
  for (let rest = text.slice(1); rest !== ""; ) {
    const found = STEP.exec(rest);
    if (found === null || steps.length === MAX_STEPS) return undefined;
    const [written, name, index, single, double] = found;
    const key = name ?? single ?? double;
    if (key !== undefined) steps.push({ key });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else steps.push(written === "[*]" ? "[*]" : "*");
    rest = rest.slice(written.length);
  }
  return steps.length === 0 ? undefined : steps;
}
