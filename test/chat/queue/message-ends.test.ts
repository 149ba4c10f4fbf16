import { describe, expect, it } from 'vitest';
import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import { openHeldSession } from '#src/chat/queue/shared-sessions.ts';
import { createMessageEnds } from '#src/chat/queue/message-ends.ts';
import { type Clock, momentOf } from '#src/platform/concurrency/clock.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { createFences, SessionLostError } from '#src/platform/storage/fences.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const ID = asId<InboxId>('one');
const OTHER = asId<InboxId>('other');

const setUp = () => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const told: string[] = [];
  const settled = new Set<InboxId>();
  const looked: (readonly InboxId[])[] = [];
  const inbox = { isBroken: false };
  const on: Record<string, { readonly told: (what: string) => void; readonly gap?: () => void }> = {};
  const ends = createMessageEnds({
    bus: {
      listen: (topic, listener) => void (on[topic] = listener),
      publish: async (topic, what) => void told.push(`${topic} ${what}`),
    },
    inbox: {
      settledOf: async (ids) => {
        looked.push(ids);
        if (inbox.isBroken) throw new Error('no connection');
        return ids.filter((id) => settled.has(id));
      },
    },
    clock,
    logger,
  });
  const ended: string[] = [];
  /** Waits for the end of a message, and notes it. */
  const wait = (name: string, id: InboxId = ID): void => void ends.whenEnded(id).then(() => ended.push(name));
  const { advance } = clock;
  return { ends, on, told, settled, looked, inbox, records, wait, ended, advance };
};

describe('whoever waits for the end of a message', () => {
  it('hears of it with all others who wait for it here, and other processes are not told', async () => {
    const { ends, told, wait, ended, advance } = setUp();
    wait('first');
    wait('second');
    wait('of another message', OTHER);
    ends.ended(ID);
    await advance(0);
    expect(ended).toEqual(['first', 'second']);
    expect(told).toEqual([]);
  });

  it('is told in another process if nobody waits here, or no longer', async () => {
    const { ends, told, wait } = setUp();
    wait('here');
    ends.ended(OTHER);
    expect(told).toEqual(['ended other']);
    ends.ended(ID);
    ends.ended(ID);
    expect(told).toEqual(['ended other', 'ended one']);
  });

  it('hears the signal of the process in which it has ended', async () => {
    const { on, told, wait, ended, advance } = setUp();
    wait('first');
    wait('second');
    on['ended']?.told(OTHER);
    await advance(0);
    expect(ended).toEqual([]);
    on['ended']?.told(ID);
    await advance(0);
    expect(ended).toEqual(['first', 'second']);
    expect(told).toEqual([]);
  });

  it('learns it from the inbox when the signal was lost', async () => {
    const { ends, settled, looked, wait, ended, advance } = setUp();
    await ends.start();
    wait('one');
    wait('other', OTHER);
    settled.add(ID);
    await advance(14_999);
    expect(ended).toEqual([]);
    await advance(1);
    expect(ended).toEqual(['one']);
    await advance(15_000);
    expect(looked).toEqual([[], [ID, OTHER], [OTHER]]);
  });

  it('learns it from the inbox as soon as signals may have been missed', async () => {
    const { ends, on, settled, wait, ended, advance } = setUp();
    await ends.start();
    wait('one');
    settled.add(ID);
    on['ended']?.gap?.();
    await advance(0);
    expect(ended).toEqual(['one']);
  });

  it('learns it later when the inbox cannot be read', async () => {
    const { ends, inbox, settled, records, wait, ended, advance } = setUp();
    await ends.start();
    wait('one');
    settled.add(ID);
    inbox.isBroken = true;
    await advance(15_000);
    expect(ended).toEqual([]);
    expect(records()).toMatchObject([{ level: 'warn' }]);
    inbox.isBroken = false;
    await advance(15_000);
    expect(ended).toEqual(['one']);
  });

  it('waits no longer after the stop, and nothing is looked up any more', async () => {
    const { ends, looked, told, wait, ended, advance } = setUp();
    await ends.start();
    wait('one');
    wait('other', OTHER);
    await ends.stop();
    await advance(0);
    expect(ended).toEqual(['one', 'other']);
    wait('late');
    await advance(60_000);
    expect(ended).toEqual(['one', 'other', 'late']);
    expect(looked).toEqual([[]]);
    expect(told).toEqual([]);
  });
});

/** A session that was claimed just now, on a machine that can sleep. */
const holdSession = () => {
  const time = new ManualClock();
  const slept = { ms: 0 };
  const now = (): Temporal.Instant => time.now().add({ milliseconds: slept.ms });
  const clock: Clock = { after: time.after, monotonicMs: time.monotonicMs, now };
  let losses = 0;
  const held = openHeldSession({
    job: { id: 'job', sessionKey: asId<SessionKey>('a'), channelId: 'console', retryCount: 0 },
    epoch: 1,
    claimedAt: momentOf(clock),
    onLost: () => (losses += 1),
    clock,
  });
  /** Sends a request as a turn of the session. */
  const send = (): Promise<void> => createFences().run(held.fence, async () => checkRequest());
  return { held, slept, clock, send, losses: () => losses, advance: time.advance };
};

describe('a held session', () => {
  it.each([
    {
      clockName: 'monotonic clock alone',
      pass: { sleepMs: -7_999, runMs: 7_999 },
      last: { sleepMs: -1, runMs: 1 },
    },
    { clockName: 'wall clock alone', pass: { sleepMs: 7_999, runMs: 0 }, last: { sleepMs: 1, runMs: 0 } },
  ])('counts as lost 8 seconds after it was renewed, by the $clockName', async ({ pass, last }) => {
    const { held, slept, clock, send, losses, advance } = holdSession();
    await advance(5_000);
    held.renewed(momentOf(clock));
    slept.ms += pass.sleepMs;
    await advance(pass.runMs);
    await expect(send()).resolves.toBeUndefined();
    slept.ms += last.sleepMs;
    await advance(last.runMs);
    await expect(send()).rejects.toThrow(SessionLostError);
    expect([held.state, losses()]).toEqual(['lost', 1]);
  });

  it('is revived by a late renewal if nobody has noticed that it lapsed, and not otherwise', async () => {
    const { held, slept, clock, send, losses } = holdSession();
    slept.ms = 9_000;
    held.renewed(momentOf(clock));
    await expect(send()).resolves.toBeUndefined();
    slept.ms = 18_000;
    await expect(send()).rejects.toThrow(SessionLostError);
    held.renewed(momentOf(clock));
    await expect(send()).rejects.toThrow(SessionLostError);
    expect([held.state, losses()]).toEqual(['lost', 1]);
  });

  it('does not hold back what outlives it, once it was given back', async () => {
    const { held, slept, send, losses } = holdSession();
    held.state = 'released';
    slept.ms = 60_000;
    await expect(send()).resolves.toBeUndefined();
    held.fence.lose();
    expect([held.state, losses()]).toEqual(['released', 0]);
  });
});
