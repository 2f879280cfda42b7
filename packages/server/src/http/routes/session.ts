import { endpoints, LIMITS } from '@hubline/contract';
import { z } from 'zod';
import type { Incoming } from '../front/open-requests.ts';
import type { UserContext } from '../../context.ts';
import { Fault } from '../../domain/faults/fault.ts';
import type { EventFeed } from '../../services/events/event-feed.ts';
import { authenticate } from '../../services/identity/authenticate.ts';
import {
  changePassword,
  describeSession,
  logIn,
  logOut,
  logOutElsewhere,
} from '../../services/identity/sessions.ts';
import { parseBody } from '../request/parse-input.ts';
import { jsonReply } from '../response/json-reply.ts';
import type { Reply } from '../response/reply.ts';
import { charge } from '../charge.ts';
import type { HandledRequest, HttpContext, HttpDeps } from '../handled-request.ts';
import { guarded } from '../guarded.ts';
import { publicContext } from '../request-context.ts';
import { readJson } from '../request/json-body.ts';
import { isHttps } from '../request/scheme.ts';
import { proofOf, searchOf } from '../request/request.ts';
import { DASHBOARD_HEADER, isOwnPage, sessionCookie, sessionOf } from '../request/session-cookie.ts';

// These routes are not part of the API: only the dashboard's own pages log in. Programs have keys.

const { email } = endpoints['members.invite'].body.shape;
const password = endpoints['invitations.accept'].body.shape.password.unwrap();
// A typed password is only compared: a rule for it would reveal which passwords are possible.
const typed = z.string().max(LIMITS.passwordMax);

const LogIn = z.strictObject({ email, password: typed });
const PasswordChange = z.strictObject({ current_password: typed, new_password: password });

type Serve = (c: HttpContext) => Promise<Response>;

// Below the 30 s after which some proxies end a request.
const FOLLOW_MS = 25_000;
// Changes by another process, such as `hubline server set-password`, are not announced.
const RECHECK_MS = 5_000;

/** `POST /session`: logs in. */
export function beginSession(deps: HttpDeps): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const { incoming } = handled;
      requireOwnPage(incoming);
      await charge(deps, handled, handled.payer);
      const { value } = await readJson(deps.bodies, handled, LIMITS.publicBodyBytes);
      const body = parseBody(LogIn, value) as z.output<typeof LogIn>;
      const context = publicContext(deps, handled);
      const { token, userId } = await logIn(context, body);
      handled.headers['Set-Cookie'] = sessionCookie(deps, token, { secure: isHttps(deps, incoming) });
      return jsonReply(handled, 200, JSON.stringify(await describeSession(deps, userId)));
    });
}

/** `GET /session`: the user who is logged in, with their workspaces; `null` for nobody. */
export function readSession(deps: HttpDeps): Serve {
  return (c) =>
    guarded(deps, c, (handled) =>
      orNobody(deps, handled, async () => {
        const { context } = await sessionContext(deps, handled);
        return describeSession(deps, context.actor.userId);
      }),
    );
}

/**
 * `GET /session/changes?version=…`: like `GET /session`, but waits until the response differs from that version. A page
 * that repeats it follows the roles of its user, without a reload and through any proxy.
 */
export function followSession(deps: HttpDeps & { feed: EventFeed }): Serve {
  return (c) =>
    guarded(deps, c, (handled) =>
      orNobody(deps, handled, async () => {
        const { context } = await sessionContext(deps, handled);
        const { userId } = context.actor;
        const known = searchOf(handled.incoming).get('version');
        const gone = new AbortController();
        handled.outgoing.once('close', () => gone.abort());
        const signal = AbortSignal.any([gone.signal, deps.feed.closing]);
        const deadline = performance.now() + FOLLOW_MS;
        for (;;) {
          // Subscribed before the query: a change that comes in between is not missed.
          const announcement = deps.feed.next(userId, RECHECK_MS, signal);
          await authenticate(deps, proofOf(deps, handled.incoming), deps.clock());
          const session = await describeSession(deps, userId);
          if (session.version !== known || signal.aborted || performance.now() >= deadline) return session;
          await announcement;
        }
      }),
    );
}

/** `DELETE /session`: logs out. */
export function endSession(deps: HttpDeps): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const { incoming } = handled;
      const { context } = await sessionContext(deps, handled);
      await logOut(context);
      handled.headers['Set-Cookie'] = sessionCookie(deps, null, { secure: isHttps(deps, incoming) });
      return jsonReply(handled, 204, '');
    });
}

/** `DELETE /session/others`: logs out everywhere else. */
export function endOtherSessions(deps: HttpDeps): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const { context } = await sessionContext(deps, handled);
      await logOutElsewhere(context);
      return jsonReply(handled, 204, '');
    });
}

/** `POST /session/password`: changes the caller's password and ends all other sessions. */
export function replacePassword(deps: HttpDeps): Serve {
  return (c) =>
    guarded(deps, c, async (handled) => {
      const { context } = await sessionContext(deps, handled);
      const { value } = await readJson(deps.bodies, handled, LIMITS.publicBodyBytes);
      const body = parseBody(PasswordChange, value) as z.output<typeof PasswordChange>;
      await changePassword(context, { current: body.current_password, next: body.new_password });
      return jsonReply(handled, 204, '');
    });
}

function requireOwnPage(incoming: Incoming): void {
  if (isOwnPage(incoming)) return;
  throw new Fault(
    'forbidden',
    `Only the dashboard's own pages, which send ${DASHBOARD_HEADER}, can log in. Programs must use an API key.`,
  );
}

/**
 * Responds with the session, or with `null` if there is none: a page asks before anybody has logged in, and browsers log
 * a refusal as an error.
 */
async function orNobody(
  deps: HttpDeps,
  handled: HandledRequest,
  read: () => Promise<object>,
): Promise<Reply> {
  // Throws for two cookies, which must not pass for a missing session.
  sessionOf(deps, handled.incoming);
  try {
    return jsonReply(handled, 200, JSON.stringify(await read()));
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'unauthorized')) throw error;
    if (!handled.charged) await charge(deps, handled, handled.payer);
    return jsonReply(handled, 200, 'null');
  }
}

/** The context of the caller, who must have a session. */
async function sessionContext(deps: HttpDeps, handled: HandledRequest): Promise<{ context: UserContext }> {
  const { incoming, meta } = handled;
  requireOwnPage(incoming);
  const token = sessionOf(deps, incoming);
  if (token === undefined) throw new Fault('unauthorized', 'You are not logged in.');
  const actor = await authenticate(deps, { authorization: undefined, session: token }, meta.now);
  await charge(deps, handled, { kind: 'user', name: actor.userId });
  return { context: { ...publicContext(deps, handled), actor } };
}
