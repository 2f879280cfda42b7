import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@hubline/contract';
import { clientNetwork } from '../limits/client-network.ts';
import { HashQueue } from './hash-queue.ts';
import {
  type Bucket,
  processLimiter,
  type Limiter,
  type NewLimiter,
  prepareAll,
  RateLimited,
  takeAll,
  whenPrepared,
} from '../limits/rate-limiter.ts';

/** The origin of an attempt. */
interface Origin {
  readonly ip: string | null;
  readonly now: Date;
}

/** scrypt's parameters: blocks of `r` × 128 bytes, `N` of them, `p` times. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

// OWASP's parameters of 2025 for 32 MiB: as strong as those for 128 MiB, which would double the memory of the server.
const COST: HashCost = { N: 32_768, r: 8, p: 3 };
const MEMORY_MAX = 64 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

// Strangers must not lock a user out: the first attempts of an address are never refused because of others.
const OWN_ATTEMPTS = 3;
// The attempts for one user from all addresses, not counting those.
const USER_ATTEMPTS = LIMITS.loginsPerWindow * 3;

/** The only place that compares a password with a hash. It limits guessing, and one client cannot fill its queue. */
export class Passwords {
  readonly #queue = new HashQueue();
  readonly #cost: HashCost;
  /** A hash that no password has: comparing with it takes as long as with a real one. */
  readonly #nobody: string;
  readonly #byAddress: Limiter;
  readonly #byUser: Limiter;
  readonly #own: Limiter;

  constructor(cost: HashCost = COST, newLimiter: NewLimiter = processLimiter) {
    this.#byAddress = newLimiter({ kind: 'logins of address', limit: LIMITS.loginsPerWindow, strict: true });
    this.#byUser = newLimiter({ kind: 'logins of user', limit: USER_ATTEMPTS, strict: true });
    this.#own = newLimiter({ kind: 'logins of both', limit: OWN_ATTEMPTS, strict: true });
    this.#cost = cost;
    this.#nobody = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES), cost);
  }

  /**
   * Compares a password with that of a user. `hash` is `null` for an unknown user and one without a password; the
   * comparison takes as long.
   */
  async matches(
    origin: Origin,
    user: { email: string; hash: string | null },
    password: string,
  ): Promise<boolean> {
    const network = clientNetwork(origin.ip);
    await this.#charge(network, user.email, origin.now);
    return this.#queue.run(network, () => matchesHash(password, user.hash ?? this.#nobody));
  }

  async #charge(network: string, email: string, now: Date): Promise<void> {
    const address: Bucket = [this.#byAddress, network];
    const own: Bucket = [this.#own, `${network} ${email}`];
    const other: Bucket = [this.#byUser, email];
    const charge = await whenPrepared(
      () => prepareAll([address, own, other], now),
      () => takeAll([address, this.#own.look(own[1], now).allowed ? own : other], now),
    );
    if (!charge.allowed) throw new RateLimited(charge, 'attempts to log in');
  }

  /** Hashes a new password, in the same queue. */
  hash({ ip }: Origin, password: string): Promise<string> {
    return this.#queue.run(clientNetwork(ip), () => hashPassword(password, this.#cost));
  }
}

/**
 * `scrypt$N$r$p$salt$hash`, with base64url parts. The parameters are stored with the hash, so that they can be raised
 * later.
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, cost), cost);
}

async function matchesHash(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function encode(salt: Buffer, hash: Buffer, { N, r, p }: HashCost): string {
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function derive(password: string, salt: Buffer, cost: HashCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY_MAX }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
