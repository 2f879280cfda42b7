import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installOnce } from '../packed/install.ts';
import { run } from './run.ts';

interface Verdaccio {
  runServer(config: object): Promise<Server>;
}

/** Starts a registry on this machine without our packages. It fetches all others from npm's registry. `hubline` has no scope. */
export async function startRegistry(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const tools = await installOnce('rehearsal');
  const { runServer } = createRequire(join(tools, 'package.json'))('verdaccio') as Verdaccio;
  const server = await runServer({
    self_path: folder,
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: { usual: { url: (await run(['npm', 'config', 'get', 'registry'], { cwd: folder })).trim() } },
    packages: {
      '@hubline/*': { access: '$all', publish: '$all' },
      hubline: { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'usual' },
    },
    // The command line includes its man pages, and the server includes the dashboard.
    max_body_size: '100mb',
    web: { enable: false },
    log: { type: 'file', path: join(folder, 'verdaccio.log'), level: 'warn' },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
