/**
 * Express 4 and 5. Their requests are Node's, so the receiver of `@hubline/webhooks/node` is theirs, too: it reads the raw body
 * itself. Mount it before `express.json()`, or put `express.raw({ type: () => true })` on its route.
 */
export { webhook } from './node.ts';
