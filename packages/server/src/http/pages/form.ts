import { LIMITS } from '@hubline/contract';
import type { OptionalContext } from '../../context.ts';
import type { Actor } from '../../domain/identity/actor.ts';
import { Fault, invalid } from '../../domain/faults/fault.ts';
import { authenticate } from '../../services/identity/authenticate.ts';
import type { OpenedSession } from '../../services/identity/sessions.ts';
import { charge, chargeRefused } from '../charge.ts';
import type { HandledRequest, HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { publicContext } from '../request-context.ts';
import { headersOf, statusOf } from '../response/http-fault.ts';
import { isHttps } from '../request/scheme.ts';
import { searchOf } from '../request/request.ts';
import { sessionCookie, sessionToShow } from '../request/session-cookie.ts';
import { escapeHtml, htmlPage } from './page.ts';

/** A page with a form. */
export interface FormPage {
  title: string;
  /** The form as HTML. */
  form: (context: OptionalContext, fields: URLSearchParams) => Promise<string>;
  /** Handles the sent form; returns the next page, as HTML. */
  submit: (context: OptionalContext, fields: URLSearchParams) => Promise<Submitted>;
}

interface Submitted {
  html: string;
  /** The session that has begun; `null` if it has ended. Absent: unchanged. */
  session?: OpenedSession | null;
}

type Serve = (c: HttpContext) => Promise<Response>;

/** `GET`: shows the form. Never changes anything: previews and scanners look at links, too. */
export function show(deps: HttpDeps, page: FormPage): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const context = await contextOf(deps, handled);
      const fields = searchOf(handled.incoming);
      try {
        return htmlPage(handled, { title: page.title, body: await page.form(context, fields) });
      } catch (error) {
        return refusedPage(handled, page, { error: chargeRefused(deps, handled, error), form: '' });
      }
    });
}

/** `POST`: handles the form, or shows it again with the reason for the refusal. */
export function submit(deps: HttpDeps, page: FormPage): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      // Before the session is read: no other site may act with it.
      requireSameOrigin(handled);
      const context = await contextOf(deps, handled);
      const body = await deps.bodies.read(handled, LIMITS.publicBodyBytes);
      // A mail program that unsubscribes posts to the link itself, with the token in the query.
      const fields = new URLSearchParams([
        ...new URLSearchParams(body.toString('utf8')),
        ...searchOf(handled.incoming),
      ]);
      try {
        const { html, session } = await page.submit(context, fields);
        if (session !== undefined) {
          const secure = isHttps(deps, handled.incoming);
          handled.headers['Set-Cookie'] = sessionCookie(deps, session?.token ?? null, { secure });
        }
        return htmlPage(handled, { title: page.title, body: html });
      } catch (error) {
        // Shows no form if the link itself was the reason.
        const form = await page.form(context, fields).catch(() => '');
        return refusedPage(handled, page, { error: chargeRefused(deps, handled, error), form });
      }
    });
}

/** Shows a person why the request was refused, and the form or another way on. A bug stays an error like any other. */
export function refusedPage(
  handled: HandledRequest,
  { title }: Pick<FormPage, 'title'>,
  { error, form }: { error: unknown; form: string },
): Response {
  if (!(error instanceof Fault)) throw error;
  const reason = `<p class="error" role="alert">${escapeHtml(error.message)}</p>`;
  return htmlPage(handled, {
    title,
    body: reason + (form || '<a class="button" href="/">Open the dashboard</a>'),
    status: statusOf(error),
    headers: headersOf(error),
  });
}

/** The context of a visitor, who may be logged in. */
export async function contextOf(deps: HttpDeps, handled: HandledRequest): Promise<OptionalContext> {
  await charge(deps, handled, handled.payer);
  return { ...publicContext(deps, handled), actor: await visitorOf(deps, handled) };
}

/** The user who is logged in with this browser; `null` without a session, and after it has ended. */
async function visitorOf(deps: HttpDeps, { incoming, meta }: HandledRequest): Promise<Actor | null> {
  const session = sessionToShow(deps, incoming);
  if (session === undefined) return null;
  try {
    return await authenticate(deps, { authorization: undefined, session }, meta.now);
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthorized') return null;
    throw error;
  }
}

/** Refuses a form that another site sends for its visitor. */
function requireSameOrigin({ incoming }: HandledRequest): void {
  const site = incoming.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Fault('forbidden', 'This form must be sent from its own page.');
  }
  if (!incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw invalid('Content-Type', 'must be application/x-www-form-urlencoded');
  }
}
