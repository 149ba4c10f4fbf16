import { fixedLocaleIn, type LocaleRule } from '#src/kernel/chat/guild-settings.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { HomeReader } from '#src/kernel/people/home.ts';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import type { MsgContext, MergedMessage, TurnContext } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { type AdminSettings, isAdmin } from './admins.ts';
import { isPrivateOf } from '#src/kernel/chat/conversation-key.ts';
import { deriveParentKey } from './session-key.ts';
import { type ZoneSettings, type KnownZone, zoneOf } from './time-zone.ts';

export interface ContextSettings extends ZoneSettings {
  readonly admins: AdminSettings;
  readonly locale: LocaleRule;
  /** A message as the model reads it: without mentions and control characters. */
  readonly readable: (body: string) => string;
  /** The same text without the mentions of people. */
  readonly stripMentions: (text: string) => string;
}

export type LocaleSettings = Pick<ContextSettings, 'locale' | 'stripMentions'>;

/** The text of a message with its forwards. */
export const bodyTextOf = ({ body, forwarded = [] }: MsgContext): string =>
  [body, ...forwarded.map(({ text }) => text)].join('\n\n');

/** Mentions are removed first, because names say nothing about the language. */
export const localeOf = (message: MsgContext, { locale, stripMentions }: LocaleSettings): Locale =>
  detectLocale(
    stripMentions(message.body || bodyTextOf(message)),
    message.locale,
    fixedLocaleIn(message, locale),
  );

/** The language and the time zone of a person who has written nothing. */
export const audienceOf = (
  person: HomeReader,
  settings: ZoneSettings & Pick<ContextSettings, 'locale'>,
  profile: Pick<UserProfile, 'locale' | 'timeZone' | 'platform'>,
): KnownZone & { readonly locale: Locale } => ({
  locale: profile.locale ?? detectLocale('', person.locale, fixedLocaleIn(person, settings.locale)),
  ...zoneOf(person, settings, profile),
});

/** The text of all messages of a turn, in order. */
const bodyOf = (messages: readonly MsgContext[]): string =>
  messages
    .map(({ body }) => body)
    .filter((body, _index, all) => all.length === 1 || body.trim() !== '')
    .join('\n\n');

export const toMerged = (
  { id, message: { messageId, body } }: InboxEntry,
  { readable }: Pick<ContextSettings, 'readable'>,
): MergedMessage => ({ inboxId: id, messageId, body: readable(body) });

/**
 * The context of an accepted message and of those merged into its turn. Derived again for every run, because settings may
 * have changed.
 */
export const toMsgContext = (
  entry: InboxEntry,
  merged: readonly InboxEntry[],
  settings: ContextSettings,
  profile: Pick<UserProfile, 'locale' | 'timeZone' | 'platform'> = {},
): TurnContext => {
  const messages = [entry, ...merged].map(({ message: each }) => each);
  const message: MsgContext = { ...(messages.at(-1) ?? entry.message), body: bodyOf(messages) };
  const forwarded = messages.flatMap(({ forwarded: passedOn }) => passedOn ?? []);
  const media = messages.flatMap(({ media: files }) => files ?? []);
  const parentSessionKey = isPrivateOf(entry.sessionKey, {
    channelId: message.channelId,
    userId: entry.message.senderId,
  })
    ? undefined
    : deriveParentKey(entry.match.agentId, entry.message);
  return {
    inboxId: entry.id,
    merged: merged.map((other) => toMerged(other, settings)),
    messageId: entry.message.messageId,
    bodyForAgent: message.body,
    rawBody: message.body,
    senderId: message.senderId,
    senderName: message.senderName,
    userRoles: message.senderRoles,
    isAdmin: isAdmin(message, settings.admins),
    channelId: message.channelId,
    accountId: message.accountId,
    chatId: message.chatId,
    chatType: message.chatType,
    sessionKey: entry.sessionKey,
    ...(parentSessionKey && { parentSessionKey }),
    ...(message.groupSubject !== undefined && { groupSubject: message.groupSubject }),
    ...(message.threadId && { messageThreadId: message.threadId }),
    ...(message.threadTitle !== undefined && { threadTitle: message.threadTitle }),
    ...(message.guildId !== undefined && { guildId: message.guildId }),
    managesGuild: message.managesGuild ?? false,
    mentionsBot: message.mentionsBot ?? false,
    ...(message.replyToMessageId && { replyToMessageId: message.replyToMessageId }),
    ...(message.interaction && { interaction: message.interaction }),
    ...(forwarded.length > 0 && { forwarded }),
    ...(media.length > 0 && { media }),
    // The language in the profile overrides that of the server and of the message.
    locale: profile.locale ?? localeOf(message, settings),
    ...(message.locale && { platformLocale: message.locale }),
    ...zoneOf(message, settings, profile),
    timestamp: message.timestamp,
  };
};
