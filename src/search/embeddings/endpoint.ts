import { KeyholeError } from "../../errors.ts";
import { readBounded } from "../../network/read-bounded.ts";
import { isRecord } from "../../text/is-record.ts";

/** Where texts become vectors: any server that speaks OpenAI's embeddings protocol. */
export type EndpointSettings = {
  /** Up to and without `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
};

/** Vectors of length 1 in eight bits a dimension: a quarter of the memory, and the order of hits stays the same. */
export type Vector = Int8Array;

export type Endpoint = { embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> };

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_DIMENSIONS = 8_192;

/** Fails for settings that no request can be made with; never with their values, which may hold secrets. */
export function createEndpoint({ url, model, apiKey }: EndpointSettings): Endpoint {
  const target = toTarget(url);
  if (apiKey !== undefined && !/^[\x20-\x7e]+$/.test(apiKey)) {
    throw wrong("apiKey", "has characters that can't be sent, such as a line end");
  }
  const headers = {
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };

  async function embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> {
    const body = JSON.stringify({ model, input: texts, encoding_format: "float" });
    // A redirect would take the key along to another host.
    const response = await fetch(target, { method: "POST", headers, body, signal, redirect: "error" });
    const answer = await readAnswer(response);
    if (!response.ok) throw failed(`answered ${response.status}`);
    return toVectors(parse(answer), texts.length);
  }

  return {
    embed: (texts, signal) =>
      embed(texts, signal).catch((error: unknown) => {
        throw error instanceof KeyholeError ? error : failed(describe(error, target));
      }),
  };
}

async function readAnswer(response: Response): Promise<string> {
  const text = await readBounded(response, MAX_ANSWER_BYTES);
  if (text === undefined) throw failed(`answered with more than ${MAX_ANSWER_BYTES} bytes`);
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed("answered with something that is no JSON");
  }
}

/** The answer is untrusted: as many vectors as texts, all of one length, of finite numbers. */
function toVectors(answer: unknown, count: number): Vector[] {
  const data = isRecord(answer) && Array.isArray(answer["data"]) ? answer["data"] : [];
  const vectors: Vector[] = [];
  for (const [position, item] of data.entries()) {
    const index = isRecord(item) && typeof item["index"] === "number" ? item["index"] : position;
    const numbers: unknown = isRecord(item) ? item["embedding"] : undefined;
    if (index >= 0 && index < count && isNumbers(numbers)) vectors[index] = quantise(numbers);
  }
  const length = vectors[0]?.length;
  const isWhole = Array.from({ length: count }, (_, at) => vectors[at]?.length).every(
    (each) => each !== undefined && each === length,
  );
  if (!isWhole) throw failed("answered without a vector for each text");
  return vectors;
}

function quantise(numbers: readonly number[]): Vector {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0) || 1;
  return Int8Array.from(numbers, (number) => Math.round((number / largest) * 127));
}

function isNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_DIMENSIONS &&
    value.every((number) => typeof number === "number" && Number.isFinite(number))
  );
}

function toTarget(url: string): URL {
  let target: URL;
  try {
    target = new URL(`${url.replace(/\/+$/, "")}/embeddings`);
  } catch {
    throw wrong("url", "is no address");
  }
  if (target.protocol !== "http:" && target.protocol !== "https:")
    throw wrong("url", "must be http or https");
  if (target.username !== "" || target.password !== "")
    throw wrong("url", 'has a password in it; use "apiKey"');
  return target;
}

/** What went wrong on the way, in words of ours: those of others may repeat the key. */
function describe(error: unknown, { origin }: URL): string {
  const { name = "", cause } = error instanceof Error ? error : {};
  if (name === "TimeoutError") return `at ${origin} did not answer in time`;
  if (name === "AbortError") return `at ${origin} was not waited for`;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? ` (${String(cause.code)})` : "";
  return `at ${origin} can't be reached${code}`;
}

function wrong(key: string, what: string): KeyholeError {
  return new KeyholeError("config_invalid", `"search.embeddings.${key}" ${what}`, {
    hint: "Mend it in the config; until then search goes by words alone",
  });
}

function failed(what: string): KeyholeError {
  return new KeyholeError("server_misbehaved", `The embeddings endpoint ${what}`, {
    hint: 'Check "search.embeddings" in the config; until then search goes by words alone',
  });
}
