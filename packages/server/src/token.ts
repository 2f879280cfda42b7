import { hash, randomBytes } from 'node:crypto';

/** A secret that nobody guesses: 256 bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How a token is stored: with so many random bits, a slow hash would protect nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
