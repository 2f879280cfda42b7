// @vitest-environment node
import { execFileSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { quoted, quotedForPowerShell, shellSamples } from '../../src/components/code/shell-samples.ts';

afterEach(() => vi.unstubAllGlobals());

const on = (userAgent: string) => vi.stubGlobal('navigator', { userAgent });

const HOSTILE = '{"it\'s":"$(id) `id` \\"quoted\\" \\\\ ‘curly’ %PATH% !"}';

it('quotes any text as one argument for a POSIX shell', () => {
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(HOSTILE)}`], { encoding: 'utf8' })).toBe(HOSTILE);
});

/** Reads a single-quoted string as PowerShell does: any single quote may be curly, and two in a row mean the second. */
function readByPowerShell(source: string): string {
  const quotes = /['‘’‚‛]/;
  expect(source[0]).toMatch(quotes);
  let text = '';
  for (let at = 1; at < source.length; at++) {
    const char = source[at] ?? '';
    if (!quotes.test(char)) text += char;
    else if (quotes.test(source[at + 1] ?? '')) text += source[++at];
    else {
      expect(at).toBe(source.length - 1);
      return text;
    }
  }
  return expect.fail('The string does not end.');
}

it.each([HOSTILE, "'", "''", '’', "it's ’‘‚‛", '', '$env:HOME `n "'])(
  'quotes a text as one string for PowerShell: %s',
  (text) => expect(readByPowerShell(quotedForPowerShell(text))).toBe(text),
);

it('has a sample for both shells, that of the reader first', () => {
  const call = { method: 'PATCH', url: "http://127.0.0.1:8787/v1/it's", body: '{"name":"Ana’s"}' };
  on('Mozilla/5.0 (X11; Linux x86_64)');
  expect(Object.keys(shellSamples(call))).toEqual(['curl', 'PowerShell']);
  on('Mozilla/5.0 (Windows NT 10.0; Win64; x64)');
  const samples = shellSamples(call);
  expect(Object.keys(samples)).toEqual(['PowerShell', 'curl']);
  expect(samples['curl']).toBe(
    String.raw`curl -X PATCH 'http://127.0.0.1:8787/v1/it'\''s' \
  -H "Authorization: Bearer $HUBLINE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"name":"Ana’s"}'`,
  );
  expect(samples['PowerShell']).toBe(
    [
      "Invoke-RestMethod 'http://127.0.0.1:8787/v1/it''s' -Method PATCH `",
      '  -Headers @{ Authorization = "Bearer $env:HUBLINE_API_KEY" } `',
      "  -ContentType 'application/json; charset=utf-8' `",
      `  -Body '{"name":"Ana’’s"}'`,
    ].join('\n'),
  );
});

it('leaves out the default method, and follows a stream with a program that prints it as it arrives', () => {
  on('');
  const url = 'http://h/v1/me';
  expect(shellSamples({ url })['curl']).toBe(
    `curl 'http://h/v1/me' \\\n  -H "Authorization: Bearer $HUBLINE_API_KEY"`,
  );
  expect(shellSamples({ url, streams: true })).toEqual({
    curl: `curl -N 'http://h/v1/me' \\\n  -H "Authorization: Bearer $HUBLINE_API_KEY"`,
    PowerShell: `curl.exe -N 'http://h/v1/me' -H "Authorization: Bearer $env:HUBLINE_API_KEY"`,
  });
});
