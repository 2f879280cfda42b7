import { Hubline } from '@hubline/sdk';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { cutOff } from '../support/browser/cut-off.ts';
import { type SeededServer, startSeeded } from '../support/start-seeded.ts';
import { EVERYTHING, violations } from '../support/browser/violations.ts';
import { follow, logIn, lookAs, openWindow, type TestWindow, type View } from '../support/browser/window.ts';

/** Paths after the slug of the workspace. `*` stands for the ID of a failing webhook, a failed delivery, or any other thing. */
const PAGES = [
  'overview?window=24h',
  'events',
  'events/*',
  'deliveries',
  'events?event=*',
  'webhooks',
  'deliveries?view=cause',
  'webhooks/*',
  'deliveries/*',
  'integrations',
  'integrations/*',
  'automations',
  'automations/*',
  'automations/*/runs/*',
  'notification-rules',
  'notification-rules/*',
  'templates',
  'templates/*',
  'notifications',
  'members',
  'settings',
  'settings/api-keys',
  'audit-log',
  'health',
  'account',
];

/** Each differs from the next in one thing, because a change takes much of the processor time. */
const VIEWS = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 1024, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const;

/**
 * The accessibility rules for a view. A theme changes only colors, so one view of each width is enough for the other rules. Everything
 * that is shown at 1024 is shown at another width, too: there, only the layout is checked, in one theme.
 */
function rulesFor({ width, colorScheme }: View): readonly string[] {
  if (width === 1024) return [];
  const isFull = (width === 1440) === (colorScheme === 'light');
  return isFull ? EVERYTHING : ['color-contrast'];
}

