import { toVisibleText } from "../../../text/plain-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute; what nobody would see is written out. */
export function toHtmlText(text: string): string {
  return toVisibleText(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "");
}
