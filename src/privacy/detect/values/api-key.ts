import type { PiiFinding } from "../finding.ts";
import { isDigit, isLatinLetter, isWordCharacter } from "./characters.ts";
import type { Context } from "./context.ts";

/**
 * How keys of known services start, and how many characters follow at least: `w` of letters and digits, `-` of those with
 * `_` and `-`, `.` also with full stops, `x` of hexadecimal digits. From the services' own documentation.
 */
const STARTS =
  "sk-ant--20 sk-proj--20 sk-svcacct--20 sk-or-v1-x32 sk-w20 ghp_w36 gho_w36 ghu_w36 ghs_w36 ghr_w36 github_pat_-40 glpat--20 gldt--20 " +
  "glrt--20 xoxb--20 xoxp--20 xoxa--20 xoxs--20 xoxr--20 xoxe--20 xapp--20 AKIAw16 ASIAw16 AIDAw16 AROAw16 AIza-35 ya29.-20 " +
  "GOCSPX--20 sk_live_w16 sk_test_w16 rk_live_w16 rk_test_w16 whsec_w20 SG..40 npm_w36 pypi--40 hf_w30 dop_v1_x64 doo_v1_x64 " +
  "dor_v1_x64 shpat_x32 shpss_x32 shpca_x32 shppa_x32 sq0atp--22 sq0csp--40 EAAAE-40 lin_api_w30 lin_oauth_w30 ntn_w40 secret_w40 " +
  "figd_-30 dapix32 PMAK--40 glsa_-30 glc_-30 nvapi--40 gsk_w40 xai-w40 pplx-w40 r8_w36 tvly-w20 sbp_x40 dckr_pat_-20 LTAIw16 AKIDw30 " +
  "hvs.-20 hvb.-40 AGE-SECRET-KEY-1w50 ATATT3-50 ATBBw20 patw14 rpa_w30 key-x32 SKx32 EAACEdEose0cBAw20 NRAK-w27 NRJS-x19 NRII--20 " +
  "rubygems_x48 CLOJARS_w50 cio-w20 dp.pt.w40 dp.st.-40 phc_w40 phx_w40 sntrys_-30 sntryu_x40 ops_-100 fo1_-40 fm2_-40 pscale_tkn_-30 " +
  "pscale_pw_-30 tfp_-40 re_w20 fc-x32 ctx7sk-x20 jina_w40 lsv2_pt_-30 fw_w22 csk-w30 tgp_v1_-30 ghapp_w30 shippo_live_x40 " +
  "shippo_test_x40 duffel_live_-30 duffel_test_-30 EZAKw40 EZTKw40 APP_USR--30 bkua_x40 pul-x40 mfa.-40";

type Start = { readonly prefix: string; readonly body: string; readonly least: number };

const byFirst = new Map<number, Start[]>();
for (const entry of STARTS.split(" ")) {
  const [, prefix = "", body = "", least = ""] = /^(.+)([-w.x])(\d+)$/.exec(entry) ?? [];
  const first = prefix.charCodeAt(0);
  byFirst.set(first, [...(byFirst.get(first) ?? []), { prefix, body, least: Number(least) }]);
}

const MOST = 512;

/** Keys that show by their start whose they are. */
export function findApiKeys({ text }: Context, findings: PiiFinding[]): void {
  let at = 0;
  while (at < text.length) {
    if (!isWordCharacter(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const end = keyEnd(text, at);
    if (end !== -1) {
      findings.push({ class: "API_KEY", start: at, end, rule: "key-form", confidence: 0.97 });
      at = end;
    } else while (isWordCharacter(text.charCodeAt(at))) at++;
  }
}

const WEBHOOK =
  /(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks\/\d{1,20})\/([\w/-]{20,200})/g;

/** Addresses to which whoever knows them may post. */
export function findWebhooks({ text }: Context, findings: PiiFinding[]): void {
  WEBHOOK.lastIndex = 0;
  for (let match = WEBHOOK.exec(text); match !== null; match = WEBHOOK.exec(text)) {
    const end = match.index + match[0].length;
    const start = end - (match[1]?.length ?? 0);
    findings.push({ class: "API_KEY", start, end, rule: "webhook", confidence: 0.97 });
  }
}

function keyEnd(text: string, start: number): number {
  const starts = byFirst.get(text.charCodeAt(start));
  if (starts !== undefined)
    for (const { prefix, body, least } of starts) {
      if (!text.startsWith(prefix, start)) continue;
      // A key with hyphens in it does not start after one: no text is read twice.
      if ((body === "-" || body === ".") && text.charCodeAt(start - 1) === 45) continue;
      const from = start + prefix.length;
      let end = from;
      while (end - from < MOST && isBody(text.charCodeAt(end), body)) end++;
      while (end > from && !isWordCharacter(text.charCodeAt(end - 1))) end--;
      if (end - from >= least && !isWordCharacter(text.charCodeAt(end)) && isMixed(text, from, end))
        return end;
    }
  return isDigit(text.charCodeAt(start)) ? botTokenEnd(text, start) : -1;
}

const BOT = /\d{8,10}:AA[\w-]{32,35}(?![\w-])/y;

/** Telegram's bots: a number, and a key of 35 characters. */
function botTokenEnd(text: string, start: number): number {
  BOT.lastIndex = start;
  const match = BOT.exec(text);
  return match === null ? -1 : start + match[0].length;
}

function isBody(code: number, body: string): boolean {
  if (isDigit(code)) return true;
  if (isLatinLetter(code)) return body !== "x" || (code | 32) <= 102;
  if (code === 95 || code === 45) return body === "-" || body === ".";
  return code === 46 && body === ".";
}

/** Digits and letters, and not one character all over: no name, and no `xxxx` of an example. */
function isMixed(text: string, from: number, to: number): boolean {
  let digits = 0;
  let letters = 0;
  const seen = new Set<number>();
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) digits++;
    else letters++;
    seen.add(code);
  }
  return seen.size >= 6 && letters > 0 && (digits > 1 || to - from >= 30);
}
