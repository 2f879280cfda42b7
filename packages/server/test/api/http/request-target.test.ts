import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBase } from '../support/api.ts';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { raw } from '../support/raw-http.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace({ dashboard: '/nowhere/', flags: { httpThread: 'on' } });
});
afterAll(() => workspace.stop());

/** Requests a target exactly as it is written. */
async function ask(target: string | Buffer) {
  const head = Buffer.from(
    ` HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.server.apiKey}\r\nAccept: text/html\r\n\r\n`,
  );
  const request = Buffer.concat([Buffer.from('GET '), Buffer.from(target as string), head]);
  const { responses } = await raw(workspace.server.url, request, { responses: 1 });
  const [response] = responses;
  if (!response) throw new Error('There is no response.');
  return response;
}

describe('a path that is not in its plain form', () => {
  it.each([
    '/v1/workspaces/../workspaces',
    '/v1/workspaces/%2e%2e/workspaces',
    '/v1/workspaces/%2E%2e/workspaces',
    '/v1/workspaces/.%2e/workspaces',
    '/v1/./workspaces',
    '/v1/%2E/workspaces',
    '/v1/workspaces/.',
    '/v1/workspaces/..',
    '/v1//workspaces',
    '//v1/workspaces',
    '/v1/workspaces//',
    '/v1%2fworkspaces',
    '/v1%2Fworkspaces',
    '/v1%5cworkspaces',
    '/v1%5Cworkspaces',
    '/v1\\workspaces',
    '/v1/..\\v1/workspaces',
    '\\v1/workspaces',
    '/v1/workspaces;a=b',
    '/v1/workspaces/..;/workspaces',
    '/v1;/workspaces',
    '/v1%3b/workspaces',
    // RFC 3986, 6.2.2.2: an encoded letter equals the letter, which not every filter knows.
    '/v1/%77orkspaces',
    '/%761/workspaces',
    '/v1/workspaces%00',
    '/v1/workspaces%0a',
    '/v1/workspaces%7f',
    '/v1/workspaces%',
    '/v1/workspaces%zz',
    '/v1/workspaces#fragment',
    '/v1/workspaces#/../../x',
    '/v1/"workspaces"',
    '/v1/work|spaces',
    Buffer.from('/v1/workspaces\u{e9}', 'latin1'),
    'http://x/v1/workspaces/../workspaces',
    'http://x//v1/workspaces',
    'http://x/%76%31/workspaces',
    'http://x\\v1/workspaces',
    'http://me@x/v1/workspaces',
    'http://x#/v1/workspaces',
    'http:/v1/workspaces',
    'ftp://x/v1/workspaces',
    'http:///v1/workspaces',
    'http://x:65536/v1/workspaces',
    'http://../v1/workspaces',
    'http://[::1/v1/workspaces',
    'http://x y/v1/workspaces',
    'v1/workspaces',
    '*',
    // Paths outside the API: the dashboard's pages and files, and endpoints for operators.
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '//index.html',
    '/./index.html',
    '/x/../livez',
    '//metrics',
    '/%6detrics',
    '/x/../setup?token=x',
  ])('is refused with 400, and the reason: %s', async (target) => {
    const response = await ask(target);
    checkBase(response);
    expect(response.status, response.text).toBe(400);
    expect((response.json as { error: { message: string } }).error.message).toMatch(
      /^The (?:path of|host in the target of) the request |^The request is not valid HTTP/,
    );
  });
});

describe('a path in its plain form', () => {
  it.each<[string, () => string, number]>([
    ['a path', () => '/v1/workspaces', 200],
    ['a path with a query that holds anything', () => '/v1/workspaces?cursor=../;%2e//%5c\\', 400],
    ['an absolute target', () => 'http://x/v1/workspaces', 200],
    [
      'an absolute target with another host, port and case',
      () => 'HTTP://[::1]:80/v1/workspaces?limit=1',
      200,
    ],
    ['an absolute target with a name and a port', () => 'https://hub.example.:65535/v1/workspaces', 200],
    ['an absolute target without a path', () => 'http://x', 404],
    ['an absolute target with a query alone', () => 'http://x?a=b', 404],
    ['an ID that is not one', () => '/v1/workspaces/nonsense', 404],
    ['an ID with dots in it', () => '/v1/workspaces/a..b', 404],
    ['three dots', () => '/v1/workspaces/...', 404],
    ['an ID that needs encoding', () => '/v1/workspaces/%F0%9F%91%BE%20', 404],
    [
      'an ID that is encoded twice',
      () => `/v1/workspaces/%252e%252e/workspaces/${workspace.workspaceId}`,
      404,
    ],
    ['an ID with what RFC 3986 allows in a path', () => "/v1/workspaces/~!$&'()*+,=:@", 404],
    ['a slash at the end', () => '/v1/workspaces/', 404],
  ])('is routed as it is: %s', async (_, target, status) => {
    const response = await ask(target());
    expect(response.status, response.text).toBe(status);
    if (target().includes('cursor=')) expect(response.text).toContain('cursor');
  });
});
