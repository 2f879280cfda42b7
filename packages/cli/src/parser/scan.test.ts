import { describe, expect, it } from 'vitest';
import { errorFlags, expandJson, scan } from './scan.ts';

describe('scan', () => {
  it.each([
    [['member', 'list', '--all'], ['member', 'list'], ['--all']],
    [
      ['-w', 'acme', 'member', 'list'],
      ['member', 'list'],
      ['-w', 'acme'],
    ],
    [
      ['member', '--json', 'list', 'x'],
      ['member', 'list'],
      ['--json', 'x'],
    ],
    [['--workspace=acme', 'member', 'list'], ['member', 'list'], ['--workspace=acme']],
    [['member', '--', 'list'], ['member'], ['--', 'list']],
    [['-w'], [], ['-w']],
    [[], [], []],
  ])('%j has the words %j and the rest %j', (argv, words, rest) => {
    expect(scan(argv, 2)).toEqual({ words, rest });
  });
});

describe('expandJson', () => {
  const command = {
    flags: { name: { type: 'text', value: 'name', summary: '' } },
    args: { thing: { summary: '', choices: ['owner'] } },
    view: { noun: ['event', 'events'], fields: ['id', 'actor', 'owner'], columns: [], id: 'id' },
  } as const;

  it.each([
    [
      ['--json', 'evt_1'],
      ['--json=*', 'evt_1'],
    ],
    [['--json=id'], ['--json=id']],
    [['--json='], ['--json=']],
    [
      ['--name', '--json'],
      ['--name', '--json'],
    ],
    [
      ['--', '--json'],
      ['--', '--json'],
    ],
    [
      ['--json', 'id', 'evt_1'],
      ['--json=id', 'evt_1'],
    ],
    [['--json', 'id,actor.name'], ['--json=id,actor.name']],
    [['--json', 'id,idd'], ['--json=id,idd']],
    // A word that is a value of the argument is not a field.
    [
      ['--json', 'owner'],
      ['--json=*', 'owner'],
    ],
    [
      ['--json', '--name', 'id'],
      ['--json=*', '--name', 'id'],
    ],
  ])('%j becomes %j', (argv, expanded) => {
    expect(expandJson(argv, command)).toEqual(expanded);
  });
});

describe('errorFlags', () => {
  it.each(['--json', '--json=id', '--ndjson', '-o json', '-ojson', '--output ndjson', '--output=json'])(
    '%s asks for JSON',
    (text) => {
      expect(errorFlags(['member', 'list', ...text.split(' ')]).json).toBe(true);
    },
  );

  it.each(['', '-o table', '-- --json', '--jsonl', '-o'])('%j does not ask for JSON', (text) => {
    expect(errorFlags(['member', 'list', ...text.split(' ')]).json).toBe(false);
  });

  it.each([
    ['--color=never', 'never'],
    ['--color never', 'never'],
    ['--color=always', 'always'],
    ['--color=blue', 'auto'],
    ['-- --color=never', 'auto'],
    ['--color', 'auto'],
  ])('%s means %s', (text, color) => {
    expect(errorFlags(['member', 'list', ...text.split(' ')]).color).toBe(color);
  });
});
