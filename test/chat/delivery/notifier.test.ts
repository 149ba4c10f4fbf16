import { describe, expect, it } from 'vitest';
import {
  asId,
  type ChannelId,
  type ChatId,
  type DeliveryId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import { TestChannel } from '#test/support/channel.ts';
import { HOUR_MS, MINUTE_MS, setUpNotifier, targetOf } from './notifier-support.ts';
import type { ChannelCapabilities } from '#src/kernel/chat/capabilities.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { notificationParts } from '#src/chat/delivery/notifier.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';

describe('a notification', () => {
  it('is stored before it is sent, and sent at once where no time is given', async () => {
    const { notifier, channel, statuses, settle, recorded } = await setUpNotifier();
    await notifier.start();
    const seen: (readonly string[])[] = [];
    channel.onSend = async () => void seen.push(await statuses());
    const target = targetOf('mina', { threadId: asId<ThreadId>('t1') });
    expect(await notifier.notify(target, { text: 'AAPL is above 260' })).toBe('stored');
    await settle();
    expect(seen).toEqual([['sending']]);
    expect(channel.sent).toMatchObject([{ target, payload: { text: 'AAPL is above 260' } }]);
    expect(await statuses()).toEqual(['sent']);
    expect(recorded.payloads('delivery:sent')).toEqual([
      { deliveryId: channel.sent[0]?.deliveryId, channelId: 'test', attempts: 1 },
    ]);
  });

  it('is not sent to whoever may not use the bot any more, unless it says what was done with their data', async () => {
    const { create, channel, statuses, settle } = await setUpNotifier();
    const notifier = create({ mayBeTold: async ({ recipientId }) => recipientId !== 'mina' });
    await notifier.start();
    await notifier.notify(targetOf('mina'), { text: 'AAPL is above 260' });
    await notifier.notify(targetOf('mina'), { text: 'Somebody read it', isSentAnyway: true });
    await notifier.notify(targetOf('jun'), { text: 'AAPL is above 260' });
    await settle();
    const told = channel.sent.map(({ target, payload }) => `${target.recipientId}: ${payload.text}`);
    expect(told.toSorted()).toEqual(['jun: AAPL is above 260', 'mina: Somebody read it']);
    expect((await statuses()).toSorted()).toEqual(['failed', 'sent', 'sent']);
    await notifier.stop();
  });

  it('is sent at its time, not before', async () => {
    const { notifier, channel, clock } = await setUpNotifier();
    await notifier.start();
    const at = clock.now().add({ minutes: 90 });
    await notifier.notify(targetOf('mina'), { text: 'later' }, at);
    await notifier.notify(targetOf('mina'), { text: 'earlier' }, at.subtract({ minutes: 30 }));
    await clock.advance(HOUR_MS - 1);
    expect(channel.texts).toEqual([]);
    await clock.advance(1);
    expect(channel.texts).toEqual(['earlier']);
    await clock.advance(30 * MINUTE_MS - 1);
    expect(channel.texts).toEqual(['earlier']);
    await clock.advance(1);
    expect(channel.texts).toEqual(['earlier', 'later']);
  });

  it('that comes while the database is being asked is not overlooked', async () => {
    const { create, store, channel, settle } = await setUpNotifier();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const nextDueAt = async () => {
      const next = await store.nextDueAt();
      await answered;
      return next;
    };
    const notifier = create({ store: { ...store, nextDueAt } });
    const started = notifier.start();
    await settle();
    await notifier.notify(targetOf('mina'), { text: 'x' });
    answer();
    await started;
    await settle();
    expect(channel.texts).toEqual(['x']);
    await notifier.stop();
  });

  it('of the past is sent at once', async () => {
    const { notifier, channel, clock, settle } = await setUpNotifier();
    await notifier.start();
    await notifier.notify(targetOf('mina'), { text: 'late' }, clock.now().subtract({ hours: 1 }));
    await settle();
    expect(channel.texts).toEqual(['late']);
  });

  it('keeps its flags and attachments, and goes to the message it is about', async () => {
    const { notifier, channel, settle } = await setUpNotifier();
    await notifier.start();
    const payload = {
      text: 'Your report',
      ephemeral: true,
      media: [{ kind: 'file', mimeType: 'text/csv', name: 'a.csv', url: 'a.csv' }],
    } as const;
    await notifier.notify(targetOf('mina'), payload);
    await settle();
    expect(channel.sent.map((message) => message.payload)).toEqual([payload]);
  });

  it('that is too long for one message is sent in parts, in order, with the attachments at the end', async () => {
    const { notifier, channel, settle } = await setUpNotifier({ maxMessageLength: 20 });
    await notifier.start();
    const media = [{ kind: 'file', mimeType: 'text/csv', name: 'a.csv', url: 'a.csv' }] as const;
    await notifier.notify(targetOf('mina'), { text: 'first line here\nsecond line here\nthird', media });
    await settle();
    expect(channel.sent.map(({ payload }) => payload)).toEqual([
      { text: 'first line here' },
      { text: 'second line here' },
      { text: 'third', media },
    ]);
    const ids = channel.sent.map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);
  });
});

