/**
 * Reports whether `mac` is what `signature` has after its label, in a time that depends on their length only. Signatures are
 * compared as text, and never decoded: decoders drop what they do not know (`Buffer.from('…zz', 'hex')` ignores the tail).
 */
export function equal(mac: string, signature: string, label = 0): boolean {
  let difference = mac.length ^ (signature.length - label);
  for (let index = 0; index < mac.length; index++)
    difference |= mac.charCodeAt(index) ^ signature.charCodeAt(label + index);
  return difference === 0;
}
