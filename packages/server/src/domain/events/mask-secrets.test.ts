import { describe, expect, it } from 'vitest';
import { isSecretName, MASK, maskSecrets } from './mask-secrets.ts';

it.each([
  'token',
  'Token',
  'access_token',
  'accessToken',
  'refresh-token',
  'X-Auth-Token',
  'tokens',
  'csrf.token',
  'secret',
  'client_secret',
  'clientSecret',
  'SECRET_KEY',
  'webhookSecret',
  'password',
  'passwd',
  'userPassword',
  'pwd',
  'passphrase',
  'passcode',
  'api_key',
  'apiKey',
  'X-Api-Key',
  'APIKEY',
  'api key',
  'access_key',
  'AccessKeyId',
  'private_key',
  'signing_key',
  'authorization',
  'Proxy-Authorization',
  'auth',
  'bearer',
  'credentials',
  'signature',
  'x-hub-signature-256',
  'sig',
  'cookie',
  'Set-Cookie',
  'session_id',
  'jwt',
  'otp',
  'cvv',
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  'key',
  'name',
  'title',
  'author',
  'authored_by',
  'session',
  'state',
  'id',
  'service',
  'version',
  'design',
  'signed_off',
  'assignee',
  'passed',
  'compass',
  'significant',
  'sign',
  'keyboard',
  'monkey',
  'bot',
  '',
])('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

describe('a text', () => {
  // Made-up secrets in the form of real ones, joined from parts, so that no secret scanner reports them.
  const SECRETS = [
    `hl_${'0aB'.repeat(12)}`,
    `ghp_${'aB3'.repeat(12)}`,
    `gho_${'aB3'.repeat(12)}`,
    `github_pat_${'11AAA_b'.repeat(8)}`,
    `glpat-${'aB3-'.repeat(5)}`,
    `xoxb-${'123456789012-'.repeat(2)}abcDEF`,
    `xapp-1-A0123-${'0'.repeat(20)}`,
    `sk_live_${'4eC39HqL'.repeat(3)}`,
    `rk_test_${'4eC39HqL'.repeat(3)}`,
    `sk-proj-${'aB3_'.repeat(8)}`,
    `whsec_${'MfKQ9r8GKYqrTwjU'.repeat(2)}==`,
    `AKIA${'A1B2'.repeat(4)}`,
    `AIza${'SyA-1_b'.repeat(5)}`,
    `lin_api_${'aB3'.repeat(12)}`,
    `lin_wh_${'aB3'.repeat(12)}`,
    `ATATT3x${'aB3-_'.repeat(30)}=1A2B3C4D`,
    `ntn_${'aB3'.repeat(12)}`,
    `npm_${'aB3'.repeat(12)}`,
    `SG.${'aB3-'.repeat(5)}.${'cD4_'.repeat(8)}`,
    `eyJ${'hbG9'.repeat(4)}.eyJ${'zdWI'.repeat(4)}.${'doz-'.repeat(4)}`,
    `eyJ${'hbG9'.repeat(4)}.eyJ${'zdWI'.repeat(3)}`,
    'hooks.slack.com/services/T000/B000/abcdefghijklmnop',
    'discord.com/api/webhooks/123456/abcdefghijklmnop',
  ];

  it.each(SECRETS)('loses %s and keeps the text around it', (secret) => {
    expect(maskSecrets(secret)).toBe(MASK);
    expect(maskSecrets(`Do not post ${secret}, please`)).toBe(`Do not post ${MASK}, please`);
    expect(maskSecrets(`"${secret}"`)).toBe(`"${MASK}"`);
  });

  it.each<[string, string]>([
    [
      '-----BEGIN RSA PRIVATE KEY----- MIIEpAIBAAKCAQEA -----END RSA PRIVATE KEY----- and more',
      `${MASK} and more`,
    ],
    ['-----BEGIN PRIVATE KEY----- MIIEpAIBAAKCAQEA that was cut', MASK],
    ['https://ana:hunter2@example.com/x', `https://${MASK}@example.com/x`],
    ['postgres://app:p%40ss@db/prod', `postgres://${MASK}@db/prod`],
    ['https://example.com/x?token=abc&page=2', `https://example.com/x?token=${MASK}&page=2`],
    ['https://example.com/x?X-Amz-Signature=abc', `https://example.com/x?X-Amz-Signature=${MASK}`],
    ['https://example.com/x?sig=abc', `https://example.com/x?sig=${MASK}`],
    ['Authorization: Bearer abc123def456', `Authorization: Bearer ${MASK}`],
    ['AUTHORIZATION: BEARER abc123def456', `AUTHORIZATION: BEARER ${MASK}`],
    ['bearer\tabc123def456', `bearer ${MASK}`],
    ['curl -H "Authorization: Basic dXNlcjpwYXNz="', `curl -H "Authorization: Basic ${MASK}"`],
    ['password=hunter2 user=ana', `password=${MASK} user=ana`],
    ['DB_PASSWORD = "hunter2"', `DB_PASSWORD = "${MASK}"`],
    ['{"api_key": "0123456789"}', `{"api_key": "${MASK}"}`],
    ['the password: hunter22 is bad', `the password: ${MASK} is bad`],
  ])('%s becomes %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'Fix the token: expiry is wrong',
    'Rotate the secret: it leaked',
    'Basic authentication for the proxy',
    'Bearer tokens everywhere',
    'Update password rules (#123)',
    'A message about https://example.com/tokens and cookies',
    'risk-assessment-of-the-new-system',
    'sk-learn and eyJunk',
    'PROJ-1234: keys of the keyboard',
    'hl_short gh_nothing xoxo-hugs',
    'git@github.com:octo/web.git at 10:30',
    '',
  ])('without a secret stays as it is: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('of any kind is masked quickly', () => {
    const hostile = [
      'a'.repeat(1_000),
      'token'.repeat(200),
      'a.'.repeat(500),
      '-----BEGIN '.repeat(90),
      'eyJ'.repeat(330),
    ];
    const started = performance.now();
    for (const text of hostile) maskSecrets(text);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
