import { expect, it } from 'vitest';
import type { ApiOperation } from '../../src/pages/docs/api-document.ts';
import { samplesOf } from '../../src/pages/docs/request-text.ts';

it('quotes in a value and in the body do not end a text of the samples', () => {
  const operation = {
    method: 'POST',
    path: '/things/{id}',
    inQuery: [],
    body: {},
  } as unknown as ApiOperation;
  const body = JSON.stringify({ text: "it's '''quoted'''" });
  const samples = samplesOf({ operation, values: { id: "o'clock" }, body }, 'https://hub.example.com');
  expect(samples['JavaScript']).toContain("fetch('https://hub.example.com/v1/things/o%27clock', {");
  expect(samples['Python']).toContain("    'https://hub.example.com/v1/things/o%27clock',\n");
  const [, text = ''] = /json\.loads\(r'''(.*?)'''\)/s.exec(samples['Python'] ?? '') ?? [];
  expect(JSON.parse(text)).toEqual(JSON.parse(body));
});
