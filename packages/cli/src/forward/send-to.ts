import type { Context } from '../context.ts';
import { masked } from '../dry-run/hold-back.ts';
import { NotDone } from '../dry-run/steps.ts';
import { parseJSON } from '../input/parse-json.ts';
import type { Send } from './answer.ts';
import { postTo } from './post.ts';

/** A sender to a URL; in a dry run, one that only notes what it would send. */
export function sendTo({ globals, steps }: Context, url: URL): Send {
  if (!globals.dryRun) return postTo(url);
  return async (body) => {
    steps.push({
      what: `send POST ${url.href}`,
      method: 'POST',
      path: url.href,
      idempotency_key: null,
      body: masked(parseJSON(body)),
    });
    throw new NotDone();
  };
}
