import type { Incoming } from '../front/open-requests.ts';
import { finish } from '../../services/integrations/oauth/finish.ts';
import { contextOf, refusedPage } from './form.ts';
import { escapeHtml, htmlPage } from './page.ts';
import { chargeRefused } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { cookiesNamed, hostCookie, setHostCookie } from '../request/host-cookie.ts';
import { isHttps } from '../request/scheme.ts';
import { searchOf } from '../request/request.ts';

const COOKIE = 'hubline_oauth';
const MAX_AGE_SECONDS = 15 * 60;

/**
 * `Set-Cookie` for a browser that goes to a provider. It may go to several at once, so the cookie is never removed; it
 * expires.
 */
export function browserCookie(browser: string, { secure }: { secure: boolean }): string {
  return setHostCookie([hostCookie(COOKIE, secure), browser], { maxAge: MAX_AGE_SECONDS, secure });
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
          kept: browserIn(deps, handled.incoming),
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
export const browserIn = (deps: Pick<HttpDeps, 'config'>, incoming: Incoming): string | undefined =>
  cookiesNamed(hostCookie(COOKIE, isHttps(deps, incoming)), incoming)[0];
