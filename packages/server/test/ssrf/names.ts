import { FORBIDDEN_IPV4, FORBIDDEN_IPV6, PUBLIC_IPV4, PUBLIC_IPV6 } from './addresses.ts';
import { createZone, type Records, type Zone } from './zone.ts';

const PUBLIC = ['8.8.8.8', '2606:4700::1111'] as const;

const single = (prefix: string, addresses: readonly string[]): [string, Records][] =>
  addresses.map((address, index) => [`${prefix}-${index}.example.com`, { addresses: [address] }]);

const [v4, v6] = PUBLIC;

/** Names that look ordinary and resolve to an address that must not be called. */
const FORBIDDEN: Record<string, Records> = {
  ...Object.fromEntries([...single('four', FORBIDDEN_IPV4), ...single('six', FORBIDDEN_IPV6)]),
  // One forbidden address among public ones is enough, at any position and whatever the family of the others.
  'mixed-last.example.com': { addresses: [v4, '127.0.0.1'] },
  'mixed-first.example.com': { addresses: ['127.0.0.1', v4] },
  'mixed-middle.example.com': { addresses: [v4, '10.0.0.1', '1.1.1.1'] },
  'mixed-families.example.com': { addresses: [v4, v6, '::1'] },
  'mixed-families-mapped.example.com': { addresses: [v6, '::ffff:169.254.169.254'] },
  'mixed-many.example.com': {
    addresses: [...Array.from({ length: 60 }, (_, n) => `8.8.4.${n}`), '192.168.0.1'],
  },
  'not-an-address.example.com': { addresses: ['localhost'] },
  'short-form.example.com': { addresses: ['127.1'] },
  'octal-form.example.com': { addresses: ['0177.0.0.1'] },
  // An alias of an internal name, one step away and several.
  'cname.example.com': { cname: 'localhost' },
  'cname-metadata.example.com': { cname: 'metadata.google.internal' },
  'cname-chain.example.com': { cname: 'cname-two.example.com' },
  'cname-two.example.com': { cname: 'cname-three.example.com' },
  'cname-three.example.com': { cname: 'database.internal' },
  // The answers of public wildcard services.
  '127.0.0.1.nip.example': { addresses: ['127.0.0.1'] },
  '169-254-169-254.nip.example': { addresses: ['169.254.169.254'] },
  'kubernetes.default.svc': { addresses: ['10.96.0.1'] },
  'router.lan': { addresses: ['192.168.0.1'] },
};

// The targets of the aliases above. No user can name these.
const INSIDE: Record<string, Records> = {
  localhost: { addresses: ['127.0.0.1', '::1'] },
  'metadata.google.internal': { addresses: ['169.254.169.254'] },
  'database.internal': { addresses: ['10.0.0.5'] },
};

/** Names that resolve to nothing: there is nothing to dial. */
const NOWHERE: Record<string, Records> = {
  'cname-loop.example.com': { cname: 'cname-loop.example.com' },
  'cname-dead.example.com': { cname: 'nobody.example.com' },
  'no-address.example.com': { addresses: [] },
};

/** Public names, and their addresses. */
const OPEN: Record<string, Records> = {
  ...Object.fromEntries([...single('open-four', PUBLIC_IPV4), ...single('open-six', PUBLIC_IPV6)]),
  'open-both.example.com': { addresses: PUBLIC },
  'open-cname.example.com': { cname: 'open-both.example.com' },
  'localhost.example.com': { addresses: [v4] },
};

export const FORBIDDEN_HIDDEN = Object.keys(FORBIDDEN);
export const NOWHERE_NAMES = Object.keys(NOWHERE);
export const OPEN_NAMES = Object.keys(OPEN);

/** A name server that knows all of these names. */
export const corpusZone = (more: Record<string, Records> = {}): Zone =>
  createZone({ ...FORBIDDEN, ...INSIDE, ...NOWHERE, ...OPEN, ...more });
