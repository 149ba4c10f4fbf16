import type { Actor } from '#src/kernel/chat/actor.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import {
  asId,
  type ChatId,
  type EventId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ChatType, MsgContext } from '#src/kernel/chat/message.ts';
import type { ReceiverDeps } from '../receive/receiver.ts';
import { post } from '../send/posting.ts';
import { render } from '../send/render.ts';
import { HOME_TOKEN, type Respond } from '../send/interaction-replies.ts';
import { senderOf } from '../receive/inbound.ts';
import type { SlackHome } from '../home/home.ts';
import { SLACK } from '../settings.ts';

/** For commands, buttons, shortcuts and forms. */
export interface InteractionDeps extends ReceiverDeps {
  readonly respond: Respond;
  readonly home: SlackHome;
}

/** The person's language, without a request: an interaction must be acknowledged first. */
export const localeNow = ({ directory, locale }: InteractionDeps, userId: string, text: string): Locale =>
  detectLocale(text, directory.personNow(userId)?.locale, locale);

interface Whoever {
  readonly userId: string;
  /** As Slack names it with the event. */
  readonly teamId?: string | undefined;
  /** Absent: outside of any chat, such as on the home tab. */
  readonly channelId?: string | undefined;
}

/** The person who acts, without a request. `text`: their words, for the language. */
export const actorOf = (deps: InteractionDeps, { userId, teamId, channelId }: Whoever, text = ''): Actor => {
  const isDirect = channelId === undefined || channelId.startsWith('D');
  const person = deps.directory.personNow(userId);
  const { accountId, guildId, senderGuildId } = senderOf(userId, { self: deps.self, person }, teamId);
  return {
    channelId: SLACK,
    accountId,
    chatId: asId<ChatId>(isDirect ? userId : channelId),
    chatType: isDirect ? 'direct' : 'channel',
    ...(guildId === undefined ? {} : { guildId }),
    ...(senderGuildId === undefined ? {} : { senderGuildId }),
    senderId: asId<UserId>(userId),
    senderRoles: [],
    locale: localeNow(deps, userId, text),
  };
};

/** Replies to an interaction, visible to its sender alone. Never throws. */
export const tellPrivately = async (
  { respond, logger }: InteractionDeps,
  url: string,
  text: string,
  threadTs?: string,
): Promise<void> => {
  try {
    await respond(url, render({ text }), { isPrivate: true, threadTs });
  } catch (error) {
    logger.warn('Slack: could not reply to an interaction', { reason: errorMessage(error) });
  }
};

/** Whether a direct chat is that of the person and the bot. In any other, somebody else would read the answer. */
const isOwnDirect = async (
  { directory }: InteractionDeps,
  channelId: string,
  userId: string,
): Promise<boolean> => {
  if (directory.directOwner(channelId) === userId) return true;
  return (await directory.directChannel(userId).catch(() => undefined)) === channelId;
};

interface InteractionPlace {
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
  /** A direct chat between other people. */
  readonly isForeign: boolean;
}

/** The chat in which somebody used a command or button. It may ask Slack, so it comes after the acknowledgement. */
export const placeOfInteraction = async (
  deps: InteractionDeps,
  channelId: string,
  channelName: string | undefined,
  userId: string,
  threadTs?: string,
): Promise<InteractionPlace> => {
  const thread = threadTs === undefined ? {} : { threadId: asId<ThreadId>(threadTs) };
  if (channelId.startsWith('D')) {
    const isOwn = await isOwnDirect(deps, channelId, userId);
    return {
      chatId: asId<ChatId>(isOwn ? userId : channelId),
      chatType: isOwn ? 'direct' : 'group',
      ...thread,
      isForeign: !isOwn,
    };
  }
  // Slack names both private channels and group messages `privategroup`.
  const named = channelName?.startsWith('mpdm-') ? 'group' : 'channel';
  const isTold = channelName !== undefined && channelName !== 'privategroup';
  const known = isTold ? named : (await deps.directory.place(channelId))?.chatType;
  return { chatId: asId<ChatId>(channelId), chatType: known ?? 'channel', ...thread, isForeign: false };
};

