type Variables = Readonly<Record<string, string | undefined>>;

const NAME = /^HUBLINE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//;

/**
 * Leaves out the variables in which Kubernetes, and links of Docker, give each container the address of a service named
 * hubline, such as `HUBLINE_PORT=tcp://10.0.0.7:8787`.
 */
export const withoutServiceLinks = (env: Variables): Variables =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !NAME.test(name) && !(name === 'HUBLINE_PORT' && ADDRESS.test(value)),
    ),
  );
