import { cleanup, render, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import type { Hubline, Page } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hideWindow } from '../support/hide-window.ts';
import { openAs, page } from '../support/open-dashboard.tsx';
import { skipPauses } from '../support/skip-pauses.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

/** The hooks, in a window where somebody is logged in. */
async function hooks() {
  await openAs(server, '/w/acme/account');
  await page('Account');
  cleanup();
  const [{ client }, { useLive }, { usePages }] = await Promise.all([
    import('../../src/api/client.ts'),
    import('../../src/data/live/use-live.ts'),
    import('../../src/data/queries/use-pages.ts'),
  ]);
  return { client, useLive, usePages };
}

it('follows events as they arrive, and gets those of a pause after it', async () => {
  const { useLive } = await hooks();
  function Live() {
    const types = useSignal<readonly string[]>([]);
    const live = useLive((client, from) => client.events.stream(server.workspaceId, {}, from), {
      inputs: [server.workspaceId],
      onItem: ({ type }) => (types.value = [...types.value, type]),
    });
    return (
      <>
        <p>{live.state}</p>
        <p>{`seen: ${types.value.join(' ')}`}</p>
        <button onClick={() => (live.state === 'paused' ? live.resume() : live.pause())}>Toggle</button>
      </>
    );
  }
  const user = userEvent.setup();
  const publish = (type: string) => api.events.publish(server.workspaceId, { type, payload: {} });
  render(<Live />);
  await screen.findByText('live');
  await publish('first');
  await screen.findByText('seen: first');
  await user.click(screen.getByRole('button'));
  await screen.findByText('paused');
  await publish('second');
  await user.click(screen.getByRole('button'));
  await screen.findByText('seen: first second');
  cleanup();
});

it('follows the stream as soon as the server can be reached again', async () => {
  // The pause before a stream is opened again.
  skipPauses(3_000);
  const { useLive } = await hooks();
  let tries = 0;
  function Live() {
    const types = useSignal<readonly string[]>([]);
    const live = useLive(
      (client, from) => {
        if (tries++ === 0) throw new Error('No response.');
        return client.events.stream(server.workspaceId, { type: 'after-all' }, from);
      },
      { inputs: [server.workspaceId], onItem: ({ type }) => (types.value = [...types.value, type]) },
    );
    return <p>{`${live.state}: ${types.value.join(' ')}`}</p>;
  }
  render(<Live />);
  await screen.findByText('reconnecting:');
  await screen.findByText('live:');
  await api.events.publish(server.workspaceId, { type: 'after-all', payload: {} });
  await screen.findByText('live: after-all');
  cleanup();
});

it('reads page after page, and keeps the items while it starts over', async () => {
  const { client, usePages } = await hooks();
  for (const name of ['a', 'b', 'c'])
    await api.members.invite(server.workspaceId, { email: `${name}@example.com`, role: 'viewer' });
  function List() {
    const pages = usePages(
      (signal) => client.members.list(server.workspaceId, { limit: 2 }, { signal }),
      ['members', server.workspaceId, 2],
    );
    return (
      <>
        <p>{`${pages.items?.length ?? 'no'} members, ${pages.hasMore ? 'more' : 'all'}`}</p>
        <button onClick={() => pages.loadMore()}>More</button>
        <button onClick={() => pages.reload()}>Again</button>
      </>
    );
  }
  const user = userEvent.setup();
  render(<List />);
  await screen.findByText('2 members, more');
  await user.click(screen.getByRole('button', { name: 'More' }));
  await screen.findByText('4 members, all');
  await user.click(screen.getByRole('button', { name: 'Again' }));
  expect(screen.queryByText(/^no members/)).toBeNull();
  await waitFor(() => screen.getByText('2 members, more'));
  cleanup();
});

it('loads what is polled at once when somebody comes back to the window', async () => {
  await hooks();
  const { usePoll } = await import('../../src/data/queries/use-poll.ts');
  onTestFinished(() => hideWindow(false));
  const runs = vi.fn(() => Promise.resolve());
  const HOUR_MS = 3_600_000;
  function Polled() {
    usePoll(runs, HOUR_MS);
    return null;
  }
  render(<Polled />);
  hideWindow(true);
  hideWindow(false);
  await waitFor(() => expect(runs).toHaveBeenCalledTimes(1));
  cleanup();
});

it('reads a list of many pages again less often', async () => {
  await hooks();
  const { useRefreshed } = await import('../../src/data/queries/use-refreshed.ts');
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => pauses.mockRestore());
  function List({ length, everyMs }: { length: number; everyMs: number }) {
    const load = () => Promise.resolve(Array.from({ length }));
    return <p>{`${length}: ${useRefreshed(load, ['events', length], { everyMs }).data?.length}`}</p>;
  }
  render([<List length={500} everyMs={70_000} />, <List length={2_000} everyMs={80_000} />]);
  await screen.findByText('500: 500');
  await screen.findByText('2000: 2000');
  await waitFor(() => {
    const lengths = pauses.mock.calls.map(([, ms]) => ms ?? 0);
    expect(lengths.filter((ms) => ms >= 70_000)).toEqual([70_000, 320_000]);
  });
  cleanup();
});

/** An empty page, followed by `more` others. */
const emptyPage = (more: number): Page<never> =>
  ({
    data: [],
    nextCursor: more === 0 ? null : String(more),
    nextPage: () => Promise.resolve(emptyPage(more - 1)),
  }) as unknown as Page<never>;

