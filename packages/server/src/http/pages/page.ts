import { LIMITS } from '@hubline/contract';
import type { Exchange } from '../exchange.ts';

// Two pages are needed before anybody can log in. They are plain forms: no script, nothing from elsewhere.
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1c2024;background:#fcfcfd}' +
  'h1{font-size:1.5rem}label{display:block;margin:1rem 0 .25rem;font-weight:600}' +
  'input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid #8b8d98;border-radius:.375rem;background:#fff;color:inherit}' +
  'small{display:block;margin-top:.25rem}details{margin-top:1.5rem}summary{cursor:pointer}' +
  'button{font:inherit;margin-top:1.5rem;padding:.5rem 1.25rem;border:0;border-radius:.375rem;background:#0b68cb;color:#fff;cursor:pointer}' +
  'code{display:block;padding:.75rem;border-radius:.375rem;background:#edf0f3;overflow-wrap:anywhere}a{color:#0b68cb}.error{color:#c62a2f}' +
  '@media(prefers-color-scheme:dark){body{color:#edeef0;background:#111113}input{background:#18191b;border-color:#696e77}code{background:#212225}a{color:#70b8ff}.error{color:#ff9592}}';

const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is safe in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A field for a password, old or new. */
export function passwordField(attributes: string): string {
  const { passwordMin: min, passwordMax: max } = LIMITS;
  return (
    `<input id="password" name="password" type="password" minlength="${min}" maxlength="${max}" ${attributes}>` +
    `<small>At least ${min} characters.</small>`
  );
}

/** One page. `body` is HTML, made with `escapeHtml` where it holds anything from outside. */
export function htmlPage(
  { headers }: Exchange,
  page: { title: string; body: string; status?: number; headers?: Record<string, string> },
): Response {
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(page.title)} · Hubline</title><style>${STYLE}</style><main><h1>${escapeHtml(page.title)}</h1>${page.body}</main></html>`;
  return new Response(html, {
    status: page.status ?? 200,
    headers: {
      ...headers,
      ...page.headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CSP,
      // The address holds a one-time token: it must not travel to any other place.
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
