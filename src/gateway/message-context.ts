import { detectLocale, type Locale } from '#src/core/i18n.ts';
import type { MsgContext, ReplyTarget } from '#src/core/message.ts';
import type { InboxEntry } from '#src/storage/inbox.ts';
import { type AdminSettings, isAdmin } from './admins.ts';

export interface ContextSettings {
  readonly admins: AdminSettings;
  readonly locale: Locale | 'auto';
  readonly timeZone: string;
}

/** What was accepted, as the pipeline reads it. Derived anew at every run: settings may have changed. */
export const toMsgContext = (entry: InboxEntry, settings: ContextSettings): MsgContext => {
  const { message } = entry;
  const admin = isAdmin(message, settings.admins);
  return {
    inboxId: entry.id,
    messageId: message.messageId,
    body: message.body,
    bodyForAgent: message.body,
    rawBody: message.body,
    from: message.senderName,
    senderId: message.senderId,
    senderName: message.senderName,
    ...(message.senderUsername ? { senderUsername: message.senderUsername } : {}),
    senderRoles: message.senderRoles,
    isAdmin: admin,
    commandAuthorized: admin,
    provider: message.channelId,
    channelId: message.channelId,
    accountId: message.accountId,
    chatId: message.chatId,
    chatType: message.chatType,
    sessionKey: entry.sessionKey,
    ...(message.threadId ? { messageThreadId: message.threadId } : {}),
    ...(message.media ? { media: message.media } : {}),
    locale: detectLocale(message.body, message.locale, settings.locale),
    timeZone: settings.timeZone,
    timestamp: message.timestamp,
  };
};

/** Answers go to the message, in its chat and thread. */
export const replyTargetOf = (message: InboxEntry['message']): ReplyTarget => ({
  channelId: message.channelId,
  accountId: message.accountId,
  chatId: message.chatId,
  ...(message.threadId ? { threadId: message.threadId } : {}),
  replyToMessageId: message.messageId,
  recipientId: message.senderId,
});
