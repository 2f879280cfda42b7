/**
 * Makes an attempt to every URL of the corpus, in its own process, whose connections `ssrf.test.ts` traces. Prints the ports on
 * which its API listened, and how the attempts ended.
 *
 *   node attempts-process.ts <data> <port of a witness>
 */
import { corpusZone, FORBIDDEN_HIDDEN } from './names.ts';
import { attemptAll } from './attempts.ts';
import { forbiddenUrls } from './corpus.ts';

const [data = '', port = ''] = process.argv.slice(2);
const api: string[] = [];
const attempted = await attemptAll({
  data,
  urls: [...forbiddenUrls(Number(port)), ...FORBIDDEN_HIDDEN.map((name) => `https://${name}:${port}/`)],
  resolve: corpusZone().resolve,
  // The witness sees threads, too.
  senders: 1,
  onListening: ({ url }) => void api.push(new URL(url).port),
});
process.stdout.write(JSON.stringify({ api, attempted }));
