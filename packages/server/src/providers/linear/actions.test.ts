import { LinearClient } from '@linear/sdk';
import { expect, it } from 'vitest';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { type Call, expectSame, expectUnavailable, fakeApi, stepIn } from '../fake-api.fixture.ts';
import { linearActions } from './actions.ts';
import { isOwnId } from './ingest/own.ts';

const { 'linear.create_issue': createIssue } = linearActions;
const SECRET = 'ingest-secret';
const connection = { credentials: { api_key: 'lin_api_1', webhook_secret: SECRET, team: 'ENG' }, config: {} };
const GRAPHQL = 'POST /api/graphql';
const URL = 'https://linear.app/acme/issue/ENG-8';

const fakeLinear = () =>
  fakeApi({
    [GRAPHQL]({ body }) {
      const data = String(body?.['query']).includes('issueCreate')
        ? {
            issueCreate: { success: true, lastSyncId: 1, issue: { id: 'i1', identifier: 'ENG-8', url: URL } },
          }
        : { teams: { nodes: [{ id: 'team-1' }] } };
      return [200, { data }, { 'content-type': 'application/json' }];
    },
  });

const input = ({ headers, body }: Call) => ({
  authorization: headers['authorization'],
  input: readPointer(body, '/variables/input'),
});

it('opens an issue as a client does, with an ID to recognize it by, and returns its identifier', async () => {
  const api = await fakeLinear();
  const result = await createIssue.run(
    connection,
    { title: ' Disk is full ', description: 'On *web-1*' },
    stepIn(api.tools),
  );
  expect(result).toEqual({ ok: true, output: { identifier: 'ENG-8', url: URL } });
  expect(result.ok && Object.keys(result.output)).toEqual(createIssue.outputs);
  // The first call looks up the team.
  const [, ...calls] = api.calls.splice(0);
  api.calls.push(...calls);
  const asked = calls[0]?.body?.['variables'] as {
    input: { id: string; teamId: string; title: string; description: string };
  };
  expect(asked.input).toEqual({
    id: expect.any(String),
    teamId: 'team-1',
    title: 'Disk is full',
    description: 'On *web-1*',
  });
  expect(isOwnId(asked.input.id, SECRET)).toBe(true);
  await expectSame(api, input, () =>
    new LinearClient({ apiKey: 'lin_api_1', apiUrl: `${api.url}/api/graphql` }).createIssue(asked.input),
  );
});

it('refuses a team that is not one without a call', async () => {
  const api = await fakeLinear();
  const error = expect.stringContaining('input.team must be the key of a team');
  expect(await createIssue.run(connection, { title: 'x', team: 'no team' }, stepIn(api.tools))).toEqual({
    ok: false,
    error,
  });
  expect(api.calls).toEqual([]);
});

it('passes on the reason of a refusal, reports a refused key, and throws when there is no response', async () => {
  const response = (type: string, status: number) =>
    fakeApi({ [GRAPHQL]: () => [status, { errors: [{ message: 'No.', extensions: { type } }] }] });
  const refused = await response('invalid input', 400);
  expect(await createIssue.run(connection, { title: 'x' }, stepIn(refused.tools))).toEqual({
    ok: false,
    error: 'Linear refused: No',
  });
  const key = await response('authentication error', 401);
  expect(await createIssue.run(connection, { title: 'x' }, stepIn(key.tools))).toEqual({
    ok: false,
    error: 'Linear refused: No',
    refused: 'credentials',
  });
  const down = await fakeApi({ [GRAPHQL]: () => [502, '<html>'] });
  await expectUnavailable(
    createIssue.run(connection, { title: 'x' }, stepIn(down.tools)),
    'responded with 502',
  );
});
