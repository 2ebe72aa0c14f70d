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
      "recommend suggest translate whoami whois ping peek wait select scrape crawl geocode predict classify recall preview dry subtract multiply divide",
  ],
  [
    "writes",
    "create add insert update edit modify change set write put save rename move copy append replace upsert merge import upload " +
      "download export configure enable disable assign unassign toggle install register attach detach connect disconnect " +
      "close start stop pause resume restart reboot schedule sync lock unlock fork clone restore rollback revert undo " +
      "checkin archive unarchive untrash subscribe unsubscribe follow unfollow like unlike complete approve reject manage run execute " +
      "invoke trigger make build upgrade patch commit login logout new init initialize apply store dismiss transform pin unpin undelete " +
      "unblock begin activate deactivate hide quarantine",
  ],
  [
    "destroys",
    "delete remove destroy erase purge wipe truncate uninstall terminate kill revoke exec drain unlink rm rmdir rmtree del overwrite " +
      "shutdown prune evict ban kick expunge discard cancel unregister deprovision undeploy void expire nuke cleanup rid",
  ],
  // What they do is not said by these, but that what follows is a thing.
  [
    "unknown",
    "generate convert navigate go drag click press hover scroll swipe evaluate extract parse format track interact",
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
    "templates notes log logs id ids types schema schemas metrics analytics trends insights feed help version health overview " +
    "profile profiles balance balances search lookup query results result books " +
    "latest historical finder getter searcher reader viewer checker inspector analyzer calculator explorer"
  ).split(" "),
);

/** Of these few alone is that said which is also done to others: `order_status` is looked at, `transfer_balance` is done. */
export const STATES: ReadonlySet<string> = new Set(
  (
    "status info information details detail list count stats statistics history price prices rate rates log logs id ids type types " +
    "metrics analytics trends insights feed health overview search lookup query finder latest historical"
  ).split(" "),
);

/** Where no verb is said, what does it is: `file_writer`. */
export const DOERS = toTable([
  ["writes", "writer editor creator updater uploader downloader"],
  [
    "destroys",
    "deleter remover eraser deletion removal termination erasure bash shell zsh powershell terminal cmd",
  ],
]);

type Objects = {
  readonly verbs: ReadonlySet<string>;
  /** What it is done to: the last word before the first of `to`, `for`, `in` … */
  readonly things: ReadonlySet<string>;
  readonly effect: Effect;
  /** Any word of the name says it. */
  readonly anywhere?: true;
  /** With one of these in the name it is something else. */
  readonly unless?: ReadonlySet<string>;
};

const setOf = (words: string) => new Set(words.split(" "));
const MAKING = setOf(
  "create add make new place submit issue initiate execute confirm request start open schedule process write",
);
const PAYING = setOf([...MAKING, "capture complete finalize settle"].join(" "));

/** Verbs that say little by themselves, with what they are done to. */
export const WITH_OBJECTS: readonly Objects[] = [
  {
    verbs: PAYING,
    things: setOf(
      "payment payments refund refunds charge transfer transfers payout payouts order purchase checkout trade swap bid bet booking reservation withdrawal deposit donation intent",
    ),
    effect: "pays",
    unless: setOf("draft test sort"),
  },
  {
    verbs: setOf("execute sign submit approve confirm send"),
    things: setOf("transaction transactions payment payments money funds allowance"),
    effect: "pays",
  },
  { verbs: setOf("add"), things: setOf("funds"), effect: "pays" },
  { verbs: setOf("finalize"), things: setOf("invoice invoices"), effect: "pays" },
  {
    verbs: setOf("swap"),
    things: setOf(
      "index indexes indices row rows column columns element elements item items node nodes sideboard card cards",
    ),
    effect: "writes",
  },
  {
    verbs: MAKING,
    things: setOf("post tweet release announcement broadcast reel"),
    effect: "publishes",
    unless: setOf("draft"),
  },
  { verbs: setOf("merge"), things: setOf("pr request requests"), effect: "publishes" },
  { verbs: setOf("make set go"), things: setOf("public live"), effect: "publishes" },
  { verbs: setOf("promote"), things: setOf("production prod live"), effect: "publishes", anywhere: true },
  {
    verbs: setOf("make place initiate start create"),
    things: setOf("call calls sms invitation invitations invite"),
    effect: "sends",
    unless: setOf("api tool function"),
  },
  // In a form, or for what is done next.
  {
    verbs: setOf("select"),
    things: setOf("option options tab tenant element browser page playwright puppeteer"),
    effect: "writes",
  },
  { verbs: setOf("call"), things: setOf("phone contact customer"), effect: "sends" },
  {
    verbs: setOf("trigger create"),
    things: setOf("notification notifications"),
    effect: "sends",
  },
  { verbs: setOf("submit"), things: setOf("guess answer move score"), effect: "writes" },
  {
    verbs: setOf("run execute eval invoke evaluate"),
    things: setOf(
      "command commands cmd shell bash script scripts code terminal powershell applescript javascript python program cli sql statement " +
        "statements ddl cypher",
    ),
    effect: "destroys",
    anywhere: true,
  },
  // In a page, where somebody is logged in.
  { verbs: setOf("evaluate"), things: setOf("browser page playwright puppeteer"), effect: "destroys" },
  {
    verbs: setOf("write interact type"),
    things: setOf("terminal shell"),
    effect: "destroys",
    anywhere: true,
  },
  { verbs: setOf("interact"), things: setOf("process repl"), effect: "destroys", anywhere: true },
  {
    verbs: setOf("clear flush reset cleanup"),
    things: setOf(
      "cache caches selection filter filters thoughts session context screen console view zoom formatting game timer",
    ),
    effect: "writes",
  },
  { verbs: setOf("start spawn"), things: setOf("process terminal shell"), effect: "destroys" },
  {
    verbs: setOf("empty"),
    things: setOf("trash bin cart folder mailbox bucket queue basket"),
    effect: "destroys",
  },
  { verbs: setOf("format"), things: setOf("disk drive partition volume"), effect: "destroys" },
];

/** After one of these another verb is only spoken of: `can_delete`, `preview_send`, `verify_delete_token`. */
export const SPEAKING = setOf(
  "is has can does are validate verify check test explain estimate simulate preview dry predict recommend suggest compare help",
);

/** Verbs that are no things: after a verb that reads, they are done as well. */
export const PLAIN_WRITES = setOf("write create update edit modify insert rename replace append");

/** What ends so is a thing, whatever verb it has in it: `get_kill_switch_state`, `list_send_as`. */
export const THINGS = setOf("state states policy policies settings config as");

/** After `check_in`: what something is looked for in. */
export const LOOKED_FOR_IN = setOf("stock use range list set bounds place progress order file files folder");

/** After one of these there is another verb: `get_or_create`. */
export const JOINS = setOf("and or then");
export const PREPOSITIONS = setOf("to for from with in on by of at as via into onto against using");
