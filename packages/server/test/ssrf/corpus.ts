import { forbiddenHosts, publicHosts } from './addresses.ts';
import { FORBIDDEN_NAMES, PUBLIC_URLS, trickyUrls } from './urls.ts';

/** A URL, and the status with which the API must refuse it. */
export interface Refusal {
  url: string;
  /** Malformed is 400, well-formed and forbidden is 422. */
  status: 400 | 422;
}

/** Reports whether a host is written as it is called: in ASCII, and without percent-encoding. */
const isPlain = (host: string) => !/[^!-~]|%/.test(host);

/** Every URL that the API must refuse as it stands. `port`: that of a witness on the loopback. */
export function refusals(port: number): Refusal[] {
  const hosts = [...forbiddenHosts(), ...FORBIDDEN_NAMES];
  return [
    ...hosts.map((host): Refusal => ({ url: `https://${host}:${port}/hook`, status: 422 })),
    ...publicHosts()
      .filter((host) => !isPlain(host))
      .map((host): Refusal => ({ url: `https://${host}:${port}/hook`, status: 400 })),
    ...trickyUrls(port).map(([url, status]): Refusal => ({ url, status })),
  ];
}

export const forbiddenUrls = (port: number): string[] => refusals(port).map(({ url }) => url);

/** Every URL that the API must not refuse. */
export const publicUrls = (): string[] => [
  ...publicHosts()
    .filter(isPlain)
    .map((host) => `https://${host}/hook`),
  ...PUBLIC_URLS,
];
