import { expect, it } from 'vitest';
import { ConfigError, parseServerConfig } from '../../config/config.ts';
import { listenError } from './listen-error.ts';

// Some machines let every user open ports below 1024, so the tests make up the system's error.
const { names } = parseServerConfig({}, {});
const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });

it('tells a user without privileges how to get the ports of HTTPS and HTTP', () => {
  const error = listenError(refused, { host: '::', port: 443, setting: 'httpsPort', names });
  expect(error).toBeInstanceOf(ConfigError);
  expect(error.message).toMatch(/^--https-port 443 needs a privilege/);
  expect(error.message).toContain('sudo hubline service install --domain');
  expect(error.message).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE');
  expect(error.message).toMatch(/sudo setcap cap_net_bind_service=\+ep \/\S+\./);
  expect(error.message).toContain('--https-port 8443 --http-port 8080');
});

it('suggests another port where any will do', () => {
  const error = listenError(refused, { host: '127.0.0.1', port: 80, setting: 'port', names });
  expect(error.message).toBe('--port 80 needs privileges. Use a port above 1023.');
});
