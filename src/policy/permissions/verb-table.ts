/** What a call does, as far as it can be told. `unknown`: neither its name nor its server says. */
export type Effect = "reads" | "writes" | "destroys" | "sends" | "pays" | "publishes" | "unknown";

type Words = readonly (readonly [Effect, string])[];

const toTable = (words: Words): ReadonlyMap<string, Effect> =>
  new Map(words.flatMap(([effect, list]) => list.split(" ").map((word) => [word, effect] as const)));

/** Words of tools' names that are verbs wherever they stand. */
export const EFFECT_VERBS = toTable([
  [
    "reads",
    "get fetch retrieve read describe find show display inspect enumerate browse discover is has can does are validate verify " +
      "calculate calc compute compare analyze analyse summarize summarise explain estimate simulate detect identify measure " +
      "recommend suggest translate whoami whois ping peek select scrape crawl geocode predict classify recall preview",
  ],
  [
    "writes",
    "create add insert update edit modify change set write put save rename move copy append replace upsert merge import upload " +
      "download export configure enable disable assign unassign toggle install register attach detach connect disconnect " +
      "close start stop pause resume restart reboot schedule sync lock unlock fork clone restore rollback revert undo " +
      "checkin archive unarchive untrash subscribe unsubscribe follow unfollow like unlike complete approve reject manage run execute " +
      "invoke trigger make build upgrade patch commit login logout new init initialize apply store insert move dismiss transform",
  ],
  [
    "destroys",
    "delete remove destroy erase purge wipe truncate uninstall terminate kill revoke exec drain unlink rm rmdir rmtree del overwrite " +
      "shutdown prune evict ban kick expunge discard cancel unregister deprovision undeploy",
  ],
  // What they do is not said by these, but that what follows is a thing.
  [
    "unknown",
    "generate convert navigate go drag click press hover scroll swipe evaluate extract parse format",
  ],
  ["sends", "send resend reply notify invite dial respond submit"],
  ["pays", "pay prepay buy purchase sell refund withdraw donate redeem repay"],
  ["publishes", "publish republish unpublish broadcast tweet retweet redeploy announce grant expose"],
]);

/** Words that are a verb in one name and a thing in another: `post_message`, `get_post`. */
export const VERBS_OR_THINGS = toTable([
  [
    "reads",
    "list search query view check test count watch look monitor scan lookup diff tail head trace help",
  ],
  ["writes", "open mark tag label star unstar link record process draft release review comment block"],
  ["destroys", "trash clear flush reset drop eval repl"],
  ["sends", "forward email mail message sms dm fax"],
  [
    "pays",
    "charge order transfer trade book reserve swap bid tip mint stake unstake deposit payout checkout rent bet",
  ],
  ["publishes", "post share push deploy"],
]);

/** Where no verb is said, a name that ends so is of something that is looked at. */
export const LOOKED_AT: ReadonlySet<string> = new Set(
  (
    "status info information details detail list count stats statistics history summary price prices rate rates fee fees template " +
    "templates notes log logs id ids type types schema schemas metrics analytics trends insights feed help version health overview " +
    "profile profiles balance balances search lookup query results result books " +
    "latest historical finder getter searcher reader viewer checker inspector analyzer calculator explorer"
  ).split(" "),
);

type Objects = {
  readonly verbs: ReadonlySet<string>;
  /** What it is done to: the last word before the first of `to`, `for`, `in` … */
  readonly things: ReadonlySet<string>;
  readonly effect: Effect;
  /** With one of these in the name it is something else. */
  readonly unless?: ReadonlySet<string>;
};

const setOf = (words: string) => new Set(words.split(" "));
const MAKING = setOf(
  "create add make new place submit issue initiate execute confirm request start open schedule process write",
);

/** Verbs that say little by themselves, with what they are done to. */
export const WITH_OBJECTS: readonly Objects[] = [
  {
    verbs: MAKING,
    things: setOf(
      "payment payments refund refunds charge transfer transfers payout payouts order purchase checkout trade swap bid bet booking reservation withdrawal deposit donation",
    ),
    effect: "pays",
    unless: setOf("draft test sort"),
  },
  {
    verbs: setOf("execute sign submit approve confirm"),
    things: setOf("transaction transactions payment allowance"),
    effect: "pays",
  },
  {
    verbs: MAKING,
    things: setOf("post tweet release announcement broadcast reel"),
    effect: "publishes",
    unless: setOf("draft"),
  },
  { verbs: setOf("merge"), things: setOf("pr request requests"), effect: "publishes" },
  {
    verbs: setOf("make place initiate start create"),
    things: setOf("call calls sms invitation invitations invite"),
    effect: "sends",
    unless: setOf("api tool function"),
  },
  {
    verbs: setOf("run execute eval invoke evaluate"),
    things: setOf(
      "command commands cmd shell bash script scripts code terminal powershell applescript javascript python program",
    ),
    effect: "destroys",
  },
  { verbs: setOf("start spawn"), things: setOf("process terminal shell"), effect: "destroys" },
  {
    verbs: setOf("empty"),
    things: setOf("trash bin cart folder mailbox bucket queue basket"),
    effect: "destroys",
  },
  { verbs: setOf("format"), things: setOf("disk drive partition volume"), effect: "destroys" },
];

/** Verbs that run whatever they are given are told by any word of the name. */
export const RUNNING = setOf("run execute eval invoke evaluate");

/** After `check_in`: what something is looked for in. */
export const LOOKED_FOR_IN = setOf("stock use range list set bounds place progress order file files folder");

/** After one of these there is another verb: `get_or_create`. */
export const JOINS = setOf("and or then");
export const PREPOSITIONS = setOf("to for from with in on by of at as via into onto against using");
