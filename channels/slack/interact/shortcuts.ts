import { z } from 'zod';
import { errorMessage } from '#src/kernel/errors.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import { asPassedOn } from '#src/kernel/chat/message.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { MESSAGE_MENUS } from '#src/kernel/chat/message-menus.ts';
import { mediaOf, senderOf } from '../receive/inbound.ts';
import {
  actorOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  postDirectly,
  receiveInteraction,
  tellPrivately,
} from './interactions.ts';
import { isOwn, textOf } from '../receive/message-words.ts';
import { openQuestion } from './questions.ts';
import { ASK_SHORTCUT, menuShortcut } from '../settings.ts';
import { fields, MESSAGE } from '../wire.ts';

/** The fields we read of a shortcut. Only one on a message has a channel, a message and a `response_url`. */
export const SHORTCUT = fields({
  callback_id: z.string(),
  trigger_id: z.string(),
  response_url: z.string(),
  user: fields({ id: z.string(), team_id: z.string() }),
  channel: fields({ id: z.string(), name: z.string() }),
  message: MESSAGE,
});
type Shortcut = z.infer<typeof SHORTCUT>;

/** A question about a message, which comes along as forwarded. Nobody else sees the answer. */
const askAbout = async (deps: InteractionDeps, shortcut: Shortcut): Promise<void> => {
  const { self, directory, clock } = deps;
  const { trigger_id: trigger, response_url: url, user, channel, message } = shortcut;
  const menu = MESSAGE_MENUS.find(({ id }) => shortcut.callback_id === menuShortcut(id));
  if (!menu || !trigger || !url || !user?.id || !channel?.id || !message) return;
  const { id: userId } = user;
  const [person, author, place] = await Promise.all([
    directory.person(userId),
    message.user ? directory.person(message.user) : undefined,
    placeOfInteraction(deps, channel.id, channel.name, userId, message.thread_ts),
  ]);
  const locale = localeNow(deps, userId, '');
  const text = textOf(message, self);
  const media = mediaOf(message, self).map(asPassedOn);
  if (text === '' && media.length === 0) {
    await tellPrivately(deps, url, channelTexts(locale).nothingToRead(), message.thread_ts);
    return;
  }
  const { isForeign: _private, ...where } = place;
  const authorName = author?.name ?? message.username;
  await receiveInteraction(
    deps,
    {
      ...senderOf(userId, { self, person }, user.team_id),
      ...where,
      id: asId<EventId>(`shortcut:${trigger}`),
      messageId: asId<MessageId>(`shortcut:${trigger}`),
      isFromSelf: false,
      mentionsBot: true,
      interaction: { token: url, isPrivate: true },
      body: menu.asks[locale],
      forwarded: [
        {
          text,
          ...(authorName === undefined ? {} : { authorName }),
          ...(isOwn(message, self) ? {} : { isFromOthers: true as const }),
        },
      ],
      ...(media.length > 0 ? { media } : {}),
      timestamp: clock.now(),
    },
    url,
  );
};

export const handleShortcut = async (
  deps: InteractionDeps,
  shortcut: Shortcut,
  ack: () => Promise<void>,
): Promise<void> => {
  const { callback_id: callbackId, trigger_id: trigger, user } = shortcut;
  if (callbackId === ASK_SHORTCUT && trigger && user?.id) {
    const { id: userId, team_id: teamId } = user;
    const by = actorOf(deps, { userId, teamId });
    const tell = async (text: string): Promise<void> => {
      await postDirectly(deps, userId, text).catch((error: unknown) =>
        deps.logger.warn('Slack: could not write directly', { reason: errorMessage(error) }),
      );
    };
    // In parallel, because Slack allows three seconds for both.
    await Promise.all([ack(), openQuestion(deps, { id: 'ask', by, isOnHome: false, trigger, tell })]);
    return;
  }
  await ack();
  await askAbout(deps, shortcut);
};
