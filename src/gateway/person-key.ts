import type { InboundMessage } from '#src/core/message.ts';

/** Who a message counts for, in all chats: the sender as the platform vouches for them. */
export const personKey = ({ channelId, senderId }: Pick<InboundMessage, 'channelId' | 'senderId'>): string =>
  [channelId, senderId].join('\0');
