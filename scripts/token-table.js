// Part of `npm run build`: packs what counting tokens needs of gpt-tokenizer into one file. The package itself is 30 MB,
// six encodings in two module systems with their sources; one encoding is 1.5 MB.
//
// A line of JSON (the pattern that splits a text, how many tokens follow), then for each token its length in one byte
// and its bytes, in the order of their ranks.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const encoding = new URL(import.meta.resolve("gpt-tokenizer/encoding/o200k_base"));
const { O200K_TOKEN_SPLIT_REGEX: split } = await import(
  new URL("../encodingParams/constants.js", encoding).href
);
const lines = readFileSync(new URL("../../data/o200k_base.tiktoken", encoding), "utf8").trim().split("\n");

const parts = [
  Buffer.from(`${JSON.stringify({ split: split.source, flags: split.flags, tokens: lines.length })}\n`),
];
for (const [index, line] of lines.entries()) {
  const [base64, rank] = line.split(" ");
  const bytes = Buffer.from(base64, "base64");
  if (Number(rank) !== index) throw new Error(`Rank ${rank} stands on line ${index + 1}`);
  if (bytes.length === 0 || bytes.length > 255) throw new Error(`Token ${rank} has ${bytes.length} bytes`);
  parts.push(Buffer.of(bytes.length), bytes);
}
const out = new URL("../dist/tokens/", import.meta.url);
mkdirSync(out, { recursive: true });
writeFileSync(new URL("o200k.bin", out), Buffer.concat(parts));
