import { PERMISSIONS } from '@hubline/contract/constants';
import { expect, it } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

it('member permissions shows the role table of the specification, whole or for one role', async () => {
  const all = await runCli(['member', 'permissions', '--json=permission']);
  expect(JSON.parse(all.out)).toHaveLength(Object.keys(PERMISSIONS).length);
  const viewer = await runCli(['member', 'permissions', 'viewer', '-q']);
  expect(viewer).toMatchObject({ code: 0, out: 'view\nreceive_notifications\n' });
  expect(await runCli(['member', 'permissions', 'king'])).toMatchObject({ code: 2, out: '' });
});
