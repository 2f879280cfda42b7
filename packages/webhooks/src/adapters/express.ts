/**
 * The receiver for Express 4 and 5. Their requests are Node's, so it is the one of `@hubline/webhooks/node`. It reads the raw
 * body itself: mount it before `express.json()`, or put `express.raw({ type: () => true })` on its route.
 */
export { webhook } from './node.ts';
