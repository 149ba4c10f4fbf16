import type { AccountId, ChannelId, ChatId, UserId } from '../ids.ts';
import type { Locale } from '../locale.ts';

/** A chat that the bot was added to. */
export interface JoinedChat {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  /** The Discord guild or Slack team. */
  readonly guildId: string;
  /** What is welcomed once: the whole server on Discord, each channel on Slack. */
  readonly subject: string;
  /** Where the message goes. */
  readonly chatId: ChatId;
  readonly botId: UserId;
  /** Of the server, or of whoever added the bot. */
  readonly locale?: Locale | undefined;
}

/** A person who has opened their direct chat with the bot. */
export interface MetPerson {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly userId: UserId;
  /** As the platform reports them. */
  readonly locale?: Locale | undefined;
  readonly timeZone?: string | undefined;
}

/** Port: the bot's first message to a server, a channel or a person. Durable when it resolves; rejects if storing failed. */
export interface Welcomes {
  /** Once for each subject, whichever process hears of it, and however often. */
  readonly joined: (chat: JoinedChat) => Promise<void>;
  /** Once for each person. Somebody who writes first is welcomed behind their first answer instead. */
  readonly met: (person: MetPerson) => Promise<void>;
}
