import { hash, randomBytes } from 'node:crypto';

/** Makes a secret that nobody can guess: 256 bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a token for storage. With so many random bits, a slow hash would add nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
