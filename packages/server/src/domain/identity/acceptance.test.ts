import { expect, it } from 'vitest';
import { type Acceptance, type AcceptanceFacts, decideAcceptance } from './acceptance.ts';

/** Attempts with the same outcomes; `first` only where it matters. */
interface Attempts {
  links: readonly AcceptanceFacts['link'][];
  accounts: readonly AcceptanceFacts['account'][];
  callers: readonly AcceptanceFacts['caller'][];
  first?: boolean;
}

const ANY_LINK = ['returned', 'mailed'] as const;
const STRANGERS = ['other', 'nobody'] as const;
const NEW = { accounts: ['none'], callers: STRANGERS } as const;

// The outcomes of four requests: with neither, with a password, with a password to take the account over, and with `takeOver` alone.
const ROWS: readonly [string, Attempts, Acceptance, Acceptance, Acceptance, Acceptance][] = [
  [
    'the invited user joins by any link, and sets no password by it',
    { links: ANY_LINK, accounts: ['none', 'unproved', 'proved'], callers: ['invited'] },
    'join',
    'has_account',
    'has_account',
    'join',
  ],
  [
    'a mailed link makes an account',
    { ...NEW, links: ['mailed'] },
    'join',
    'join_with_password',
    'join_with_password',
    'join',
  ],
  [
    'a returned link makes the account of a user whom it made',
    { ...NEW, links: ['returned'], first: true },
    'join',
    'join_with_password',
    'join_with_password',
    'join',
  ],
  [
    'a returned link does nothing for a user whom another invitation made',
    { ...NEW, links: ['returned'], first: false },
    'not_first',
    'not_first',
    'not_first',
    'not_first',
  ],
  [
    'a returned link logs nobody in',
    { links: ['returned'], accounts: ['unproved', 'proved'], callers: ['nobody'] },
    'log_in',
    'log_in',
    'log_in',
    'log_in',
  ],
  [
    'a returned link lets nobody else in',
    { links: ['returned'], accounts: ['unproved', 'proved'], callers: ['other'] },
    'someone_else',
    'someone_else',
    'someone_else',
    'someone_else',
  ],
  [
    'a mailed link leaves a proved account alone',
    { links: ['mailed'], accounts: ['proved'], callers: ['nobody'] },
    'log_in',
    'log_in',
    'log_in',
    'log_in',
  ],
  [
    'a mailed link leaves a proved account alone, whoever calls',
    { links: ['mailed'], accounts: ['proved'], callers: ['other'] },
    'someone_else',
    'someone_else',
    'someone_else',
    'someone_else',
  ],
  [
    'a mailed link takes over an account that nobody proved, if the request asks for it and has a password',
    { links: ['mailed'], accounts: ['unproved'], callers: ['nobody'] },
    'log_in',
    'log_in',
    'take_over',
    'log_in',
  ],
  [
    'a mailed link takes over such an account with the credential of somebody else, too',
    { links: ['mailed'], accounts: ['unproved'], callers: ['other'] },
    'someone_else',
    'someone_else',
    'take_over',
    'someone_else',
  ],
];

const attemptsOf = ({ links, accounts, callers, first }: Attempts) =>
  links.flatMap((link) =>
    accounts.flatMap((account) =>
      callers.flatMap((caller) =>
        (first === undefined ? [true, false] : [first]).map((one) => ({ link, account, caller, first: one })),
      ),
    ),
  );

it.each(ROWS)('%s', (_, attempts, neither, password, both, takeOver) => {
  for (const attempt of attemptsOf(attempts)) {
    const outcomes = [
      decideAcceptance({ ...attempt, password: false, takeOver: false }),
      decideAcceptance({ ...attempt, password: true, takeOver: false }),
      decideAcceptance({ ...attempt, password: true, takeOver: true }),
      decideAcceptance({ ...attempt, password: false, takeOver: true }),
    ];
    expect(outcomes, JSON.stringify(attempt)).toEqual([neither, password, both, takeOver]);
  }
});

it('every attempt is in one row', () => {
  const all = ROWS.flatMap(([, attempts]) => attemptsOf(attempts).map((attempt) => JSON.stringify(attempt)));
  expect([all.length, new Set(all).size]).toEqual([36, 36]);
});
