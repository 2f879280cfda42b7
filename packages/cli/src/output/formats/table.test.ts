import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../terminal/io.ts';
import { testIo } from '../../test/test-io.ts';
import { allCommands } from '../../test/tree.ts';
import { columnsOf } from './columns.ts';
import { formatTable, growingTable } from './table.ts';

const style = createStyle(testIo().stdout, { when: 'never', env: {} });
const now = () => Date.parse('2026-06-15T12:00:00Z');
const views = [...new Set((await allCommands()).map(({ view }) => view))].filter(
  ({ columns }) => columns.length > 0,
);

/** An item with long values wherever a column may be cut, IDs as long as real ones, and ordinary values elsewhere. */
function wide(columns: ReturnType<typeof columnsOf>): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const { path, flexible } of columns) {
    const [head = '', tail] = path.split('.');
    const text = flexible ? 'wide '.repeat(40) : /(?:^|_)id$/.test(path) ? 'x'.repeat(30) : 'usual';
    const value = path.endsWith('_at')
      ? '2026-06-13T12:00:00Z'
      : path === 'targets'
        ? [{ name: text }]
        : text;
    item[head] = tail === undefined ? value : { ...(item[head] as object | undefined), [tail]: value };
  }
  return item;
}

describe.each(views.map((view) => [view.noun[1], view] as const))('the table of %s', (_, view) => {
  const columns = columnsOf(view);

  // A one-time secret is not cut.
  const narrow = columns.some(({ secret }) => secret) ? [] : [10, 20, 40, 60];

  it.each([...narrow, 80, 100, 200])('fits %d columns', (width) => {
    const options = { columns, width, now, style };
    const lines = formatTable([wide(columns)], options) + growingTable(options)(wide(columns));
    for (const line of lines.trimEnd().split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });
});

describe('where there is no room for everything', () => {
  const columns = columnsOf({
    noun: ['x', 'xs'],
    fields: [],
    id: 'id',
    columns: [
      'id',
      { path: 'url', flexible: true },
      'created_at',
      { path: 'note', optional: true },
      { path: 'seen_at', optional: true },
    ],
  });
  const item = {
    id: 'x'.repeat(30),
    url: `https://${'u'.repeat(22)}`,
    created_at: '2026-06-13T12:00:00Z',
    note: 'note',
    seen_at: '2026-06-15T11:59:00Z',
  };
  const rows = (width: number) => formatTable([item], { columns, width, now, style }).split('\n');

  it.each([
    [120, 'ID URL CREATED NOTE SEEN', '2 days ago'],
    [90, 'ID URL CREATED NOTE SEEN', '2d ago'],
    [79, 'ID URL CREATED NOTE', '2d ago'],
    [70, 'ID URL CREATED', '2d ago'],
  ])('of %d columns, times get brief, and optional columns go: %s', (width, names, time) => {
    const [header = '', row = ''] = rows(width);
    expect(header.split(/ {2,}/).join(' ')).toBe(names.replace('SEEN', 'SEEN AT'));
    expect(row).toContain(`  ${time}`);
    expect(row.split(/ {2,}/)[1]?.length).toBeGreaterThanOrEqual(24);
  });
});

it('leaves out what says neither which thing a row is about nor its state, then the name, and cuts the ID last', () => {
  const columns = columnsOf({
    noun: ['x', 'xs'],
    fields: [],
    id: 'id',
    columns: ['id', { path: 'name', flexible: true }, 'status', 'last_used_at'],
  });
  const item = { id: 'x'.repeat(30), name: 'n'.repeat(20), status: 'delivered', last_used_at: null };
  const lines = (width: number) => formatTable([item], { columns, width, now, style }).split('\n');
  expect(lines(80)[0]?.split(/ {2,}/)).toEqual(['ID', 'NAME', 'STATUS', 'LAST USED']);
  expect(lines(60)[0]?.split(/ {2,}/)).toEqual(['ID', 'NAME', 'STATUS']);
  expect(lines(41)[1]?.split(/ {2,}/)).toEqual([item.id, 'delivered']);
  expect(lines(40)[1]?.split(/ {2,}/)).toEqual([item.id, 'deliver…']);
  expect(lines(39)[1]).toBe(item.id);
  expect(lines(20)).toEqual(['ID', `${'x'.repeat(19)}…`, '']);
});

it('leaves out flexible columns from the right when there is no room for them', () => {
  const columns = columnsOf({
    noun: ['x', 'xs'],
    fields: [],
    id: 'id',
    columns: ['id', { path: 'a', flexible: true }, { path: 'b', flexible: true }],
  });
  const item = { id: 'x'.repeat(30), a: 'aaaaaaaaaaaa', b: 'bbbbbbbbbbbb' };
  const header = (width: number) =>
    formatTable([item], { columns, width, now, style }).split('\n')[0]?.split(/ +/);
  expect(header(80)).toEqual(['ID', 'A', 'B']);
  expect(header(45)).toEqual(['ID', 'A']);
  expect(header(20)).toEqual(['ID']);
});
