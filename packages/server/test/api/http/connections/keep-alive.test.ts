import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startWorkspace } from '../../support/workspace.ts';

/** The time for which nginx keeps an idle connection to a server, unless its configuration says otherwise. */
const OF_NGINX = '60';

it('an idle connection stays open for longer than the proxies of the examples keep it', async () => {
  const here = await startWorkspace();
  const response = await fetch(`${here.server.url}/livez`);
  await response.text();
  const [, ofServer] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  const example = (name: string) =>
    readFileSync(new URL(`../../../../../../examples/self-hosting/${name}`, import.meta.url), 'utf8');
  const [, ofCaddy] = /^\s*keepalive (\d+)s$/m.exec(example('Caddyfile')) ?? [];
  const [, ofNginx = OF_NGINX] = /^\s*keepalive_timeout (\d+)s?;$/m.exec(example('nginx.conf')) ?? [];
  expect(Number(ofCaddy)).toBeLessThan(Number(ofServer));
  expect(Number(ofNginx)).toBeLessThan(Number(ofServer));
  await here.stop();
});
