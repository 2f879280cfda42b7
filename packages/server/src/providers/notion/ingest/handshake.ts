import { decodeUtf8, isJsonObject, parseJson } from '../../wire/json-body.ts';

// A real one is `secret_` and 43 letters and digits.
const TOKEN = /^[\x21-\x7e]{16,200}$/;

/** The token in Notion's verification call, which has no other field; `null` for every other call. */
export function verificationTokenOf(body: Buffer): string | null {
  const json = parseJson(decodeUtf8(body) ?? '');
  if (!json.ok || !isJsonObject(json.value)) return null;
  const { verification_token: token, ...rest } = json.value;
  return typeof token === 'string' && TOKEN.test(token) && Object.keys(rest).length === 0 ? token : null;
}
