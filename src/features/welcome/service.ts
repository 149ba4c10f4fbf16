import { asId, type ChatId, type DeliveryId, type PersonRef, type Timestamp } from '#src/kernel/ids.ts';
import { languageOf, type Locale } from '#src/kernel/locale.ts';
import type { TurnContext, ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { JoinedChat, MetPerson, Welcomes } from '#src/kernel/people/welcome.ts';
import { newId } from '#src/platform/ids.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';
import type { Alongside } from '#src/platform/storage/descriptor.ts';
import type { Uses } from '#src/platform/services.ts';
import { welcomeTexts } from './texts.ts';
import { personPayload, tries } from './questions.ts';
import type { WelcomeStore } from './store.ts';

export interface WelcomeSettings {
  /** The language of all answers, if the operator has fixed it. */
  readonly locale: Locale | 'auto';
  /** Whether the bot answers in this chat. */
  readonly answersIn: (chat: JoinedChat) => boolean;
  /** Whether everybody may write to the bot directly. */
  readonly isOpenToAll: boolean;
}

interface WelcomeDeps extends WelcomeSettings, Uses<'clock' | 'profiles.get' | 'wake'> {
  readonly store: WelcomeStore;
}

export interface WelcomeService extends Welcomes {
  /** What is stored with the first answer to a person in a direct chat. Undefined if nothing follows. */
  readonly behindAnswer: (ctx: TurnContext, at: Timestamp) => Promise<Alongside | undefined>;
  readonly wake: () => void;
}

/** The person's question is answered first. */
const BEHIND_ANSWER = { seconds: 3 };
const notification = (target: ReplyTarget, payload: ReplyPayload, dueAt: Timestamp): NewNotification => ({
  id: newId<DeliveryId>(),
  target,
  payload,
  dueAt,
});

/** Introduces the bot once: to a server, to a channel, and to a person in a direct chat. */
export const createWelcome = (deps: WelcomeDeps): WelcomeService => {
  const { store, profiles, clock, wake } = deps;
  const fixed = deps.locale === 'auto' ? undefined : deps.locale;

  const languageKnownOf = async (
    person: PersonRef,
    told: Locale | undefined,
  ): Promise<Locale | undefined> => {
    const profile = await profiles.get(person.channelId, person.userId);
    return fixed ?? profile.locale ?? told;
  };

  return {
    wake,

    joined: async (chat) => {
      if (!deps.answersIn(chat)) return;
      const { channelId, accountId, chatId, botId } = chat;
      const locale = fixed ?? chat.locale ?? 'en';
      const now = clock.now();
      // It belongs to nobody, so the bot itself stands for the recipient.
      const target = { channelId, accountId, chatId, recipientId: botId };
      const payload = {
        text: welcomeTexts(locale).chat(),
        locale,
        choices: tries(locale),
        isSentAnyway: true as const,
      };
      if (await store.chat(chat, notification(target, payload, now), now)) wake();
    },

    met: async (person: MetPerson) => {
      // Whoever may not write to the bot is not greeted. The others are, behind their first answer.
      if (!deps.isOpenToAll || (await store.isKnown(person))) return;
      const { channelId, accountId, userId } = person;
      const known = await languageKnownOf(person, person.locale);
      const target = {
        channelId,
        accountId,
        chatId: asId<ChatId>(userId),
        recipientId: userId,
        isDirect: true,
      } as const;
      const now = clock.now();
      const welcome = notification(
        target,
        personPayload(known ?? 'en', { isLanguageKnown: known !== undefined, isAnswered: false }),
        now,
      );
      await store.write((tx) => store.person(tx, person, welcome, now));
      wake();
    },

    behindAnswer: async (ctx, at) => {
      const { channelId, accountId, chatId, senderId: userId, chatType, locale, messageThreadId } = ctx;
      if (chatType !== 'direct') return undefined;
      const person = { channelId, userId };
      if (await store.isKnown(person)) return undefined;
      const known = await languageKnownOf(person, languageOf(ctx.rawBody) ?? ctx.platformLocale);
      const target = {
        channelId,
        accountId,
        chatId,
        ...(messageThreadId && { threadId: messageThreadId }),
        recipientId: userId,
        isDirect: true,
      } as const;
      const welcome = notification(
        target,
        personPayload(locale, { isLanguageKnown: known !== undefined, isAnswered: true }),
        at.add(BEHIND_ANSWER),
      );
      return (tx) => store.person(tx, person, welcome, at);
    },
  };
};
