/** Replaces a secret, as in the audit log. */
export const MASK = '[redacted]';

// Match anywhere in a name, however its words are separated: `api_key`, `X-Api-Key`, `apiKey`.
const LONG_NAMES =
  /token|secret|passw(?:or)?d|passphrase|passcode|apikey|accesskey|privatekey|signingkey|encryptionkey|authorization|credential|signature|cookie|sessionid/;
// These match only as a separate word, because within other words they mean something else.
const SHORT_NAMES: ReadonlySet<string> = new Set([
  'auth',
  'bearer',
  'cvc',
  'cvv',
  'jwt',
  'otp',
  'pwd',
  'sig',
]);

/** Reports whether the value under a name is likely to be a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return LONG_NAMES.test(words.join('')) || words.some((word) => SHORT_NAMES.has(word));
}

// Keys are recognized by their beginning, even if they were cut short.
const KEYS = new RegExp(
  [
    // JSON Web Tokens: both parts begin with `{"`.
    String.raw`\beyJ[\w-]{8,}\.(?:eyJ[\w-]*)?(?:\.[\w-]*)?`,
    String.raw`\bhl_[0-9A-Za-z]{20,}`,
    String.raw`\bgh[a-z]_[0-9A-Za-z]{16,}|\bgithub_pat_\w{16,}`,
    String.raw`\bgl[a-z]{2,5}-[\w-]{16,}`,
    String.raw`\bxox[a-z]-[\w-]{11,}|\bxapp-[\w-]{11,}`,
    String.raw`\b[sr]k_(?:live|test)_\w{8,}|\bsk-[\w-]{16,}`,
    String.raw`\bwhsec_[\w+/=-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}`,
    String.raw`\b(?:lin_(?:api|oauth|wh)|ntn|npm|secret|shp[a-z]{2}|dop_v1|pypi)[_-][0-9A-Za-z]{20,}`,
    String.raw`\bATATT3[\w=-]{16,}`,
    String.raw`\bSG\.[\w-]{16,}\.[\w-]{16,}`,
    // URLs that are secrets in themselves.
    String.raw`\bhooks\.slack\.com/\w+/[\w/-]+|\bdiscord(?:app)?\.com/api/webhooks/[\w/-]+`,
  ].join('|'),
  'g',
);
// No key is shorter, and prose has few words that are as long.
const SHORTEST_KEY = 16;
const IN_KEYS = new Uint8Array(128).map((_, code) => (/[\w./+=-]/.test(String.fromCharCode(code)) ? 1 : 0));
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)/g;
// `https://user:password@host`
const USER_INFO = /:\/\/[^\s/@:]+:[^\s/@]+@/g;
// `Bearer …`, and not "Basic authentication".
const SCHEMES = /\b(Bearer|Basic)\s+(?=[\w.~+/=-]*[\d=])[\w.~+/=-]{8,}/gi;
const MAY_HAVE_SCHEME = /\b(?:bearer|basic)\s/i;
// `password=…`, `"token": "…"`; after a colon only a value that no sentence would continue with.
const NAMED =
  /((?:token|secret|passw(?:or)?d|pwd|api[_-]?key|access[_-]?key|private[_-]?key|authorization|signature|cookie|\bsig)[\w.-]*["']?\s*(?:=\s*["']?|:\s*["']?(?=[^\s"',;&]{6})(?=[^\s"',;&]*\d)))[^\s"',;&]+/gi;

/**
 * Masks every secret in a foreign text that can be recognized by its form. Every published event passes through here several times, so
 * patterns that cannot match are skipped.
 */
export function maskSecrets(text: string): string {
  let masked = text;
  if (hasLongWord(masked)) masked = masked.replaceAll(KEYS, MASK);
  if (masked.includes('-----BEGIN ')) masked = masked.replaceAll(PRIVATE_KEY, MASK);
  if (masked.includes('://')) masked = masked.replaceAll(USER_INFO, `://${MASK}@`);
  if (MAY_HAVE_SCHEME.test(masked)) masked = masked.replaceAll(SCHEMES, `$1 ${MASK}`);
  if (masked.includes('=') || masked.includes(':')) masked = masked.replaceAll(NAMED, `$1${MASK}`);
  return masked;
}

/** Reports whether a text has a word as long as a key. A word that long covers a 16th character of the text: only these are checked. */
function hasLongWord(text: string): boolean {
  for (let index = SHORTEST_KEY - 1; index < text.length; index += SHORTEST_KEY) {
    if (!isInKeys(text, index)) continue;
    let [start, end] = [index, index + 1];
    while (isInKeys(text, start - 1)) start -= 1;
    while (isInKeys(text, end)) end += 1;
    if (end - start >= SHORTEST_KEY) return true;
  }
  return false;
}

const isInKeys = (text: string, index: number): boolean => IN_KEYS[text.charCodeAt(index)] === 1;
