import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dashboardFiles } from '#assets';
import type { Incoming } from './front/open-requests.ts';

/** A file of the dashboard. */
interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Compressed on the first request for it: not every server serves pages. */
  gzip?: Buffer;
}

/** The dashboard as it was built: its files by path, and the page that all addresses of the dashboard show. */
export interface Dashboard {
  readonly files: ReadonlyMap<string, Asset>;
  readonly page: Asset | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

// Pages show content from strangers: payloads, and responses of receivers. Nothing in it may run or send anything
// elsewhere.
const POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Reads the dashboard, about 200 KB, into memory; finds no files if it was not built. `folder` replaces the usual one.
 */
export function loadDashboard(folder?: string): Dashboard {
  const files = new Map(Array.from(dashboardFiles(folder), ([path, bytes]) => [path, assetOf(path, bytes)]));
  return { files, page: files.get('/index.html') };
}

function assetOf(path: string, bytes: Buffer): Asset {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, etag, type: TYPES[extname(path)] ?? 'application/octet-stream' };
}

/**
 * The file or page of the dashboard at this address; `undefined` for other addresses, for programs, and if the
 * dashboard was not built.
 */
export function dashboardResponse(
  { files, page }: Dashboard,
  incoming: Incoming,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return undefined;
  const [path = '/'] = (incoming.url ?? '/').split('?');
  const asset = files.get(path) ?? (isPage(path, incoming) ? page : undefined);
  if (!asset) return undefined;
  // The name of a file below /assets holds the hash of its content.
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const own = { ...headers, ...POLICY, 'Cache-Control': caching, ETag: asset.etag, Vary: 'Accept-Encoding' };
  if (incoming.headers['if-none-match'] === asset.etag)
    return new Response(null, { status: 304, headers: own });
  const packed = /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '');
  const bytes = packed ? (asset.gzip ??= gzipSync(asset.bytes, { level: 9 })) : asset.bytes;
  return new Response(incoming.method === 'HEAD' ? null : new Uint8Array(bytes), {
    headers: {
      ...own,
      'Content-Type': asset.type,
      'Content-Length': String(bytes.length),
      ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
}

/** The pages that guides and messages link to. Clients that accept any type, such as curl, get these too. */
const NAMED = /^\/(?:docs|login|w\/.+)$/;

/**
 * Reports whether an address is a page of the dashboard: anything a browser opens, except the API and missing files.
 */
function isPage(path: string, { headers }: Incoming): boolean {
  if (path === '/') return true;
  if (path === '/v1' || path.startsWith('/v1/') || path.startsWith('/assets/')) return false;
  const { accept = '*/*' } = headers;
  return accept.includes('text/html') || (NAMED.test(path) && accept.includes('*/*'));
}
