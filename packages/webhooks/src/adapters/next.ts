/**
 * Next: `webhook` makes a route handler of the App Router (`export const POST = webhook(…)`), `pagesWebhook` an API route of the
 * Pages Router (`export default pagesWebhook(…)`, beside `export const config = { api: { bodyParser: false } }`).
 */
export { webhook } from './web.ts';
export { webhook as pagesWebhook } from './node.ts';
