import { expect, it } from 'vitest';
import { startContractServer } from '../packages/contract-server.ts';
import { runDocExamples } from './doc-examples.ts';

it('the examples in the doc comments of the SDK and of the types of the API run to their end', async () => {
  await using server = await startContractServer();
  const { count, failed } = await runDocExamples({
    home: 'sdk',
    others: ['contract'],
    given: `
import { Hubline } from '@hubline/sdk';
Object.assign(globalThis, { client: new Hubline({ logLevel: 'off' }), workspaceId: 'ws_1' });`,
    env: { HUBLINE_API_KEY: 'hl_test', HUBLINE_BASE_URL: server.baseUrl, GITHUB_TOKEN: 'ghp_test' },
  });
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

it('the examples in the doc comments of the webhook helper run, and their receivers accept a signed call', async () => {
  const secret = 'my-signing-secret';
  const { count, failed } = await runDocExamples({
    home: 'webhooks',
    // Servers listen on free ports, and nothing goes to the internet.
    given: `
import { Server } from 'node:net';
import { signTestWebhook } from '@hubline/webhooks';
const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, typeof port === 'number' ? 0 : { ...port, port: 0 }, ...rest);
};
globalThis.fetch = async () => new Response();`,
    after: `
const call = await signTestWebhook({ secret: ${JSON.stringify(secret)} });
const url = 'https://app.example.com/hooks/hubline';
const status =
  (await module.POST?.(new Request(url, call)))?.status ??
  (await module.handler?.(call))?.statusCode ??
  (await module.default?.fetch?.(new Request(url, call)))?.status;
if ((status ?? 200) !== 200) throw new Error('The response to a signed call was ' + status);`,
    env: { HUBLINE_WEBHOOK_SECRET: secret },
  });
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
