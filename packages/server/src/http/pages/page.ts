import { LIMITS } from '@hubline/contract';
import type { HandledRequest } from '../handled-request.ts';

// These pages are needed before anybody can log in. They look like the dashboard's login: plain forms beside its picture, no script,
// nothing from elsewhere. Where the dashboard was not built, they do without its picture and its font.
const STYLE =
  ':root{color-scheme:light dark;--surface:light-dark(#fff,#101415);--sunk:light-dark(#faf9f6,#0c1011);' +
  '--line:light-dark(#e8e6e0,#1f2627);--control:light-dark(#d3cfc6,#313b3c);--text:light-dark(#171b1b,#e9eeed);--text-2:light-dark(#484e4d,#adb7b6);--text-3:light-dark(#656b69,#8a9594);' +
  '--accent:light-dark(#0b6972,#5cc8cd);--solid:light-dark(#0b6972,#4bb7bd);--on:light-dark(#fff,#04211f);--bad:light-dark(#a8382b,#f19c8e);--bad-tint:light-dark(#fbeeeb,#2a1614)}' +
  '*{box-sizing:border-box}body{margin:0;min-height:100dvh;display:grid;grid-template-columns:minmax(440px,1fr) minmax(0,1.25fr);font:14px/22px Inter,ui-sans-serif,system-ui,sans-serif;color:var(--text);background:var(--surface)}' +
  '.door{display:flex;flex-direction:column;min-width:0;padding:36px 56px}main{margin:auto;width:min(368px,100%);padding:32px 0}' +
  '.art{width:calc(100% - 12px);height:calc(100dvh - 24px);margin:12px 12px 12px 0;position:sticky;top:12px;object-fit:contain;border:1px solid var(--line);border-radius:14px;background:light-dark(#eef4f2,#0b1415)}' +
  '.brand{display:flex;align-items:center;gap:10px;margin:0;font-size:17px;font-weight:620;letter-spacing:-.015em;color:var(--text)}.brand svg{width:24px;height:24px}' +
  'h1{margin:0 0 8px;font-size:31px;line-height:38px;font-weight:620;letter-spacing:-.03em;text-wrap:balance}p{margin:8px 0;color:var(--text-2)}strong{font-weight:600;color:var(--text)}' +
  'label{display:block;margin:18px 0 6px;font-weight:530;font-size:13px}' +
  'input{font:inherit;width:100%;height:40px;padding:0 12px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:inherit}' +
  'input[readonly]{background:var(--sunk);color:var(--text-2)}input:focus{outline:0;border-color:var(--accent);box-shadow:0 0 0 3px light-dark(#0b697226,#5cc8cd33)}' +
  'small{display:block;margin-top:6px;font-size:12px;line-height:18px;color:var(--text-3)}details{margin-top:24px}summary{cursor:pointer;color:var(--text-2)}' +
  'button,.button{display:grid;place-items:center;font:inherit;font-weight:530;width:100%;height:40px;margin-top:24px;border:0;border-radius:6px;background:var(--solid);color:var(--on);cursor:pointer;text-decoration:none}' +
  ':focus-visible{outline:2px solid var(--accent);outline-offset:2px}' +
  // One click selects all of it.
  'code{display:block;padding:10px 12px;border:1px solid var(--line);border-radius:8px;background:var(--sunk);color:var(--text);font:13px/20px ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere;user-select:all}' +
  'a{color:var(--accent);text-underline-offset:3px}.error{padding:10px 12px;border-radius:8px;background:var(--bad-tint);color:var(--bad)}' +
  '@media(width<=900px){body{grid-template-columns:minmax(0,1fr)}.door{padding:24px 20px}.art{display:none}}';

const BRAND =
  '<header class="brand"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M4.5 3.2v13.6M15.5 3.2v13.6" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" fill="none"/>' +
  '<path d="M4.5 10h11" stroke="var(--accent)" stroke-width="1.8"/><circle cx="10" cy="10" r="3.4" fill="var(--accent)"/></svg>Hubline</header>';

const CSP =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

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

/** One page. `body` is HTML, made with `escapeHtml` if it holds anything from outside. */
export function htmlPage(
  { headers }: HandledRequest,
  page: { title: string; body: string; status?: number; headers?: Record<string, string> },
): Response {
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(page.title)} · Hubline</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/door.css"><style>${STYLE}</style>` +
    `<body><div class="door">${BRAND}<main><h1>${escapeHtml(page.title)}</h1>${page.body}</main></div><img class="art" src="/door.svg" alt=""></html>`;
  return new Response(html, {
    status: page.status ?? 200,
    headers: {
      ...headers,
      ...page.headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CSP,
      // The address holds a one-time token: it must not be sent to any other site.
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  });
}
