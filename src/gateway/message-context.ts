import { fixedLocaleIn, type LocaleRule } from '#src/core/guild-settings.ts';
import { detectLocale, type Locale } from '#src/core/i18n.ts';
import type { InboundMessage, MergedMessage, MsgContext } from '#src/core/message.ts';
import type { UserProfile } from '#src/core/ports.ts';
import { stripMentions } from '#src/core/text.ts';
import type { InboxEntry } from '#src/storage/inbox.ts';
import { type AdminSettings, isAdmin } from './admins.ts';

export interface ContextSettings {
  readonly admins: AdminSettings;
  readonly locale: LocaleRule;
  readonly timeZone: string;
  /** A message as the model reads it: without mentions and control characters. */
  readonly readable: (body: string) => string;
}

/** All words of a message, its own and forwarded ones. */
export const wordsOf = ({ body, forwarded = [] }: InboundMessage): string =>
  [body, ...forwarded.map(({ text }) => text)].join('\n\n');

/** The bot's own name in a mention says nothing about the language. */
export const localeOf = (message: InboundMessage, rule: LocaleRule): Locale =>
  detectLocale(stripMentions(message.body || wordsOf(message)), message.locale, fixedLocaleIn(message, rule));

/** The words of one turn: what a person wrote in several messages, in the order in which they wrote it. */
const bodyOf = (messages: readonly InboundMessage[]): string =>
  messages
    .map(({ body }) => body)
    .filter((body, _index, all) => all.length === 1 || body.trim() !== '')
    .join('\n\n');

export const toMerged = (
  { id, message: { messageId, body } }: InboxEntry,
  { readable }: Pick<ContextSettings, 'readable'>,
): MergedMessage => ({ inboxId: id, messageId, body: readable(body) });

/**
 * What was accepted, as the pipeline reads it, with the messages that became part of its turn. Derived anew at
 * every run: settings may have changed.
 */
export const toMsgContext = (
  entry: InboxEntry,
  merged: readonly InboxEntry[],
  settings: ContextSettings,
  profile: Pick<UserProfile, 'locale' | 'timeZone'> = {},
): MsgContext => {
  const messages = [entry, ...merged].map(({ message: each }) => each);
  const message: InboundMessage = { ...(messages.at(-1) ?? entry.message), body: bodyOf(messages) };
  const forwarded = messages.flatMap(({ forwarded: passedOn }) => passedOn ?? []);
  const media = messages.flatMap(({ media: files }) => files ?? []);
  const admin = isAdmin(message, settings.admins);
  return {
    inboxId: entry.id,
    merged: merged.map((other) => toMerged(other, settings)),
    messageId: entry.message.messageId,
    body: message.body,
    bodyForAgent: message.body,
    rawBody: message.body,
    from: message.senderName,
    senderId: message.senderId,
    senderName: message.senderName,
    ...(message.senderUsername !== undefined && { senderUsername: message.senderUsername }),
    userRoles: message.senderRoles,
    isAdmin: admin,
    commandAuthorized: admin,
    provider: message.channelId,
    channelId: message.channelId,
    accountId: message.accountId,
    chatId: message.chatId,
    chatType: message.chatType,
    sessionKey: entry.sessionKey,
    ...(message.groupSubject !== undefined && { groupSubject: message.groupSubject }),
    ...(message.groupMembers && { groupMembers: message.groupMembers }),
    ...(message.isForum !== undefined && { isForum: message.isForum }),
    ...(message.threadId && { messageThreadId: message.threadId }),
    ...(message.guildId !== undefined && { guildId: message.guildId }),
    managesGuild: message.managesGuild ?? false,
    mentionsBot: message.mentionsBot ?? false,
    ...(message.replyToMessageId && { replyToMessageId: message.replyToMessageId }),
    ...(message.interaction && { interaction: message.interaction }),
    ...(forwarded.length > 0 && { forwarded }),
    ...(media.length > 0 && { media }),
    // A language that the person set goes before that of the place, and before the one they happen to write in.
    locale: profile.locale ?? localeOf(message, settings.locale),
    timeZone: profile.timeZone ?? settings.timeZone,
    timestamp: message.timestamp,
  };
};
