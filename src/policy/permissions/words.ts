/** Letters of other alphabets that look like ours, small ones; what is written with them is meant to be read as ours. */
const LOOKALIKES = new Map(
  [
    ["a", "аα"],
    ["b", "Ьβ"],
    ["c", "сϲ"],
    ["d", "ԁɗ"],
    ["e", "еєε"],
    ["g", "ɡ"],
    ["h", "һ"],
    ["i", "іıι"],
    ["j", "ј"],
    ["k", "кκ"],
    ["l", "ӏ"],
    ["m", "м"],
    ["n", "пη"],
    ["o", "оοօ"],
    ["p", "рρ"],
    ["q", "ԛ"],
    ["r", "гѓ"],
    ["s", "ѕ"],
    ["t", "тτ"],
    ["u", "υս"],
    ["v", "ѵν"],
    ["w", "ԝω"],
    ["x", "хχ"],
    ["y", "уүγ"],
    ["z", "ᴢ"],
  ].flatMap(([ours = "", theirs = ""]) => [...theirs].map((letter) => [letter, ours] as const)),
);

const MAX_NAME = 600;

/** The words of a name, however it joins them: `getHTTPPage`, `get_http_page`, `get-http.page`. */
export function toWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** As it looks: accents gone, and letters that only look like ours taken for ours. */
export function toLooks(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text)) return text;
  const plain = text.normalize("NFKD").replace(/\p{M}+/gu, "");
  return [...plain].map((letter) => LOOKALIKES.get(letter) ?? letter).join("");
}