describe('the notifier at start', () => {
  it('sends what became due while the program was away, and waits for the rest', async () => {
    const { notifier, channel, clock, settle } = await setUpNotifier();
    await notifier.notify(targetOf('mina'), { text: 'due' }, clock.now().add({ hours: 1 }));
    await notifier.notify(targetOf('mina'), { text: 'not yet' }, clock.now().add({ hours: 5 }));
    await clock.advance(2 * HOUR_MS);
    expect(channel.texts).toEqual([]);
    await notifier.start();
    await settle();
    expect(channel.texts).toEqual(['due']);
    await clock.advance(3 * HOUR_MS);
    expect(channel.texts).toEqual(['due', 'not yet']);
  });

  it('sends again what a crash left half-way, under the same id', async () => {
    const { notifier, store, channel, clock, settle, statuses, records } = await setUpNotifier();
    await notifier.notify(targetOf('mina'), { text: 'in doubt' });
    const [taken] = await store.claimDue(clock.now(), 1);
    await notifier.start();
    await settle();
    expect(channel.sent.map(({ deliveryId }) => deliveryId)).toEqual([taken?.id]);
    expect(await statuses()).toEqual(['sent']);
    expect(records()).toMatchObject([
      { level: 'info', message: expect.stringContaining('sent again'), stuck: 1 },
    ]);
  });

  it('sends everything that waits, however much it is', async () => {
    const { notifier, channel, settle } = await setUpNotifier();
    for (let index = 0; index < 205; index += 1) {
      await notifier.notify(targetOf(`person-${index}`), { text: String(index) });
    }
    await notifier.start();
    await settle();
    expect(new Set(channel.texts).size).toBe(205);
    expect(channel.texts).toHaveLength(205);
  });
});

describe('the number of notifications that wait for one person', () => {
  it('is limited, for each person on each platform', async () => {
    const { create, clock, channels, settle } = await setUpNotifier();
    channels.set('other', new TestChannel({ id: 'other' }));
    const limited = create({ maxPendingPerUser: 2 });
    const later = clock.now().add({ hours: 1 });
    const notify = (target = targetOf('mina')) => limited.notify(target, { text: 'x' }, later);
    expect([await notify(), await notify(), await notify()]).toEqual(['stored', 'stored', 'full']);
    expect(await notify(targetOf('mina', { recipientId: asId<UserId>('jun') }))).toBe('stored');
    expect(await notify(targetOf('mina', { channelId: asId<ChannelId>('other') }))).toBe('stored');
    await limited.start();
    await clock.advance(HOUR_MS);
    await settle();
    expect(await notify()).toBe('stored');
    await limited.stop();
  });

  it('is fifty unless something else is asked for', async () => {
    const { notifier, clock, rows } = await setUpNotifier();
    const later = clock.now().add({ hours: 1 });
    const outcomes: string[] = [];
    for (let index = 0; index < 51; index += 1) {
      outcomes.push(await notifier.notify(targetOf('mina'), { text: 'x' }, later));
    }
    expect(outcomes.indexOf('full')).toBe(50);
    expect(await rows()).toHaveLength(50);
  });
});

describe('the timer', () => {
  it('is one, for whatever is next, and none where nothing waits', async () => {
    const { notifier, clock, settle } = await setUpNotifier();
    await notifier.start();
    expect(clock.pendingTimers).toBe(0);
    for (const hours of [5, 3, 4]) {
      await notifier.notify(targetOf('mina'), { text: 'x' }, clock.now().add({ hours }));
    }
    await settle();
    expect(clock.pendingTimers).toBe(1);
    // And once more, for what may have been left half-way.
    await clock.advance(5 * HOUR_MS + 3 * MINUTE_MS);
    expect(clock.pendingTimers).toBe(0);
  });

  it('notices within the hour that the clock was set, though the notification is weeks away', async () => {
    const { create, clock, channel } = await setUpNotifier();
    let jumped = Temporal.Duration.from({ hours: 0 });
    const notifier = create({
      clock: { now: () => clock.now().add(jumped), monotonicMs: clock.monotonicMs, after: clock.after },
    });
    await notifier.start();
    await notifier.notify(targetOf('mina'), { text: 'x' }, clock.now().add({ hours: 24 * 40 }));
    await clock.advance(MINUTE_MS);
    jumped = Temporal.Duration.from({ hours: 24 * 40 });
    await clock.advance(HOUR_MS);
    expect(channel.texts).toEqual(['x']);
    await notifier.stop();
  });
});

