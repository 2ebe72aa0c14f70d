import { isLatinLetter, isWordCharacter } from "./characters.ts";
import { remainderOf } from "./checksums.ts";

/** How long an IBAN of each country is (SWIFT's registry). */
const LENGTHS = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 " +
    "FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 " +
    "LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 " +
    "SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 " +
    "GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The end of the IBAN that starts here, or -1. It may stand in groups, by spaces or by hyphens. */
export function ibanEnd(text: string, start: number): number {
  const country = text.slice(start, start + 2);
  const length = LENGTHS.get(country) ?? LENGTHS.get(country.toUpperCase());
  if (length === undefined) return -1;
  let value = "";
  let at = start;
  let group = 0;
  while (value.length < length) {
    const code = text.charCodeAt(at);
    if (isWordCharacter(code) && code !== 95) {
      value += text[at];
      group++;
    } else if ((code === 32 || code === 45 || code === 0xa0) && group > 0) group = 0;
    else return -1;
    at++;
  }
  if (isWordCharacter(text.charCodeAt(at))) return -1;
  // A few digits at least: words and countries' letters pass the checksum too, now and then.
  if (!/^[A-Za-z]{2}\d{2}.*\d{3}/.test(value) || isMixedCase(value)) return -1;
  return remainderOf(value.slice(4) + value.slice(0, 4), 97) === 1 ? at : -1;
}

function isMixedCase(value: string): boolean {
  let upper = false;
  let lower = false;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (!isLatinLetter(code)) continue;
    if (code <= 90) upper = true;
    else lower = true;
  }
  return upper && lower;
}
