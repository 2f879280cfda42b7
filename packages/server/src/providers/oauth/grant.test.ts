import { expect, it } from 'vitest';
import { fakeApi, NOW } from '../fake-api.fixture.ts';
import { gitlab } from '../gitlab/gitlab.ts';
import { refresh } from './grant.ts';
import { gitlabOAuth } from '../gitlab/oauth.ts';

const app = { client_id: 'app', client_secret: 'app-secret' };
const old = {
  auth: 'oauth',
  token: 'old',
  refresh_token: 'r1',
  token_expires_at: NOW.toISOString(),
  project: 'acme/web',
};

it.each<[response: object, stored: object]>([
  [
    { expires_in: 7_200, refresh_token: 'r2' },
    { refresh_token: 'r2', token_expires_at: '2026-01-02T05:04:05.000Z' },
  ],
  [{}, { refresh_token: 'r1' }],
  [{ expires_in: '7200' }, { refresh_token: 'r1', token_expires_at: '2026-01-02T05:04:05.000Z' }],
  ...[1e15, -1, null, 'soon', 'NaN', {}].map((expires_in): [object, object] => [
    { expires_in, refresh_token: 'r2' },
    { refresh_token: 'r2' },
  ]),
  [{ refresh_token: null, scope: null, id_token: 'x' }, { refresh_token: 'r1' }],
])('a refreshed token has its own lifetime, or none: %j', async (response, stored) => {
  const { tools, url } = await fakeApi({
    'POST /oauth/token': () => [200, { access_token: 'new', token_type: 'bearer', ...response }],
  });
  const grantor = { provider: { ...gitlab, oauth: gitlabOAuth }, app, tools, origin: url };
  expect(await refresh(grantor, old)).toEqual({
    auth: 'oauth',
    token: 'new',
    project: 'acme/web',
    ...stored,
  });
});
