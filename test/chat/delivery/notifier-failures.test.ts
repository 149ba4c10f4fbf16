import { describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { OutboundMessage } from '#src/kernel/chat/message.ts';
import { TestChannel } from '#test/support/channel.ts';
import { HOUR_MS, MINUTE_MS, SERIES_MS, setUpNotifier, targetOf } from './notifier-support.ts';

const unreachable = (chat: string) => (message: OutboundMessage) => {
  if (message.target.chatId === chat) throw new Error('the platform is out of reach');
};

describe('a notification that cannot be sent', () => {
  it('is tried again within seconds, and was one attempt', async () => {
    const { notifier, channel, clock, rows } = await setUpNotifier();
    await notifier.start();
    channel.failNextSends(2);
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(SERIES_MS);
    expect(channel.attempts).toHaveLength(3);
    expect(channel.texts).toEqual(['x']);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  it('waits for a minute, then for two, under the same id, and arrives when the platform is back', async () => {
    const { notifier, channel, clock, statuses, records } = await setUpNotifier();
    await notifier.start();
    const startedAt = clock.now().toString();
    channel.onSend = unreachable('mina');
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(SERIES_MS);
    expect(channel.attempts).toHaveLength(3);
    expect(await statuses()).toEqual(['pending']);
    await clock.advance(MINUTE_MS);
    expect(channel.attempts).toHaveLength(6);
    await clock.advance(MINUTE_MS + SERIES_MS);
    expect(channel.attempts).toHaveLength(6);
    channel.onSend = () => undefined;
    await clock.advance(MINUTE_MS);
    expect(channel.texts).toEqual(['x']);
    expect(new Set(channel.attempts.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    // It may have arrived at the very first try: later ones look from there.
    const since = channel.attempts.slice(1).map(({ inDoubtSince }) => inDoubtSince?.toString());
    expect(new Set(since)).toEqual(new Set([startedAt]));
    expect(records()).toMatchObject([
      { level: 'warn', attempts: 1, delayMs: MINUTE_MS, cause: 'the platform is out of reach' },
      { level: 'warn', attempts: 2, delayMs: 2 * MINUTE_MS },
    ]);
  });

  it('is given up after most of a day, and that is reported', async () => {
    const { notifier, channel, clock, rows, records, recorded } = await setUpNotifier();
    await notifier.start();
    channel.onSend = unreachable('mina');
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(12 * HOUR_MS);
    expect(await rows()).toMatchObject([{ status: 'pending' }]);
    await clock.advance(12 * HOUR_MS);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 24 }]);
    expect(records().filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'A notification was given up', channelId: 'test', attempts: 24 },
    ]);
    expect(recorded.payloads('delivery:failed')).toMatchObject([{ channelId: 'test' }]);
    const tried = channel.attempts.length;
    await clock.advance(24 * HOUR_MS);
    expect(channel.attempts).toHaveLength(tried);
  });

  it('does not repeat the parts that arrived', async () => {
    const { notifier, channel, clock } = await setUpNotifier({ maxMessageLength: 10 });
    await notifier.start();
    let isBroken = true;
    channel.onSend = ({ payload }) => {
      if (isBroken && payload.text === 'second') throw new Error('no');
    };
    await notifier.notify(targetOf('mina'), { text: 'first\nsecond\nthird' });
    await clock.advance(SERIES_MS);
    isBroken = false;
    await clock.advance(MINUTE_MS);
    expect(channel.texts).toEqual(['first', 'second', 'third']);
  });

  it('names each part as before when all of it is sent again after a restart', async () => {
    const { notifier, create, channel, storage, settle } = await setUpNotifier({ maxMessageLength: 10 });
    await notifier.notify(targetOf('mina'), { text: 'first\nsecond' });
    await notifier.start();
    await settle();
    const [first] = channel.sent;
    if (!first) throw new Error('Nothing was sent');
    await storage.db.updateTable('notifications').set({ status: 'pending' }).execute();
    const again = create();
    await again.start();
    await settle();
    const ids = channel.sent.map(({ deliveryId }) => deliveryId);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    await again.stop();
  });

  it('because its channel is not there is kept, and sent when the channel is back', async () => {
    const { notifier, channels, clock, rows } = await setUpNotifier();
    await notifier.start();
    const target = targetOf('mina', { channelId: asId<ChannelId>('other') });
    await notifier.notify(target, { text: 'x' });
    await clock.advance(10 * MINUTE_MS);
    expect(await rows()).toMatchObject([{ status: 'pending', attempts: 4 }]);
    const other = new TestChannel({ id: 'other' });
    channels.set('other', other);
    await clock.advance(HOUR_MS);
    expect(other.texts).toEqual(['x']);
  });

  it('is given up after half a minute where the platform neither answers nor hears, and tried again', async () => {
    const { notifier, channel, clock } = await setUpNotifier();
    await notifier.start();
    const release = channel.hangSends({ isDeaf: true });
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(30_000);
    expect(channel.attempts).toHaveLength(1);
    await clock.advance(2_000);
    expect(channel.attempts).toHaveLength(2);
    release();
    await clock.advance(0);
  });
});

