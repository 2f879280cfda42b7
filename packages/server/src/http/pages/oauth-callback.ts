import type { Incoming } from '../front/open-requests.ts';
import { finish } from '../../services/integrations/oauth/finish.ts';
import { contextOf, refusedPage } from './form.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { chargeRefused } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { searchOf } from '../request/request.ts';

const COOKIE = 'hubline_oauth';
const PATH = '/v1/integrations/oauth';
const MAX_AGE_SECONDS = 15 * 60;

/**
 * `Set-Cookie` for a browser that goes to a provider. It may go to several at once, so the cookie is never removed; it
 * expires.
 */
export function browserCookie(browser: string, { secure }: { secure: boolean }): string {
  return `${COOKIE}=${browser}; Path=${PATH}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** `GET /v1/integrations/oauth/{provider}/callback`: a browser comes back from a provider. */
export function oauthCallback(deps: HttpDeps): (c: HttpContext) => Promise<Response> {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const context = await contextOf(deps, handled);
      try {
        const { provider, integrationId, workspace } = await finish(context, {
          key: c.req.param('provider') ?? '',
          query: searchOf(handled.incoming),
          kept: browserIn(handled.incoming),
        });
        const link = `/w/${workspace.slug}/integrations/${integrationId}`;
        const body =
          `<p>${escapeHtml(provider)} is connected to the workspace <strong>${escapeHtml(workspace.name)}</strong>. ` +
          `You can close this page.</p><p><a href="${escapeHtml(link)}">Open it in the dashboard</a></p>`;
        // A user who is logged in goes straight to the dashboard.
        if (context.actor)
          return new Response(null, {
            status: 303,
            headers: { ...handled.headers, Location: link, 'Cache-Control': 'no-store' },
          });
        return htmlPage(handled, { title: `${provider} is connected`, body });
      } catch (error) {
        return refusedPage(
          handled,
          { title: 'Not connected' },
          { error: chargeRefused(deps, handled, error), form: '' },
        );
      }
    });
}

/** The secret that a browser was given before it went to a provider. */
export function browserIn({ headers }: Incoming): string | undefined {
  const pair = (headers.cookie ?? '').split(/; ?/).find((each) => each.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1);
}