/** Stores the message of an interaction, and tells its sender if that fails. Never throws. True if it is answered. */
export const receiveInteraction = (
  deps: InteractionDeps,
  message: MsgContext,
  url: string,
): Promise<boolean> =>
  receiveOrTell(deps, message, (text) => tellPrivately(deps, url, text, message.threadId));

/** As `receiveInteraction`, with another way to tell the sender. */
export const receiveOrTell = async (
  deps: InteractionDeps,
  message: MsgContext,
  tell: (text: string) => Promise<void>,
): Promise<boolean> => {
  const t = channelTexts(detectLocale(message.body, message.locale, deps.locale));
  try {
    const receipt = await deps.host.receive(message);
    if (receipt.outcome === 'dropped' && !receipt.isTold) await tell(t.notHere());
    return receipt.outcome !== 'dropped';
  } catch (error) {
    deps.logger.error('Slack: could not store a command', { error });
    await tell(t.notStored());
    return false;
  }
};

/** Tells somebody something on their home tab. Never throws. */
export const tellOnHome = async (
  { home, logger }: InteractionDeps,
  userId: string,
  text: string,
): Promise<void> => {
  try {
    await home.show(userId, { text });
  } catch (error) {
    logger.warn('Slack: could not write a home tab', { reason: errorMessage(error) });
  }
};

/** Writes something in the direct chat that is no answer. Throws `ChannelError`. */
export const postDirectly = async (
  { api, directory }: InteractionDeps,
  userId: string,
  text: string,
): Promise<MessageId> => {
  const channel = await directory.directChannel(userId);
  return post(api, { channel, threadTs: undefined }, render({ text }), undefined);
};

/** Where a slash command or a form was used. */
export interface ChatOfAct {
  readonly channelId: string;
  readonly channelName?: string | undefined;
  readonly threadTs?: string | undefined;
}

/** Stores a command for whoever used it, in the chat where it was used. */
export const sayCommand = async (
  deps: InteractionDeps,
  {
    userId,
    teamId,
    channelId,
    channelName,
    threadTs,
    url,
  }: ChatOfAct & Whoever & { readonly url: string; readonly channelId: string },
  { id, body, isPrivate }: { readonly id: string; readonly body: string; readonly isPrivate: boolean },
): Promise<void> => {
  const { self, directory, clock } = deps;
  const [person, { isForeign, ...where }] = await Promise.all([
    directory.person(userId),
    placeOfInteraction(deps, channelId, channelName, userId, threadTs),
  ]);
  const isNamed =
    where.chatType !== 'direct' && !['privategroup', 'directmessage'].includes(channelName ?? '');
  const message: MsgContext = {
    // In a shared channel `team_id` is the workspace of the command, which may differ from the person's.
    ...senderOf(userId, { self, person }, person?.teamId ?? teamId),
    ...where,
    id: asId<EventId>(id),
    messageId: asId<MessageId>(id),
    isFromSelf: false,
    mentionsBot: true,
    interaction: { token: url, isPrivate: isPrivate || isForeign },
    ...(isNamed && channelName ? { groupSubject: channelName } : {}),
    body,
    timestamp: clock.now(),
  };
  await receiveInteraction(deps, message, url);
};

interface OwnMessage {
  readonly userId: string;
  readonly teamId: string | undefined;
  /** Differs for every press and every form, and is the same if Slack sends one again. */
  readonly id: string;
  readonly body: string;
  /** The message in the direct chat that stands for it, if there is one. */
  readonly messageId?: MessageId | undefined;
  /** The answer is shown on the home tab instead of the direct chat. */
  readonly isOnHome: boolean;
}

/** An action outside of any chat, as a message in the direct chat of its person. */
export const toOwnMessage = async (
  { self, directory, clock }: InteractionDeps,
  { userId, teamId, id, body, messageId, isOnHome }: OwnMessage,
): Promise<MsgContext> => ({
  ...senderOf(userId, { self, person: await directory.person(userId) }, teamId),
  chatId: asId<ChatId>(userId),
  chatType: 'direct',
  id: asId<EventId>(id),
  messageId: messageId ?? asId<MessageId>(id),
  isFromSelf: false,
  mentionsBot: true,
  ...(isOnHome ? { interaction: { token: HOME_TOKEN, isPrivate: true, updates: true } } : {}),
  body,
  timestamp: clock.now(),
});
