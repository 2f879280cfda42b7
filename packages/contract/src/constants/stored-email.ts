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
    // The domain is not a DNS name. Without it, the text is refused as an address.
    return address.slice(0, at);
  }
}
