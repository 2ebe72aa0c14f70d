/**
 * A value as JSON text, whatever it is: deeper than the stack, with values that JSON does not know (they become text or
 * null). The platform's own does the work unless it fails.
 */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return toDeepJsonText(value);
  }
}

type Frame = { readonly container: object; readonly close: string; readonly next: () => Entry | undefined };
type Entry = { readonly prefix: string; readonly value: unknown };

function toDeepJsonText(root: unknown): string {
  const parts: string[] = [];
  const frames: Frame[] = [];
  const open = new Set<object>();
  const write = (value: unknown) => {
    if (typeof value !== "object" || value === null) return parts.push(scalarText(value));
    if (open.has(value)) return parts.push('"[contains itself]"');
    open.add(value);
    frames.push(toFrame(value));
    return parts.push(Array.isArray(value) ? "[" : "{");
  };
  write(root);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.next();
    if (entry === undefined) {
      parts.push(frame.close);
      open.delete(frame.container);
      frames.pop();
      continue;
    }
    parts.push(entry.prefix);
    write(entry.value);
  }
  return parts.join("");
}

function toFrame(container: object): Frame {
  let index = 0;
  if (Array.isArray(container)) {
    const next = () =>
      index < container.length ? { prefix: index === 0 ? "" : ",", value: container[index++] } : undefined;
    return { container, close: "]", next };
  }
  const entries = Object.entries(container).filter(([, value]) => value !== undefined);
  const next = () => {
    const entry = entries[index];
    if (entry === undefined) return undefined;
    const prefix = `${index++ === 0 ? "" : ","}${JSON.stringify(entry[0])}:`;
    return { prefix, value: entry[1] };
  };
  return { container, close: "}", next };
}

function scalarText(value: unknown): string {
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value === "function" || typeof value === "symbol" || value === undefined) return "null";
  return JSON.stringify(value);
}
