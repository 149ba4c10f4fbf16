import { describe, expect, it } from 'vitest';
import type { ChannelCapabilities } from '#src/kernel/channel.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/message.ts';
import { newId } from '#src/platform/ids.ts';
import { notificationParts } from '#src/chat/reply/notification-parts.ts';
import { targetOf } from './notifier-support.ts';

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
