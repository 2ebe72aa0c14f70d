import { readFile } from "node:fs/promises";
import { z } from "zod";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { toModelKey } from "./model-name.ts";

/** In dollars, of a million tokens. */
export type Price = { readonly model: string; readonly input: number; readonly output: number };

export type Prices = {
  /** When the list was made, as `2026-11-16`. */
  readonly date: string;
  readonly sources: readonly string[];
  /** What the model costs at that time; nothing for one that is not in the list: there is no guess. */
  priceOf(model: string, at: number): Price | undefined;
};

const DAY_EXPECTED = 'must be a day such as "2026-11-16"';
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, DAY_EXPECTED);
const dollars = z.number("must be dollars for a million tokens").min(0).max(1_000_000);
const model = z.strictObject({
  name: z.string().min(1).max(200),
  aliases: z.array(z.string().min(1).max(200)).max(100).optional(),
  input: dollars,
  output: dollars,
  from: day.optional(),
  /** The day itself is in it. */
  until: day.optional(),
});
const listSchema = z.object({
  date: day,
  sources: z.array(z.string()).max(100).optional(),
  models: z.array(model).max(10_000),
});

type PriceList = z.output<typeof listSchema>;
type ListedPrice = Price & { readonly fromMs: number; readonly untilMs: number };

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_KEYS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The list that comes with Keyhole, behind the user's own where there is such a file. */
export async function loadPrices(usersFile?: string): Promise<Prices> {
  const ours = await readList(new URL("prices.json", import.meta.url));
  const theirs = usersFile === undefined ? undefined : await readList(usersFile, true);
  return toPrices(theirs === undefined ? [ours] : [theirs, ours]);
}

/** @param lists the first that knows a model has its price */
function toPrices(lists: readonly PriceList[]): Prices {
  const known = lists.map(toTable);
  const keyOf = createModelKeys();
  return {
    date: lists[0]?.date ?? "",
    sources: lists.flatMap(({ sources }) => sources ?? []),
    priceOf(name, at) {
      const key = keyOf(name);
      const table = key === undefined ? undefined : known.find((prices) => prices.has(key));
      const found = table?.get(key ?? "")?.find(({ fromMs, untilMs }) => at >= fromMs && at < untilMs);
      return found && { model: found.model, input: found.input, output: found.output };
    },
  };
}

/** A report asks for the same few names a million times. */
function createModelKeys(): typeof toModelKey {
  const keys = new Map<string, string | undefined>();
  return (name) => {
    if (keys.has(name)) return keys.get(name);
    const key = toModelKey(name);
    if (keys.size < MAX_KEYS) keys.set(name, key);
    return key;
  };
}

function toTable({ models }: PriceList): Map<string, ListedPrice[]> {
  const table = new Map<string, ListedPrice[]>();
  for (const { name, aliases = [], input, output, from, until } of models) {
    const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
    const untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) + DAY_MS;
    for (const text of [name, ...aliases]) {
      const key = toModelKey(text) ?? text;
      table.set(key, [...(table.get(key) ?? []), { model: name, input, output, fromMs, untilMs }]);
    }
  }
  return table;
}

async function readList(file: string | URL): Promise<PriceList>;
async function readList(file: string, isOptional: true): Promise<PriceList | undefined>;
async function readList(file: string | URL, isOptional = false): Promise<PriceList | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isOptional && isAbsent) return undefined;
    throw invalid(file, errorMessage(error), error);
  }
  if (text.length > MAX_BYTES) throw invalid(file, "it is too long");
  return parseList(file, text);
}

function parseList(file: string | URL, text: string): PriceList {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw invalid(file, "it is not valid JSON", error);
  }
  const parsed = listSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(file, `"${issue?.path.join(".")}" ${issue?.message}`);
}

function invalid(file: string | URL, why: string, cause?: unknown): KeyholeError {
  return new KeyholeError("config_invalid", `Cannot read the prices in "${file}": ${why}`, {
    hint: 'Write it as {"date": "2026-11-16", "models": [{"name": "my-model", "input": 1, "output": 5}]}, in dollars for a million tokens',
    cause,
  });
}
