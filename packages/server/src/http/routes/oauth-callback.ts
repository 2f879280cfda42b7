import type { IncomingMessage } from 'node:http';
import { finish } from '../../services/integrations/oauth/finish.ts';
import { contextOf, refusedPage } from '../pages/form.ts';
import { escapeHtml, htmlPage } from '../pages/page.ts';
import { chargeRefused } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../exchange.ts';
import { guarded } from '../guarded.ts';
import { isHttps, searchOf } from '../request/request.ts';

const COOKIE = 'hubline_oauth_state';
const PATH = '/v1/integrations/oauth';
const MAX_AGE_SECONDS = 15 * 60;

/** `Set-Cookie` for a browser that goes to a provider; `null` for one that is back. */
export function stateCookie(state: string | null, { secure }: { secure: boolean }): string {
  const maxAge = state === null ? 0 : MAX_AGE_SECONDS;
  return `${COOKIE}=${state ?? ''}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** `GET /v1/integrations/oauth/{provider}/callback`: a browser comes back from a provider. */
export function oauthCallback(deps: HttpDeps): (c: HttpContext) => Promise<Response> {
  return (c) =>
    guarded(deps, c, async (exchange) => {
      const context = await contextOf(deps, exchange);
      const secure = isHttps(deps, exchange.incoming);
      exchange.headers['Set-Cookie'] = stateCookie(null, { secure });
      try {
        const { provider, integrationId, workspace } = await finish(context, {
          key: c.req.param('provider') ?? '',
          query: searchOf(exchange.incoming),
          kept: stateIn(exchange.incoming),
        });
        const link = `/w/${workspace.slug}/integrations/${integrationId}`;
        const body =
          `<p>${escapeHtml(provider)} is connected to the workspace <strong>${escapeHtml(workspace.name)}</strong>. ` +
          `You can close this page.</p><p><a href="${escapeHtml(link)}">Open it in the dashboard</a></p>`;
        // The dashboard shows it at once to whoever is logged in there.
        if (context.actor)
          return new Response(null, {
            status: 303,
            headers: { ...exchange.headers, Location: link, 'Cache-Control': 'no-store' },
          });
        return htmlPage(exchange, { title: `${provider} is connected`, body });
      } catch (error) {
        return refusedPage(
          exchange,
          { title: 'Not connected' },
          { error: chargeRefused(deps, exchange, error), form: '' },
        );
      }
    });
}

function stateIn({ headers }: IncomingMessage): string | undefined {
  const pair = (headers.cookie ?? '').split(/; ?/).find((each) => each.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1);
}
