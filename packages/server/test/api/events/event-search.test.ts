import type { EndpointOutput } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
const ids: Record<string, string> = {};

beforeAll(async () => {
  root = await startWorkspace();
  workspace = await newWorkspace(root);
  const publish = async (type: string, payload: string, source = 'api') => {
    const { event_id } = await workspace.api.call('events.publish', {
      params: { id: workspace.workspaceId },
      text: `{"type":"${type}","source":"${source}","payload":${payload}}`,
    });
    ids[type] = event_id;
  };
  await publish('deploy', '{"text":"Rolled out to Berlin","environment":"production","version":1.10}', 'ci');
  await publish(
    'deploy.failed',
    '{"text":"Rolled back 100%","environment":"staging","labels":[{"name":"bug"}]}',
  );
  await publish(
    'numbers',
    '{"big":12345678901234567890,"yes":true,"none":null,"a.b":"x y","list":["first","last"],"names":{"0":"zero"}}',
  );
  await publish('odd', String.raw`{"nul":"\u0000","text":"odd","quote":"say \"hi\""}`);
  await publish(
    'halves',
    String.raw`{"high":"\ud83d","low":"\ude00x","face":"\ud83d\ude00","path":"c:\\ud83d","more":"kept"}`,
  );
  await publish('large', JSON.stringify({ environment: 'production', filler: 'x'.repeat(70_000) }));
});
afterAll(() => root.stop());

const found = async (q: string, more: Record<string, string> = {}) => {
  const { data } = await workspace.api.call('events.list', {
    params: { id: workspace.workspaceId },
    query: { q, ...more },
  });
  return data.map(({ type }) => type);
};

describe('a search over events', () => {
  it('finds an event by its ID, and parts of types, sources and summaries in upper or lower case', async () => {
    expect(await found(ids['deploy'] ?? '')).toEqual(['deploy']);
    expect(await found('deploy')).toEqual(['deploy.failed', 'deploy']);
    expect(await found('DEPLOY ci')).toEqual(['deploy']);
    expect(await found('berlin')).toEqual(['deploy']);
    expect(await found('"rolled out"')).toEqual(['deploy']);
    expect(await found('nothing-like-this')).toEqual([]);
  });

  it('takes the characters of patterns literally, and does not match field names', async () => {
    expect(await found('100%')).toEqual(['deploy.failed']);
    expect(await found('rolled_out')).toEqual([]);
    expect(await found('severity')).toEqual([]);
  });

  it('compares values of payloads as they were written', async () => {
    expect(await found('payload.environment=production')).toEqual(['deploy']);
    expect(await found('payload.labels[0].name=bug')).toEqual(['deploy.failed']);
    expect(await found('payload.version=1.10')).toEqual(['deploy']);
    expect(await found('payload.version=1.1')).toEqual([]);
    expect(await found('payload.big=12345678901234567890')).toEqual(['numbers']);
    expect(await found('payload.yes=true payload["a.b"]="x y"')).toEqual(['numbers']);
  });

  it('knows null, and values beside characters that are cut in half', async () => {
    expect(await found('payload.none=null')).toEqual(['numbers']);
    expect(await found('payload.missing=null')).toEqual([]);
    expect(await found('payload.text=odd')).toEqual(['odd']);
    expect(await found('payload.more=kept payload.face=😀')).toEqual(['halves']);
  });

  it('takes a number for a position in a list, and a name for one of an object', async () => {
    for (const q of ['payload.list[1]=last', 'payload.names.0=zero'])
      expect(await found(q)).toEqual(['numbers']);
    for (const place of ['list.1', 'list.-1', 'list["01"]', 'list[2]'])
      expect(await found(`payload.${place}=last`)).toEqual([]);
    expect(await found('payload.names[0]=zero')).toEqual([]);
  });

  it('looks for a text anywhere in payloads', async () => {
    expect(await found('payload:STAGING')).toEqual(['deploy.failed']);
    expect(await found('payload:12345678901234567890')).toEqual(['numbers']);
    expect(await found('payload:"say \\"hi\\""')).toEqual(['odd']);
    expect(await found('payload:"Rolled back" payload:bug deploy')).toEqual(['deploy.failed']);
    // Characters of patterns are taken literally; a payload of more than 64 KiB is not read.
    expect(await found('payload:100_')).toEqual([]);
    expect(await found('payload:xxxx')).toEqual([]);
  });

  it('can be combined with the other filters, and has pages', async () => {
    expect(await found('deploy', { source: 'ci' })).toEqual(['deploy']);
    const { data, pagination } = await workspace.api.call('events.list', {
      params: { id: workspace.workspaceId },
      query: { q: 'deploy', limit: '1' },
    });
    expect(data.map(({ type }) => type)).toEqual(['deploy.failed']);
    expect(pagination.has_more).toBe(true);
    const next = { q: 'deploy', limit: '1', cursor: pagination.next_cursor ?? '' };
    expect(
      (await workspace.api.call('events.list', { params: { id: workspace.workspaceId }, query: next })).data,
    ).toHaveLength(1);
    const all = await workspace.api.call('events.listAll', { query: { q: 'berlin' } });
    expect(all.data.map(({ type }) => type)).toEqual(['deploy']);
  });

  it('refuses a search for several values, and says why', async () => {
    const { details } = await workspace.api.refused('events.list', 400, {
      params: { id: workspace.workspaceId },
      query: { q: 'payload.labels[*].name=bug' },
    });
    expect(details).toEqual([
      { field: 'q', issue: 'must name one value, such as payload.labels[0].name=bug' },
    ]);
  });
});

describe('a search far back', () => {
  it('ends each page after 5,000 events, continues there, and finds an ID at once', async () => {
    const far = await newWorkspace(root);
    const params = { id: far.workspaceId };
    const { event_id: id } = await far.api.call('events.publish', {
      params,
      body: { type: 'old', payload: { text: 'found' } },
    });
    const events = Array.from({ length: 1_000 }, () => ({ type: 'noise', payload: {} }));
    for (let batch = 0; batch < 5; batch++)
      await far.api.call('events.publishBatch', { params, body: { events } });
    const search = (query: Record<string, string>) => far.api.call('events.list', { params, query });
    const first = await search({ q: 'found' });
    expect(first).toMatchObject({ data: [], pagination: { has_more: true } });
    const second = await search({ q: 'found', cursor: first.pagination.next_cursor ?? '' });
    expect(second.data.map(({ type }) => type)).toEqual(['old']);
    expect(second.pagination.has_more).toBe(false);
    expect((await search({ q: id })).data.map(({ type }) => type)).toEqual(['old']);
  });
});

describe('a list of events without payloads', () => {
  it('has everything else, however large the payloads are', async () => {
    const query = { omit: 'payload', limit: '100' };
    const { json, text } = await workspace.api.send('events.list', {
      params: { id: workspace.workspaceId },
      query,
    });
    expect(text.length).toBeLessThan(5_000);
    const { data } = json as EndpointOutput<'events.list'>;
    expect(data.map(({ type }) => type)).toEqual([
      'large',
      'halves',
      'odd',
      'numbers',
      'deploy.failed',
      'deploy',
    ]);
    for (const event of data) expect(event).toMatchObject({ payload: null, payload_omitted: true });
    expect(data.at(-1)?.summary.text).toBe('Rolled out to Berlin');
  });
});
