/** Wherever they stand in a name. */
const SECRET_PARTS = /token|key|secret|passw|passphrase|authoriz|authentic|credential|cookie|bearer|jwt|dsn/i;
/** As words of their own: "pat" is a secret, "path" is none. */
const SECRET_WORDS = new Set(
  "auth pass pwd pw pat sig signature session sid creds cred otp pin private apikey passcode".split(" "),
);
/** Counts and settings about tokens and keys, such as MAX_TOKENS. */
const COUNT_WORDS = new Set("max min limit count ttl timeout size length budget".split(" "));
const DATABASE_ADDRESS =
  /(database|db|mongo(db)?|redis|postgres(ql)?|pg|mysql|amqp|rabbit(mq)?|connection)_(url|uri|string)$/;

const PREFIXES =
  /^(gh[pousr]_|github_pat_|glpat-|sk[-_]|pk_live_|rk_live_|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ|hf_|npm_|pypi-|shp(at|ss)_|SG\.|dop_v1_|lin_api_|ntn_|figd_|tvly-|r8_|gsk_|whsec_|dckr_pat_|pat_|secret_|key-)[\w.+/=-]{3,}/;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** `DB_PASS`, `--api-key`, `X-Auth`, `githubToken`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  if (words.some((word) => COUNT_WORDS.has(word))) return false;
  return (
    SECRET_PARTS.test(name) ||
    words.some((word) => SECRET_WORDS.has(word)) ||
    DATABASE_ADDRESS.test(words.join("_"))
  );
}

/** A known kind of key, an identifier, or a long run in which letters and digits change often. */
export function isSecretValue(value: string): boolean {
  const text = value.replace(/^(bearer|basic|token)\s+/i, "");
  if (PREFIXES.test(text) || UUID.test(text)) return true;
  return text.split(/[^A-Za-z0-9+=]+/).some(isRandom);
}

/**
 * Nothing but the value of a key: letters and digits by chance, no path, no file, no word of a command. What a known key begins
 * with does not count: a package can be called so.
 */
export function isOpaque(value: string): boolean {
  if (!/^[A-Za-z0-9_.+/=~-]+$/.test(value) || /^[./~-]/.test(value) || /\.[a-z]\w{0,4}$/i.test(value))
    return false;
  if (value.split("/").some((piece) => /^[a-z._-]{2,}$/.test(piece))) return false;
  return UUID.test(value) || value.split(/[^A-Za-z0-9+=]+/).some(isRandom);
}

/** Words and versions in a path stay readable; anything long or mixed does not. */
export function isSecretSegment(segment: string): boolean {
  if (isSecretValue(segment)) return true;
  if (/^[a-z]{1,20}([-_.][a-z]{1,20})*$/i.test(segment)) return false;
  return segment.length >= 24 || (segment.length >= 12 && /^(?=.*\d)(?=.*[A-Za-z])[\w+=~-]+$/.test(segment));
}

export function isSecret(name: string, value: string): boolean {
  if (value === "" || /^(true|false|yes|no|on|off|none|null)$/i.test(value)) return false;
  return isSecretName(name) || isSecretValue(value);
}

function isRandom(chunk: string): boolean {
  if (/^(?=.*\d)[0-9a-f]{24,}$/i.test(chunk)) return true;
  if (chunk.length < 16) return false;
  const kinds = chunk.replace(/\d/g, "0").replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A");
  const changes = kinds.replace(/(.)\1+/g, "$1").length - 1;
  const digitChanges = kinds.match(/0[^0]|[^0]0/g)?.length ?? 0;
  return changes >= 4 && digitChanges >= 2;
}
