import { describe, expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import type { Card } from '#src/kernel/chat/card.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { fact, NEVER_ABORTED, planAndGoDown, setUpDelivery } from '#test/chat/pipeline/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext } from '#test/support/context.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { createDelivery } from '#src/chat/delivery/delivery.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { createPacing } from '#channels/slack/send/send-rate.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { temporaryDir } from '#test/support/database.ts';

const FILE: MediaAttachment = {
  kind: 'file',
  mimeType: 'text/markdown',
  name: '대화 2026-11-14.md',
  url: 'file:///data/%EB%8C%80%ED%99%94.md',
  sizeBytes: 42,
};
const CHART: MediaAttachment = {
  kind: 'image',
  mimeType: 'image/png',
  name: 'c.png',
  url: 'file:///data/c.png',
  altText: 'A chart',
};
const THREE = ['first part 123456', 'second part 12345', 'third part 123456'];

const mediaOf = (channel: TestChannel) => channel.sent.map(({ payload }) => payload.media);

describe('files of an answer', () => {
  it('go along with it, as they are', async () => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(msgContext(), { text: 'Here.', media: [FILE, CHART] }, channel, NEVER_ABORTED);
    expect(channel.sent).toMatchObject([{ payload: { text: 'Here.' } }]);
    expect(mediaOf(channel)).toEqual([[FILE, CHART]]);
  });

  it('are not there where there are none', async () => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(msgContext(), { text: 'Nothing.' }, channel, NEVER_ABORTED);
    expect(channel.sent[0]?.payload).not.toHaveProperty('media');
  });

  it('go with the last part of a long one', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 34 });
    const reply = { text: THREE.join('\n'), media: [FILE] };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(THREE);
    expect(mediaOf(channel)).toEqual([undefined, undefined, [FILE]]);
  });

  it('go with the part that marks made-up numbers, where that is the last', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 80 });
    const reply = { text: 'a'.repeat(70), media: [CHART], facts: [fact(true)] };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.texts.at(-1)).toContain(marketNoteTexts('en').sampleMark());
    expect(mediaOf(channel)).toEqual([undefined, [CHART]]);
  });

  it('are shown to the sender alone with an answer that is', async () => {
    const { delivery, channel } = await setUpDelivery();
    const reply = { text: 'Here.', media: [FILE], ephemeral: true };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.sent[0]?.payload).toEqual({ ...reply, locale: 'en' });
  });

  it('are sent again with a part that the platform did not take at first', async () => {
    const { delivery, channel, clock } = await setUpDelivery();
    channel.failNextSends(2);
    const delivered = delivery.deliver(
      msgContext(),
      { text: 'Here.', media: [FILE] },
      channel,
      NEVER_ABORTED,
    );
    await clock.advance(10_000);
    expect(await delivered).toMatchObject({ failed: 0 });
    expect(channel.attempts.map(({ payload }) => payload.media)).toEqual([[FILE], [FILE], [FILE]]);
  });

  it('are still there after a restart', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 34 });
    const ctx = msgContext();
    const reply = { text: THREE.join('\n'), media: [FILE, CHART] };
    await planAndGoDown(delivery, ctx, reply, channel);
    const next = new TestChannel();
    await delivery.resume(ctx.inboxId, next, NEVER_ABORTED);
    expect(mediaOf(next)).toEqual([undefined, undefined, [FILE, CHART]]);
  });

  it('are taken back with what was not sent', async () => {
    const { delivery } = await setUpDelivery();
    const ctx = msgContext();
    await planAndGoDown(delivery, ctx, { text: 'Here.', media: [FILE] });
    const next = new TestChannel();
    await delivery.closeWith(ctx, 'Stopped.', next, NEVER_ABORTED);
    expect(next.texts).toEqual(['Stopped.']);
    expect(mediaOf(next)).toEqual([undefined]);
  });
});

const CARD: Card = {
  title: 'Apple Inc. (AAPL, NASDAQ)',
  headline: '$270.00 ▲ +$1.00',
  fields: [],
  footer: 'as of now · source: somewhere',
  tone: 'up',
};
const REPLY = { text: 'Apple in words', cards: { items: [CARD], text: '' } };
const DRAWS = { capabilities: { supportsCards: true } };

describe('an answer with cards', () => {
  it('is drawn where the channel draws them, and said in words elsewhere', async () => {
    const drawing = await setUpDelivery(DRAWS);
    // The test channel takes no message without text; a real one takes cards by themselves.
    const reply = { ...REPLY, cards: { items: [CARD], text: 'Beside it.' } };
    await drawing.delivery.deliver(msgContext(), reply, drawing.channel, NEVER_ABORTED);
    expect(drawing.channel.sent).toMatchObject([{ payload: { text: 'Beside it.', cards: [CARD] } }]);

    const plain = await setUpDelivery();
    await plain.delivery.deliver(msgContext(), reply, plain.channel, NEVER_ABORTED);
    expect(plain.channel.sent[0]?.payload).toEqual({ text: 'Apple in words', locale: 'en' });
  });

  it('is planned as one part also where nothing is said beside them', async () => {
    const { delivery, channel, outbox } = await setUpDelivery(DRAWS);
    const ctx = msgContext();
    const aborted = AbortSignal.abort(new Error('down'));
    await expect(delivery.deliver(ctx, REPLY, channel, aborted)).rejects.toThrow('down');
    expect(await outbox.partsOf(ctx.inboxId)).toMatchObject([{ payload: { text: '', cards: [CARD] } }]);
  });

  it('is marked as sample data above the cards too', async () => {
    const { delivery, channel } = await setUpDelivery(DRAWS);
    const facts = [fact(true)];
    await delivery.deliver(msgContext(), { ...REPLY, facts }, channel, NEVER_ABORTED);
    expect(channel.sent).toMatchObject([
      { payload: { text: marketNoteTexts('en').sampleMark(), cards: [CARD] } },
    ]);
  });

  it('carries what can be pressed under its last part', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 20 });
    const choices = [{ label: 'Hyundai Motor', command: '/price 005380.KS' }];
    await delivery.deliver(
      msgContext(),
      { text: 'first line here\nsecond line', choices },
      channel,
      NEVER_ABORTED,
    );
    expect(channel.sent.map(({ payload }) => payload.choices)).toEqual([undefined, choices]);
  });
});

