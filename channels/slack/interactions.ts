import type { FormSender } from '#src/kernel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type AccountId, asId, type ChatId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { ChatType, InboundMessage } from '#src/kernel/message.ts';
import type { ReceiverDeps } from './receiver.ts';
import { render } from './render.ts';
import type { Respond } from './interaction-replies.ts';
import { SLACK } from './settings.ts';

/** For commands, buttons and forms. */
export interface InteractionDeps extends ReceiverDeps {
  readonly respond: Respond;
}

/** The person's language, without a request: an interaction must be acknowledged first. */
export const localeNow = ({ directory, locale }: InteractionDeps, userId: string, text: string): Locale =>
  detectLocale(text, directory.personNow(userId)?.locale, locale);

export const formSenderOf = (deps: InteractionDeps, userId: string, text: string): FormSender => ({
  channelId: SLACK,
  accountId: asId<AccountId>(deps.self.teamId),
  senderId: asId<UserId>(userId),
  senderRoles: [],
  locale: localeNow(deps, userId, text),
});

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

/** Stores the message of an interaction, and tells its sender if that fails. Never throws. */
export const receiveInteraction = async (
  deps: InteractionDeps,
  message: InboundMessage,
  url: string,
): Promise<void> => {
  const t = channelMessages(detectLocale(message.body, message.locale, deps.locale));
  const thread = message.threadId;
  try {
    const receipt = await deps.host.receive(message);
    if (receipt.outcome === 'dropped' && !receipt.isTold) await tellPrivately(deps, url, t.notHere(), thread);
  } catch (error) {
    deps.logger.error('Slack: could not store a command', { error });
    await tellPrivately(deps, url, t.notStored(), thread);
  }
};
