/**
 * Words of everyday English that are names of people or firms as well: alone they are taken for a name only where they are
 * written like one. Written down by hand.
 */
const ORDINARY = `able ace aden alpha amber amen ample angel apple april arch archer art ash aspen august autumn avery bailey baker
ball banks barber bard barn baron barry bass baxter bay beach bean bear beck bell bend berry best bill bird bishop black blaze bliss blue
bond book booker boon booth boss bow bowl box boy branch brand brave bridge bright brook brooks brown buck bud bull bunny burn bush butcher
butler butter cane candy cannon cape card care carpenter carter case cash castle cat chance chapel chapman charity chase chief chip christian
church clay clear clement clerk cliff cloud coal coast cody cole collar colt comfort cook cool cooper coral corn cove cox craft crane cream
creed crew cross crow crown crystal cut dale dan dane dash dawn day dean dear deal delta diamond dick dollar don dove drake draw drew duke dusk
dust eager earl early east easter echo eden edge ember english ernest ever faith fall farmer fast father fern field finch finn fish fisher flag
flint flores flower ford forest fort foster fowler fox frame frank free freed freeman french friend frost gable gale garden gates gay gem
general gentry gift ginger glass glen gold golden good goodman grace grain grant grass graves gray green grey griffin ground grove guest guy
hail hall hammer hand happy hardy harp harper harvest haven hawk hay hazel head heart heath heather heaven henry hill holiday holly home honey
hood hook hope horn house hunt hunter ice idea ides imam iris iron isle ivory ivy jack jade jasmine jasper jay jean jewel jolly jordan joy judge
july june just justice keen kay keeper kelly key kind king knight lake lamb lance land lane lark last latch laurel law lawn lay lead leaf lee
legend lemon leo light lily lime lincoln linen link lion little lock london long lord lot lotus love low luck lucky lynx mace mack magic major
mall man mango maple march marina mark market marsh marshal marshall martin mason masters may mead meadow melody mercer mercy merit merry miles
mill miller mills mint miracle mist moon moor morning moss mount muse myth nash neat never new newman nice nick night noble noon north novel
nova oak ocean odd olive opal orange oracle orchid otter oxford page pace palace palm paris park parker parks pat patience pay peace peach pearl
penny pepper perry pet piece pike pilot pine piper pitt plain plant poe poet point pole pool poor pope porter post potter pound power precious
price pride priest prince prophet prosper queen quick quill rain rainbow ram ran ranger raven ray read red reed reef reel reeve regal reign rich
richer rider ridge ring river rivers robin rock rocky rod roman rook root rose rowan royal ruby rue ruler rush rusk rust sage sailor saint sally
salmon sam sand sandy sang saw savage savanna sawyer scarlet school scout sea seal season self shade shaft sharp shaw shell shelter shepherd
shine ship shore short sierra silver singer singh skip sky slate small smart smith snow song south spark sparrow spear spears spencer spring
square stack star starling steel steep sterling stone storm story street strong sue sugar summer summit sun sunday sunny surf swan sweet swift
taffy tanner target taylor teal temple terrace terry thorn tide tiger tile timber time tina title tom topaz trace tracy trail travel travis
tree trinity trip troy true trust tucker tulip turner tyler under urban usher vale valentine valley van vance velvet venture victor victory viola
violet virtue von wade walk walker wall wallace ward warden warner warren water waters watt wave way weaver web webb webster weeks well wells
west wheat wheeler white wild wilder will willow win wind winter wise wish wolf wood woods word work workman world worth wren wright yard yale
young zen and the for not but all any are was has had his her him she who you our out off one two own per set see say sat she sir son ten too top
try use via war wet yes yet ago add age air act arm bad bag bar bed big bit buy car cup dad did die dog dry due ear eat end eye far fat few fit
fly fun gas get god got gun gut hat hit hot how job kid let lie lip low mad map men met mix mom mud net nor now nut old pan pen pie pig pin pop
pot put raw rid row rub run sad sea sex shy sin sit six ski sum tap tax tea tie tip toe tub van vet wax why wit won zip an in on at by do to of
test user name admin null none info data type mail home state office company group global general national united american international service
services system systems solutions software network digital media capital bank energy health city central standard first public social security
people person team sales support contact customer client member manager director president street road avenue square gap meta visa shell amazon
oracle intel slack zoom uber box dell ring nest sprint chase fidelity discover progressive staples subway delta fields lang com org net mills moody bacon beers hogg bloom counts rivers steps`;

const words = new Set(ORDINARY.split(/\s+/));

/** Small words between names. */
const PARTICLES = new Set(
  "von van der den del della des dos das bin ibn ben abu san santa saint the and mac mrs miss mister doctor prof jun sen iii esq phd".split(
    " ",
  ),
);

export function isOrdinaryWord(word: string): boolean {
  return words.has(word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
}

export function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase());
}
