import { asId, type ChatId } from '../ids.ts';
import type { Locale } from '../locale.ts';
import type { MsgContext } from './message.ts';

/** Whoever does something other than write a message, and where, as authenticated by the platform. */
export type Actor = Pick<
  MsgContext,
  | 'channelId'
  | 'accountId'
  | 'chatId'
  | 'chatType'
  | 'threadId'
  | 'guildId'
  | 'senderId'
  | 'senderRoles'
  | 'senderGuildId'
  | 'ownsBot'
> & {
  readonly locale: Locale;
};

export type Person = Pick<Actor, 'channelId' | 'accountId' | 'senderId' | 'guildId' | 'senderGuildId'>;

/** Somebody in their direct chat, where nobody has roles. */
export const inOwnChat = ({ channelId, accountId, senderId, guildId, senderGuildId }: Person) => ({
  channelId,
  accountId,
  senderId,
  ...(guildId === undefined ? {} : { guildId }),
  ...(senderGuildId === undefined ? {} : { senderGuildId }),
  chatId: asId<ChatId>(senderId),
  chatType: 'direct' as const,
  senderRoles: [],
});

/** The gates keep this person from acting here. */
export interface NotAdmitted {
  readonly outcome: 'not-admitted';
  /** For the person. */
  readonly text: string;
}
