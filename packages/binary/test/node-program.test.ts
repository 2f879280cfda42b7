import { expect, it } from 'vitest';
import { nearest } from '../scripts/node-program.ts';

const ours = ['22.23.2', '24.0.0', '24.9.0', '24.10.0', '24.18.1', '24.21.0', '24.22.0', '26.10.0'];

it.each([
  {
    title: 'the newest of the same major version',
    theirs: ['22.23.2', '24.0.0', '24.18.1', '26.10.0'],
    version: '24.18.1',
  },
  { title: 'numbers, not letters', theirs: ['24.9.0', '24.10.0'], version: '24.10.0' },
  { title: 'none that is newer than ours', theirs: ['24.0.0', '24.22.0'], version: '24.0.0' },
  { title: 'none that this system cannot pack for', theirs: ['24.0.0', '24.18.0'], version: '24.0.0' },
  { title: 'none of another major version', theirs: ['22.23.2', '26.10.0'], version: undefined },
  { title: 'none at all', theirs: [], version: undefined },
])('takes $title', ({ theirs, version }) => {
  expect(nearest('24.21.0', theirs, ours)).toBe(version);
});
