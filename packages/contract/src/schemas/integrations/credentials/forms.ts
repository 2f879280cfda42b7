import { z } from 'zod';
import { LIMITS } from '../../../constants/limits.ts';

// Line breaks would end a header, NUL and lone surrogates would not survive storage.
const isPlain = (value: string) => !/\p{Cc}/u.test(value) && value.isWellFormed();

/** A credential that is not a secret, such as a host. An error message names the rule and never repeats the value. */
export const setting = z
  .string('must be a string')
  .refine((value) => value !== '', { error: 'must not be empty; leave it out instead', abort: true })
  .refine(isPlain, { error: 'must not contain control characters', abort: true })
  .refine((value) => value.trim() === value, {
    error: 'must not begin or end with white space',
    abort: true,
  })
  .meta({ minLength: 1, maxLength: LIMITS.credentialMax });

/** A credential that is hidden where people see it. */
export const secret = setting.meta({ format: 'password' });

/** A secret that becomes a header. */
export const headerSecret = secret.regex(/^[\x21-\x7e]+$/, 'must contain only visible ASCII characters');

/**
 * A URL that is a secret itself: anyone who knows it can write there. Each use has a pattern that says more; with a second
 * one here, the document would need `allOf`, with which some generators fail.
 */
export const secretUrl = secret.refine((url) => url.startsWith('https://'), 'must begin with https://');

/** A token that is appended to a URL without encoding. */
export const urlToken = secret.regex(
  /^[\w.~-]{16,}$/,
  'must have at least 16 characters, and only letters, digits and . _ ~ -',
);

/** A host that runs a tool, with its port where that is not 443. */
export const host = setting.regex(
  /^[A-Za-z\d](?:[A-Za-z\d.-]*[A-Za-z\d])?(?::\d{1,5})?$/,
  'must be a host name alone, without https:// and a path, such as git.example.com',
);

/** One of a few words. */
export const oneOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
