import { CREDENTIALS } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { readPointer } from '../domain/json/json-pointer.ts';
import { checkCredentials, optionalCredentials, requiredCredentials } from './credentials.ts';
import { custom } from './custom/custom.ts';
import { github } from './github/github.ts';
import { providers } from './registry.ts';

const fields = (provider: typeof github, given: Record<string, string>) =>
  checkCredentials(provider, given).map(({ field }) => field);

describe('checkCredentials', () => {
  it('accepts the required credentials, with or without optional ones', () => {
    expect(checkCredentials(github, { token: 'ghp_x' })).toEqual([]);
    expect(
      checkCredentials(github, {
        token: 'x',
        webhook_secret: 's',
        repository: 'a/b.c',
        domain: 'ghe.example:8443',
      }),
    ).toEqual([]);
    expect(checkCredentials(github, { token: 'x', organization: 'octo-org' })).toEqual([]);
    expect(checkCredentials(custom, {})).toEqual([]);
  });

  it('names what is missing, unknown, or not a usable text, and repeats no value', () => {
    const details = checkCredentials(github, {
      tokn: 'hunter2',
      webhook_secret: 'hunter2\r\nx: y',
      organization: '',
    });
    expect(details).toEqual([
      { field: 'credentials.tokn', issue: 'is not a known field; did you mean token?' },
      { field: 'credentials.token', issue: 'is required' },
      { field: 'credentials.webhook_secret', issue: 'must not contain control characters' },
      { field: 'credentials.organization', issue: 'must not be empty; leave it out instead' },
    ]);
    expect(JSON.stringify(details)).not.toContain('hunter2');
  });

  it.each(['\ud800', 'a\0', ' a', 'a\u0085'])('refuses %j as a token', (token) => {
    expect(fields(github, { token })).toEqual(['credentials.token']);
  });

  it('does not take inherited names for known ones', () => {
    const given = JSON.parse('{"token":"x","__proto__":"y","constructor":"z"}') as Record<string, string>;
    expect(fields(github, given)).toEqual(['credentials.__proto__', 'credentials.constructor']);
  });

  it.each([
    [{ repository: 'a' }, 'repository'],
    [{ repository: 'a/b/c' }, 'repository'],
    [{ repository: '../b?' }, 'repository'],
    [{ organization: 'a/b' }, 'organization'],
    [{ domain: 'https://ghe.example' }, 'domain'],
    [{ domain: 'ghe.example/path' }, 'domain'],
    [{ domain: 'user@ghe.example' }, 'domain'],
    [{ repository: 'a/b', organization: 'a' }, 'organization'],
  ])('refuses for GitHub %j', (extra, name) => {
    expect(fields(github, { token: 'x', ...extra })).toEqual([`credentials.${name}`]);
  });

  it('refuses a GitHub token that cannot be a header', () => {
    expect(fields(github, { token: 'gh p' })).toEqual(['credentials.token']);
    expect(fields(github, { token: 'ghp_ü' })).toEqual(['credentials.token']);
  });

  it.each([
    [{ preset: 'nope' }, 'preset'],
    [{ verification: 'rsa' }, 'verification'],
    [{ verification: 'constructor' }, 'verification'],
    [{ preset: 'none', verification: 'hmac' }, 'verification'],
    [{ preset: 'github-style', verification: 'token' }, 'verification'],
    [{ verification: 'none', secret: 'x' }, 'secret'],
    [{ digest: 'md5' }, 'digest'],
    [{ header: 'X Signature' }, 'header'],
    [{ header: 'X-Sig:' }, 'header'],
    [{ tolerance_seconds: '-1' }, 'tolerance_seconds'],
    [{ tolerance_seconds: '1e3' }, 'tolerance_seconds'],
    [{ signed: '{timestamp}' }, 'signed'],
    [{ signed: '{body}{body}' }, 'signed'],
    [{ signed: '{body}{nonce}' }, 'signed'],
    [{ signed: '{timestamp}.{body}' }, 'timestamp_header'],
    [{ timestamp_header: 'X-Time' }, 'signed'],
    [{ signed: '{id}.{body}' }, 'delivery_id_header'],
    [{ event_type_pointer: 'type' }, 'event_type_pointer'],
    [{ delivery_id_pointer: '/a~2' }, 'delivery_id_pointer'],
    [{ source: 'my source' }, 'source'],
  ])('refuses for custom %j', (given, name) => {
    expect(fields(custom, given)).toEqual([`credentials.${name}`]);
  });
});

describe('JSON pointers', () => {
  const data = { a: [{ 'b/c': 1, '~': 2, '': 3 }], n: null, toString: 4, '01': 5 };

  it.each<[string, unknown]>([
    ['', data],
    ['/a/0/b~1c', 1],
    ['/a/0/~0', 2],
    ['/a/0/', 3],
    ['/n', null],
    ['/n/x', undefined],
    ['/a/00', undefined],
    ['/a/-', undefined],
    ['/a/length', undefined],
    ['/a/1', undefined],
    ['/toString', 4],
    ['/constructor', undefined],
    ['/a/0/toString', undefined],
    ['/__proto__/x', undefined],
    ['/01', 5],
  ])('%j reads the data and nothing outside it', (pointer, value) => {
    if (pointer !== '') expect(fields(custom, { event_type_pointer: pointer })).toEqual([]);
    expect(readPointer(data, pointer)).toEqual(value);
  });

  it.each(['a', 'a/b', '/~', '/~2', '#/a'])('%j is not one', (text) => {
    expect(fields(custom, { event_type_pointer: text })).toEqual(['credentials.event_type_pointer']);
  });
});

describe('the registry', () => {
  it('lists every provider under its key, each with what a form needs', () => {
    expect([...providers.keys()]).toEqual(Object.keys(CREDENTIALS));
    for (const [key, provider] of providers) {
      expect(provider.key).toBe(key);
      expect(provider.description).not.toBe('');
      const { steps } = provider.setUp('https://hub.example.com/v1/ingest/int_1', {});
      expect(steps.join(' ')).toContain('/v1/ingest/int_1');
      const names = [...requiredCredentials(provider), ...optionalCredentials(provider)];
      const signing = provider.signing({});
      if (signing) expect(names).toContain(signing.name);
    }
  });

  it('checks the address of every call that a credential decides', () => {
    for (const provider of providers.values()) {
      const { key, targets } = provider;
      const names = [...requiredCredentials(provider), ...optionalCredentials(provider)];
      for (const name of names.filter((each) => /(?:^|_)(?:url|domain|host)$/.test(each))) {
        const judged = targets({ [name]: name.endsWith('url') ? 'https://127.0.0.1/' : '127.0.0.1' });
        expect(judged, `${key} ${name}`).toEqual([
          { field: `credentials.${name}`, url: expect.stringMatching(/^https:\/\/127\.0\.0\.1\//) },
        ]);
      }
    }
  });
});
