import type { NameServersAnswer } from './name-servers.ts';

interface Options {
  answers: NameServersAnswer;
  /** Reports whether a name still waits for an answer. */
  isWanted: (name: string) => boolean;
  /** Called when the servers of a name in use have answered. */
  onAnswer: (name: string) => void;
}

// Each is two packets to the resolver.
const ASKED_AT_ONCE = 256;
// The part of them that is for names which have failed, or whose servers have not answered before.
const LATER_AT_ONCE = 128;
// A question that takes longer makes room for the next. Its answer still counts.
const SLOW_MS = 1_000;
// A resolver may be away for a moment.
const AGAIN_MS = 5_000;

/** Asks the servers of names until they answer or the names are no longer wanted, a limited number at once. */
export class NameQuestions {
  readonly #options: Options;
  /** Names that are queued, or asked, or will be asked again. */
  readonly #names = new Set<string>();
  readonly #queued = { first: new Set<string>(), later: new Set<string>() };
  #asking = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Adds a name: behind those that are asked for the first time, if it has failed. */
  add(name: string, hasFailed: boolean): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#queue(name, hasFailed ? 'later' : 'first');
  }

  #queue(name: string, place: 'first' | 'later'): void {
    this.#queued[place].add(name);
    this.#askNext();
  }

  #askNext(): void {
    for (const place of ['first', 'later'] as const) {
      for (const name of this.#queued[place]) {
        if (this.#asking >= (place === 'later' ? LATER_AT_ONCE : ASKED_AT_ONCE)) break;
        this.#queued[place].delete(name);
        void this.#ask(name);
      }
    }
  }

  async #ask(name: string): Promise<void> {
    const { answers, isWanted, onAnswer } = this.#options;
    if (!isWanted(name)) return void this.#names.delete(name);
    this.#asking += 1;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      this.#endOne();
    }, SLOW_MS).unref();
    const isAnswered = await answers(name);
    clearTimeout(slow);
    if (isAnswered || !isWanted(name)) {
      this.#names.delete(name);
      if (isWanted(name)) onAnswer(name);
    } else setTimeout(() => this.#queue(name, 'later'), AGAIN_MS).unref();
    if (!isSlow) this.#endOne();
  }

  #endOne(): void {
    this.#asking -= 1;
    this.#askNext();
  }
}
