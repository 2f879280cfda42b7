import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A site of releases on this machine, with the same paths as on GitHub. */
export interface ReleaseSite extends AsyncDisposable {
  readonly url: string;
  /** The version that `latest` leads to. */
  latest: string;
}

/** Serves the releases in a folder, each in a folder named after its version. */
export async function startReleaseSite(folder: string): Promise<ReleaseSite> {
  const server = createServer(({ url = '' }, response) => {
    const [, newest] = /^\/latest\/download\/([\w.-]+)$/.exec(url) ?? [];
    if (newest !== undefined)
      return void response.writeHead(302, { location: `/download/v${site.latest}/${newest}` }).end();
    const [, version = '', name = ''] = /^\/download\/v([\d.]+)\/([\w.-]+)$/.exec(url) ?? [];
    const file = join(folder, version, name);
    if (name === '' || !existsSync(file)) return void response.writeHead(404).end();
    createReadStream(file).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: ReleaseSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    latest: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}
