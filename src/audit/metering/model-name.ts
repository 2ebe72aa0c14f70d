/** Longer ones are no names of models. */
const MAX_NAME = 200;

/** Whose prices are those of the list; behind any other name there may be other prices. */
const ROUTES = new Set([
  "anthropic",
  "openai",
  "google",
  "gemini",
  "models",
  "vertex_ai",
  "bedrock",
  "openrouter",
]);
/** As Amazon writes it: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
const REGION_AND_VENDOR = /^(?:(?:us|eu|apac|jp|au|global)\.)?(?:anthropic|openai|google)\./;
const REVISION = /-v\d{1,2}(?::\d{1,2})?$/;
/** As Claude Code tells of a wider context. */
const CONTEXT = /\[\d{1,3}[km]\]$/;
const DAY = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})$/;
const LATEST = /-latest$/;

/**
 * The name of a model as vendors, clouds and clients write it, brought to one form: without the way to it, the day of its
 * snapshot, its revision; versions with hyphens. Nothing where it can't be one, or comes by a way with other prices.
 */
export function toModelKey(text: string): string | undefined {
  if (text.length > MAX_NAME) return undefined;
  const parts = text.trim().toLowerCase().split("/");
  const last = parts.pop() ?? "";
  if (!parts.every((part) => ROUTES.has(part))) return undefined;
  const name = last
    .replace(REGION_AND_VENDOR, "")
    .replace(CONTEXT, "")
    .replace(REVISION, "")
    .replace(LATEST, "")
    .replace(DAY, "")
    .replaceAll(".", "-");
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : undefined;
}
