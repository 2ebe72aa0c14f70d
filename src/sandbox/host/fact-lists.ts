import type { PiiFact } from "../../text/with-facts.ts";
import type { Program } from "../sandbox.ts";
import { CHUNK_BYTES } from "./chunks.ts";

/** Values are short. A text that is longer than this, as JSON, is not worth a frame of its own. */
const LONGEST_FACT = 16 * 1024;

/**
 * The payloads of `facts` frames. None is larger than a chunk: what travels in chunks can be overtaken, and facts must be there
 * before the result that they are about.
 * @param told what the program was started with: without any it has no use for more
 */
export function toFactLists(facts: readonly PiiFact[], told: Program["facts"]): string[] {
  if (told === undefined) return [];
  const lists: string[] = [];
  let items: string[] = [];
  let bytes = 0;
  const end = () => {
    if (items.length > 0) lists.push(`[${items.join(",")}]`);
    items = [];
    bytes = 0;
  };
  for (const [text, sameAs, known] of facts) {
    const item = JSON.stringify([text, sameAs, told === "denied" ? {} : known]);
    const itemBytes = Buffer.byteLength(item) + 1;
    if (itemBytes > LONGEST_FACT) continue;
    if (bytes + itemBytes >= CHUNK_BYTES) end();
    items.push(item);
    bytes += itemBytes;
  }
  end();
  return lists;
}
