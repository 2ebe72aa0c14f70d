import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MissingDataError } from "../suite.ts";
import type { Span } from "./spans.ts";

/** A text with the spans that are personal in it, under the names of our classes. */
export type GoldText = { readonly text: string; readonly spans: readonly Span[]; readonly template: number };

/** The classes of the data, and ours. Prefixes (Mr.) are labelled as persons in one of the two files. */
const CLASSES: { readonly [theirs: string]: string } = {
  PERSON: "NAME",
  ORGANIZATION: "COMPANY",
  ADDRESS: "ADDRESS",
  STREET_ADDRESS: "ADDRESS",
  LOCATION: "LOCATION",
  GPE: "LOCATION",
  DATE_TIME: "DATE",
  US_SSN: "SSN",
  DOMAIN_NAME: "DOMAIN",
  PREFIX: "TITLE",
  TITLE: "TITLE",
  NRP: "NATIONALITY",
  ZIP_CODE: "POSTAL_CODE",
  AGE: "AGE",
  EMAIL_ADDRESS: "EMAIL",
  PHONE_NUMBER: "PHONE",
  IBAN_CODE: "IBAN",
  IP_ADDRESS: "IP",
  CREDIT_CARD: "CREDIT_CARD",
};

type Item = {
  readonly full_text: string;
  readonly template_id: number;
  readonly spans: readonly { entity_type: string; start_position: number; end_position: number }[];
};

export async function loadGoldTexts(dataDir: string, name: string): Promise<GoldText[]> {
  const items: Item[] = JSON.parse(await readEval(dataDir, `pii/presidio_research_${name}.json`));
  return items.map((item) => ({
    text: item.full_text,
    template: item.template_id,
    spans: item.spans.map((span) => ({
      kind: CLASSES[span.entity_type] ?? span.entity_type,
      start: span.start_position,
      end: span.end_position,
    })),
  }));
}

/** Tokens of people's messages, joined by spaces; persons and corporations alone. */
export async function loadWnut(dataDir: string): Promise<GoldText[]> {
  const content = await readEval(dataDir, "pii/ner_wnut17_dev.conll");
  return content
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== "")
    .map((block) => {
      let text = "";
      const spans: Span[] = [];
      for (const line of block.split("\n")) {
        const [token = "", label = "O"] = line.trim().split("\t");
        if (token === "") continue;
        const start = text === "" ? 0 : text.length + 1;
        text = text === "" ? token : `${text} ${token}`;
        const kind = { person: "NAME", corporation: "COMPANY" }[label.slice(2)];
        const last = spans.at(-1);
        if (kind === undefined) continue;
        if (label.startsWith("I-") && last?.kind === kind)
          spans[spans.length - 1] = { ...last, end: text.length };
        else spans.push({ kind, start, end: text.length });
      }
      return { text, spans, template: 0 };
    });
}

export async function readEval(dataDir: string, path: string): Promise<string> {
  try {
    return await readFile(join(dataDir, path), "utf8");
  } catch {
    throw new MissingDataError(
      `Cannot read "${join(dataDir, path)}": the evaluation data is not here (--data DIR)`,
    );
  }
}
