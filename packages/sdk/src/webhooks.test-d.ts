import type { DELIVERY_HEADERS } from '@hubline/contract/constants';
import type { SignatureHeaders } from './webhooks.ts';

// Compiled by tsc, never run: an assertion that does not hold is a type error.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

type Delivery = typeof DELIVERY_HEADERS;

// `@hubline/webhooks` has no dependencies, so it repeats the names of the contract.
export function theSignatureHeadersAreThoseOfTheContract(): void {
  type Names = Delivery['signature' | 'standardId' | 'standardTimestamp' | 'standardSignature'];
  assertType<Equal<keyof SignatureHeaders, Names>>();
}
