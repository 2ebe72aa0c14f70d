import type { SearchableServer } from "../answer.ts";
import { toTerms } from "../lexicon/terms.ts";
import { isGeneric, relatedTo } from "../lexicon/thesaurus.ts";
import type { Hit } from "../query/rank.ts";
import { toSentence } from "./first-sentence.ts";

const MAX_LINES = 2;
const MAX_REASON = 120;
const MAX_QUERY = 2_000;
/** Words of commands and addresses that say nothing of what a server is for. */
const NO_PURPOSE = new Set(
  "mcp server servers npx node npm uvx uv pipx python docker run http https www com io org net dev app api stdio sse localhost latest index main dist build src bin js ts py modelcontextprotocol".split(
    " ",
  ),
);

/** What is asked for may be the work of a server that is not there: a line on each that the query could mean. */
export function toTroubleLines(
  query: string,
  servers: readonly SearchableServer[],
  shown: readonly Hit[],
): string[] {
  const troubled = servers.filter(isTroubled);
  if (troubled.length === 0) return [];
  const meant = troubled.filter(
    (server) => shown.some((hit) => hit.server.name === server.name) || couldMean(query, server),
  );
  const concerned = shown.length === 0 ? [...new Set([...meant, ...troubled])] : meant;
  const lines = concerned.slice(0, MAX_LINES).map(toLine);
  const more = concerned.length - lines.length;
  return more > 0 ? [...lines, `(and ${more} more that are not ready)`] : lines;
}

/** The query's words may be those of its name, of what it says of itself, or of the command and address it is reached by. */
function couldMean(
  query: string,
  { name, instructions = "", origin = "", tools }: SearchableServer,
): boolean {
  const known = tools.slice(0, 200).map((tool) => tool.name);
  const text = [name, origin, instructions.slice(0, 300), ...known].join(" ");
  const own = new Set(toTerms(text).flatMap(({ surface, stem }) => (NO_PURPOSE.has(surface) ? [] : [stem])));
  return toTerms(query.slice(0, MAX_QUERY)).some(({ stem, surface, isStop }) => {
    if (isStop || isGeneric(surface, true)) return false;
    if (own.has(stem)) return true;
    return [...(relatedTo(stem) ?? [])].some(([other, relation]) => isNear(relation) && own.has(other));
  });
}

function isNear(relation: string): boolean {
  return relation === "form" || relation === "abbreviation" || relation === "synonym" || relation === "topic";
}

function isTroubled({ status = "ready" }: SearchableServer): boolean {
  return status.startsWith("failed") || status.startsWith("unread");
}

/** Whatever the reason says, it can't begin a line. */
function toLine({ identifiers, status = "", tools }: SearchableServer): string {
  const reason = status.startsWith("failed")
    ? toSentence(status, MAX_REASON).replace(/[.\s]+$/, "")
    : "is starting";
  const left =
    tools.length === 0 ? "its tools are not in this answer" : "its tools are shown as they last were";
  return `server ${identifiers.typescript} ${reason} (${left})`;
}
