/**
 * The only texts of results that may ever be kept: words that say in what state or of what kind a thing is, and nothing of
 * anybody. A word that could be a name, a place, a belief, a diagnosis or a secret does not belong here. Each line is a
 * topic; `_` stands between the words of one.
 */
const WORDS = `
open opened closed reopened resolved unresolved locked unlocked merged
pending active inactive idle busy ready waiting blocked paused suspended resumed scheduled delayed postponed expired
new created updated modified unchanged added removed deleted archived restored renamed copied moved
todo to_do backlog planned not_started started in_progress in_review on_hold done complete completed incomplete finished
draft unpublished published submitted approved rejected accepted declined requested confirmed unconfirmed verified unverified
queued running stopped stopping starting restarting terminated aborted cancelled canceled skipped timed_out timeout
success succeeded successful failure failed passed error warning warn info debug trace notice fatal ok
ordered processing processed packed shipped in_transit delivered undelivered returned refunded paid unpaid overdue
available unavailable in_stock out_of_stock discontinued reserved sold
online offline connected disconnected up down healthy unhealthy degraded maintenance
none low medium high highest lowest minor major moderate critical urgent normal trivial blocker
public private internal external protected hidden visible unlisted shared
enabled disabled on off yes no true false unknown default custom auto automatic manual optional required
asc desc ascending descending inbound outbound incoming outgoing left right buy sell long short limit market
read write read_only read_write execute get post put patch delete head options create update list
development staging production test testing sandbox alpha beta stable deprecated latest preview release
free basic standard premium pro enterprise trial
file directory folder symlink dir blob tree commit branch tag issue pull_request comment release_note task bug feature story epic
text json xml html csv tsv yaml markdown pdf png jpg jpeg gif svg webp mp3 mp4 wav zip tar gzip
image video audio document link page object array string number integer boolean null
http https ftp ssh tcp udp ws wss stdio sse utf-8 ascii base64 binary
metric imperial celsius fahrenheit kelvin kg lb oz km cm mm mi ft ml kb mb gb tb px percent
second seconds minute minutes hour hours day days week weeks month months quarter year years
secondly minutely hourly daily weekly monthly quarterly yearly annual once never always
monday tuesday wednesday thursday friday saturday sunday
usd eur gbp jpy cny chf
`;

/** Each as it may be spelt: `in_progress`, `IN-PROGRESS`, `In Progress`, `inProgress`. Odd capitals could spell something. */
const SPELLINGS = new Set(WORDS.split(/\s+/).filter(Boolean).flatMap(toSpellings));

export function isGeneralWord(text: string): boolean {
  return SPELLINGS.has(text);
}

function toSpellings(word: string): string[] {
  const parts = word.split("_");
  const titled = parts.map(capitalise);
  const [first = "", ...others] = parts;
  return [
    ...["_", "-", " ", ""].flatMap((between) => [
      parts.join(between),
      parts.join(between).toUpperCase(),
      titled.join(between),
    ]),
    [capitalise(first), ...others].join(" "),
    [first, ...others.map(capitalise)].join(""),
  ];
}

function capitalise(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
