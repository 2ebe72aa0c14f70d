import {
  BEFORE_PERSON,
  COMPANY_WORD,
  COUNTRY,
  DWELLING,
  FUNCTION_WORD,
  HONORIFIC,
  JOB,
  LARGE_CITY,
  LEGAL_FORM,
  MONTH,
  NATIONALITY,
  NO_NAME,
  PARTICLE,
  PERSON_VERB,
  STREET,
  STREET_FIRST,
  WEEKDAY,
} from "./word-flags.ts";

const spaced = (words: string) => words.trim().replaceAll(/\s+/g, "|");

/** Americans, Israelis; not those that end as Chinese, Dutch and Swiss do. */
function withPlurals(words: string): string {
  const all = words.trim().split(/\s+/);
  return [
    ...all,
    ...all.filter((word) => /[nikteor]$/.test(word) && !/(?:ese|ne)$/.test(word)).map((word) => `${word}s`),
  ].join("|");
}

/** WordSet that tell what stands beside them, folded; `|` between those that may be of several words. */
export const CONTEXT_WORDS: readonly (readonly [flag: number, words: string])[] = [
  [
    FUNCTION_WORD,
    spaced(`
      a an the this that these those i me my mine we us our ours you your yours he him his she her hers it its they them
      their theirs who whom whose which what when where why how is are was were be been being am do does did done have has
      had having can could will would shall should may might must not no yes and or but nor so yet if then else than as at
      by for from in into of off on onto out over to up with without within about above across after again against all
      also any because before behind below between both down during each either every few first here just last least less
      let like many more most much near never next now once one only other own per please same set since some still such
      thank thanks there through too two three under until upon use used using very via was way well yes dear hi hello hey
      re cc fw fwd new see note get add return returns list create update delete send find search show open close`),
  ],
  [
    NATIONALITY,
    withPlurals(`
      afghan albanian algerian american andorran angolan argentine argentinian armenian australian austrian azerbaijani
      bahamian bahraini bangladeshi barbadian belarusian belgian belizean beninese bhutanese bolivian bosnian brazilian
      british bruneian bulgarian burkinabe burmese burundian cambodian cameroonian canadian chadian chilean chinese
      colombian comoran congolese croatian cuban cypriot czech danish dane djiboutian dominican dutch ecuadorian egyptian
      emirati english eritrean estonian ethiopian fijian filipino finnish finn french gabonese gambian georgian german
      ghanaian greek grenadian guatemalan guinean guyanese haitian honduran hungarian icelandic icelander indian
      indonesian iranian iraqi irish israeli italian ivorian jamaican japanese jordanian kazakh kenyan korean kosovar
      kuwaiti kyrgyz laotian latvian lebanese liberian libyan lithuanian luxembourger macedonian malagasy malawian
      malaysian maldivian malian maltese mauritanian mauritian mexican moldovan monegasque mongolian montenegrin moroccan
      mozambican namibian nepalese nepali nicaraguan nigerian nigerien norwegian omani pakistani palestinian panamanian
      paraguayan peruvian polish portuguese qatari romanian russian rwandan salvadoran samoan saudi scottish senegalese
      serbian singaporean slovak slovakian slovene slovenian somali spanish spaniard sudanese surinamese swazi swedish
      swede swiss syrian taiwanese tajik tanzanian thai togolese tongan tunisian turkish turkmen ugandan ukrainian
      uruguayan uzbek venezuelan vietnamese welsh yemeni zambian zimbabwean greenlander chechen tatar kurdish catalan basque bavarian muslim christian jewish hindu
      buddhist sikh frenchman frenchwoman englishman englishwoman dutchman dutchwoman irishman irishwoman scot scots
      scotsman welshman briton britons pole poles turk turks serb serbs croat croats spaniards danes swedes finns
      kazakhstani uzbekistani azeri israelis iraqis lankan rican zealander arabian kiwi aussie yank catholic protestant hispanic latino latina caucasian`),
  ],
  [
    COUNTRY,
    `usa|u.s.a|uk|uae|england|scotland|wales|northern ireland|united states of america|united states|united kingdom
     great britain|britain|russia|south korea|north korea|vietnam|iran|syria|laos|bolivia|venezuela|tanzania|moldova
     macedonia|north macedonia|czech republic|czechia|holland|the netherlands|ivory coast|cape verde|swaziland|burma
     east timor|trinidad and tobago|antigua and barbuda|bosnia and herzegovina|saint vincent and the grenadines
     sao tome and principe|saint kitts and nevis|saint lucia|turks and caicos islands|wallis and futuna|isle of man
     people's republic of china|kingdom of the netherlands|republic of korea|brunei|palestine|kosovo|taiwan|hong kong|micronesia|democratic republic of the congo|republic of the congo|congo
     europe|asia|africa|north america|south america|latin america|middle east|bahamas|gambia|reunion|libyan arab jamahiriya
     palestinian territory|saint helena|svalbard|holy see|vatican|antarctica|niue|tokelau|pitcairn islands|kyrgyz republic
     cote d'ivoire|slovakia|russian federation|cyprus|new england|british columbia`,
  ],
  [
    LARGE_CITY,
    "new york|new york city|nyc|los angeles|san francisco|st louis|saint petersburg|tel aviv|washington dc|silicon valley",
  ],
  [
    MONTH,
    spaced(`
      january february march april may june july august september october november december jan feb mar apr jun jul aug sep
      sept oct nov dec januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout
      septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
      diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro marco maio junho
      julho setembro outubro novembro dezembro januari februari maart mei augustus`),
  ],
  [WEEKDAY, spaced("monday tuesday wednesday thursday friday saturday sunday")],
  [
    STREET,
    spaced(`
      street st str road rd avenue ave av lane ln drive dr boulevard blvd court ct place pl square sq terrace ter way close
      crescent cres highway hwy parkway pkwy circle cir trail trl alley plaza row walk mews grove gardens gate quay wharf
      esplanade turnpike expressway freeway crossroad crossroads route pike pass path loop bypass causeway viaduct rise
      strasse strase gasse weg platz allee ring damm ufer steig gade gata gatan gate vej veg vegen veien vagen vag katu
      tie polku kuja laan straat dijk plein kade steenweg gracht singel utca ut utja u ter tere korut krt rakpart ulica ulice namesti
      trida cesta caddesi sokak street's terrasse broadway`),
  ],
  [
    STREET_FIRST,
    spaced(`
      via viale vicolo piazza piazzale corso largo strada rue avenue av boulevard bd place chemin impasse quai allee cours
      calle c avenida avda plaza paseo carrera camino rua r travessa praca estrada rodovia alameda ul ulica al aleja os
      osiedle plac λεωφοροσ οδοσ ул улица проспект пр rruga bulevar bulevardul calea jalan jl`),
  ],
  [
    HONORIFIC,
    spaced(`
      mr mrs ms miss herrn dr prof professor sir madam mme mlle monsieur madame herr frau senor senora senorita sr sra signor
      signora rev reverend hon mx lord lady`),
  ],
  [
    LEGAL_FORM,
    spaced(`
      inc incorporated ltd limited llc llp plc corp corporation gmbh ag kg ohg sa sas sarl srl spa bv nv oy ab as aps
      kft zrt doo pty pvt kk sro`),
  ],
  [
    COMPANY_WORD,
    spaced(`
      company co group technologies technology solutions systems holdings partners associates bank insurance capital
      industries enterprises consulting software labs networks network analytics media ventures robotics pharmaceuticals
      therapeutics foods motors airlines airways electronics semiconductors logistics services international global
      worldwide university college institute foundation association hospital brothers bros sons stores financial
      securities investments advisors realty properties energy health healthcare insights science sciences movers
      records studios pictures entertainment publishing`),
  ],
  [
    PARTICLE,
    spaced(
      "van von der den de del della delle degli di da do dos das du la le el al bin ibn ben ter ten te zu y af av nad pod",
    ),
  ],
  [
    DWELLING,
    spaced(
      "apt apartment suite ste unit flat floor fl room rm building bldg box dept block appartement wohnung stock etage piso lejl",
    ),
  ],
  [
    PERSON_VERB,
    spaced(`
      said says told asked asks replied replies wrote writes shouted whispered explained thinks thought believes lives lived
      works worked married smiled laughed cried died walked spent grew loves hates knew remembers met joined retired
      resigned testified argued added noted admitted apologized confirmed complained sang invited`),
  ],
  [
    BEFORE_PERSON,
    spaced(`
      dear hi hello hey friend husband wife son daughter brother sister mother father mom dad uncle aunt cousin nephew niece
      boyfriend girlfriend partner colleague boss neighbor neighbour patient client teacher singer actor actress player
      author writer producer director commenter guitarist drummer composer poet painter artist president senator governor
      minister judge detective officer captain colonel general sergeant nurse lawyer attorney guardian reporter journalist
      coach founder ceo cfo cto chairman chairwoman named regards sincerely cheers sender recipient attn congressman
      congresswoman king queen prince princess pope saint employee candidate tenant landlord signed reviewer assignee`),
  ],
  [
    JOB,
    spaced(`
      accountant actor administrator adviser advisor agent aide analyst architect artist assembler assistant attendant
      auditor baker bartender biologist bookkeeper broker builder buyer captain carpenter cashier chef chemist
      cinematographer cleaner clerk coach consultant contractor cook coordinator counselor curator dancer dealer dentist
      designer developer dietitian director dispatcher doctor drafter driver economist editor electrician engineer
      estimator examiner executive farmer firefighter fitter geologist guard guide hairdresser handler helper historian
      inspector installer instructor interpreter investigator janitor journalist judge laborer lawyer lecturer librarian
      machinist maker manager mechanic messenger miner nurse officer operator optician organizer packager packer painter
      paralegal pharmacist photographer physician physicist pilot planner plumber porter president principal producer
      professor programmer psychologist receptionist recruiter repairer representative researcher salesperson scientist
      secretary singer specialist statistician strategist supervisor surgeon surveyor tailor teacher technician
      technologist teller tester therapist trader trainer translator treasurer tutor underwriter veterinarian waiter
      waitress welder worker writer ceo cfo cto founder`),
  ],
  [
    NO_NAME,
    spaced(`
      jenkins jira claude ruby python java perl django flask maven gradle docker kafka redis mongo oracle mercury gemini
      alexa siri cortana bing google amazon apple microsoft github gitlab slack stripe notion trello asana linear discord
      telegram whatsapp facebook instagram twitter youtube netflix spotify linkedin reddit pinterest paypal visa
      mastercard android windows linux ubuntu debian fedora safari chrome firefox opera brave edge azure lambda delta
      gamma alpha beta omega sigma gauss fourier laplace markov bayes poisson bernoulli euler newton kelvin celsius
      fahrenheit pascal joule watt volt ohm tesla hertz nasdaq dow jones christmas easter halloween ramadan hanukkah
      thanksgiving unicode ascii json yaml markdown html css sql excel word outlook teams sharepoint confluence bitbucket
      dropbox zoom figma miro canva shopify hubspot salesforce zendesk twilio supabase firebase vercel netlify heroku
      ethereum bitcoin solana polygon cardano cosmos base luna avalanche jupiter saturn venus mars earth pluto neptune
      uranus wikipedia obsidian logseq anki selenium puppeteer playwright cypress jest mocha karma jasmine chai julia
      elixir scala kotlin swift rust dart haskell lisp prolog cobol fortran ada basic wolfram grafana prometheus datadog
      sentry elastic kibana spark flink airflow luigi hadoop hive pig cassandra neo milvus pinecone chroma faiss qdrant
      hugging tavily brave exa perplexity mistral llama bard dalle midjourney whisper runway god jesus allah buddha
      santa xml api url http https uri ui id max min mac meta nova tron wei gaussian einstein monte carlo quran lulu latin deno marvel cyrillic america`),
  ],
];
