import { createHash } from 'node:crypto';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import { asId, type DeliveryId } from '#src/kernel/ids.ts';
import type { OutboundMessage } from '#src/kernel/message.ts';
import type { NewNotification } from '#src/platform/storage/notifications.ts';
import { formatResponse } from './response-formatter.ts';

/** The same id for the same part, however often it is sent: platforms that look at it show the part once. */
const partId = (id: DeliveryId, index: number): DeliveryId => {
  if (index === 0) return id;
  const hex = createHash('sha256').update(`${id} ${index}`).digest('hex');
  return asId<DeliveryId>(hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
};

/** Both of our languages write numbers alike. */
const NUMBER_LOCALE = 'en';
/** Characters that are reserved for the mention. */
const MENTION_ROOM = 40;

/** As an answer is shown there. Cards, attachments and what can be pressed go with the last part. */
export const notificationParts = (
  { id, target, payload, guess }: NewNotification,
  { capabilities, phrase }: Pick<ChannelPlugin, 'capabilities' | 'phrase'>,
): readonly OutboundMessage[] => {
  const { text, textWithCards, typed, cards, media, choices, mentions, ...flags } = guess?.payload ?? payload;
  const { maxMessageLength, supportsMarkdown, supportsTables, supportsCards, supportsChoices } = capabilities;
  const drawn = supportsCards && cards?.length ? cards : undefined;
  const words = drawn ? (textWithCards ?? text) : text;
  const said = typed === undefined || supportsChoices ? words : `${words}\n\n${typed}`;
  const { parts } = formatResponse(
    phrase?.(said, flags.locale ?? detectLocale(said, undefined, 'auto')) ?? said,
    {
      maxLength: maxMessageLength - (mentions === undefined ? 0 : MENTION_ROOM),
      supportedFormats: supportsMarkdown ? ['markdown', 'plain-text'] : ['plain-text'],
      supportsTables,
      numberLocale: NUMBER_LOCALE,
    },
  );
  // Cards by themselves are a message too.
  const contents = parts.length > 0 ? parts.map(({ content }) => content) : [''];
  const atTheEnd = { ...(drawn && { cards: drawn }), ...(media && { media }), ...(choices && { choices }) };
  return contents.map((content, index) => ({
    deliveryId: partId(id, index),
    target,
    payload: {
      ...flags,
      text: content,
      // Only the first part notifies the person.
      ...(index === 0 && mentions !== undefined && { mentions }),
      ...(index === contents.length - 1 ? atTheEnd : {}),
    },
  }));
};
