import { estimateTokens } from "../estimate-tokens.ts";
import type { Hit } from "../rank.ts";
import type { ToolNotes } from "./tool-notes.ts";

export type Noted = { readonly hit: Hit; readonly notes: ToolNotes };

/** What of a tool's notes has room, ready to be joined. */
export type ChosenNotes = { readonly facts: readonly string[]; readonly parameters: readonly string[] };

export const NO_NOTES: ChosenNotes = { facts: [], parameters: [] };

/** What the notes of the tools may take, by their place; what the first leave over is for the others. */
const TOKENS_BY_PLACE = [320, 200, 140, 100, 80];
/** Less than this no note takes. */
const LEAST_TOKENS = 5;
/** A line of its own, its mark, and what stands between two notes. */
const JOINT_TOKENS = 3;

type Piece = { readonly kind: "facts" | "parameters"; readonly text: string; readonly tokens: number };

/** The notes for which there is room: those of the first tools first, and of each what is needed most. */
export function allotNotes(tools: readonly Noted[], room: number): Map<Hit, ChosenNotes> {
  const chosen = new Map<Hit, Piece[]>();
  let left = room;
  const said = new Set<string>();
  for (const [place, { hit, notes }] of tools.entries()) {
    let share = Math.min(left, TOKENS_BY_PLACE[place] ?? 0);
    const taken: Piece[] = [];
    for (const piece of toPieces(notes)) {
      if (share <= LEAST_TOKENS) break;
      // Functions of one server take the same parameters; a reader needs to be told once.
      const key = `${hit.server.name} ${piece.text}`;
      if (piece.tokens > share || (piece.kind === "parameters" && said.has(key))) continue;
      said.add(key);
      taken.push(piece);
      share -= piece.tokens;
      left -= piece.tokens;
    }
    chosen.set(hit, taken);
  }
  return new Map([...chosen].map(([hit, taken]) => [hit, toChosen(taken)]));
}

const pieces = new WeakMap<ToolNotes, readonly Piece[]>();

function toPieces(notes: ToolNotes): readonly Piece[] {
  const made = pieces.get(notes) ?? makePieces(notes);
  pieces.set(notes, made);
  return made;
}

/** What comes back first, then the parameters, then what else is said. */
function makePieces({ facts, parameters }: ToolNotes): Piece[] {
  const toPiece = (kind: Piece["kind"]) => (text: string) => ({
    kind,
    text,
    tokens: estimateTokens(text) + JOINT_TOKENS,
  });
  const [first, ...others] = facts.map(toPiece("facts"));
  return [
    ...(first === undefined ? [] : [first]),
    ...parameters.map(({ name, text }) => `${name}: ${text}`).map(toPiece("parameters")),
    ...others,
  ];
}

function toChosen(taken: readonly Piece[]): ChosenNotes {
  const of = (kind: Piece["kind"]) => taken.filter((piece) => piece.kind === kind).map(({ text }) => text);
  return { facts: of("facts"), parameters: of("parameters") };
}
