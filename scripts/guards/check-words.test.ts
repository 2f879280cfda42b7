import { expect, it } from 'vitest';
import { wordProblems } from './check-words.ts';

it.each([
  ['a.ts', '/** Whether it holds. */', 'a.ts:1 opens a comment with "Whether"'],
  ['a.ts', 'one();\n/**\n * What is left.\n */', 'a.ts:3 opens a comment with "What"'],
  ['a.ts', 'one();\n// Who did it.', 'a.ts:2 opens a comment with "Who"'],
  ['a.ts', '{\n  /** How long it takes, in milliseconds. */\n}', 'a.ts:2 opens a comment with "How"'],
  ['a.ts', 'one();\n// When it came.', 'a.ts:2 opens a comment with "When"'],
  ['a.ts', '/** Why it failed; `null` for no failure. */', 'a.ts:1 opens a comment with "Why"'],
  ['a.ts', '/** Which of them is shown. */', 'a.ts:1 opens a comment with "Which"'],
  ['a.ts', "const lane = 'x';", 'a.ts:1 says "lane"; the word is: webhook queue'],
  ['a.ts', 'one();\nconst nextLane = 1;', 'a.ts:2 says "Lane"; the word is: webhook queue'],
  ['a.ts', 'const HTTPLane = 1;', 'a.ts:1 says "Lane"; the word is: webhook queue'],
  ['a.ts', 'const lane2 = 1;', 'a.ts:1 says "lane"; the word is: webhook queue'],
  ['a.ts', 'const LANE_MAX = 1;', 'a.ts:1 says "LANE"; the word is: webhook queue'],
  ['a.ts', 'const row = { lane_id: 1 };', 'a.ts:1 says "lane"; the word is: webhook queue'],
  ['a.ts', 'function serialisedRow() {}', 'a.ts:1 says "serialised"; the word is: -ize'],
  [
    'a.ts',
    '// Gives back the place that was taken.',
    'a.ts:1 says "Gives back the place"; the word is: permit',
  ],
  ['a.md', 'Crash recovery takes a second.', 'a.md:1 says "Crash recovery"; the word is: restart'],
  ['packages/server/src/a.ts', 'class Turns {}', 'says "Turns"; the word is: round robin, or permit'],
  ['packages/server/src/a.ts', 'interface Line {}', 'says "Line"; the word is: webhook queue'],
  ['packages/server/src/a.ts', 'function emitEvent() {}', 'says "emitEvent"; the word is: fanOut'],
  ['packages/server/src/a.ts', 'type Place = string;', 'says "Place"; the word is: permit, limit'],
  ['packages/server/src/a.ts', 'function learn() {}', 'says "learn"; the word is: fire'],
  ['packages/server/src/a.ts', 'class HotQuery {}', 'says "HotQuery"; the word is: prepared query'],
  ['packages/server/src/a.ts', 'function tellPeople() {}', 'says "tellPeople"; the word is: fire'],
  ['packages/server/src/a.ts', 'interface News {}', 'says "News"; the word is: fire, notify'],
  ['a.md', 'The category of an event.', 'a.md:1 says "category"; the word is: type'],
  ['packages/server/src/a.ts', 'interface Note {}', 'says "Note"; the word is: request log'],
  ['a.md', 'The behaviour of a server.', 'a.md:1 says "behaviour"; the word is: one without the u'],
  ['a.md', 'Under the id of the delivery.', 'a.md:1 says "the id"; the word is: ID'],
  ['a.md', 'At most 12 % of it.', 'a.md:1 says "12 %"; the word is: the sign without'],
  ['a.md', 'A job sends a mail.', 'a.md:1 says "a mail"; the word is: email'],
  [
    'packages/server/src/a.ts',
    'export const noticeDowntime = 1;',
    'says "noticeDowntime"; the word is: fire',
  ],
  [
    'packages/server/src/a.ts',
    'interface A {\n  news(id: string): void;\n}',
    'a.ts:2 says "news"; the word is: fire',
  ],
  [
    'packages/server/src/a.ts',
    'class A {\n  readonly #told = 1;\n  #tellMs: number;\n}',
    'a.ts:3 says "tellMs"',
  ],
  ['a.md', 'A delivery that was canceled.', 'a.md:1 says "canceled"; the word is: two l'],
])('%s with %j is refused', (path, text, problem) => {
  expect(wordProblems(path, text)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  [
    'a.ts',
    '/** Reports whether it holds. */\n// The first line says something.\n// What follows goes on from it.',
  ],
  ['a.ts', "const text = 'https://acme.test'; // the name of the airplane"],
  ['a.md', 'What the server does. Who may call it.'],
  ['packages/server/src/a.ts', '/** Turns a line of the log into a note. */\nconst line = note(place);'],
  ['packages/cli/src/a.ts', 'interface Line {}'],
  ['a.ts', 'const planes = airplaneOf(synchronous_standby_names);'],
  ['a.md', 'The address of a mail server.'],
  ['a.ts', 'const half = count % 2; /** The `id` of the ID. */'],
  ['a.md', 'A new process takes its place, and a webhook recovers.'],
])('%s with %j passes', (path, text) => {
  expect(wordProblems(path, text)).toEqual([]);
});
