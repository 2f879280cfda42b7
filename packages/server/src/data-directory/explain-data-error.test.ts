import { expect, it } from 'vitest';
import { explainDataError } from './explain-data-error.ts';

const failure = (code: string) => Object.assign(new Error('disk I/O error'), { code });
// Like a disk that fails, this directory does not tell its free space.
const DATA = '/hubline-missing/data';

it.each([
  ['SQLITE_IOERR_READ', `The disk of ${DATA} is failing: disk I/O error. Check the disk and the system log.`],
  ['EIO', `The disk of ${DATA} is failing: disk I/O error. Check the disk and the system log.`],
  [
    'SQLITE_FULL',
    `There is no space for the database in ${DATA}. Make room, or name another place with --data or HUBLINE_DATA.`,
  ],
])('explains %s where the free space is unknown', (code, message) => {
  expect(explainDataError(failure(code), DATA)).toMatchObject({ name: 'ConfigError', message });
});
