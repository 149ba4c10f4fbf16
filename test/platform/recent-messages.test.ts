import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RecentMessages, type Listed, threadIn } from '#src/platform/recent-messages.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

interface Said {
  readonly text: string;
  readonly preview?: string;
  readonly drawing?: string;
}

const MINUTE_MS = 60_000;
const LIMIT = 20;
const ROOM = 'room';
/** The bot begins to listen at this second. */
const BEGIN = 1_000;

const idAt = (second: number): string => String(second);
const listed = (ids: readonly number[], more: Partial<Listed<Said>> = {}): Listed<Said> => ({
  messages: ids.map((id) => ({ id: idAt(id), message: { text: `read ${id}` } })),
  isWhole: false,
  ...more,
});
const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_none, index) => from + index);

/** Messages whose ids are the second at which they were said, and a platform that a test answers for. */
const open = async () => {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const messages = new RecentMessages<Said>({
    clock,
    isNewer: (id, than) => Number(id) > Number(than),
    idAt: (at) => idAt(at.since(startedAt).total('seconds')),
    merge: (known) => known,
    kept: (message) => (message.drawing === undefined ? message : { text: message.text }),
  });
  await clock.advance(BEGIN * 1_000);
  messages.listen();
  const nowId = (): number => clock.monotonicMs() / 1_000;
  let reads = 0;

  const say = (id: number, thread?: number, text = `said ${id}`): void =>
    messages.add(ROOM, idAt(id), { text }, thread === undefined ? undefined : idAt(thread));
  const read = async (
    before: number,
    answer: Listed<Said> | Promise<Listed<Said>> = listed([]),
    { place = ROOM, limit = LIMIT } = {},
  ): Promise<readonly string[]> => {
    const found = await messages.before(place, idAt(before), limit, async () => {
      reads += 1;
      return answer;
    });
    return found.map(({ text, preview }) => (preview === undefined ? text : `${text} (${preview})`));
  };
  return { clock, messages, say, read, nowId, reads: () => reads };
};

