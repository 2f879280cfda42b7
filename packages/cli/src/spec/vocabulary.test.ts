import { TRIGGERS } from '@hubline/contract/constants';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { fakeApi, pageResponse } from '../test/fake-api.ts';
import { runCli } from '../test/run-cli.ts';
import { allCommands } from '../test/tree.ts';
import type { ValueFlag } from './flag.ts';

const commands = await allCommands();
const flags = commands.flatMap(({ path, flags: own = {} }) =>
  Object.entries(own).map(([name, flag]) => ({ path, name, flag })),
);
const uses = (name: string) => flags.filter((each) => each.name === name);

it('no help names a file of the repository: a user of the single-file program has no docs/', () => {
  const texts = JSON.stringify(commands);
  expect(texts).toContain('/blob/main/docs/');
  expect(texts.match(/.{0,40}(?<!blob\/main\/)\bdocs\/[a-z]+.{0,20}/g)).toBe(null);
});

describe('one word means one thing on the command line', () => {
  it('--trigger is what a subscription names, and nothing else takes such names', () => {
    expect(uses('trigger').length).toBeGreaterThan(5);
    const choosing = flags.filter(({ flag }) =>
      (flag as ValueFlag).choices?.some((each) => TRIGGERS.some((known) => known === each)),
    );
    expect([...new Set(choosing.map(({ name }) => name))].toSorted()).toEqual(['notify-on', 'trigger']);
    for (const { path, flag } of uses('trigger'))
      expect({ path, value: (flag as ValueFlag).value }).toEqual({ path, value: 'trigger' });
  });

  it("--type is the event's own type", () => {
    expect(uses('type').length).toBeGreaterThan(5);
    for (const { path, flag } of uses('type'))
      expect({ path, value: (flag as ValueFlag).value }).toEqual({ path, value: 'type' });
  });

  it('--event is the ID of an event', () => {
    expect(uses('event').length).toBeGreaterThan(1);
    for (const { path, flag } of uses('event'))
      expect({ path, value: (flag as ValueFlag).value }).toEqual({ path, value: 'id' });
  });

  it('no flag is called after the field of the API that has both meanings', () => {
    expect(uses('event-type')).toEqual([]);
  });

  it.each([
    [['webhook', 'create', '--url=https://x.test', '--event=*'], 'subscribes with --trigger'],
    [['delivery', 'list', '--event-type=event.created'], '--trigger'],
    [['integration', 'create', '--type=slack'], '--provider'],
  ])('%j says which word is meant', async (line, word) => {
    const { code, err } = await runCli(line);
    expect({ code, said: err.includes(word) ? word : err }).toEqual({ code: 2, said: word });
  });

  it('a table says TRIGGER where the API has event_type, and TYPE for that of the event', async () => {
    const delivery = {
      event_name: 'push',
      id: 'dlv_1',
      event_type: 'event.created',
      status: 'delivered',
      created_at: '2026-01-01T00:00:00.000Z',
    };
    const api = await fakeApi(() => pageResponse([delivery]));
    const { out } = await runCli(['delivery', 'list', '-o', 'table'], { env: api.env });
    expect(out).toMatch(/^ID +TYPE +TRIGGER +STATUS.*\ndlv_1 +push +event\.created /);
  });
});

describe('JSON has one style of names', () => {
  const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

  it.each(commands.map((command) => [command.path, command] as const))(
    'the fields of %s are in snake case',
    (_, { view }) => {
      expect(view.fields.filter((field) => !SNAKE.test(field))).toEqual([]);
    },
  );

  it('the codes of errors are, too', () => {
    expect(Object.keys(EXIT_CODES).filter((code) => !SNAKE.test(code))).toEqual([]);
  });
});