const CHANNEL: ChannelCapabilities = { maxMessageLength: 40, supportsMarkdown: true, supportsTables: false };

const payloadsOf = (payload: ReplyPayload, capabilities: Partial<ChannelCapabilities> = {}) =>
  notificationParts(
    {
      id: newId<DeliveryId>(),
      target: targetOf('mina'),
      payload,
      dueAt: Temporal.Instant.fromEpochMilliseconds(0),
    },
    { capabilities: { ...CHANNEL, ...capabilities } },
  ).map((part) => part.payload);

const ALERT: ReplyPayload = {
  text: 'AAPL is above 200.\n\nAAPL 201.50 USD (+1.20%), Yahoo, 15:30',
  textWithCards: 'AAPL is above 200.',
  cards: [{ title: 'AAPL', headline: '201.50', fields: [], footer: 'Yahoo', tone: 'up' }],
  choices: [{ label: 'Delete', command: '/alert delete ABC234' }],
};
const { cards, choices } = ALERT;

describe('the parts of a notification', () => {
  it('have cards in the place of the words that say the same, where the channel draws them', () => {
    expect(payloadsOf(ALERT, { supportsCards: true })).toEqual([
      { text: 'AAPL is above 200.', cards, choices },
    ]);
    const { textWithCards: _none, ...whole } = ALERT;
    expect(payloadsOf(whole, { supportsCards: true, maxMessageLength: 100 })).toEqual([whole]);
  });

  it('are the words alone elsewhere, with what can be pressed under the last', () => {
    expect(payloadsOf(ALERT)).toEqual([
      { text: 'AAPL is above 200.' },
      { text: 'AAPL 201.50 USD (+1.20%), Yahoo, 15:30', choices },
    ]);
  });

  it('are written as the channel can show them', () => {
    const text = '| Name | Price |\n|---|---:|\n| **AAPL** | 1 |';
    expect(payloadsOf({ text }, { supportsTables: true, maxMessageLength: 200 })).toEqual([{ text }]);
    const [fenced] = payloadsOf({ text }, { maxMessageLength: 200 });
    expect(fenced?.text).toMatch(/^```[^]*AAPL[^]*```$/);
    const [plain] = payloadsOf({ text: '**AAPL** is up' }, { supportsMarkdown: false });
    expect(plain?.text).toBe('AAPL is up');
  });
});

it('what a place does not take is told to the person in private', async () => {
  const { clock, notifier, channel } = await setUpNotifier();
  const room = asId<ChatId>('room');
  Object.assign(channel, {
    directTarget: async () => targetOf('mina', { isDirect: true }),
  });
  channel.onSend = ({ target }) => {
    if (target.chatId === room)
      throw new ChannelError('refused', 'Slack refused chat.postMessage: not_in_channel');
  };
  await notifier.start();
  await notifier.notify(targetOf('room', { recipientId: asId<UserId>('mina') }), {
    text: 'AAPL is above 200',
  });
  for (let hour = 0; hour < 30; hour += 1) await clock.advance(HOUR_MS);
  expect(channel.texts.join('\n')).toContain('AAPL is above 200');
});

it('who has closed their direct chat is told so where they asked, and gets it once it is open', async () => {
  const { clock, notifier, channel } = await setUpNotifier();
  let isClosed = true;
  channel.onSend = ({ target }) => {
    if (isClosed && target.isDirect) throw new ChannelError('refused', 'Cannot send messages to this user');
  };
  await notifier.start();
  const askedIn = { chatId: asId<ChatId>('room') };
  await notifier.notify(targetOf('mina', { isDirect: true, askedIn }), {
    text: 'AAPL is above 200',
    locale: 'ko',
    mentions: asId<UserId>('mina'),
  });
  await clock.advance(60_000);
  await clock.advance(60_000);
  expect(channel.sent.map(({ target, payload }) => [target.chatId, payload])).toEqual([
    ['room', { text: failureTexts('ko').alertNotDelivered(), locale: 'ko', mentions: 'mina' }],
  ]);
  isClosed = false;
  for (let hour = 0; hour < 2; hour += 1) await clock.advance(HOUR_MS);
  expect(channel.sent.map(({ target }) => target.chatId)).toEqual(['room', 'mina']);
});
