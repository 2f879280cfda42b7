/** Runs in Jest's jsdom, which itself has neither `fetch` nor `TextDecoder`. Components that import the SDK must load there. */
const { Hubline, isHublineError } = require('@hubline/sdk');

const options = {
  apiKey: 'hl_ThisIsATestKeyThatMustNeverBeShown00',
  dangerouslyAllowBrowser: true,
  maxRetries: 0,
};

const failureOf = (call) =>
  call.then(
    () => new Error('It did not fail.'),
    (error) => error,
  );

test('every entry loads', () => {
  for (const entry of ['fetch', 'ky', 'node']) require(`@hubline/sdk/${entry}`);
});

test('a web page is refused, as in a browser', () => {
  expect(() => new Hubline({ apiKey: options.apiKey })).toThrow('dangerouslyAllowBrowser');
});

test('a call without fetch says what is missing', async () => {
  const error = await failureOf(new Hubline(options).me.get());
  expect(isHublineError(error)).toBe(true);
  expect(error.message).toContain('no fetch');
});

test('a transport of the test is used, once there is a TextDecoder', async () => {
  async function* body() {
    yield Buffer.from('{"id":"ws_1"}');
  }
  const transport = async () => ({ status: 200, headers: {}, body: body() });
  // With these retries, the test would time out if the missing TextDecoder counted as a lost connection.
  const client = new Hubline({ ...options, transport, maxRetries: 4 });
  await expect(client.workspaces.get('ws_1')).rejects.toThrow('TextDecoder is not defined');
  globalThis.TextDecoder = process.getBuiltinModule('node:util').TextDecoder;
  expect(await client.workspaces.get('ws_1')).toEqual({ id: 'ws_1' });
});
