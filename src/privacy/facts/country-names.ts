const COUNTRIES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
  BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
  FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
  IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
  ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
  PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
  TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`;

/** Addresses are written in these; where two disagree, the first is right. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs"];

const OTHER_NAMES: readonly (readonly [country: string, names: string])[] = [
  ["US", "usa,us,u.s.,u.s.a.,united states of america,eeuu,stati uniti d'america,etats-unis d'amerique"],
  ["GB", "uk,u.k.,great britain,england,scotland,wales,northern ireland,grossbritannien"],
  ["NL", "holland,the netherlands"],
  ["AE", "uae"],
  ["IE", "republic of ireland,eire"],
  ["CZ", "czech republic"],
  ["KR", "korea,republic of korea"],
  ["RU", "russian federation"],
  ["CN", "people's republic of china,prc"],
  ["TR", "turkey"],
  ["CI", "ivory coast"],
  ["MK", "macedonia"],
  ["HK", "hong kong"],
  ["MO", "macau,macao"],
];

/** Also states, cities and other places that stand at the end of an address without a country. */
const AMBIGUOUS = ["georgia"];

const LONGEST_NAME = 60;
let names: ReadonlyMap<string, string> | undefined;

/** The country that an address ends with, where it stands there by itself: after a comma or on a line of its own. */
export function countryAtEnd(address: string): string | undefined {
  const end = address
    .slice(-2 * LONGEST_NAME)
    .replace(/[\s.,;]+$/, "")
    .split(/[,;\n]/)
    .at(-1);
  if (end === undefined || end.length > LONGEST_NAME) return undefined;
  names ??= readNames();
  return names.get(toPlain(end));
}

function readNames(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [country, others] of OTHER_NAMES)
    for (const name of others.split(",")) found.set(toPlain(name), country);
  for (const language of LANGUAGES) {
    const shown = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const country of COUNTRIES.trim().split(/\s+/)) {
      const name = toPlain(shown.of(country) ?? "");
      if (name !== "" && !found.has(name)) found.set(name, country);
    }
  }
  for (const name of AMBIGUOUS) found.delete(name);
  return found;
}

function toPlain(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[.’']/g, "")
    .replace(/[\s-]+/g, " ")
    .trim();
}
