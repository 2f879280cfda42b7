import { type Call, prepare } from './call.ts';
import type { Config } from './config.ts';
import type { Engine, Runner } from './engine.ts';

type How = 'request' | 'open' | 'readCsv';

/** Makes the calls of a client, for its resources. */
export class Requester {
  config: Config;
  /** Loads the code that makes calls. */
  readonly runner: Engine['runner'];

  constructor(config: Config, { runner }: Engine) {
    this.config = config;
    this.runner = runner;
  }

  /** Shares the pause and the rate limit with another client, when the server cannot tell the two apart. */
  share({ config: { apiKey, baseURL, state } }: Requester): void {
    if (apiKey === this.config.apiKey && baseURL === this.config.baseURL)
      this.config = { ...this.config, state };
  }

  /** Checks a call and builds its request at once, before the caller can change its objects. */
  async run<As extends How>(call: Call, how: As): Promise<Awaited<ReturnType<Runner[As]>>> {
    const prepared = prepare(this.config, call);
    const runner = await this.runner();
    // Not awaited: an `await` would cost one line of the caller's code in the stack of an error.
    return runner[how](this.config, prepared) as Awaited<ReturnType<Runner[As]>>;
  }
}
