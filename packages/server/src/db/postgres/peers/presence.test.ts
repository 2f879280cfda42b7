import { describe, expect, it } from 'vitest';
import { Presence } from './presence.ts';

const SILENCE_MS = 10_000;

/** A process that has joined others, and the time. */
function joined(...others: string[]) {
  const time = { ms: 0, stoodMs: 0 };
  const presence = new Presence({ silenceMs: SILENCE_MS, elapsed: () => time.ms });
  /** A beat that sees these, half a second after the last one. Returns the other survivors, if leases of the gone are looked for. */
  const beat = (...present: string[]) => {
    time.ms += 500;
    presence.beat(time.ms, { now: time.ms + time.stoodMs, present: [presence.id, ...present] });
    return presence.survivors()?.filter((id) => id !== presence.id);
  };
  presence.connected();
  const begun = [beat(...others), beat(...others), beat(...others)];
  return { presence, time, beat, begun };
}

describe('others', () => {
  it('are checked once this process has been there for a while: some may have gone before it came', () => {
    expect(joined('a', 'b').begun).toEqual([undefined, undefined, ['a', 'b']]);
  });

  it('are gone when two heartbeats have missed them, and their work is looked for once', () => {
    const { beat } = joined('a', 'b');
    const looked = [beat('a', 'b'), beat('a'), beat('a'), beat('a'), beat('a')];
    expect(looked).toEqual([undefined, undefined, ['a'], undefined, undefined]);
  });

  it('whose connection was cut are back before they are missed', () => {
    const { beat } = joined('a', 'b');
    expect([beat('a'), beat('a', 'b'), beat('a'), beat('a', 'b')]).toEqual(Array(4).fill(undefined));
  });

  it('are gone when two heartbeats have missed them, even if they only said hello and no heartbeat has ever seen them', () => {
    const { presence, beat } = joined();
    presence.met('process-short');
    presence.met('of an older version');
    expect([beat(), beat(), beat()]).toEqual([undefined, [], undefined]);
  });

  it('are waited for when all connections were cut', () => {
    const { presence, beat } = joined('a', 'b');
    presence.leave();
    presence.connected();
    expect([beat(), beat(), beat('a', 'b')]).toEqual([undefined, undefined, ['a', 'b']]);
  });

  it('are looked for again if that failed', () => {
    const { presence, beat } = joined('a');
    const looked = [beat(), beat()];
    presence.lookAgain();
    expect([...looked, beat(), beat()]).toEqual([undefined, [], [], undefined]);
  });
});

describe('the name on leases', () => {
  it('is an unseen one until the others can see the process, and then stays the same while they do', () => {
    const presence = new Presence({ silenceMs: SILENCE_MS, elapsed: () => 0 });
    expect(presence.owner()).toMatch(/^unseen-/);
    presence.beat(0, { now: 0, present: [presence.id] });
    const name = presence.owner();
    presence.beat(0, { now: 0, present: [presence.id] });
    expect([name, presence.owner()]).toEqual([expect.stringMatching(/^process-\w+\.\d+$/), name]);
  });

  it('is missing while the connection is made again, and an unseen one if that takes long', () => {
    const { presence, time } = joined();
    presence.leave();
    time.ms += SILENCE_MS - 1;
    expect(presence.owner()).toBeNull();
    time.ms += 1;
    expect(presence.owner()).toMatch(/^unseen-/);
  });

  it('is another after the connection was lost, and leases under the old one are looked for', () => {
    const { presence, beat } = joined();
    const before = presence.owner();
    presence.leave();
    expect(presence.owner()).toBeNull();
    presence.connected();
    expect([beat(), beat(), beat()]).toEqual([undefined, undefined, []]);
    expect(presence.owner()).toMatch(presence.id);
    expect(presence.owner()).not.toBe(before);
  });

  it('is missing after a silence, before the others may take the process for gone, and then another', () => {
    const { presence, time, beat } = joined();
    const before = presence.owner();
    time.ms += SILENCE_MS * 0.79;
    expect(presence.owner()).toBe(before);
    time.ms += SILENCE_MS * 0.02;
    expect(presence.owner()).toBeNull();
    expect(beat()).toEqual([]);
    expect(presence.owner()).not.toBe(before);
  });

  it('is another after a frozen process goes on, before anything has asked for it', () => {
    const { presence, time, beat } = joined();
    const before = presence.owner();
    time.ms += 70_000;
    expect([beat(), presence.owner() === before]).toEqual([[], false]);
  });

  it('is another after a pause in which its own clock stood still', () => {
    const { presence, time, beat } = joined();
    const before = presence.owner();
    time.stoodMs += 70_000;
    expect([beat(), presence.owner() === before]).toEqual([[], false]);
  });

  it('is another after a commit whose outcome is unknown, and the leases that it may have taken are looked for', () => {
    const { presence, beat } = joined();
    const before = presence.owner();
    presence.doubt();
    expect(presence.owner()).not.toBe(before);
    expect([beat(), beat()]).toEqual([[], undefined]);
  });
});