describe('a place that is read', () => {
  it('leaves out what is removed or edited after another read of it has ended', async () => {
    const { messages, say, read, reads } = await open();
    for (const id of [1_001, 1_002]) say(id);
    const slow = Promise.withResolvers<Listed<Said>>();
    const first = read(1_001, listed([990]));
    const second = read(1_002, slow.promise);
    await first;
    messages.removed(ROOM, idAt(991));
    messages.changed(ROOM, idAt(992), () => ({ text: 'edited' }));
    slow.resolve(listed([990, 991, 992, 1_001]));
    expect(await second).toEqual(['read 990', 'edited', 'read 1001']);
    expect(await read(1_002, undefined, { limit: 3 })).toEqual(['read 990', 'edited', 'said 1001']);
    expect(reads()).toBe(2);
  });

  it('shows every edit that arrived meanwhile, in order', async () => {
    const { messages, say, read } = await open();
    say(1_001);
    const slow = Promise.withResolvers<Listed<Said>>();
    const reading = read(1_001, slow.promise);
    messages.changed(ROOM, idAt(990), (known) => ({ ...known, text: 'edited' }));
    messages.changed(ROOM, idAt(990), (known) => ({ ...known, preview: 'a page' }));
    slow.resolve(listed([990]));
    expect(await reading).toEqual(['edited (a page)']);
  });

  it('leaves out what was removed before, although the platform still lists it', async () => {
    const { messages, say, read, reads } = await open();
    say(1_001);
    messages.removed(ROOM, idAt(990));
    expect(await read(1_001, listed([989, 990], { isWhole: true }))).toEqual(['read 989']);
    expect(await read(1_001)).toEqual(['read 989']);
    expect(reads()).toBe(1);
  });

  it('shares the response with a second call, without what was removed or edited since', async () => {
    const { messages, say, read, reads } = await open();
    say(1_001);
    const answer = listed([990, 991, 992], { hasGap: true });
    expect(await read(1_001, answer)).toHaveLength(3);
    messages.removed(ROOM, idAt(991));
    messages.changed(ROOM, idAt(992), () => ({ text: 'edited' }));
    expect(await read(1_001, answer)).toEqual(['read 990', 'edited']);
    expect(reads()).toBe(1);
  });

  it('shares it for half a minute', async () => {
    const { clock, say, read, reads } = await open();
    say(1_001);
    const answer = listed([990], { hasGap: true });
    await read(1_001, answer);
    await clock.advance(29_000);
    await read(1_001, answer);
    expect(reads()).toBe(1);
    await clock.advance(1_000);
    await read(1_001, answer);
    expect(reads()).toBe(2);
  });

  it('shares no failure', async () => {
    const { read } = await open();
    await expect(read(1_001, Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await read(1_001, listed([990]))).toEqual(['read 990']);
  });

  it('shares nothing with a call after events were lost, or access to the place', async () => {
    const { messages, read, reads } = await open();
    await read(1_001);
    messages.eventsLost();
    messages.listen();
    await read(1_001);
    expect(reads()).toBe(2);
    messages.forget(ROOM);
    await read(1_001);
    expect(reads()).toBe(3);
  });

  it('is read once more only if fewer messages were heard than the platform returns at a time', async () => {
    const { messages, say, read, reads } = await open();
    say(1_001);
    expect(await read(1_001, listed(range(900, 15)))).toHaveLength(15);
    say(1_002);
    expect(await read(1_002)).toHaveLength(16);
    expect(reads()).toBe(1);
    for (const id of [900, 901]) messages.removed(ROOM, idAt(id));
    expect(await read(1_002, listed(range(899, 15)))).toHaveLength(13);
    expect(reads()).toBe(2);
  });

  it('is read again for more messages than were asked for at first', async () => {
    const { say, read, reads } = await open();
    say(1_001);
    await read(1_001, listed(range(900, 5)), { limit: 5 });
    say(1_002);
    expect(await read(1_002, listed(range(880, 20)))).toHaveLength(20);
    expect(reads()).toBe(2);
  });
});

describe('a thread', () => {
  const THREAD = { place: threadIn(ROOM, idAt(1_100)) };

  it('is not read if it was heard from its beginning', async () => {
    const { say, read, reads } = await open();
    for (const thread of [undefined, 1_100]) say(thread === undefined ? 1_100 : 1_101, thread);
    expect(await read(1_102, undefined, THREAD)).toEqual(['said 1100', 'said 1101']);
    expect(reads()).toBe(0);
  });

  it('is read if its root is older than the connection, even if the root is delivered again', async () => {
    const { clock, messages, say, read, reads } = await open();
    await clock.advance(101_500);
    messages.eventsLost();
    messages.listen();
    say(1_100);
    // The reply 1101 fell into the gap.
    say(1_102, 1_100);
    const whole = listed([1_100, 1_101, 1_102], { isWhole: true });
    expect(await read(1_103, whole, THREAD)).toEqual(['read 1100', 'read 1101', 'read 1102']);
    expect(reads()).toBe(1);
  });

  it('is not read if its events were only delayed', async () => {
    const { clock, messages, say, read, reads } = await open();
    await clock.advance(200_000);
    messages.eventsDelayed();
    messages.listen();
    say(1_100);
    say(1_101, 1_100);
    expect(await read(1_102, undefined, THREAD)).toEqual(['said 1100', 'said 1101']);
    expect(reads()).toBe(0);
  });

  it('is read again if only its root and fewer messages than asked for are known', async () => {
    const { messages, say, read, reads } = await open();
    say(1_300, 1_100);
    const answer = listed([1_100, ...range(1_200, LIMIT)]);
    await read(1_300, answer, THREAD);
    say(1_301, 1_100);
    expect((await read(1_301, answer, THREAD)).slice(0, 2)).toEqual(['read 1100', 'read 1200']);
    expect(reads()).toBe(1);
    for (const id of [1_200, 1_201]) messages.removed(THREAD.place, idAt(id));
    await read(1_301, answer, THREAD);
    expect(reads()).toBe(2);
  });

  it('is read after access was lost, even if its root is delivered again', async () => {
    const { messages, say, read, reads } = await open();
    say(1_100);
    messages.forget(ROOM, idAt(1_101));
    say(1_100);
    say(1_102, 1_100);
    await read(1_103, undefined, THREAD);
    expect(reads()).toBe(1);
  });

  it('is read if it has left memory, even if its root is delivered again', async () => {
    const { clock, say, read, reads } = await open();
    say(1_101, 1_100);
    await clock.advance(30 * MINUTE_MS);
    say(1_100);
    await clock.advance(31 * MINUTE_MS);
    say(4_700, 1_100);
    await read(4_701, undefined, THREAD);
    expect(reads()).toBe(1);
  });
});

describe('a channel', () => {
  it('is not taken for heard from a message on that is older than the connection', async () => {
    const { say, read, reads } = await open();
    say(900);
    for (const id of range(1_001, LIMIT - 1)) say(id);
    await read(1_100);
    expect(reads()).toBe(1);
  });

  it('keeps nothing of the time between two connections', async () => {
    const { clock, messages, say, read, reads } = await open();
    messages.eventsLost();
    for (const id of range(1_001, LIMIT)) say(id);
    await clock.advance(50_000);
    messages.listen();
    await read(1_100);
    expect(reads()).toBe(1);
  });
});

describe('a message that was heard', () => {
  it('is kept for an hour, however much is said after it', async () => {
    const { clock, say, read, nowId, reads } = await open();
    await clock.advance(1_000);
    say(1_001);
    await read(1_001, listed([999, 1_000], { isWhole: true }));
    for (let minutes = 0; minutes < 60; minutes += 2) {
      expect((await read(nowId() + 1))[0]).toBe('read 999');
      await clock.advance(2 * MINUTE_MS);
      say(nowId());
    }
    expect((await read(nowId() + 1))[0]).toBe('said 1121');
    expect(reads()).toBe(1);
  });

  it('is not kept longer because of an edit', async () => {
    const { clock, messages, say, read, reads } = await open();
    say(1_001);
    await read(1_001, listed([], { isWhole: true }));
    await clock.advance(59 * MINUTE_MS);
    messages.changed(ROOM, idAt(1_001), () => ({ text: 'edited' }));
    expect(await read(1_002)).toEqual(['edited']);
    await clock.advance(MINUTE_MS);
    await read(1_002);
    expect(reads()).toBe(2);
  });

  it('makes its place one that may have older messages when it goes', async () => {
    const { clock, say, read, nowId, reads } = await open();
    say(1_001);
    await read(1_001, listed([], { isWhole: true }));
    await clock.advance(30 * MINUTE_MS);
    say(nowId());
    await clock.advance(30 * MINUTE_MS);
    await read(nowId());
    expect(reads()).toBe(2);
  });

  it('stays as long as its thread if it is the root', async () => {
    const { clock, say, read, nowId, reads } = await open();
    say(1_001);
    say(1_002, 1_001);
    await clock.advance(30 * MINUTE_MS);
    for (const id of range(nowId(), LIMIT)) say(id, 1_001);
    await clock.advance(40 * MINUTE_MS);
    const place = threadIn(ROOM, idAt(1_001));
    const found = await read(nowId(), undefined, { place });
    expect(found.slice(0, 2)).toEqual(['said 1001', 'said 2800']);
    expect(reads()).toBe(0);
  });

  it('leaves memory with the next call for any place', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { clock, messages } = await open();
    const sayOnce = (): WeakRef<Said> => {
      const message = { text: 'said once' };
      messages.add(ROOM, idAt(1_001), { text: '' });
      messages.changed(ROOM, idAt(1_001), () => message);
      return new WeakRef(message);
    };
    const kept = sayOnce();
    await clock.advance(61 * MINUTE_MS);
    messages.add('another', idAt(5_000), { text: 'hello' });
    collectGarbage();
    expect(kept.deref()).toBeUndefined();
  });

  it('counts with all that it holds against the room for its place', async () => {
    const { messages, say, read, reads } = await open();
    const preview = 'x'.repeat(40_000);
    messages.add(ROOM, idAt(1_001), { text: 'large', preview });
    messages.add(ROOM, idAt(1_002), { text: 'large', preview });
    say(1_003);
    await read(1_003, undefined, { limit: 2 });
    expect(reads()).toBe(1);
  });

  it('is kept without what is never quoted, also if it was read', async () => {
    const { messages, say, reads } = await open();
    say(1_001);
    const drawing = 'x'.repeat(100_000);
    const message = { text: 'drawn', drawing };
    const list = async (): Promise<Listed<Said>> => ({
      messages: [{ id: idAt(990), message }],
      isWhole: true,
    });
    const kept = [{ text: 'drawn' }, { text: 'said 1001' }];
    expect(await messages.before(ROOM, idAt(1_001), LIMIT, list)).toEqual(kept.slice(0, 1));
    expect(await messages.before(ROOM, idAt(1_002), LIMIT, list)).toEqual(kept);
    expect(reads()).toBe(0);
  });
});
