import type { HttpDeps } from '../handled-request.ts';
import { show, submit } from './form.ts';
import { invite } from './invite.ts';
import { setup } from './setup.ts';
import { unsubscribe } from './unsubscribe.ts';

export const setupPage = (deps: HttpDeps) => show(deps, setup);
export const setupForm = (deps: HttpDeps) => submit(deps, setup);
export const acceptPage = (deps: HttpDeps) => show(deps, invite);
export const acceptForm = (deps: HttpDeps) => submit(deps, invite);
export const unsubscribePage = (deps: HttpDeps) => show(deps, unsubscribe);
export const unsubscribeForm = (deps: HttpDeps) => submit(deps, unsubscribe);
