import { PERMISSIONS as contract } from '@hubline/contract';
import { expect, it } from 'vitest';
import { PERMISSIONS } from './role-table.ts';
import { runCli } from './test/run-cli.ts';

it('is the role table of the contract', () => {
  expect(PERMISSIONS).toEqual(contract);
});

it('is shown whole, or for one role', async () => {
  const all = await runCli(['member', 'permissions', '--json=permission']);
  expect(JSON.parse(all.out)).toHaveLength(Object.keys(contract).length);
  const viewer = await runCli(['member', 'permissions', 'viewer', '-q']);
  expect(viewer).toMatchObject({ code: 0, out: 'view\nreceive_notifications\n' });
  expect(await runCli(['member', 'permissions', 'king'])).toMatchObject({ code: 2, out: '' });
});
