import type { OptionalContext } from '../../context.ts';
import { enter } from '../../services/integrations/oauth/finish.ts';
import { chargeRefused } from '../charge.ts';
import type { HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { isHttps } from '../request/scheme.ts';
import { searchOf } from '../request/request.ts';
import { browserCookie, browserIn } from './oauth-callback.ts';
import { contextOf, refusedPage } from './form.ts';
import { escapeHtml, htmlPage } from './page.ts';

const TITLE = 'Connect a tool';

/**
 * `GET /v1/integrations/oauth/{provider}/start`: the link of an attempt to connect with OAuth. Redirects the person who
 * started it to the provider; anybody else first sees which workspace would get access.
 */
export function connectPage(deps: HttpDeps): (c: HttpContext) => Promise<Response> {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const context = await contextOf(deps, handled);
      try {
        const { provider, workspace, startedBy, isStarter, url, browser } = await entered(
          deps,
          context,
          handled,
        );
        const headers = {
          'Set-Cookie': browserCookie(browser, { secure: isHttps(deps, handled.incoming) }),
        };
        if (isStarter)
          return new Response(null, {
            status: 303,
            headers: { ...handled.headers, ...headers, Location: url, 'Cache-Control': 'no-store' },
          });
        const body =
          `<p><strong>${escapeHtml(startedBy)}</strong> wants to connect ${escapeHtml(provider)} to the workspace ` +
          `<strong>${escapeHtml(workspace.name)}</strong>. Its members will see what happens in your ${escapeHtml(provider)}.</p>` +
          `<p>Continue only if you asked for this. The link leads to <strong>${escapeHtml(new URL(url).host)}</strong>.</p><p><a href="${escapeHtml(url)}">Continue to ${escapeHtml(provider)}</a></p>`;
        return htmlPage(handled, { title: `Connect ${provider}`, body, headers });
      } catch (error) {
        return refusedPage(
          handled,
          { title: TITLE },
          { error: chargeRefused(deps, handled, error), form: '' },
        );
      }
    });
}

const entered = (deps: HttpDeps, context: OptionalContext, { incoming }: Parameters<typeof htmlPage>[0]) =>
  enter(context, { token: searchOf(incoming).get('token') ?? '', kept: browserIn(deps, incoming) });
