import { expect, it } from 'vitest';
import { warningsOf } from './start-warnings.ts';

const GIB = 1024 ** 3;
const good = {
  now: new Date('2026-11-23'),
  fileSystem: 0xef53,
  freeBytes: GIB,
  mode: 0o700,
  memoryBytes: GIB,
};
const config = { data: '/data', databaseUrl: undefined, memoryBudget: 160 };

it.each([
  ['nothing where all is well', {}, {}, []],
  ['NFS', { fileSystem: 0x6969 }, {}, [/^\/data is on a network file system \(NFS\).*--database-url/]],
  ['SMB', { fileSystem: 0xfe534d42 }, {}, [/\(SMB\)/]],
  ['little space', { freeBytes: 300_000 }, {}, [/^292 KiB are free in \/data/]],
  ['a directory of others', { mode: 0o755 }, {}, [/^Other users .* \/data \(mode 755\).* chmod 700 \/data$/]],
  ['one with a space in its name', { mode: 0o755 }, { data: '/my data' }, [/chmod 700 '\/my data'$/]],
  [
    'a directory for everybody',
    { mode: 0o1777 },
    {},
    [/\(mode 1777\).* It is better to name a directory for Hubline alone, with --data/],
  ],
  ['nothing on PostgreSQL', { fileSystem: 0x6969, freeBytes: 0 }, { databaseUrl: 'postgres://x/y' }, []],
  ['a clock without a battery', { now: new Date('1970-01-01') }, {}, [/^The clock says 1970-01-01/]],
  ['a clock far ahead', { now: new Date('2099-01-01') }, {}, [/^The clock says 2099-01-01, decades/]],
  [
    'little memory',
    { memoryBytes: GIB * (3 / 8) },
    {},
    [/may use 384 MiB of memory and can need up to 416\. Lower --memory-budget from 160 to 128\.$/],
  ],
  ['nothing where the memory just suffices', { memoryBytes: GIB * (13 / 32) }, {}, []],
  [
    'less memory than the smallest budget needs',
    { memoryBytes: GIB / 16 },
    {},
    [
      /may use 64 MiB of memory and can need up to 416\. Give it at least 288 MiB, and set --memory-budget 32\.$/,
    ],
  ],
])('warns of %s', (_, surroundings, changes, expected) => {
  const warnings = warningsOf({ ...config, ...changes }, { ...good, ...surroundings });
  expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});
