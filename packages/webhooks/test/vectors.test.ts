import { beforeAll, describe, expect, it } from 'vitest';
import { BACKENDS, loadBackend } from './backends.ts';

const V1 =
  '{"id":"dlv_01","type":"event.created","created_at":"2026-01-02T03:04:05.000Z","workspace_id":"ws_01","data":{}}';

// Each vector comes from the source that it names; V1 to V5 are Hubline's own.
const hexVectors: [name: string, secret: string, body: string | Uint8Array, signature: string][] = [
  [
    'Hubline V1, an envelope',
    'whsec_test_secret',
    V1,
    '463c2e0da6abe2ea45ff6e298e8f0651a870fcebce9cebff8eb4ad507521839b',
  ],
  [
    'Hubline V2, an empty body',
    'whsec_test_secret',
    '',
    'c6c175a074d482e2b94a0f8c5619f3abd861a511ec3ea7603b906811fd3d9d30',
  ],
  [
    'Hubline V3, secret and body beyond ASCII',
    'sécret-🔑',
    '{"m":"naïve 😀"}',
    'b43b2e057c93ba38a55a2046d4ea76644518208541ee57fbbf6794b3c3e42dfc',
  ],
  [
    'Hubline V4, a newline at the end',
    'whsec_test_secret',
    `${V1}\n`,
    '82f620af9179ef2685f10933b73754e0bdbfc94e836720a8d2f7f4c351e0d503',
  ],
  [
    'Hubline V5, bytes that are not UTF-8',
    'whsec_test_secret',
    Uint8Array.of(0xff, 0xfe, 0x00, 0x80),
    'd246cfed277d09b78f7e66cd865876ad41e877c71d7b2815d7efbcb9c4fc5f2c',
  ],
  [
    'GitHub, "Validating webhook deliveries"',
    "It's a Secret to Everybody",
    'Hello, World!',
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
  [
    'octokit webhooks-methods',
    'mysecret',
    '{"foo":"bar"}',
    '4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
  ],
  [
    'Jira',
    "It's a Secret to Everybody",
    'Hello World!',
    'a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
  ],
  [
    'stripe-node, an empty body',
    'test_secret',
    '',
    'f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd',
  ],
  [
    'stripe-node, an object',
    'test_secret',
    '{"obj1":"hello","obj2":"world"}',
    'bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363',
  ],
  [
    'stripe-node, U+1F600',
    'test_secret',
    '\u{1F600}',
    '837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43',
  ],
];

// RFC 4231: its keys are bytes, which a text secret cannot express, so these tests call `hmac` directly.
const rfcVectors: [name: string, key: string, data: string, mac: string][] = [
  ['1', '\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    '2',
    'Jefe',
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    '6, a key longer than a block',
    '\xaa'.repeat(131),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
];

const standard = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe.each(BACKENDS)('published vectors, with %s', (backend) => {
  let core: Awaited<ReturnType<typeof loadBackend>>;
  beforeAll(async () => {
    core = await loadBackend(backend);
  });

  it.each(hexVectors)('signs and verifies %s', async (_name, secret, body, signature) => {
    expect(await core.sign(body, secret)).toBe(signature);
    expect(await core.verify(body, signature, secret)).toBe(true);
    expect(await core.verify(body, signature, `${secret}x`)).toBe(false);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    expect(await core.sign(bytes, secret)).toBe(signature);
    expect(await core.verify(Buffer.concat([bytes, Buffer.of(0)]), signature, secret)).toBe(false);
  });

  it.each(rfcVectors)('computes RFC 4231 test case %s', async (_name, key, data, mac) => {
    expect(await core.hmac({ text: key, encoding: 'latin1' }, [data], 'hex')).toBe(mac);
    const halves = [data.slice(0, 4), Buffer.from(data.slice(4))];
    expect(await core.hmac({ text: key, encoding: 'latin1' }, halves, 'hex')).toBe(mac);
  });

  it('signs the Standard Webhooks vector', async () => {
    expect(await core.signStandard(standard.message, standard.secret)).toBe(standard.signature);
  });
});
