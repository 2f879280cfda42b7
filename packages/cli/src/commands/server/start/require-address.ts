import type { ServerConfig } from '@hubline/server';

/**
 * Checks that a server can listen at its address. It tries free ports, because those of the settings may be in use or privileged. Throws
 * `ConfigError`.
 */
export async function requireAddress(config: ServerConfig): Promise<void> {
  const { tryPorts } = await import('@hubline/server');
  await tryPorts({ ...config, port: 0, httpsPort: 0, httpPort: 0 });
}
