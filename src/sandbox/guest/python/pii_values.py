"""What a value itself shows, for values that the host told nothing of: the same as ../javascript/pii-values.js."""

import re
import unicodedata
import urllib.parse

# Calling codes of one country each; those that several share tell none.
_CALLING_CODES = (
    "20EG 27ZA 30GR 31NL 32BE 33FR 34ES 36HU 40RO 41CH 43AT 45DK 46SE 48PL 49DE 51PE 52MX 53CU 54AR 55BR "
    "56CL 57CO 58VE 60MY 62ID 63PH 64NZ 65SG 66TH 81JP 82KR 84VN 86CN 90TR 91IN 92PK 93AF 94LK 95MM 98IR "
    "211SS 213DZ 216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR "
    "232SL 233GH 234NG 235TD 236CF 237CM 238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 247AC "
    "248SC 249SD 250RW 251ET 252SO 253DJ 254KE 255TZ 256UG 257BI 258MZ 260ZM 261MG 263ZW 264NA 265MW "
    "266LS 267BW 268SZ 269KM 291ER 297AW 298FO 299GL 350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY "
    "359BG 370LT 371LV 372EE 373MD 374AM 375BY 376AD 377MC 378SM 380UA 381RS 382ME 383XK 385HR 386SI "
    "387BA 389MK 420CZ 421SK 423LI 500FK 501BZ 502GT 503SV 504HN 505NI 506CR 507PA 508PM 509HT 591BO "
    "592GY 593EC 594GF 595PY 596MQ 597SR 598UY 670TL 672NF 673BN 674NR 675PG 676TO 677SB 678VU 679FJ "
    "680PW 681WF 682CK 683NU 685WS 686KI 687NC 688TV 689PF 690TK 691FM 692MH 850KP 852HK 853MO 855KH "
    "856LA 880BD 886TW 960MV 961LB 962JO 963SY 964IQ 965KW 966SA 967YE 968OM 970PS 971AE 972IL 973BH "
    "974QA 975BT 976MN 977NP 992TJ 993TM 994AZ 995GE 996KG 998UZ "
)
_LONGEST_DOMAIN = 255
_COUNTRIES = {entry[:-2]: entry[-2:] for entry in _CALLING_CODES.split()}


def domain_of(text):
    address = text.strip()
    if re.match(r"[a-z][a-z\d+.-]{0,30}://", address, re.I):
        try:
            host = urllib.parse.urlsplit(address).hostname
        except ValueError:
            host = None
        if host:
            return host
    at = address.rfind("@")
    if at < 1:
        return None
    found = re.match(r"(?:\w|[.\u0300-\u036f-])+", address[at + 1 : at + 1 + _LONGEST_DOMAIN])
    if found is None or len(found[0]) == _LONGEST_DOMAIN:
        return None
    return re.sub(r"\.$", "", found[0]).lower()


def last4_of(text):
    found = ""
    for letter in reversed(text):
        if _is_letter_or_number(letter):
            found = letter + found
            if len(found) == 4:
                return found
    return None


def year_of(text):
    found = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text, re.A) or re.match(r"\s*((?:19|20)\d\d)\d{4}\s*$", text, re.A)
    return int(found[found.lastindex or 0]) if found else None


def country_of(text):
    compact = re.sub(r"[\s().-]+", "", text[:100])
    if re.fullmatch(r"[A-Z]{2}\d\d[A-Z\d]{11,30}", compact, re.I | re.A):
        return compact[:2].upper()
    if not re.fullmatch(r"\+\d{7,15}", compact, re.A):
        return None
    return next((_COUNTRIES[code] for length in (1, 2, 3) if (code := compact[1 : 1 + length]) in _COUNTRIES), None)


def mask_of(text):
    value = text.strip()
    domain = domain_of(value) if "@" in value else None
    if domain is not None:
        return f"{_initial_of(value)}•••@{domain}"
    if _is_date(value):
        year = year_of(value)
        return "•••" if year is None else f"{year}-••-••"
    if _is_number(value):
        return f"••••{last4_of(value) or ''}"
    return " ".join(_masked_word(word) for word in re.split(r"\s+", value[:200])[:6])


def is_same_value(a, b):
    """By case, spaces and the letters' forms; of what is made of digits, by what stands between them too."""
    return _to_normal(a) == _to_normal(b)


def _masked_word(word):
    return f"{next((letter for letter in word if letter.isalpha()), '')}•••"


def _initial_of(text):
    return next((letter for letter in text[:64] if _is_letter_or_number(letter)), "")


def _is_date(text):
    return re.match(r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?:[T ].{0,40})?$", text, re.A) is not None


def _is_number(text):
    compact = "".join(letter for letter in text[:100] if _is_letter_or_number(letter))
    digits = sum(letter in "0123456789" for letter in compact)
    return digits >= 5 and digits * 2 >= len(compact)


def _is_letter_or_number(letter):
    return unicodedata.category(letter)[0] in "LN"


def _to_normal(text):
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    if "@" in plain or not _is_number(plain):
        return re.sub(r"\s+", " ", plain)
    return re.sub(r"^00(?=[1-9])", "", "".join(letter for letter in plain if _is_letter_or_number(letter)))
