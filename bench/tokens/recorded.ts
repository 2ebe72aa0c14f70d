/** What a tool answered, out of the form in which LiveMCPBench recorded it. */
export type RecordedResult = {
  readonly text: string;
  /** The authors cut results at 10,000 characters: the real one was longer. */
  readonly isCut: boolean;
};

const RECORD_CHARS = 10_000;

/**
 * A recording is Python's print of an MCP result whose text is, in turn, the JSON of the MCP result of the server itself:
 * both wrappings are an artefact of the benchmark's own proxy, and no client would send them to a model.
 */
export function unwrapRecorded(recorded: string): RecordedResult {
  const isCut = recorded.length >= RECORD_CHARS;
  const outer = readPythonTexts(recorded);
  if (outer === undefined) return { text: recorded, isCut };
  return { text: readInnerTexts(outer) ?? outer, isCut };
}

function readPythonTexts(recorded: string): string | undefined {
  const start = /^meta=None content=\[TextContent\(type='text', text=(['"])/.exec(recorded);
  const quote = start?.[1];
  if (start === null || quote === undefined) return undefined;
  let text = "";
  for (let index = start[0].length; index < recorded.length; index++) {
    const character = recorded.charAt(index);
    if (character === quote) break;
    if (character !== "\\") {
      text += character;
      continue;
    }
    const escaped = recorded.charAt(++index);
    const code = /^x[0-9a-f]{2}|^u[0-9a-f]{4}|^U[0-9a-f]{8}/.exec(recorded.slice(index, index + 9))?.[0];
    if (code !== undefined) {
      text += String.fromCodePoint(Number.parseInt(code.slice(1), 16));
      index += code.length - 1;
    } else {
      text += { n: "\n", t: "\t", r: "\r" }[escaped] ?? escaped;
    }
  }
  return text;
}

function readInnerTexts(outer: string): string | undefined {
  if (!/^\{\s*"_meta"/.test(outer)) return undefined;
  const texts = [...outer.matchAll(/"text": "((?:[^"\\]|\\.)*)("?)/gs)].map(([, body = ""]) =>
    decodeJson(body),
  );
  return texts.length === 0 ? undefined : texts.join("\n");
}

function decodeJson(body: string): string {
  // A cut one may end in half an escape.
  for (let cut = 0; cut < 7; cut++) {
    try {
      return String(JSON.parse(`"${body.slice(0, body.length - cut)}"`));
    } catch {}
  }
  return body;
}
