/**
 * Reports whether `signature` is a label of `label` characters and then `mac`. The time depends only on their lengths.
 * Signatures are compared as text, and never decoded: decoders drop invalid characters (`Buffer.from('…zz', 'hex')` ignores
 * the tail).
 */
export function equal(mac: string, signature: string, label = 0): boolean {
  let difference = mac.length ^ (signature.length - label);
  for (let index = 0; index < mac.length; index++)
    difference |= mac.charCodeAt(index) ^ signature.charCodeAt(label + index);
  return difference === 0;
}
