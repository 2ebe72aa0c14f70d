import { createHash } from "node:crypto";
import type { StateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Vector } from "./endpoint.ts";

/** The vectors of tools, by the text they were made of; kept on disk, since each costs a request and money. */
export type VectorStore = {
  get(text: string): Vector | undefined;
  put(text: string, vector: Vector): void;
  /** Writes what is new, without the vectors of texts that nobody has any more. */
  save(current: Iterable<string>): Promise<void>;
};

export type VectorFiles = Pick<StateDir, "readJson" | "writeJson">;

const FILE = "embeddings.json";

/** A file that is missing, torn, of another form or from another endpoint or model (`origin`) is an empty one. */
export async function openVectorStore(state: VectorFiles, origin: string): Promise<VectorStore> {
  const vectors = await load(state, origin);
  let isChanged = false;
  return {
    get: (text) => vectors.get(keyOf(text)),
    put(text, vector) {
      vectors.set(keyOf(text), vector);
      isChanged = true;
    },
    async save(current) {
      if (!isChanged) return;
      isChanged = false;
      const keys = new Set([...current].map(keyOf));
      const kept = [...vectors].filter(([key]) => keys.has(key));
      const entries = kept.map(([key, vector]) => [key, Buffer.from(vector).toString("base64")]);
      await state.writeJson(FILE, { origin: keyOf(origin), vectors: Object.fromEntries(entries) });
    },
  };
}

async function load(state: VectorFiles, origin: string): Promise<Map<string, Vector>> {
  const vectors = new Map<string, Vector>();
  const stored = await state.readJson(FILE);
  if (!isRecord(stored) || stored["origin"] !== keyOf(origin) || !isRecord(stored["vectors"])) return vectors;
  for (const [key, text] of Object.entries(stored["vectors"])) {
    if (typeof text === "string") vectors.set(key, new Int8Array(Buffer.from(text, "base64")));
  }
  return vectors;
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