describe.skipIf(executablePath === undefined)('a seeded workspace in Chromium', () => {
  let server: SeededServer;
  let browser: Browser;
  let owner: BrowserContext;
  let window: TestWindow;
  let api: Hubline;

  beforeAll(async () => {
    server = await startSeeded();
    browser = await browserOfTests();
    api = new Hubline({ apiKey: server.key, baseURL: `${server.url}/v1` });
    owner = await browser.newContext({ reducedMotion: 'reduce' });
    await logIn(owner, server.url, { email: server.email, password: server.password });
    window = await openWindow(owner);
  });
  afterAll(async () => {
    await owner?.close();
    await server?.stop();
  });

  /** Loads a page in the owner's window. */
  async function open(path: string): Promise<TestWindow> {
    await window.load(`${server.url}/w/fernhill/${path}`);
    return window;
  }

  /** The ID of the webhook that is failing. */
  async function failingWebhook(): Promise<string> {
    for await (const webhook of api.webhooks.list({ workspace_id: server.workspaceId }))
      if (webhook.failing_since !== null) return webhook.id;
    throw new Error('No webhook is failing.');
  }

  async function withIds(path: string): Promise<string> {
    if (!path.includes('*')) return path;
    if (!path.startsWith('automations')) return path.replace('*', await idFor(path));
    for await (const { id } of api.automations.list(server.workspaceId)) {
      const [run] = (await api.automations.listRuns(server.workspaceId, id, { limit: 1 })).data;
      if (run) return path.replace('*', id).replace('*', run.id);
    }
    throw new Error('No automation has run.');
  }

  async function idFor(path: string): Promise<string> {
    const { workspaceId } = server;
    const one = { limit: 1 };
    switch (path) {
      case 'integrations/*':
        return String((await api.integrations.list(workspaceId, one)).data[0]?.integration_id);
      case 'events/*':
      case 'events?event=*':
        return String((await api.events.list(workspaceId, one)).data[0]?.event_id);
      case 'notification-rules/*':
        return String((await api.notificationRules.list(workspaceId, one)).data[0]?.id);
      case 'templates/*':
        return String((await api.notificationTemplates.list(workspaceId, one)).data[0]?.id);
    }
    const webhook_id = await failingWebhook();
    if (path.startsWith('webhooks')) return webhook_id;
    const failed = await api.deliveries.list(server.workspaceId, { webhook_id, status: 'failed', limit: 1 });
    return failed.data[0]?.id ?? '';
  }

  describe('shows in full, at each width and in both themes,', () => {
    const views = VIEWS.toReversed();
    beforeAll(async () => {
      const { page } = await open('notifications');
      await page.locator('main h1').waitFor();
    });

    it.each(PAGES)('%s', async (path) => {
      const { page, complaints } = window;
      await follow(page, `/w/fernhill/${await withIds(path)}`);
      const found: string[] = [];
      // Begins with the view in which the page before ended.
      views.reverse();
      for (const view of views) {
        await lookAs(page, view);
        const problems = [...(await page.evaluate(cutOff)), ...(await page.evaluate(undrawn))];
        problems.push(...(await violations(page, rulesFor(view))));
        found.push(...problems.map((each) => `${view.width} ${view.colorScheme}: ${each}`));
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it('shows the times of an earlier day in full, at each width', async () => {
    const { page, load } = await openWindow(owner);
    // All that was made today has the day in front of its time, whenever the test runs.
    await page.clock.setFixedTime(Date.now() + 2 * 86_400_000);
    await load(`${server.url}/w/fernhill/notifications`);
    await page.locator('main h1').waitFor();
    const found: string[] = [];
    for (const path of PAGES) {
      await follow(page, `/w/fernhill/${await withIds(path)}`);
      for (const width of new Set(VIEWS.map((view) => view.width))) {
        await lookAs(page, { width, colorScheme: 'light' });
        found.push(...(await page.evaluate(cutOff)).map((each) => `${path} at ${width}: ${each}`));
      }
    }
    await page.close();
    expect(found).toEqual([]);
  });

  it.each([
    [1440, 900],
    [390, 844],
  ])('a long dialog scrolls inside, and its buttons stay visible: %i × %i', async (width, height) => {
    const { page } = await open('webhooks?new=1');
    await page.setViewportSize({ width, height });
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    const create = dialog.getByRole('button', { name: 'Create' });
    await create.waitFor();
    for (const each of [dialog, create]) {
      const box = await each.boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= height).toBe(true);
    }
    expect(
      await dialog.locator('.dialog-body').evaluate((body) => body.scrollHeight > body.clientHeight),
    ).toBe(true);
  });

  it('works by keyboard alone: the palette, shortcuts to pages, and the rows of a list', async () => {
    const { page } = await open('overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('audit');
    await page
      .getByRole('option', { name: /Audit log/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.locator('a.ev').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deliveries', level: 2 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Deliveries', level: 2 }).waitFor({ state: 'detached' });
  });

  it('publishes, invites and retries with the palette and the keyboard alone', async () => {
    const webhook = await failingWebhook();
    const { page, complaints } = await open(`webhooks/${webhook}`);
    const choose = async (text: string, action: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: action }).and(page.locator('[aria-selected=true]')).waitFor();
      await page.keyboard.press('Enter');
    };
    /** Waits for a dialog that has the focus. */
    const dialog = async (name: string) => {
      await page.getByRole('dialog', { name }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('dialog')?.open))
        .toBe(true);
    };
    await page.getByText(/^Nothing has arrived since/).waitFor();
    await choose('retry', /^Retry failed deliveries of Billing service/);
    await dialog('Retry failed deliveries');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();

    await choose('invite', /^Invite a member/);
    await dialog('Invite a member');
    await page.keyboard.type('kim@example.com');
    await page.keyboard.press('Enter');
    const invitation = page.getByRole('dialog', { name: 'Invitation' });
    await invitation.getByText('kim@example.com').waitFor();
    await invitation.getByLabel('I have saved it').press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await invitation.waitFor({ state: 'detached' });

    await choose('publish', /^Publish an event/);
    await dialog('Publish an event');
    await page.keyboard.press('Tab');
    await page.keyboard.type('by.keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Event' }).getByText('by.keyboard').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('a failing receiver is found on the overview, its URL is fixed, and one button retries the deliveries that it missed', async () => {
    const id = await failingWebhook();
    const { page } = await open('overview?window=24h');
    await page.getByRole('link', { name: /Billing service is failing/ }).click();
    await page.getByRole('heading', { name: /Billing service/, level: 1 }).waitFor();
    const trouble = page.getByRole('alert').filter({ hasText: /^Nothing has arrived since/ });
    // It changes with each attempt; the alert is not spoken again.
    await trouble.locator('[aria-live=off]', { hasText: 'Last attempt' }).waitFor();
    await page.getByRole('navigation', { name: 'Webhook' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await dialog.getByLabel('URL').fill('https://billing-eu.fernhill.example/webhooks/hubline');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.goto(`${server.url}/w/fernhill/deliveries?view=cause&webhook=${id}`);
    await page.getByRole('row').filter({ hasText: '503' }).getByRole('button', { name: 'Retry' }).click();
    const retry = page.getByRole('dialog', { name: 'Retry failed deliveries' });
    await retry.getByRole('button', { name: /^Retry \d+ deliver/ }).waitFor();
    await retry.getByText(/to Billing service whose last attempt ended with 503, the oldest from/).waitFor();
    // The dialog is in a table cell that does not wrap its text; the dialog must.
    const ends = await retry.evaluate((box) =>
      [box, ...box.querySelectorAll('p')].map((each) => each.getBoundingClientRect().right),
    );
    expect(Math.max(...ends)).toBe(ends[0]);
    await retry.getByRole('button', { name: /^Retry \d+ deliver/ }).click();
    await expect
      .poll(
        async () =>
          (await api.deliveries.list(server.workspaceId, { webhook_id: id, status: 'failed' })).data,
      )
      .toEqual([]);
  });

  it('a key is created, used, and refused once it is revoked', async () => {
    const { page } = await open('settings/api-keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Status board');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'API key “Status board”' });
    const key = (await shown.locator('.secret code').textContent()) ?? '';
    expect(key).toMatch(/^hl_\w{36}$/);
    const use = async () => {
      const response = await fetch(`${server.url}/v1/workspaces/${server.workspaceId}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      return response.status;
    };
    expect(await use()).toBe(200);
    await shown.getByLabel('I have saved it').check();
    await shown.getByRole('button').last().click();
    const row = page.getByRole('row').filter({ hasText: 'Status board' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke Status board' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await row.getByText('revoked', { exact: false }).waitFor();
    expect(await use()).toBe(401);
  });

  it('somebody who is invited joins in another browser, and sees a new role without a reload', async () => {
    const { page } = await open('members');
    await page.getByRole('button', { name: /^Invite/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a member' });
    await dialog.getByLabel('Email').fill('sam@example.com');
    await dialog.getByRole('radio', { name: /^Viewer/ }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await page.getByRole('dialog', { name: 'Invitation' }).locator('.secret code').textContent();

    const other = await browser.newContext();
    const theirs = await other.newPage();
    await theirs.goto(link ?? '');
    await theirs.getByLabel('Choose a password').fill('a horse of another color');
    await theirs.getByRole('button', { name: 'Join Fernhill' }).click();
    await theirs.getByRole('link', { name: 'Open the dashboard' }).click();
    await theirs.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await theirs.locator('nav [aria-disabled=true]', { hasText: 'API keys' }).waitFor();

    await page.getByRole('dialog', { name: 'Invitation' }).getByLabel('I have saved it').check();
    await page.getByRole('dialog', { name: 'Invitation' }).getByRole('button').last().click();
    await page.getByLabel('Role of sam@example.com').selectOption('admin');
    await theirs.getByRole('link', { name: 'API keys' }).waitFor();
    await other.close();
  });

  it('says in whole numbers how many events and failed attempts a bar above the list has', async () => {
    const { page } = await open('events?range=7d');
    await page.locator('.hist-bar').first().waitFor();
    const said = await page.locator('.hist-bar title').allTextContents();
    const whole = /^\w{3},? \d\d:\d\d: [\d,]+ events?(?:, failed attempts: \d+)?$/;
    expect(said.filter((each) => !whole.test(each))).toEqual([]);
    expect(said.filter((each) => each.includes('failed'))).not.toEqual([]);
  });

  it('reads and picks the bars above the list by keyboard', async () => {
    const { page } = await open('events?range=7d');
    const bars = page.getByRole('group', { name: 'Events per hour, in 7 days' }).getByRole('button');
    await bars.first().waitFor();
    const names = await page.locator('.hist-bar title').allTextContents();
    // One stop of the Tab key, however many bars there are.
    expect(await page.locator('.hist-bar[tabindex="0"]').count()).toBe(1);
    await bars.last().focus();
    for (const at of [-1, -2, -3]) {
      expect(await page.locator('.hist .axis').textContent()).toBe(names.at(at));
      expect(await page.locator('.hist-bar:focus').textContent()).toBe(names.at(at));
      if (at > -3) await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.hist-bar:focus').textContent()).toBe(names.at(-2));
    await page.keyboard.press('Tab');
    expect(await page.locator('.hist-bar:focus').count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]from=/);
    // The bars stay, and the picked one keeps the focus: it is the way to another time, and back.
    expect(await page.locator('.hist-bar:focus[aria-pressed="true"]').textContent()).toBe(names.at(-1));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const picked = page.locator('.hist-bar[aria-pressed="true"]');
    await expect.poll(() => picked.textContent()).toBe(names.at(-2));
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]range=7d$/);
    expect(await picked.count()).toBe(0);
  });

  it('keeps what has the focus clear of the bars on a small screen, and of the buttons of a dialog', async () => {
    const { page } = window;
    const hidden: string[] = [];
    for (const path of ['deliveries', 'webhooks?new=1']) {
      await window.load(`${server.url}/w/fernhill/${path}`);
      await page.setViewportSize({ width: 390, height: 500 });
      await page.getByLabel(path === 'deliveries' ? 'Select all rows' : 'URL').waitFor();
      for (const key of ['Tab', 'Shift+Tab'])
        for (let presses = 0; presses < 30; presses++) {
          await page.keyboard.press(key);
          hidden.push(...(await page.evaluate(focusOutOfSight)));
        }
    }
    expect(hidden).toEqual([]);
  });

  it('shows at the end of a long form why it was not saved', async () => {
    const [webhook] = (await api.webhooks.list({ workspace_id: server.workspaceId, limit: 1 })).data;
    const id = webhook?.id ?? '';
    const { page } = await open(`webhooks/${id}?tab=settings`);
    await page.setViewportSize({ width: 390, height: 740 });
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await dialog.getByLabel('Name', { exact: true }).fill('Mine');
    await dialog.locator('.dialog-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await api.webhooks.update(id, { name: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const alert = dialog.getByText('Somebody else has changed name');
    await alert.waitFor();
    // It is scrolled to after the frame that shows it.
    await expect.poll(() => alert.evaluate(isCovered)).toBe(false);
  });

  it('shows above an editor, wherever it is scrolled, why it was not saved', async () => {
    const path = await withIds('templates/*');
    const { page } = await open(path);
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    const pane = page.getByRole('region', { name: 'Template' }).locator('.scroll');
    await pane.getByText('"occurred_at"').waitFor();
    await pane.evaluate((each) => each.scrollTo(0, each.scrollHeight));
    await api.notificationTemplates.update(server.workspaceId, path.split('/')[1] ?? '', { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByText('Somebody else has changed name');
    await alert.waitFor();
    // It is scrolled to after the frame that shows it.
    await expect.poll(() => alert.evaluate(isCovered)).toBe(false);
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('announces new events on a phone without covering the first row', async () => {
    const { page } = await open('events');
    await lookAs(page, { width: 390, colorScheme: 'light' });
    await page.locator('a.ev').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await api.events.publish(server.workspaceId, { type: 'while.paused', payload: {} });
    const pill = page.getByRole('button', { name: '1 new event' });
    await pill.waitFor();
    const [told, first] = await Promise.all(
      [pill, page.locator('a.ev').first()].map((each) => each.boundingBox()),
    );
    expect(told && first && told.y > first.y + first.height && told.y + told.height < 900).toBe(true);
    await pill.click();
    await page.locator('a.ev', { hasText: 'while.paused' }).waitFor();
  });

  it('survives a crash of the server: the page says so, and continues when the server is back', async () => {
    const { page } = await open('events');
    // Keeps the other pages from being loaded in advance.
    await page.route('**/assets/pages-*', (route) => route.abort());
    const connection = page.getByRole('status', { name: 'Connection' });
    await connection.getByText('Live').waitFor();
    await page.locator('a.ev').first().waitFor();
    await server.kill();
    await connection.getByText(/Reconnecting|Not live/).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.unroute('**/assets/pages-*');
    await server.restart();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.getByRole('row').filter({ hasText: server.email }).waitFor();
    await page.goBack();
    await connection.getByText('Live').waitFor();
    await api.events.publish(server.workspaceId, { type: 'server.back', payload: {} });
    await page.locator('a.ev', { hasText: 'server.back' }).waitFor();
  });
});

/** The control with the focus, if something covers the middle of it or it is cut off. */
function focusOutOfSight(): string[] {
  const control = document.activeElement;
  if (!control || control === document.body) return [];
  const { left, top, width, height } = control.getBoundingClientRect();
  const front = document.elementFromPoint(left + width / 2, top + height / 2);
  return front && (control.contains(front) || front.contains(control))
    ? []
    : [control.outerHTML.slice(0, 90)];
}

/** Reports whether something covers the middle of an element, or it is cut off. */
function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) !== element;
}

/** The icons for which the page has no drawing. */
function undrawn(): string[] {
  return [...document.querySelectorAll('use')].flatMap((use) => {
    const { width, height } = use.getBBox();
    return width + height > 0 || !use.checkVisibility() ? [] : [`${use.getAttribute('href')} is not drawn`];
  });
}
