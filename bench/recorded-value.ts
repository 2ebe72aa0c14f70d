/** A recorded result as `unwrapResult` hands it to a program: objects and arrays are parsed, all else is text. */
export function toValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
