import type { ToolRecord } from "../catalog/tool.ts";

/** A language that the catalogue has names in. */
export type NamedLanguage = keyof ToolRecord["identifiers"];

/** Each with what else people and models call it. */
export const NAMED_LANGUAGES: { readonly [language in NamedLanguage]: readonly string[] } = {
  typescript: ["ts", "javascript", "js"],
  python: ["py"],
};
