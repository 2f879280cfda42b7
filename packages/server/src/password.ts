import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

// OWASP's scrypt parameters of 2025: 2^17 blocks of 1 KiB = 128 MiB for each hash under way.
const COST = { N: 131_072, r: 8, p: 1, maxmem: 192 * 1024 * 1024 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** No password has this hash: comparing with it takes as long as with one of a user. */
export const NO_PASSWORD = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** `scrypt$N$r$p$salt$hash`, with base64url parts: the parameters travel with the hash, so that they can grow. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** Whether `password` is the one behind `stored`, in constant time for a given hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, , , , salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

// One at a time, however many people log in at once: the memory of one hash is as much as the server needs itself.
let last: Promise<unknown> = Promise.resolve();

function derive(password: string, salt: Buffer): Promise<Buffer> {
  const turn = last.then(() => scryptOf(password, salt));
  last = turn.catch(() => {});
  return turn;
}

function scryptOf(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
