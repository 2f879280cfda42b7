import { expect, it } from 'vitest';
import { OutboundError } from '../outbound/outbound-error.ts';
import { AuthorityProblem } from './authority.ts';
import { explainProblem } from './explain-problem.ts';

const names = { domain: 'hub.example.com', authority: 'ca.example' };

it.each([
  [
    'tls',
    /^ca\.example cannot reach hub\.example\.com on port 443\. .*let ports 80 and 443 through firewall and router/,
  ],
  [
    'incorrectResponse',
    /^ca\.example did not get the response .* port 443: another server responds there, or none\. Point its DNS, including AAAA records, only to this machine/,
  ],
  ['rejectedIdentifier', /issues no certificates for hub\.example\.com\. Name a public domain with --domain/],
  ['invalidContact', /--acme-email\. Correct it, or leave it out/],
  ['externalAccountRequired', /Name another authority with --acme-directory/],
  ['serverInternal', /is not working at the moment\. Leave the server running/],
  ['caa', /A CAA record .* Add the authority to that record, or remove the record/],
])('says what to do about %s, with the words of the authority', (type, sentence) => {
  const message = explainProblem(
    new AuthorityProblem(type, 'in its words', { challenge: 'tls-alpn-01' }),
    names,
  );
  expect(message).toMatch(sentence);
  expect(message).toMatch(/ It said: in its words$/);
});

it('does not blame the machine for a problem of the account', () => {
  expect(explainProblem(new AuthorityProblem('unauthorized', 'account is deactivated'), names)).toBe(
    'ca.example refuses the account of this server, or its order. Remove account.pem in certificates in the data directory: the next attempt makes a new account. It said: account is deactivated',
  );
});

it.each([
  ['CERT_NOT_YET_VALID', /Set the clock/],
  ['CERT_HAS_EXPIRED', /Set the clock/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /with NODE_EXTRA_CA_CERTS set to the path\.$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /with NODE_EXTRA_CA_CERTS set to the path\.$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /Check --acme-directory/],
])('says what to do about %s in a handshake', (code, cure) => {
  const message = explainProblem(new OutboundError('tls', `the certificate is not valid (${code})`), names);
  expect(message).toMatch(cure);
  expect(message).not.toContain('DNS');
});

it('names an authority that cannot be reached, and a full disk', () => {
  const away = explainProblem(new OutboundError('dns', 'no address'), names);
  expect(away).toBe(
    'ca.example cannot be reached: no address. Check the network and the DNS of this machine, and --acme-directory.',
  );
  expect(explainProblem(new Error('ENOSPC: no space left'), names)).toContain('could not be renewed: ENOSPC');
});
