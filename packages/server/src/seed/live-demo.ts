import { pause } from '../clock/timer.ts';
import type { Deps } from '../context.ts';
import { type Call, type CallResult, notMade, type Sender } from '../delivery/senders/call.ts';
import type { Companion, ServerOverrides } from '../start/server-overrides.ts';
import { contextOf } from './caller.ts';
import { type Connected, receiveNext } from './incoming.ts';
import { createRandom, type Random } from './random.ts';
import { respond } from './receivers.ts';
import { readSeeded } from './seed-database.ts';
import { withSimulatedTools } from './tool-apis.ts';

// Short enough to see something happen, long enough to read it.
const PAUSE_MS: Pause = [2_500, 11_000];

/** The shortest and the longest time between two events, in milliseconds. */
type Pause = readonly [min: number, max: number];

/** The settings of a live demo. */
interface DemoOptions {
  pauseMs?: Pause;
  /** Decides what happens. Default: different each time. */
  seed?: number;
}

/**
 * Replaces parts of a server to keep a seeded workspace busy: its tools send events, and its receivers answer, fail and
 * lag, all within the process. Requests to hosts outside the invented company go out as usual.
 */
export function liveDemo({ pauseMs = PAUSE_MS, seed = Date.now() }: DemoOptions = {}): Required<
  Pick<ServerOverrides, 'sender' | 'providerHttp' | 'companion'>
> {
  const random = createRandom(seed);
  return {
    sender: (senders) => new DemoSender(senders, random),
    providerHttp: withSimulatedTools,
    companion: (deps) => trickle(deps, random, pauseMs),
  };
}

/** Simulates the receivers of the invented company, and passes all other calls on. */
class DemoSender implements Sender {
  readonly #senders: Sender;
  readonly #random: Random;
  readonly #underWay = new Set<() => void>();

  constructor(senders: Sender, random: Random) {
    this.#senders = senders;
    this.#random = random;
  }

  async send(call: Call): Promise<CallResult | 'interrupted'> {
    const result = respond(call.url, { random: this.#random, hoursAgo: 0 });
    if (!result) return this.#senders.send(call);
    return (await this.#wait(result.durationMs)) ? result : notMade('the server stops');
  }

  destroy(): Promise<void> {
    for (const interrupt of this.#underWay) interrupt();
    return this.#senders.destroy();
  }

  #wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (whole: boolean) => {
        clearTimeout(timer);
        this.#underWay.delete(interrupt);
        resolve(whole);
      };
      const interrupt = () => end(false);
      const timer = setTimeout(() => end(true), ms);
      this.#underWay.add(interrupt);
    });
  }
}

/** Makes an event happen every few seconds, if the database was seeded. */
function trickle(deps: Deps, random: Random, pauseMs: Pause): Companion {
  const stopped = new AbortController();

  /** Waits for the next event; resolves to `false` at once when it should stop. */
  const goesOn = () =>
    pause(random.integer(...pauseMs), stopped.signal).then(
      () => true,
      () => false,
    );

  async function run(): Promise<void> {
    const connected = await readSeeded(deps.store.read);
    if (!connected) return;
    while (await goesOn()) await happen(connected);
  }

  async function happen(connected: Connected): Promise<void> {
    try {
      await receiveNext(contextOf(deps), connected, { random, now: deps.clock() });
    } catch (error) {
      // For example, the tool was disconnected, or the disk is full.
      deps.log.debug({ err: error }, 'an event of the live demo could not be received');
    }
  }

  const running = run().catch((error: unknown) =>
    deps.log.error({ err: error }, 'the live demo stopped: no more events come in'),
  );
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}
