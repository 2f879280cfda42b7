import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** The globals that stay those of Node: its network is faster than happy-dom's, and does not check origins. */
const NODES = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
];

const environment: Environment = {
  name: 'dashboard',
  viteEnvironment: 'ssr',
  async setup(global: Record<string, unknown>, options) {
    const own = Object.fromEntries(NODES.map((name) => [name, global[name]]));
    const built = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(global, name, { value, configurable: true, writable: true });
    // As on a page over https://, or from this machine.
    global['isSecureContext'] = true;
    return built;
  },
};

export default environment;
