/** English stop words: they count for nothing, once the phrases (`how far`, `turn off`) have been read. */
export const STOP = `
a about above across after again against all almost along also although am among an and another any anybody anyone
anything are aren around as at away be became because become been before being below between both but by came can cannot
cant could couldn couldnt d did didn didnt do does doesn doesnt doing don done dont down during each either else etc ever
every everybody everyone everything few for from further go goes going gone gonna got had hadn has hasn have haven having
he hence her here hers herself him himself his how however i if im in indeed instead into is isn isnt it its itself
ive just lets ll m may maybe me might more most much must my myself neither no nobody none nor not nothing of off
often on once only onto or other others otherwise our ours ourselves out over own per perhaps quite rather re s same
shall she should shouldn since so some somebody somehow someone something sometimes somewhere still such t than that thats
the their theirs them themselves then there thereby therefore these they theyre this those though through throughout thus
to together too toward towards under until unto up upon us ve very via was wasn we well were weren what whatever whats when
whenever where whereas wherever whether which whichever while who whoever whom whose why will with within without won wont
would wouldn yes yet you youd youll your youre yours yourself yourselves
`;

/** Courtesies and padding of requests: as good as stop words. */
export const EMPTY = `
please kindly thanks thank hello hi hey ok okay sure yeah dear sorry greetings
want wanted wanna need needed wish hope hoping prefer preferably
help helping helpful assist assisting assistance
know knowing tell telling told let say saying wonder wondering believe seem
look looking see seeing try trying tried
give giving given provide providing provided
interested curious excited keen eager willing
able possible possibly possibility capable
really actually basically simply literally definitely certainly absolutely totally truly especially particularly
currently already anyway lately
great good nice cool awesome amazing perfect wonderful fantastic excellent
quickly easily properly effectively efficiently
kind lot lots bit couple bunch thing stuff way
come coming take taking took keep keeping bring
happen happening happened
use used using utilize utilise
ensure ensuring
regarding concerning according including include included involving
require required
hear heard
one ones
`;

/** Generic words of the tool world: about .3 of a word's weight, in every query. */
export const FAINT = `
information info data detail details content value
specific particular certain various different multiple several many relevant related associated corresponding
respective appropriate suitable proper additional extra existing available supported default optional main
based following current latest recent new like
tool plugin app api service server mcp system platform software functionality capability
access accessing support manage managing management handle handling process perform
work working operation return returning contain containing specify specified
allow allowing enable enabling make making put
best better top popular interesting important useful easy simple
two three first second
ability potential purpose reason instance requirement
comprehensive complex advanced basic general overall entire whole full
custom personalized tailored unique professional necessary essential
love feel feeling think interest mean offer guess
`;

/**
 * Words that are padding in a whole request but tell tools apart in a short query:
 * about .3 in requests of more than some eight words, full weight below.
 */
export const FAINT_IN_REQUESTS = `
get getting fetch retrieve obtain receive gather collect
find finding search searching show display view list check
create generate update set change add
recommend recommendation suggest suggestion advice idea tip option
explain understand learn describe discuss share
question answer request query result response output input
user application function feature assistant action
type name item number object group
start starting begin continue complete end ending
single next last previous
today now recently upcoming soon
time day week month year
people person friend
key quick fast
improve enhance optimize
plan planning planned
goal case example
topic subject area field
company business project
world real online internet web website
high low large small big long short old
choose pick decide
explore discover discovering browse
insight overview
`;
