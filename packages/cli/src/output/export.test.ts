import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { errorAnswer, fakeApi, pageAnswer } from '../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../test/run-cli.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory, 'audit.csv');
});

const csv = 'id,action\r\naud_1,member.invited\r\n';
const api = () =>
  fakeApi(({ query }) => (query['format'] === 'csv' ? { text: csv } : pageAnswer([{ id: 'aud_1' }])));

it("prints the server's own CSV, or JSON, whole", async () => {
  const { env } = await api();
  expect(await runCli(['audit', 'export'], { env })).toEqual({ code: 0, out: csv, err: '' });
  expect(await runCli(['audit', 'export', '--format=ndjson'], { env })).toMatchObject({
    out: '{"id":"aud_1"}\n',
  });
  expect(await runCli(['audit', 'export', '--json'], { env })).toMatchObject({ out: '[{"id":"aud_1"}]\n' });
});

it('writes a file, and replaces one only by --force', async () => {
  const { env } = await api();
  expect(await runCli(['audit', 'export', `--out=${file}`], { env })).toEqual({ code: 0, out: '', err: '' });
  expect(await readFile(file, 'utf8')).toBe(csv);
  await writeFile(file, 'mine');
  expect(await runCli(['audit', 'export', `--out=${file}`], { env })).toMatchObject({ code: 2, out: '' });
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await runCli(['audit', 'export', `--out=${file}`, '--force'], { env })).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe(csv);
});

it('leaves no half of a file behind when it fails', async () => {
  const { env } = await fakeApi(({ query }) =>
    query['cursor'] === undefined
      ? pageAnswer([{ id: 'aud_1' }], 'next')
      : errorAnswer(500, 'internal_error'),
  );
  const line = ['audit', 'export', '--format=json', `--out=${file}`, '--retries=0'];
  expect(await runCli(line, { env })).toMatchObject({ code: 7, out: '' });
  expect(await readdir(directory)).toEqual([]);
  expect(await runCli(['audit', 'export', `--out=${directory}/none/x`], { env })).toMatchObject({ code: 2 });
});
