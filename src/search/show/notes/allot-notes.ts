import { estimateTokens } from "../../../tokens/estimate-tokens.ts";
import type { Hit } from "../../query/rank.ts";
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

/**
 * The notes for which there is room: those of the first tools first, and of each what is needed most. Of a request
 * of several steps any of them may be needed: what is left over goes to those that lead one, then to the others.
 */
export function allotNotes(tools: readonly Noted[], room: number): Map<Hit, ChosenNotes> {
  const chosen = new Map<Hit, Set<Piece>>(tools.map(({ hit }) => [hit, new Set()]));
  const said = new Set<string>();
  let left = room;
  const take = ({ hit, notes }: Noted, allowed: number) => {
    const taken = chosen.get(hit) ?? new Set();
    let share = Math.min(left, allowed);
    for (const piece of toPieces(notes)) {
      if (share <= LEAST_TOKENS) return;
      // Functions of one server take the same parameters; a reader needs to be told once.
      const key = `${hit.server.name} ${piece.text}`;
      const isKnown = taken.has(piece) || (piece.kind === "parameters" && said.has(key));
      if (piece.tokens > share || isKnown) continue;
      said.add(key);
      taken.add(piece);
      share -= piece.tokens;
      left -= piece.tokens;
    }
  };
  for (const [place, tool] of tools.entries()) take(tool, TOKENS_BY_PLACE[place] ?? 0);
  const leading = tools.filter(({ hit }) => hit.step !== undefined);
  if (leading.length > 1) for (const tool of [...leading, ...tools]) take(tool, left);
  return new Map(tools.map(({ hit, notes }) => [hit, toChosen(notes, chosen.get(hit))]));
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

function toChosen(notes: ToolNotes, taken: ReadonlySet<Piece> = new Set()): ChosenNotes {
  const of = (kind: Piece["kind"]) =>
    toPieces(notes).flatMap((piece) => (piece.kind === kind && taken.has(piece) ? [piece.text] : []));
  return { facts: of("facts"), parameters: of("parameters") };
}
