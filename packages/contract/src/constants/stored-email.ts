import { LIMITS } from './limits.ts';

// The rule of HTML's `<input type="email">`: only sending to an address shows that it works. Before the @ there is only
// ASCII, which every mail server accepts, and which has no lookalike letters.
const LABEL = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;
const EMAIL = new RegExp(String.raw`^[a-z\d.!#$%&'*+/=?^_\`{|}~-]+@(?:${LABEL}\.)+(?!\d+$)${LABEL}$`);

/**
 * The form in which an email address is stored and compared: in lower case, with its domain in ASCII, as mail servers exchange it.
 * `ana@münchen.de` is stored as `ana@xn--mnchen-3ya.de`. One mailbox is therefore one user, and a lookalike letter is
 * visible. A text that is not an address does not become one.
 */
export function storedEmail(written: string): string {
  const address = written.trim().toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // Only letters, digits, dots and hyphens are parsed: a URL decodes percent-encoding, and its host ends at a slash.
  if (!/[^!-~]|xn--/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return address;
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    // The domain is not a DNS name. Left out, so that `isEmail` refuses the text.
    return address.slice(0, at);
  }
}

/** Reports whether a text, in the form in which it is stored, is an email address that the server accepts. */
export const isEmail = (stored: string): boolean => stored.length <= LIMITS.emailMax && EMAIL.test(stored);
