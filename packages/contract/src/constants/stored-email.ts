/**
 * The form in which an email address is stored and compared: in lower case, with its domain in ASCII, as mail writes it:
 * `ana@münchen.de` is stored as `ana@xn--mnchen-3ya.de`. So one mailbox is one user, and a letter that only looks like another one can
 * be seen. A text that is not an address does not become one.
 */
export function storedEmail(written: string): string {
  const address = written.trim().toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // URL parsing would undo percent-encoding, and end the host at a slash.
  if (!/[^!-~]|xn--/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return address;
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    // Not a name of the DNS. Without a domain, the text is refused as an address.
    return address.slice(0, at);
  }
}
