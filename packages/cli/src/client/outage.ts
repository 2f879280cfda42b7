import type { Middleware } from '@hubline/sdk';
import type { Context } from '../context.ts';
import { describeError } from '../errors/describe-error.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';

/** The operations of the SDK that follow a stream. */
export const STREAM = /\b\w+\.stream\b/;

/** Notes for people when an outage begins and ends, in the same words for every command that follows a server. */
interface OutageNotes {
  begins(reason: string): Promise<void>;
  ends(): Promise<void>;
}

export function outageNotes({ note }: Pick<Context, 'note'>): OutageNotes {
  let away = false;
  return {
    begins: async (reason) => {
      if (away) return;
      away = true;
      await note(`${reason} Trying again until it responds; press Ctrl-C to stop.`);
    },
    ends: async () => {
      if (!away) return;
      away = false;
      await note('The server is responding again.');
    },
  };
}

export interface StreamWatch {
  readonly middleware: Middleware;
  /** Reports whether the stream has been open: from then on the SDK waits out an outage of any length. */
  isOpen(): boolean;
}

/** Watches the connections of a stream, and reports its outages. A stream that was never open fails like any request. */
export function watchStream(ctx: Pick<Context, 'note' | 'signal'>): StreamWatch {
  const notes = outageNotes(ctx);
  let open = false;
  return {
    isOpen: () => open,
    middleware: async (request, next, { operation }) => {
      if (!STREAM.test(operation)) return next(request);
      const { origin } = new URL(request.url);
      try {
        const response = await next(request);
        const { status } = response;
        if (status < 300) {
          open = true;
          await notes.ends();
        } else if (open && (status === 429 || status >= 500)) {
          await notes.begins(`${origin} responded with ${status}.`);
        }
        return response;
      } catch (error) {
        if (open && !ctx.signal.aborted) {
          const { exit_code: code, message } = await describeError(error);
          await notes.begins(
            code === EXIT_CODES.unavailable.code ? message : `${origin} did not respond in time.`,
          );
        }
        throw error;
      }
    },
  };
}
