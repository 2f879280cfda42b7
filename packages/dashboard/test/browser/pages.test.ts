import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { browserOfTests, executablePath, launch } from '../support/browser/chromium.ts';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';
import { violations } from '../support/browser/violations.ts';
import {
  complaintsOf,
  endSession,
  follow,
  logIn,
  lookAs,
  openWindow,
  type TestWindow,
  tooWide,
  type View,
} from '../support/browser/window.ts';

const required = process.env['HUBLINE_REQUIRE_BROWSER'] === '1';
/** A folder for pictures of every page, to look at. */
const pictures = process.env['HUBLINE_SCREENSHOTS'];

const PAGES = [
  'overview',
  'events',
  'deliveries',
  'webhooks',
  'integrations',
  'automations',
  'notification-rules',
  'templates',
  'notifications',
  'members',
  'settings',
  'settings/api-keys',
  'audit-log',
  'health',
  'account',
];

const WIDE = { width: 1280, colorScheme: 'light' } as const;
const DARK = { width: 1280, colorScheme: 'dark' } as const;
const PHONE = { width: 390, colorScheme: 'light' } as const;

it.runIf(required)('has a browser', () => {
  expect(executablePath, 'Install Chromium, or name it in HUBLINE_BROWSER').toBeDefined();
});

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let owner: BrowserContext;
  let stranger: BrowserContext;
  let window: TestWindow;

  beforeAll(async () => {
    server = await startServer();
    browser = await browserOfTests();
    owner = await browser.newContext({ reducedMotion: 'reduce' });
    stranger = await browser.newContext({ reducedMotion: 'reduce' });
    await logIn(owner, server.url, { email: EMAIL, password: PASSWORD });
    window = await openWindow(owner);
  });
  afterAll(async () => {
    await Promise.all([owner?.close(), stranger?.close()]);
    await server?.stop();
  });

  /** Loads a page in the owner's window. */
  async function open(path: string, view?: View): Promise<TestWindow> {
    await window.load(`${server.url}/w/acme/${path}`, view);
    return window;
  }

  /** Waits until the control has the focus. */
  async function focused(control: Locator): Promise<void> {
    await expect.poll(() => control.evaluate((each) => each === document.activeElement)).toBe(true);
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }

  it('logs in and out, and obeys the content security policy', async () => {
    const page = await stranger.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${server.url}/members`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'login');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/w/acme/members');
    // A screen reader begins at the new page, although the button that had the focus is gone.
    await page.locator('h1:focus', { hasText: 'Members' }).waitFor();

    await follow(page, '/w/acme/overview');
    const askedAfterwards: string[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'DELETE')
        page.on('request', (request) => askedAfterwards.push(request.url()));
    });
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('h1:focus', { hasText: 'Log in' }).waitFor();
    expect(askedAfterwards.filter((url) => url.includes('/v1/'))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('logs out of all windows of a browser at once, and logs in again, without a request that is refused', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await logIn(context, server.url, { email: EMAIL, password: PASSWORD });
    const other = await context.newPage();
    // The newest window is in front of the others: a click in one of them would take a second.
    const here = await context.newPage();
    await here.goto(`${server.url}/w/acme/members`);
    // The other window follows no session: it waits for its turn.
    await here.evaluate(holdAllSlots);
    const complaints = complaintsOf(other);
    await other.goto(`${server.url}/w/acme/members`);
    const shows = async (title: string) => {
      for (const page of [here, other])
        await page.getByRole('heading', { name: title, level: 1 }).waitFor({ timeout: 10_000 });
    };
    await shows('Members');
    await here.getByRole('button', { name: /^Account menu/ }).click();
    await here.getByRole('button', { name: 'Log out' }).click();
    await shows('Log in');
    await here.getByLabel('Email').fill(EMAIL);
    await here.getByLabel('Password').fill(PASSWORD);
    await here.getByRole('button', { name: 'Log in' }).click();
    await shows('Members');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows every page of an empty workspace accessibly, and none too wide', async () => {
    const { page, complaints } = await open('members');
    await page.locator('main h1').waitFor();
    const found: string[] = [];
    for (const path of PAGES) {
      await follow(page, `/w/acme/${path}`);
      const wide = await tooWide(page);
      if (wide > 0) found.push(`${path} is ${wide} pixels too wide`);
      found.push(...(await violations(page)).map((each) => `${path} ${each}`));
      await picture(page, `${path.replace('/', '-')}-light`);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('keeps everything visible beside names of a hundred characters, and shows them in full on request', async () => {
    const api = apiOf(server);
    const name = 'Payments and reconciliation of the subsidiaries '.repeat(3).slice(0, 100).trim();
    const { id } = await api.workspaces.create({ name, slug: 'long' });
    const events = ['event.created'] as const;
    await api.webhooks.create({
      workspace_id: id,
      url: `${server.url}/nowhere`,
      events: [...events],
      name,
      secret: 's'.repeat(20),
    });
    await api.apiKeys.create(id, { name, scopes: ['events:write'] });
    await api.events.publish(id, { type: name.replaceAll(' ', '_'), payload: {} });
    const { page } = window;
    await window.load(`${server.url}/w/long/overview`);
    await page.locator('main h1').waitFor();
    const found: unknown[] = [];
    for (const path of ['webhooks', 'deliveries', 'deliveries?view=cause', 'members', 'settings/api-keys']) {
      await follow(page, `/w/long/${path}`);
      for (const width of [1440, 1024, 961, 768, 390]) {
        await lookAs(page, { width, colorScheme: 'light' });
        found.push(...(await page.evaluate(outOfSight)).map((each) => `${path} ${width}: ${each}`));
      }
    }
    expect(found).toEqual([]);
    await lookAs(page, { width: 1024, colorScheme: 'light' });
    await page.locator('tbody .strong').first().hover();
    await page.getByTitle(name).waitFor();
  });

  // The goal is one second on a quiet machine; more than ten mean that everything waits for a request or a script.
  it('paints the events soon on a slow processor, without waiting for fonts', async () => {
    // A new context, so that nothing is cached from another window.
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.addCookies(await owner.cookies());
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${server.url}/w/acme/events`);
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    const { painted, blocking } = await page.evaluate(async () => {
      await document.fonts.ready;
      return {
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        blocking: [...document.fonts].filter(({ display }) => display !== 'swap').map(({ family }) => family),
      };
    });
    expect(painted).toBeLessThan(10_000);
    expect(blocking).toEqual([]);
    expect(await page.locator('.boot').count()).toBe(0);
    await context.close();
  });

  it('loads in many windows, and page after page in one, though browsers allow six connections to a host', async () => {
    const own = await launch({ keepsPages: true });
    const context = await own.newContext({ reducedMotion: 'reduce' });
    await logIn(context, server.url, { email: EMAIL, password: PASSWORD });
    async function load(page: Page): Promise<void> {
      await page.goto(`${server.url}/w/acme/events`);
      await page.getByText('No events yet').waitFor();
    }
    for (let windows = 0; windows < 4; windows++) await load(await context.newPage());
    const [page = await context.newPage(), ...others] = context.pages();
    for (const other of others) await other.close();
    for (let times = 0; times < 6; times++) await load(page);
    await own.close();
  });

  it('says which of six windows are live, and gives each its turn', async () => {
    // A new context, so that no other window takes a turn.
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await logIn(context, server.url, { email: EMAIL, password: PASSWORD });
    const windows = await Promise.all(Array.from({ length: 6 }, () => openWindow(context)));
    await Promise.all(windows.map(({ load }) => load(`${server.url}/w/acme/events`)));
    const labels = windows.map(({ page }) => page.getByRole('status', { name: 'Connection' }));
    const isLive = (label: Locator) => label.getByText('Live').waitFor();
    const first = labels[0]?.page() ?? expect.fail('There is no window.');
    await Promise.all(labels.map(isLive));
    await first.evaluate(holdAllSlots);
    const waits = (label: Locator) =>
      label.getByText(/^Waiting for its turn.*refreshed \d\d:\d\d:\d\d$/).waitFor();
    await Promise.all(labels.map(waits));
    for (const { complaints } of windows) expect(complaints).toEqual([]);
    await context.close();
  });

  it('opens the navigation on a phone, and follows a link in it', async () => {
    const { page } = await open('overview', PHONE);
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    await picture(page, 'navigation-phone');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    // Exact: the bar at the bottom is called "Main pages".
    await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor({ state: 'hidden' });
  });

  it('keeps the button that removes a filter in sight beside a long value, and a row on one line', async () => {
    const source = 'y'.repeat(60);
    const { event_id } = await apiOf(server).events.publish(server.workspaceId, {
      type: 'unheard',
      source,
      payload: {},
    });
    const { page } = await open(`events?source=${source}`, PHONE);
    const remove = page.getByRole('button', { name: 'Remove the filter Source' });
    const isInSight = (button: Element) => {
      const { right } = button.getBoundingClientRect();
      return right <= (button.parentElement?.getBoundingClientRect().right ?? 0);
    };
    expect(await remove.evaluate(isInSight)).toBe(true);
    await lookAs(page, WIDE);
    await page.goto(`${server.url}/w/acme/events?source=${source}&event=${event_id}`);
    await page.getByRole('complementary', { name: 'Event' }).waitFor();
    expect((await page.getByText('no webhook', { exact: true }).boundingBox())?.height).toBeLessThan(24);
  });

  it('moves the focus into a dialog, and returns it on Escape', async () => {
    const { page, complaints } = await open('members', DARK);
    const invite = page.getByRole('button', { name: 'Invite' });
    await invite.click();
    expect(await page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'invite-dark');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Chrome closes a dialog by itself after a few presses of Escape, whatever the page says.
    await invite.click();
    await page.getByLabel('Email').fill('li@example.com');
    const closeAsChrome = () =>
      page.locator('dialog', { has: page.getByLabel('Email') }).evaluate((dialog) => {
        const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
        (dialog as HTMLDialogElement).close();
        return closed;
      });
    const leave = page.getByRole('button', { name: 'Leave', exact: true });
    await closeAsChrome();
    await leave.waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('Escape');
    expect(await page.getByLabel('Email').inputValue()).toBe('li@example.com');
    await leave.waitFor();
    // While the question is open, it stays on top.
    await closeAsChrome();
    await leave.click({ timeout: 5_000 });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await invite.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('returns the focus from a dialog at once, and to the same button from the dialog that follows it', async () => {
    const { page, complaints } = await open('settings/api-keys');
    const create = page.getByRole('button', { name: 'New key' }).first();
    await create.click();
    await page.getByLabel('Name').fill('Focus');
    await page.evaluate(() => {
      document.body.dataset['seen'] = '';
      addEventListener('focusin', ({ target }) => {
        document.body.dataset['seen'] += `${(target as Element).textContent},`;
      });
    });
    await page.keyboard.press('Enter');
    await page.getByText('I have saved it').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(create);
    const seen = await page.evaluate(() => document.body.dataset['seen']?.split(','));
    expect(seen).not.toContain('your account');

    // From a dialog that is left after its question, too.
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Focus');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await focused(create);
    expect(complaints).toEqual([]);
  });

  it('shows the login over a page with something to save, and that page again after it', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await logIn(context, server.url, { email: EMAIL, password: PASSWORD });
    await page.goto(`${server.url}/w/acme/members?new=1`);
    const invitation = page.getByRole('dialog', { name: 'Invite a member' });
    await invitation.getByLabel('Email').fill('kim@example.com');
    // The session ends with the click: after an earlier end, a request of the page itself could show the login before it.
    const endThenSend = async (route: Route): Promise<void> => {
      await endSession(context, server.url);
      await route.continue();
    };
    await page.route('**/members/invite', endThenSend, { times: 1 });
    await invitation.getByRole('button', { name: 'Invite', exact: true }).click();
    const login = page.getByRole('dialog', { name: 'Log in again' });
    await login.waitFor();
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('Escape');
    expect(await page.getByText('Invite a member').isVisible()).toBe(false);
    expect(await page.getByText('Members').first().isVisible()).toBe(false);
    await picture(page, 'login-again');
    await login.getByLabel('Email').fill(EMAIL);
    await login.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await login.waitFor({ state: 'detached' });
    expect(await invitation.getByLabel('Email').inputValue()).toBe('kim@example.com');
    await invitation.locator('button:focus', { hasText: 'Invite' }).waitFor();
    await invitation.getByRole('button', { name: 'Invite', exact: true }).click({ timeout: 5_000 });
    await page.getByRole('dialog', { name: 'Invitation' }).waitFor();
    await context.close();
  });

  it('gives the focus to a neighbor of what is removed, to the row of a panel that is closed, and to the button of a form that begins again', async () => {
    const api = apiOf(server);
    const { id } = await api.workspaces.create({ name: 'Focus', slug: 'focus' });
    await api.apiKeys.create(id, { name: 'Deploys', scopes: ['events:write'] });
    for (const type of ['build', 'deploy']) await api.events.publish(id, { type, payload: {} });
    const { page } = window;
    const show = (path: string) => window.load(`${server.url}/w/focus/${path}`);
    const press = (control: Locator) => control.press('Enter');

    await show('settings/api-keys');
    await press(page.getByRole('button', { name: 'Revoke' }));
    const question = page.getByRole('dialog', { name: 'Revoke Deploys' });
    await press(question.getByRole('button', { name: 'Revoke' }));
    await page.getByRole('row').filter({ hasText: 'evoked' }).waitFor();
    await focused(page.getByRole('link', { name: 'your account' }));

    await show('events');
    await press(page.locator('a.ev').last());
    const newer = page.getByRole('button', { name: /^Newer event/ });
    await press(newer);
    // There is no newer one anymore.
    await newer.and(page.locator('[aria-disabled=true]')).waitFor();
    await focused(newer);
    await press(page.getByRole('button', { name: 'Close the panel' }));
    await focused(page.locator('a.ev').first());

    await show('settings');
    await page.getByLabel('Name').fill('Focused');
    await press(page.getByLabel('Name'));
    await page.getByText('Saved the workspace.').waitFor();
    await focused(page.getByRole('button', { name: 'Save' }));
  });

  it('scrolls a page by keys before anything in it has the focus', async () => {
    const { page } = await open('members');
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.getByText('Delete the workspace').waitFor();
    for (const from of ['nothing', 'the heading']) {
      await page.locator('main > .scroll').evaluate((each) => (each.scrollTop = 0));
      if (from === 'the heading') await page.locator('main h1').focus();
      await page.keyboard.press('End');
      await expect
        .poll(() => page.locator('main > .scroll').evaluate((each) => each.scrollTop))
        .toBeGreaterThan(0);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
  });

  it('moves the focus into the notifications below the bell while they load, so that Escape closes them', async () => {
    const { page } = await open('members');
    const bell = page.getByRole('button', { name: /^Notifications/ });
    // Before the first frame with the dialog, when only a slow machine lets a person press a key.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('[role=dialog]')) return;
        observer.disconnect();
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        document.body.dataset['pressed'] = 'Escape';
      }).observe(document.body, { childList: true, subtree: true });
    });
    await bell.press('Enter');
    await page.locator('body[data-pressed]').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 5_000 });
    await focused(bell);

    await bell.press('Enter');
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 5_000 });
  });

  it('shows in forced colors what is chosen', async () => {
    await apiOf(server).notificationRules.create(server.workspaceId, {
      name: 'Deploys',
      enabled: false,
      notify_on: ['event.created'],
      destinations: [{ kind: 'in_app', user_ids: [server.userId] }],
    });
    const context = await browser.newContext({ reducedMotion: 'reduce', forcedColors: 'active' });
    await logIn(context, server.url, { email: EMAIL, password: PASSWORD });
    /** A picture of a control without its focus. */
    async function look(control: Locator): Promise<string> {
      await control.page().mouse.move(0, 0);
      await control.evaluate(() => (document.activeElement as HTMLElement).blur());
      return (await control.screenshot()).toString('base64');
    }
    const same: string[] = [];
    /** Compares a control before and after it is chosen. */
    async function choose(path: string, of: (page: Page) => Locator, isChosen: string): Promise<void> {
      const page = await context.newPage();
      await page.goto(`${server.url}/w/acme/${path}`);
      const control = of(page);
      const before = await look(control);
      await control.click();
      await control.and(page.locator(isChosen)).waitFor();
      if ((await look(control)) === before) same.push(path);
      await page.close();
    }
    await choose('members?new=1', (at) => at.locator('.choice', { hasText: 'Viewer' }), ':has(:checked)');
    await choose('webhooks?new=1', (at) => at.getByLabel('user.invited'), ':checked');
    await choose('account', (at) => at.locator('.seg label', { hasText: 'Dark' }), ':has(:checked)');
    await choose('notification-rules', (at) => at.getByRole('switch'), '[aria-checked=true]');
    await choose('deliveries', (at) => at.getByRole('link', { name: 'Held' }), '[aria-current]');
    await choose('overview', (at) => at.getByRole('link', { name: 'Health' }), '[aria-current]');
    expect(same).toEqual([]);
    await context.close();
  });

  it('lets an invited person join with a new account, or with their own after the login', async () => {
    const api = apiOf(server);
    const login = { email: 'sam@example.com', password: 'the password of sam' };
    const invite = async (id: string) => (await api.members.invite(id, { email: login.email })).invite_url;
    /** Opens a window of somebody who is not logged in. */
    const open = async (url: string) => {
      await stranger.clearCookies();
      const page = await stranger.newPage();
      await page.goto(url);
      return page;
    };
    const fresh = await open(await invite(server.workspaceId));
    expect(await violations(fresh)).toEqual([]);
    await picture(fresh, 'invite-new');
    await fresh.getByLabel('Choose a password').fill(login.password);
    await fresh.getByRole('button', { name: 'Join Acme' }).click();
    await fresh.getByText('Welcome, sam@example.com').waitFor();
    await fresh.getByRole('link', { name: 'Open the dashboard' }).click();
    await fresh.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await fresh.close();

    const other = await api.workspaces.create({ name: 'Other', slug: 'other' });
    const url = await invite(other.id);
    const known = await open(url);
    expect(await violations(known)).toEqual([]);
    await known.getByRole('link', { name: 'Log in' }).click();
    await known.getByLabel('Email').fill(login.email);
    await known.getByLabel('Password').fill(login.password);
    await known.getByRole('button', { name: 'Log in' }).click();
    const join = known.getByRole('button', { name: 'Join Other' });
    await join.waitFor();
    expect(known.url()).toBe(url);

    const owners = await owner.newPage();
    await owners.goto(url);
    await owners.getByText('You are logged in as owner@example.com').waitFor();
    await picture(owners, 'invite-somebody-else');
    await owners.getByRole('button', { name: 'Log out and continue' }).click();
    await owners.getByRole('link', { name: 'Log in' }).waitFor();
    await owners.close();

    await join.click();
    await known.getByText('You joined Other as member').waitFor();
    await known.getByRole('link', { name: 'Open the dashboard' }).click();
    await known.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(new URL(known.url()).pathname).toBe('/w/other/overview');
    await known.close();
  });
});

/** Finds controls and cells outside the window, or outside the box that they are in. */
function outOfSight(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.app :is(button, td)')].flatMap((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    const box = each.closest('.card')?.getBoundingClientRect();
    const isOut = right > Math.min(innerWidth, box?.right ?? innerWidth) + 1 || left < -1;
    return width > 0 && isOut ? [each.textContent] : [];
  });
}

/** Keeps all slots for this window, so that no other can be live. */
function holdAllSlots(): void {
  const forEver = new Promise(() => undefined);
  for (let slot = 0; slot < 4; slot++) void navigator.locks.request(`hubline.live.${slot}`, () => forEver);
}
