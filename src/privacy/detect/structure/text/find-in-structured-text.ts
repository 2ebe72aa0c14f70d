import type { TextFinding } from "../json/json-finding.ts";
import { addCards } from "./cards.ts";
import { addTables } from "./delimited.ts";
import { addDirectoryName } from "./directory-names.ts";
import { addFields, type StructuredTextOptions, type TextWalk } from "./fields.ts";
import { addJson } from "./json-parts.ts";
import { readLabels } from "./labels.ts";
import { addMarkup } from "./markup.ts";
import { withoutOverlaps } from "./overlaps.ts";
import { readQueries } from "./queries.ts";

const LEAST_LENGTH = 6;
const MAX_LEVEL = 4;
const NEWLINE = 1;
const LABEL = 2;
const TAG = 4;
const BRACKET = 8;
const COLUMN = 16;
const EQUALS = 32;
const EVERYTHING = 63;

/**
 * Personal values that the structure of a text gives away: tables, labels, cards, markup, queries, JSON. What shows itself
 * without any is for others to find in the same text.
 */
export function findInStructuredText(
  text: string,
  options: StructuredTextOptions = {},
): readonly TextFinding[] {
  if (text.length < LEAST_LENGTH || (options.level ?? 0) > MAX_LEVEL) return [];
  const marks = readMarks(text);
  if (marks === 0 || marks === NEWLINE) return [];
  const walk: TextWalk = { text, options, findings: [] };
  if (marks & BRACKET) addJson(walk);
  if (marks & TAG) addMarkup(walk);
  if (marks & NEWLINE && marks & COLUMN) addTables(walk);
  if (marks & NEWLINE && marks & LABEL) addCards(walk);
  if (marks & EQUALS && marks & COLUMN) addDirectoryName(walk);
  if (marks & EQUALS) addFields(walk, readQueries(text));
  if (marks & (LABEL | EQUALS)) addFields(walk, readLabels(text));
  return withoutOverlaps(walk.findings);
}

/** Which marks of structure a text has at all: most have none. */
function readMarks(text: string): number {
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 125 && code !== 0xff1a) continue;
    switch (code) {
      case 10:
        marks |= NEWLINE;
        break;
      case 58:
      case 0xff1a:
        marks |= LABEL;
        break;
      case 60:
        marks |= TAG;
        break;
      case 123:
      case 91:
        marks |= BRACKET;
        break;
      case 9:
      case 44:
      case 59:
      case 124:
        marks |= COLUMN;
        break;
      case 61:
        marks |= EQUALS;
        break;
      default:
        continue;
    }
    if (marks === EVERYTHING) break;
  }
  return marks;
}
