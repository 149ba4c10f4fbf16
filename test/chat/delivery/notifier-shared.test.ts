import { describe, expect, it, onTestFinished } from 'vitest';
import type { NotifierDeps } from '#src/chat/delivery/notifier.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { newId } from '#src/platform/ids.ts';
import { TestChannel } from '#test/support/channel.ts';
import { HOUR_MS, MINUTE_MS, setUpNotifier, targetOf } from './notifier-support.ts';

const CLAIM_MS = 3 * MINUTE_MS;

const outOfReach = (): Promise<never> => Promise.reject(new Error('the database is out of reach'));

/** Several processes on one database, each with its own connection to the platform. */
const setUpShared = async () => {
  const one = await setUpNotifier();
  const { clock, create, store } = one;
  const startAnother = async (overrides: Partial<NotifierDeps> = {}) => {
    const channel = new TestChannel();
    const notifier = create({ channelOf: () => channel, isExclusive: false, ...overrides });
    onTestFinished(async () => {
      const stopped = notifier.stop();
      await clock.advance(MINUTE_MS);
      await stopped;
    });
    await notifier.start();
    return { channel, notifier };
  };
  /** As an alert stores it, with its own data: no notifier hears of it. */
  const addAll = async (chats: readonly string[]): Promise<void> => {
    for (const [index, chat] of chats.entries())
      await store.add(
        {
          id: newId<DeliveryId>(),
          target: targetOf(chat),
          payload: { text: String(index) },
          dueAt: clock.now(),
        },
        clock.now(),
      );
  };
  return { ...one, startAnother, addAll };
};

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));
const byNumber = (texts: readonly string[]): readonly string[] =>
  texts.toSorted((a, b) => Number(a) - Number(b));

describe('several notifiers on one database', () => {
  it('send each notification once between them', async () => {
    const { startAnother, addAll, settle, statuses } = await setUpShared();
    const [a, b] = [await startAnother(), await startAnother()];
    await addAll(numbers(150).map((number) => `chat-${number}`));
    for (const { notifier } of [a, b, a, b]) notifier.wake();
    await settle();
    expect(byNumber([...a.channel.texts, ...b.channel.texts])).toEqual(numbers(150));
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
  });

  it('take over what one had taken that is gone: once, after its time, as something that may have arrived', async () => {
    const { clock, store, startAnother, addAll, rows } = await setUpShared();
    await addAll(['mina']);
    const [dead] = await store.claimDue(clock.now(), 10);
    const [a, b] = [await startAnother(), await startAnother()];
    await clock.advance(CLAIM_MS - 1);
    expect([...a.channel.attempts, ...b.channel.attempts]).toEqual([]);
    await clock.advance(MINUTE_MS);
    const sent = [...a.channel.sent, ...b.channel.sent];
    expect(sent.map(({ deliveryId, inDoubtSince }) => [deliveryId, inDoubtSince?.toString()])).toEqual([
      [dead?.id, dead?.dueAt.toString()],
    ]);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }]);
    await clock.advance(HOUR_MS);
    expect([...a.channel.attempts, ...b.channel.attempts]).toHaveLength(1);
  });

  it('find what another one stored and did not live to send', async () => {
    const { clock, startAnother, addAll } = await setUpShared();
    const { channel } = await startAnother();
    await addAll(['mina']);
    await clock.advance(MINUTE_MS);
    expect(channel.texts).toEqual(['0']);
  });

  it('leave to each what it is still working on, however long that takes', async () => {
    const { clock, startAnother, addAll } = await setUpShared();
    const a = await startAnother();
    a.channel.delaySends(25_000, clock);
    await addAll(numbers(10).map(() => 'slow'));
    a.notifier.wake();
    const b = await startAnother();
    await clock.advance(5 * MINUTE_MS);
    expect([a.channel.texts, b.channel.attempts]).toEqual([numbers(10), []]);
  });

  it('send no more of what they could not keep, before another one may begin with it', async () => {
    const { clock, store, startAnother, addAll, statuses } = await setUpShared();
    const a = await startAnother({ store: { ...store, renew: outOfReach } });
    a.channel.delaySends(25_000, clock);
    await addAll(numbers(10).map(() => 'slow'));
    a.notifier.wake();
    const b = await startAnother();
    await clock.advance(CLAIM_MS - 1);
    const done = a.channel.texts.length;
    expect([done > 0 && done < 10, b.channel.attempts.length]).toEqual([true, 0]);
    await clock.advance(10 * MINUTE_MS);
    expect(byNumber([...a.channel.texts, ...b.channel.texts])).toEqual(numbers(10));
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
  });

  it('do not send what another one may have sent while they were suspended', async () => {
    const { clock, startAnother, addAll } = await setUpShared();
    const a = await startAnother();
    const { send } = a.channel;
    const line = Promise.withResolvers<void>();
    const outcomes: string[] = [];
    const note = (outcome: string) => void outcomes.push(outcome);
    const late: typeof send = async (...args) => {
      await line.promise;
      await Promise.try(checkRequest).then(
        () => note('sent'),
        () => note('refused'),
      );
      return send(...args);
    };
    Object.assign(a.channel, { send: late });
    await addAll(['one']);
    a.notifier.wake();
    await clock.advance(0);
    clock.standStill(CLAIM_MS + 1);
    line.resolve();
    await clock.advance(0);
    expect(outcomes).toEqual(['refused']);
  });
});

describe('waking the notifier', () => {
  it('has it send at once what somebody else stored, and is nothing before the start', async () => {
    const { notifier, channel, addAll, settle, clock } = await setUpShared();
    notifier.wake();
    await notifier.start();
    await addAll(['mina']);
    await clock.advance(0);
    expect(channel.texts).toEqual([]);
    notifier.wake();
    await settle();
    expect(channel.texts).toEqual(['0']);
  });
});
