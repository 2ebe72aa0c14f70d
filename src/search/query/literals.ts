/** What files are called by their endings. */
const KINDS = new Map([
  ["md", "markdown file"],
  ["txt", "text file"],
  ["pdf", "pdf file"],
  ["doc", "word document"],
  ["docx", "word document"],
  ["xls", "excel"],
  ["xlsx", "excel"],
  ["ppt", "powerpoint"],
  ["pptx", "powerpoint"],
  ["csv", "csv file"],
  ["json", "json file"],
  ["png", "image file"],
  ["jpg", "image file"],
  ["jpeg", "image file"],
  ["mp3", "audio file"],
  ["mp4", "video file"],
]);
const PATH = /(?<![\w.:/\\])(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.-]{1,80}){2,}/g;
const FILE = /(?<![\w./\\])[\w-]{1,80}\.([a-z0-9]{2,4})\b/gi;
const URL = /\bhttps?:\/\/\S+/gi;

/** A path that a request hands over says that a file is meant, and of which kind; its folders say nothing. */
export function readLiterals(query: string): string {
  return query
    .replace(URL, " url ")
    .replace(PATH, (path) => ` ${toKind(path) ?? (/\.\w+$/.test(path) ? "file" : "directory")} `)
    .replace(FILE, (name) => ` ${toKind(name) ?? name} `);
}

function toKind(path: string): string | undefined {
  return KINDS.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}
