import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** The network is Node's own: it is faster than happy-dom's, and asks no questions about origins. */
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
    // As it is over https:// and on this machine.
    global['isSecureContext'] = true;
    return built;
  },
};

export default environment;
