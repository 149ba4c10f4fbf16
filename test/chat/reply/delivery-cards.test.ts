import { describe, expect, it } from 'vitest';
import { marketNoteMessages } from '#src/kernel/messages/market-notes.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { Card } from '#src/kernel/message.ts';
import { createDelivery } from '#src/chat/reply/delivery.ts';
import { fact, NEVER_ABORTED, setUpDelivery } from '#test/chat/stages/support.ts';
import { msgContext } from '#test/support/context.ts';

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
      { payload: { text: marketNoteMessages('en').sampleMark(), cards: [CARD] } },
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
