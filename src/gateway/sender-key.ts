import type { InboundMessage } from '#src/core/message.ts';
import { personKey } from '#src/core/personal-desk.ts';

/** Who a message counts for, in all chats: the sender as the platform vouches for them. */
export const senderKey = ({ channelId, senderId }: Pick<InboundMessage, 'channelId' | 'senderId'>): string =>
  personKey({ channelId, userId: senderId });
