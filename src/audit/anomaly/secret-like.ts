/** Paths, names and addresses where credentials are kept. Short texts only: prose that speaks of passwords is none. */
const SECRET_PLACES =
  /(?:^|[/\\~])\.(?:env(?:\.[\w-]+)?|ssh|aws|azure|gnupg|kube|netrc|npmrc|pypirc|git-credentials|pgpass|docker\/config\.json|vault-token)(?:$|[/\\])|(?:^|[/\\])(?:id_(?:rsa|dsa|ecdsa|ed25519)|authorized_keys|shadow|gshadow|sudoers|passwd|credentials?(?:\.\w+)?|secrets?(?:\.\w+)?|keystore(?:\.\w+)?|wallet\.dat|login\.keychain(?:-db)?|logins\.json|key4\.db|(?:service[-_]?account)[\w-]*\.json)(?:$|[/\\])|\.(?:pem|p12|pfx|key|jks|kdbx|ovpn|asc)$|\/proc\/(?:self|\d+)\/(?:environ|mem|cmdline)|169\.254\.169\.254|metadata\.google\.internal|\/latest\/meta-data|\/var\/run\/secrets/i;
const SECRET_NAMES =
  /(?:^|[^a-z])(?:secrets?|credentials?|passwords?|passwd|api[-_ ]?keys?|private[-_ ]?keys?|access[-_ ]?(?:tokens?|keys?)|auth[-_ ]?tokens?|ssh[-_ ]?keys?|keychain|getenv|env(?:iron(?:ment)?)?[-_]?(?:vars?|variables?)|vault|service[-_ ]?account|connection[-_ ]?string)(?:$|[^a-z])/i;
const MAX_NAME = 120;

export function isSecretLike(text: string): boolean {
  if (text.length < 3) return false;
  if (SECRET_PLACES.test(text)) return true;
  return text.length <= MAX_NAME && SECRET_NAMES.test(splitWords(text));
}

/** `getApiKey` as `get_api_key`. */
function splitWords(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}
