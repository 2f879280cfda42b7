/**
 * The form in which an email address is stored and compared: in lower case, with its domain in ASCII, as mail writes it. Of
 * `ana@münchen.de` and `ana@xn--mnchen-3ya.de` it is the second, so that one mailbox is one user, and a letter that looks like another
 * one shows. What is no address stays none.
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
    // No name of the DNS: without it, there is no address.
    return address.slice(0, at);
  }
}
