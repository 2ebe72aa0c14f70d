import { isRecord } from "../../text/is-record.ts";

const BASE64 = /^[A-Za-z0-9+/_=-]*$/;

/**
 * A result, changed but for the bytes of the images, sounds and files among its blocks: no text, and megabytes long.
 * @param key under which the blocks are
 */
export function withoutMedia(
  result: unknown,
  key: "content" | "emitted",
  change: (rest: unknown) => unknown,
): unknown {
  if (!isRecord(result) || !Array.isArray(result[key])) return change(result);
  const blocks: readonly unknown[] = result[key];
  const media = blocks.map(takeMedia);
  if (media.every((one) => one === undefined)) return change(result);
  const rest = change({ ...result, [key]: blocks.map((block, index) => media[index]?.rest ?? block) });
  if (!isRecord(rest) || !Array.isArray(rest[key])) return rest;
  const whole = rest[key].map((block: unknown, index) => media[index]?.putBack(block) ?? block);
  return { ...rest, [key]: whole };
}

export type Media = { readonly rest: unknown; putBack(block: unknown): unknown };

/** The bytes of a block, and what is left of it. */
export function takeMedia(block: unknown): Media | undefined {
  if (!isRecord(block)) return undefined;
  const { type } = block;
  if (type === "image" || type === "audio") return takeBytes(block, "data");
  const resource = type === "resource" && isRecord(block["resource"]) ? block["resource"] : undefined;
  const blob = resource && takeBytes(resource, "blob");
  return (
    blob && {
      rest: { ...block, resource: blob.rest },
      putBack: (rest) => (isRecord(rest) ? { ...rest, resource: blob.putBack(rest["resource"]) } : rest),
    }
  );
}

/** Only what can be nothing else than bytes: a text under the name of an image is a text. */
function takeBytes(holder: Record<string, unknown>, key: string): Media | undefined {
  const bytes = holder[key];
  if (typeof bytes !== "string" || !BASE64.test(bytes)) return undefined;
  return {
    rest: { ...holder, [key]: "" },
    putBack: (rest) => (isRecord(rest) ? { ...rest, [key]: bytes } : rest),
  };
}
