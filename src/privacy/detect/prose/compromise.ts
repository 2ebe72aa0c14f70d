import { KeyholeError } from "../../../errors.ts";
import type { PiiClass } from "../../../pii-classes.ts";
import type { PiiFinding } from "../finding.ts";

/** It reads some 1 MB a second: longer texts are read up to here. */
const MAX_TEXT = 200_000;
const PIECE = 4_000;

type Offset = { readonly text: string; readonly offset: { readonly start: number; readonly length: number } };
type View = { json(options: { offset: boolean }): unknown };
type Document = { people(): View; organizations(): View; places(): View };
type Reader = (text: string) => Document;

let reader: Promise<Reader> | undefined;

/** English names, companies and places by `compromise`, which users install beside us when they ask for it. */
export async function findByCompromise(text: string): Promise<PiiFinding[]> {
  reader ??= loadReader();
  const read = await reader;
  const findings: PiiFinding[] = [];
  for (let from = 0; from < Math.min(text.length, MAX_TEXT); ) {
    const piece = pieceAt(text, from);
    const document = read(piece);
    findings.push(
      ...toFindings(document.people(), "NAME", piece, from),
      ...toFindings(document.organizations(), "COMPANY", piece, from),
      ...toFindings(document.places(), "LOCATION", piece, from),
    );
    from += piece.length;
  }
  return findings.sort((one, other) => one.start - other.start);
}

async function loadReader(): Promise<Reader> {
  try {
    const { default: nlp } = await import("compromise");
    return nlp as unknown as Reader;
  } catch {
    throw new KeyholeError("config_invalid", 'Cannot find names by "compromise": it is not installed', {
      hint: "Install it beside Keyhole: npm install compromise",
    });
  }
}

function toFindings(view: View, found: PiiClass, piece: string, from: number): PiiFinding[] {
  const findings: PiiFinding[] = [];
  for (const { offset } of view.json({ offset: true }) as Offset[]) {
    let start = offset.start;
    let end = Math.min(offset.start + offset.length, piece.length);
    while (start < end && !isWordCharacter(piece, start)) start++;
    while (end > start && !isWordCharacter(piece, end - 1)) end--;
    if (end > start)
      findings.push({
        class: found,
        start: from + start,
        end: from + end,
        rule: "compromise",
        confidence: 0.7,
      });
  }
  return findings;
}

const isWordCharacter = (text: string, at: number) => /[\p{L}\p{N}\p{M}]/u.test(text[at] as string);

/** Up to the end of a line or sentence, if there is one within reach. */
function pieceAt(text: string, from: number): string {
  const whole = text.slice(from, Math.min(from + PIECE, MAX_TEXT));
  if (from + PIECE >= text.length) return whole;
  const end = Math.max(whole.lastIndexOf("\n"), whole.lastIndexOf(". "), whole.lastIndexOf(" "));
  return end > PIECE / 2 ? whole.slice(0, end + 1) : whole;
}