describe('notifications beside one that cannot be sent', () => {
  it('go to other chats at once, and to the same chat one after the other', async () => {
    const { notifier, channel, settle, clock } = await setUpNotifier();
    await notifier.start();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    channel.onSend = ({ target }) => (target.chatId === 'slow' ? opened : undefined);
    await notifier.notify(targetOf('slow'), { text: 'slow 1' });
    await notifier.notify(targetOf('slow'), { text: 'slow 2' });
    await notifier.notify(targetOf('mina'), { text: 'quick 1' });
    await settle();
    await notifier.notify(targetOf('mina'), { text: 'quick 2' }, clock.now().add({ seconds: 5 }));
    await clock.advance(5_000);
    expect(channel.texts).toEqual(['quick 1', 'quick 2']);
    expect(channel.attempts.map(({ payload }) => payload.text)).not.toContain('slow 2');
    open();
    await settle();
    expect(channel.texts).toEqual(['quick 1', 'quick 2', 'slow 1', 'slow 2']);
  });

  it('go to another platform, however many hang on the first; and there so many hang at most', async () => {
    const { notifier, channel, channels, settle } = await setUpNotifier();
    const other = new TestChannel({ id: 'other' });
    channels.set('other', other);
    await notifier.start();
    const release = channel.hangSends();
    for (let index = 0; index < 30; index += 1) {
      await notifier.notify(targetOf(`person-${index}`), { text: String(index) });
    }
    await notifier.notify(targetOf('mina', { channelId: asId<ChannelId>('other') }), { text: 'x' });
    await settle();
    expect(other.texts).toEqual(['x']);
    expect(channel.attempts).toHaveLength(16);
    release();
    await settle();
    expect(channel.sent).toHaveLength(30);
  });

  it('are looked for again after a minute when the database could not be read', async () => {
    const { create, store, channel, clock, records } = await setUpNotifier();
    let failures = 1;
    const notifier = create({
      store: {
        ...store,
        claimDue: async (now, limit) => {
          failures -= 1;
          if (failures >= 0) throw new Error('database is locked');
          return store.claimDue(now, limit);
        },
      },
    });
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await notifier.start();
    expect(records()).toMatchObject([{ level: 'error', message: 'Notifications could not be read' }]);
    await clock.advance(MINUTE_MS - 1);
    expect(channel.texts).toEqual([]);
    await clock.advance(1);
    expect(channel.texts).toEqual(['x']);
    await notifier.stop();
  });

  it('are not sent twice by one process because it could not be stored that they were sent', async () => {
    const { create, store, channel, clock, records, statuses } = await setUpNotifier();
    let failures = 2;
    const notifier = create({
      store: {
        ...store,
        markSent: async (id, at) => {
          failures -= 1;
          if (failures >= 0) throw new Error('disk full');
          return store.markSent(id, at);
        },
      },
    });
    await notifier.start();
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(HOUR_MS);
    expect(channel.texts).toEqual(['x']);
    expect(await statuses()).toEqual(['sent']);
    expect(records().map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('could not be stored')),
    );
    await notifier.stop();
  });
});

describe('notifications that are taken back', () => {
  it('are not told any more, though they were taken to be sent', async () => {
    const { storage, notifier, channel, settle } = await setUpNotifier();
    for (const text of ['1', '2', '3']) await notifier.notify(targetOf('mina'), { text });
    // As `/privacy delete` does, while the first one is being told.
    channel.onSend = async () =>
      void (await storage.db.deleteFrom('notifications').where('user_id', '=', 'mina').execute());
    await notifier.start();
    await settle();
    expect(channel.attempts.map(({ payload }) => payload.text)).toEqual(['1']);
  });

  it('are not tried again', async () => {
    const { storage, notifier, channel, clock } = await setUpNotifier();
    await notifier.start();
    channel.onSend = async () => {
      await storage.db.deleteFrom('notifications').execute();
      throw new Error('the platform is out of reach');
    };
    await notifier.notify(targetOf('mina'), { text: 'x' });
    await clock.advance(HOUR_MS);
    expect(channel.attempts).toHaveLength(1);
  });
});

describe('stopping', () => {
  it('waits for what is being sent, and begins nothing else', async () => {
    const { notifier, channel, clock, statuses, settle } = await setUpNotifier();
    await notifier.start();
    const release = channel.hangSends();
    await notifier.notify(targetOf('mina'), { text: 'under way' });
    await notifier.notify(targetOf('mina'), { text: 'behind it' });
    await settle();
    let isStopped = false;
    const stopped = notifier.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    expect(channel.texts).toEqual(['under way']);
    expect(await statuses()).toEqual(['sent', 'pending']);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([false, true])('does not wait for ever (deaf: %s), and loses nothing', async (isDeaf) => {
    const { notifier, create, channel, clock, settle, statuses } = await setUpNotifier();
    await notifier.start();
    const release = channel.hangSends({ isDeaf });
    await notifier.notify(targetOf('mina'), { text: 'under way' });
    await notifier.notify(targetOf('mina'), { text: 'behind it' });
    await notifier.notify(targetOf('mina'), { text: 'later' }, clock.now().add({ hours: 1 }));
    await settle();
    const stopped = notifier.stop();
    await clock.advance(5_000);
    await stopped;
    expect(clock.pendingTimers).toBe(0);
    expect(await statuses()).toEqual(['sending', 'pending', 'pending']);
    channel.onSend = () => {
      throw new Error('Nothing may be sent any more');
    };
    release();
    await clock.advance(2 * HOUR_MS);
    const tried = channel.attempts.length;
    channel.onSend = () => undefined;
    const again = create();
    await again.start();
    await settle();
    expect(channel.attempts.slice(tried).map(({ payload }) => payload.text)).toEqual([
      'under way',
      'behind it',
      'later',
    ]);
    await again.stop();
  });

  it('keeps what is asked for afterwards for the next start', async () => {
    const { notifier, create, channel, clock, settle } = await setUpNotifier();
    await notifier.start();
    await notifier.stop();
    expect(await notifier.notify(targetOf('mina'), { text: 'x' })).toBe('stored');
    await clock.advance(HOUR_MS);
    expect(channel.attempts).toEqual([]);
    const again = create();
    await again.start();
    await settle();
    expect(channel.texts).toEqual(['x']);
    await again.stop();
  });
});
