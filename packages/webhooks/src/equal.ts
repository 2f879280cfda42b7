/**
 * Whether two strings are equal, in a time that depends on their length only. Signatures are compared as text of a form that
 * was checked before, and never decoded: decoders drop what they do not know (`Buffer.from('…zz', 'hex')` ignores the tail).
 */
export function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