describe('an answer that was shown live', () => {
  const LIVE = asId<MessageId>('live-1');

  const setUp = async () => {
    const base = await setUpDelivery({ maxMessageLength: 20 });
    const { outbox, clock, recorded } = base;
    const delivery = createDelivery({
      outbox,
      files: createSentFiles({ dataDir: temporaryDir(), clock }),
      maxResponseLength: 1_000,
      shownLive: async () => LIVE,
      clock,
      events: recorded.events,
    });
    return { ...base, delivery };
  };

  it('takes the place of what was shown with its first part only', async () => {
    const { delivery, channel } = await setUp();
    await delivery.deliver(msgContext(), { text: 'first line here\nsecond line' }, channel, NEVER_ABORTED);
    expect(channel.sent.map(({ replaces }) => replaces)).toEqual([LIVE, undefined]);
  });

  it('gives its place to the sentence about a failure', async () => {
    const { delivery, channel } = await setUp();
    await delivery.closeWith(msgContext(), 'It failed.', channel, NEVER_ABORTED);
    expect(channel.sent).toMatchObject([{ replaces: LIVE, payload: { text: 'It failed.' } }]);
  });

  it('leaves it alone where it is for one person only', async () => {
    const { delivery, channel } = await setUp();
    await delivery.deliver(msgContext(), { text: 'Yours', ephemeral: true }, channel, NEVER_ABORTED);
    expect(channel.sent[0]).not.toHaveProperty('replaces');
  });
});

it('a sentence about a failure takes no place that a part of the answer has', async () => {
  const { outbox, clock, recorded, channel } = await setUpDelivery({ maxMessageLength: 20 });
  const delivery = createDelivery({
    outbox,
    files: createSentFiles({ dataDir: temporaryDir(), clock }),
    maxResponseLength: 20_000,
    shownLive: async () => asId<MessageId>('live-1'),
    clock,
    events: recorded.events,
  });
  channel.onSend = ({ replaces, payload }) => {
    if (replaces === undefined && !payload.isClosing) throw new ChannelError('refused', 'no');
  };
  const ctx = msgContext();
  await delivery.deliver(ctx, { text: 'one part of it.\n\nanother part of it.' }, channel, NEVER_ABORTED);
  await delivery.closeWith(ctx, 'It failed.', channel, NEVER_ABORTED);
  expect(channel.sent.map(({ payload, replaces }) => [payload.text, replaces])).toEqual([
    ['one part of it.', 'live-1'],
    ['It failed.', undefined],
  ]);
});

const LIMIT = new ChannelError('rate-limited', 'wait', { retryAfterMs: 10_000 });
const STEP_MS = 5_000;
const STEPS = 80;

/** So many answers at once into one chat of a platform that takes one a second. */
const send = async (answers: number, limitedForMs = 0) => {
  const { delivery, channel, clock, recorded } = await setUpDelivery();
  const pacing = createPacing(clock);
  const startedMs = clock.monotonicMs();
  const post = async () => {
    if (clock.monotonicMs() - startedMs < limitedForMs) throw LIMIT;
    return { messageId: asId<MessageId>('1') };
  };
  const paced: ChannelPlugin = {
    id: channel.id,
    capabilities: channel.capabilities,
    isConnected: () => true,
    start: async () => undefined,
    stop: async () => undefined,
    close: async () => undefined,
    send: (_message, signal) => pacing.run('C1', post, signal),
  };
  const reports = Promise.all(
    Array.from({ length: answers }, () =>
      delivery.deliver(msgContext(), { text: 'x' }, paced, NEVER_ABORTED),
    ),
  );
  // In steps: what a timer set off is given the time to set the next one.
  for (let step = 0; step < STEPS; step += 1) await clock.advance(STEP_MS);
  const errors = recorded.payloads('delivery:retry').map(({ error }) => error);
  return {
    givenUp: (await reports).filter(({ failed }) => failed > 0).length,
    // What waits in silence is taken for dead after a while, and looked for before it is sent again.
    takenForDead: errors.filter(
      (error) => !(error instanceof ChannelError) || error.failure !== 'rate-limited',
    ),
  };
};

const ALL_WELL = { givenUp: 0, takenForDead: [] };

describe('an answer that only waits', () => {
  it('for its turn in a busy chat is neither given up nor taken for dead', async () => {
    expect(await send(110)).toEqual(ALL_WELL);
  });

  it('because the platform asks it to, again and again for minutes, is not given up', async () => {
    expect(await send(1, 120_000)).toEqual(ALL_WELL);
  });
});