it('searches past empty pages for a while, and then on request', async () => {
  const { usePages } = await hooks();
  const { NoMatch } = await import('../../src/components/page/no-match.tsx');
  const { LoadMore } = await import('../../src/components/page/load-more.tsx');
  function Search() {
    const pages = usePages<unknown>(() => Promise.resolve(emptyPage(30)), ['events', 'far', 'back']);
    return (
      <>
        {pages.items && <NoMatch noun="events" pages={pages} each={1_000} onClear={() => undefined} />}
        <LoadMore pages={pages} />
      </>
    );
  }
  const user = userEvent.setup();
  render(<Search />);
  await screen.findByRole('heading', { name: 'No events match so far' });
  screen.getByText('Searched the newest 20,000 events.');
  await user.click(screen.getByRole('button', { name: 'Search further back' }));
  await screen.findByText('No stored events match these filters.');
  expect(screen.queryByRole('button', { name: 'Search further back' })).toBeNull();
  cleanup();
});

/** A link of the sidebar. */
const nav = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('link', { name });

it('shows cached data at once when a page is opened again, and the changes a moment later', async () => {
  const user = await openAs(server, '/w/acme/members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  await user.click(nav('Webhooks'));
  await page('Webhooks');
  await api.members.invite(server.workspaceId, { email: 'late@example.com', role: 'viewer' });
  const { fetch } = globalThis;
  let open = () => {};
  const held = new Promise<void>((resolve) => (open = resolve));
  globalThis.fetch = async (...given) => {
    await held;
    return fetch(...given);
  };
  await user.click(nav('Members'));
  await page('Members');
  expect(screen.getByRole('row', { name: /owner@example\.com/ })).toBeTruthy();
  open();
  await screen.findByRole('row', { name: /late@example\.com/ });
  globalThis.fetch = fetch;
});

// Firefox ends the requests of a page when it begins to leave it, before `pagehide`.
it('does not say that the server cannot be reached while the browser leaves the page', async () => {
  await openAs(server, '/w/acme/members');
  await screen.findByRole('row', { name: /owner/ });
  const { reachable, watchServer } = await import('../../src/api/client.ts');
  const send = watchServer as unknown as (request: object, next: () => Promise<object>) => Promise<object>;
  const request = { signal: new AbortController().signal };
  const fail = () => send(request, () => Promise.reject(new TypeError('NetworkError'))).catch(String);
  // The time in which the page is gone, unless somebody stays. The server does not respond again before its end.
  skipPauses(5_000);
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.reject(new TypeError('NetworkError'));
  globalThis.dispatchEvent(new Event('beforeunload'));
  await fail();
  expect(reachable.value).toBe(true);
  await waitFor(async () => {
    await fail();
    expect(reachable.value).toBe(false);
  });
  globalThis.fetch = fetch;
  reachable.value = true;
});

it('does not end a session for the late refusal of a request that was sent before it', async () => {
  await openAs(server, '/w/acme/members');
  await screen.findByRole('row', { name: /owner/ });
  const { middleware } = await import('../../src/api/client.ts');
  const { session } = await import('../../src/api/session.ts');
  const [, watchResponses] = middleware;
  const send = watchResponses as unknown as (request: object, next: () => Promise<object>) => Promise<object>;
  const first = session.value;
  if (first === null || first === 'unknown') throw new Error('Nobody is logged in.');
  const again = { ...first };
  await send({ method: 'GET' }, async () => {
    session.value = again;
    return { status: 401 };
  });
  expect(session.value).toBe(again);
  await send({ method: 'GET' }, async () => ({ status: 401 }));
  expect(session.value).toBeNull();
});

it('keeps its data while the server cannot be reached, says so, and reconnects by itself', async () => {
  // The pause before a query is retried.
  skipPauses(2_000);
  await openAs(server, '/w/acme/members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
  await api.members.invite(server.workspaceId, { email: 'meanwhile@example.com', role: 'viewer' });
  const { cache } = await import('../../src/data/queries/query-cache.ts');
  cache.invalidate('members');
  await screen.findByText(/^The server cannot be reached/);
  expect(screen.getByRole('row', { name: /owner@example\.com/ })).toBeTruthy();
  globalThis.fetch = fetch;
  await waitFor(() => expect(screen.queryByText(/^The server cannot be reached/)).toBeNull());
  await screen.findByRole('row', { name: /meanwhile@example\.com/ });
});

it('loads a list again when somebody comes back to the window', async () => {
  onTestFinished(() => hideWindow(false));
  await openAs(server, '/w/acme/members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  hideWindow(true);
  await api.members.invite(server.workspaceId, { email: 'away@example.com', role: 'viewer' });
  hideWindow(false);
  await screen.findByRole('row', { name: /away@example\.com/ });
});

it('keeps the loaded pages of a list when somebody comes back to the window', async () => {
  const { client, usePages } = await hooks();
  for (const name of ['k', 'l', 'm'])
    await api.members.invite(server.workspaceId, { email: `${name}@example.com`, role: 'viewer' });
  const lists = vi.fn((signal: AbortSignal) =>
    client.members.list(server.workspaceId, { limit: 2 }, { signal }),
  );
  const counts: (number | undefined)[] = [];
  function List() {
    const pages = usePages(lists, ['members', server.workspaceId, 'two by two']);
    counts.push(pages.items?.length);
    return (
      <button onClick={() => pages.loadMore()}>
        {`${pages.items?.length ?? 'no'} members, ${pages.loading ? 'loading' : 'loaded'}`}
      </button>
    );
  }
  onTestFinished(() => hideWindow(false));
  const user = userEvent.setup();
  render(<List />);
  await user.click(await screen.findByRole('button', { name: '2 members, loaded' }));
  await screen.findByText('4 members, loaded');
  counts.length = 0;
  hideWindow(true);
  hideWindow(false);
  await waitFor(() => expect(lists).toHaveBeenCalledTimes(2));
  await screen.findByText('4 members, loaded');
  expect(counts.every((count) => count === 4)).toBe(true);
  cleanup();
});
