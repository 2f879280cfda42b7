import { existsSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { EARLIEST, LATEST } from '../domain/plausible-clock.ts';
import { MEMORY_BUDGET_MIN, type ServerConfig } from '../config/config.ts';
import { sizeOf } from '../system/size-of.ts';
import { shellWord } from '../system/shell-word.ts';

/** File systems of other machines, by the number that the kernel of Linux gives them. */
const NETWORK: Readonly<Record<number, string>> = {
  0x69_69: 'NFS',
  0x51_7b: 'SMB',
  0xff_53_4d_42: 'SMB',
  0xfe_53_4d_42: 'SMB',
  0x01_02_19_97: '9P',
  0x00_c3_6400: 'Ceph',
  0x5346_414f: 'AFS',
};

const ROOM_BYTES = 100 * 1024 * 1024;
// The runtime, the cache of the database and garbage, in addition to the budget for requests and deliveries. With the default budget
// that makes 384 MiB: under attack, a server takes up to 400 MB (docs/benchmarks.md, `bounds`).
const BASE_BYTES = 256 * 1024 * 1024;
const MIB = 1024 * 1024;
const OTHERS = 0o077;
/** The mode bit of a directory that is meant for everybody, such as `/tmp`, and must not be closed. */
const STICKY = 0o1000;

/** The facts about the machine on which a start depends. */
interface Surroundings {
  now: Date;
  /** The kind of the data directory's file system, as the kernel numbers it. */
  fileSystem: number;
  freeBytes: number;
  /** The permissions of the data directory; those of the owner alone if the system has none. */
  mode: number;
  /** Memory of the machine, or the limit of its container. */
  memoryBytes: number;
}

/** Reads the facts about the machine. For a directory that does not exist yet, those of the one in which it will be made. */
export function surroundingsOf({ data }: Pick<ServerConfig, 'data'>, now: Date): Surroundings {
  let directory = resolve(data);
  while (!existsSync(directory)) directory = dirname(directory);
  const { type, bavail, bsize } = statfsSync(directory);
  return {
    now,
    fileSystem: type,
    freeBytes: bavail * bsize,
    mode: process.platform === 'win32' || !existsSync(data) ? 0o700 : statSync(data).mode & 0o7777,
    memoryBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
  };
}

/** Warnings for the operator, as sentences, about problems that this machine will cause later. */
export function warningsOf(
  { data, databaseUrl, memoryBudget }: Pick<ServerConfig, 'data' | 'databaseUrl' | 'memoryBudget'>,
  { now, fileSystem, freeBytes, mode, memoryBytes }: Surroundings,
): string[] {
  const network = NETWORK[fileSystem];
  const isHere = databaseUrl === undefined;
  const needed = BASE_BYTES + memoryBudget * MIB;
  const warnings: (string | false)[] = [
    isHere &&
      network !== undefined &&
      `${resolve(data)} is on a network file system (${network}), where locks do not protect a database. Put the data on a local disk, or use PostgreSQL with --database-url.`,
    isHere &&
      freeBytes < ROOM_BYTES &&
      `${sizeOf(freeBytes)} are free in ${resolve(data)}. When it is full, writes are refused. Make room.`,
    (mode & OTHERS) !== 0 &&
      `Other users may open ${resolve(data)} (mode ${mode.toString(8)}). The files in it are closed to them. ${(mode & STICKY) !== 0 ? 'It is better to name a directory for Hubline alone, with --data or HUBLINE_DATA.' : `If the directory is for Hubline alone, close it too: chmod 700 ${shellWord(resolve(data))}`}`,
    now.toISOString() < EARLIEST &&
      `The clock says ${now.toISOString().slice(0, 10)}, before this version was made. Set the clock: certificates, signatures and retries depend on it.`,
    now.toISOString() > LATEST &&
      `The clock says ${now.toISOString().slice(0, 10)}, decades after this version was made. Set the clock: retries and schedules follow it. No old data is removed until then.`,
    memoryBytes < needed &&
      `This process may use ${Math.floor(memoryBytes / MIB)} MiB of memory and can need up to ${needed / MIB}. ${cureOf({ memoryBytes, memoryBudget })}`,
  ];
  return warnings.filter((each) => each !== false);
}

/** Says which budget fits, or how much memory even the smallest one needs. */
function cureOf({ memoryBytes, memoryBudget }: { memoryBytes: number; memoryBudget: number }): string {
  const fitting = Math.floor((memoryBytes - BASE_BYTES) / MIB);
  if (fitting >= MEMORY_BUDGET_MIN) return `Lower --memory-budget from ${memoryBudget} to ${fitting}.`;
  const least = BASE_BYTES / MIB + MEMORY_BUDGET_MIN;
  return `Give it at least ${least} MiB, and set --memory-budget ${MEMORY_BUDGET_MIN}.`;
}
