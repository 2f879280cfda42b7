import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUserPassword } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import type { Api } from '../support/api.ts';
import type { Browser } from '../support/browser.ts';
import {
  type Account,
  canLogIn,
  hasJoined,
  inviteByMail,
  type Links,
  newAccount,
  newBrowser,
} from '../support/identity.ts';
import { type Mailbox, startMailbox } from '../support/stand-ins/mailbox.ts';
import { CHEAP, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

/** Everything that a proof may allow, by the state of the invited user. */
const ACTS = [
  'no account: joins',
  'no account: sets a password',
  'mailbox not proved: joins',
  'mailbox not proved: sets a password',
  'mailbox proved: joins',
  'mailbox proved: sets a password',
  'mailbox proved: logs in',
  'sees that an account exists',
] as const;

type Act = (typeof ACTS)[number];
/** `–`: the holder of the proof has an account. */
type Verdict = 'yes' | 'no' | '–';

/** The table of docs/decisions/invitations.md, column by column as in `ACTS`. */
const TABLE = {
  'returned link': 'yes yes no no no no no yes',
  'mailed link': 'yes yes yes yes no no no yes',
  "returned link, somebody else's key": 'yes yes no no no no no yes',
  "returned link, somebody else's session": 'yes yes no no no no no yes',
  "returned link, the user's workspace key": '– – no no no no no yes',
  "returned link, the user's personal key": '– – yes no yes no no yes',
  "returned link, the user's session": '– – yes no yes no yes yes',
  "the user's session, no link": '– – no no no no yes yes',
  'a shell on the server': 'no yes no yes no yes yes yes',
} as const;

type Proof = keyof typeof TABLE;

const cells = Object.entries(TABLE).flatMap(([proof, row]) =>
  row.split(' ').map((verdict, index) => ({
    proof: proof as Proof,
    act: ACTS[index] as Act,
    verdict: verdict as Verdict,
  })),
);

const NEW_PASSWORD = 'the password of whoever tries';

let root: TestWorkspace & { stop(): Promise<void> };
let mailbox: Mailbox;
let stranger: { api: Api; session: Browser };

beforeAll(async () => {
  mailbox = await startMailbox();
  root = await startWorkspace({ env: { HUBLINE_SMTP_URL: mailbox.url }, flags: { behindProxy: true } });
  const account = await newAccount(root, mailbox, 'mailed');
  stranger = { api: account.personalKey, session: account.session };
});
afterAll(async () => {
  await root.stop();
  await mailbox[Symbol.asyncDispose]();
});

/** The link and the credential that one caller has. */
interface Held {
  token: string;
  api: Api | null;
  session: Browser | null;
}

function heldBy(proof: Exclude<Proof, 'a shell on the server'>, links: Links, account: Account | null): Held {
  const { returned, mailed } = links;
  const nothing = { token: returned, api: null, session: null };
  return {
    'returned link': nothing,
    'mailed link': { ...nothing, token: mailed },
    "returned link, somebody else's key": { ...nothing, api: stranger.api },
    "returned link, somebody else's session": { ...nothing, session: stranger.session },
    "returned link, the user's workspace key": { ...nothing, api: account?.workspaceKey ?? null },
    "returned link, the user's personal key": { ...nothing, api: account?.personalKey ?? null },
    "returned link, the user's session": { ...nothing, session: account?.session ?? null },
    "the user's session, no link": { token: 'no-token', api: null, session: account?.session ?? null },
  }[proof];
}

/**
 * Tries everything that the link and the credential may allow, the most far-reaching first. Returns the caller's
 * browser, and the pages that it saw.
 */
async function tryEverything(
  workspace: TestWorkspace,
  { token, api, session }: Held,
): Promise<{ browser: Browser; pages: string[] }> {
  const browser = session ?? newBrowser(workspace);
  const pages = [(await browser.page(`/invite?token=${token}`)).html];
  const offers = [{ password: NEW_PASSWORD, take_over: true }, { password: NEW_PASSWORD }, {}];
  for (const offer of offers) {
    const body = { token, ...offer };
    if (api) await api.send('invitations.accept', { body });
    else await browser.request('POST', '/v1/invitations/accept', { body });
  }
  for (const { take_over: takeOver, ...offer } of offers as { password?: string; take_over?: boolean }[]) {
    const fields = { token, ...offer, ...(takeOver && { take_over: '1' }) };
    pages.push((await browser.page('/invite', fields)).html);
  }
  return { browser, pages };
}

const isLoggedInAs = async (browser: Browser, userId: string) => {
  const { json } = await browser.request('GET', '/session');
  return json?.user.id === userId;
};

type Found = Partial<Record<Act, boolean>>;

/** Finds what a proof allows against a user, by trying everything. */
async function against(
  proof: Proof,
  who: 'no account' | 'mailbox not proved' | 'mailbox proved',
): Promise<Found> {
  const workspace = await newWorkspace(root);
  const account =
    who === 'no account'
      ? null
      : await newAccount(root, mailbox, who === 'mailbox proved' ? 'mailed' : 'returned');
  const links = await inviteByMail(workspace, mailbox, account?.email);
  let found: { loggedIn: boolean; sees: boolean };
  if (proof === 'a shell on the server') {
    const config = parseServerConfig(workspace.server.storage, {});
    await setUserPassword(config, { email: links.email, password: NEW_PASSWORD }, CHEAP);
    found = { loggedIn: await canLogIn(workspace, links.email, NEW_PASSWORD), sees: true };
  } else {
    const { browser, pages } = await tryEverything(workspace, heldBy(proof, links, account));
    found = {
      loggedIn: await isLoggedInAs(browser, links.userId),
      sees:
        proof === "the user's session, no link" || !pages[0]?.includes('Choose a password for the dashboard'),
    };
  }
  const joins = await hasJoined(workspace, links.userId);
  const setsPassword = await canLogIn(workspace, links.email, NEW_PASSWORD);
  if (who === 'no account')
    return { 'no account: joins': joins, 'no account: sets a password': setsPassword };
  return {
    [`${who}: joins`]: joins,
    [`${who}: sets a password`]: setsPassword,
    ...(who === 'mailbox proved' && {
      'mailbox proved: logs in': found.loggedIn,
      'sees that an account exists': found.sees,
    }),
  };
}

describe.each(Object.keys(TABLE) as Proof[])('%s', (proof) => {
  const found: Found = {};
  const ofAccount = TABLE[proof].startsWith('–');
  beforeAll(async () => {
    if (!ofAccount) Object.assign(found, await against(proof, 'no account'));
    Object.assign(found, await against(proof, 'mailbox not proved'));
    Object.assign(found, await against(proof, 'mailbox proved'));
  });

  const own = cells.filter((cell) => cell.proof === proof && cell.verdict !== '–');
  it.each(own)('$act: $verdict', ({ act, verdict }) => {
    expect(found[act]).toBe(verdict === 'yes');
  });
});

it('the table of the decision is the one that is tested', () => {
  const file = join(import.meta.dirname, '../../../../../docs/decisions/invitations.md');
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|\s*-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const states = ['no account', 'mailbox not proved', 'mailbox proved'];
  const allowed = (verdicts: readonly string[], state: string): string => {
    const of = ACTS.flatMap((act, index) =>
      act.startsWith(`${state}: `) ? [[act.slice(state.length + 2), verdicts[index]]] : [],
    );
    if (of.every(([, verdict]) => verdict === '–')) return '–';
    return of.flatMap(([act, verdict]) => (verdict === 'yes' ? [act] : [])).join(', ') || 'nothing';
  };
  expect(rows).toEqual([
    ['proof', ...states],
    ...Object.entries(TABLE).map(([proof, row]) => {
      const verdicts = row.split(' ');
      // The page says once that every proof shows that an account exists.
      expect(verdicts.at(-1)).toBe('yes');
      return [proof, ...states.map((state) => allowed(verdicts, state))];
    }),
  ]);
});
