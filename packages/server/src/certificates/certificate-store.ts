import { createPrivateKey } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from '../data-directory/make-directory.ts';
import { readText } from '../data-directory/read-text.ts';
import { CHALLENGES } from './challenges.ts';
import { writePrivate } from '../data-directory/write-private.ts';

const pendingSchema = z.object({ url: z.string(), key: z.string() });

/** An order at the authority, and the key of its certificate. */
export type PendingOrder = z.output<typeof pendingSchema>;

const failuresSchema = z.object({
  /** The number of failed attempts in a row. */
  failures: z.int().positive(),
  /** The end of the last one. */
  failedAt: z.iso.datetime().transform((time) => new Date(time)),
  /** The delay that the authority asked for after it, in milliseconds. */
  retryAfterMs: z.number().nonnegative(),
  /** The challenge for the next attempt. */
  challenge: z.enum(CHALLENGES),
  /** The reason, for people. */
  lastError: z.string(),
});

/** Attempts that have failed since the last certificate. */
export type Failures = z.output<typeof failuresSchema>;

/**
 * The files of one domain at one authority, so that a certificate of a test authority is never taken for a real one.
 */
export class CertificateStore {
  readonly #folder: string;
  readonly #certificate: string;
  readonly #account: string;
  readonly #pending: string;
  readonly #failures: string;

  /** Makes the folder, which only its owner may open, in the data directory. */
  constructor(data: string, { domain, directory }: { domain: string; directory: string }) {
    const certificates = join(data, 'certificates');
    const { host, pathname } = new URL(directory);
    this.#folder = join(certificates, `${host}${pathname}`.replaceAll(/[^a-z0-9.-]+/gi, '_'));
    for (const folder of [certificates, this.#folder]) makePrivateFolder(folder);
    this.#certificate = join(this.#folder, `${domain}.pem`);
    this.#account = join(this.#folder, 'account.pem');
    this.#pending = join(this.#folder, `${domain}.order.json`);
    this.#failures = join(this.#folder, `${domain}.failures.json`);
  }

  /** The file of the key and the chain, for messages. */
  get path(): string {
    return this.#certificate;
  }

  /** The key and the chain, in PEM; `null` before the first. */
  get certificate(): string | null {
    return readText(this.#certificate);
  }

  saveCertificate(pem: string): void {
    writePrivate(this.#certificate, pem);
    rmSync(this.#pending, { force: true });
  }

  get accountKey(): string | null {
    return readText(this.#account);
  }

  saveAccountKey(pem: string): void {
    writePrivate(this.#account, pem);
  }

  /**
   * Moves a damaged account key aside, so that a new account is made. Returns its new path; `null` if the key is
   * intact.
   */
  setDamagedAccountAside(): string | null {
    const key = this.accountKey;
    if (key === null || isKey(key)) return null;
    const aside = `${this.#account}.damaged`;
    renameSync(this.#account, aside);
    return aside;
  }

  /** The order that was under way when an earlier process ended; `null` if there is none, or its key is damaged. */
  get pending(): PendingOrder | null {
    const order = readJson(this.#pending, pendingSchema);
    return order !== null && isKey(order.key) ? order : null;
  }

  savePending(order: PendingOrder): void {
    writePrivate(this.#pending, JSON.stringify(order));
  }

  forgetPending(): void {
    rmSync(this.#pending, { force: true });
  }

  /** The file of the failures, for messages. */
  get failuresPath(): string {
    return this.#failures;
  }

  /** The failures that an earlier process has left; `null` if there are none, or their file is damaged. */
  get failures(): Failures | null {
    return readJson(this.#failures, failuresSchema);
  }

  saveFailures(failures: Failures): void {
    writePrivate(this.#failures, JSON.stringify(failures));
  }

  forgetFailures(): void {
    rmSync(this.#failures, { force: true });
  }
}

function readJson<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | null {
  const text = readText(file);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function isKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
}
