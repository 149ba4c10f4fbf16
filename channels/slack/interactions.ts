import type { ChannelHost, FormSender } from '#src/kernel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type AccountId, asId, type ChatId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { ChatType, InboundMessage } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { render } from './render.ts';
import type { ResponseUrls } from './response-url.ts';
import { SLACK, type SlackIdentity } from './settings.ts';

/** What commands, presses and forms have in common. */
export interface InteractionDeps {
  readonly host: ChannelHost;
  readonly self: SlackIdentity;
  readonly api: SlackApi;
  readonly directory: Directory;
  readonly responses: ResponseUrls;
  readonly locale: Locale | 'auto';
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** Without asking anybody: an interaction is acknowledged first. */
export const localeNow = (
  { directory, locale }: Pick<InteractionDeps, 'directory' | 'locale'>,
  userId: string,
  text: string,
): Locale => detectLocale(text, directory.personNow(userId)?.locale, locale);

export const formSenderOf = (deps: InteractionDeps, userId: string, text: string): FormSender => ({
  channelId: SLACK,
  accountId: asId<AccountId>(deps.self.teamId),
  senderId: asId<UserId>(userId),
  senderRoles: [],
  locale: localeNow(deps, userId, text),
});

/** Says something to one person, as the answer to what they did. Never throws. */
export const tellPrivately = async (
  { responses, logger }: Pick<InteractionDeps, 'responses' | 'logger'>,
  url: string,
  text: string,
  threadTs?: string,
): Promise<void> => {
  try {
    await responses.respond(url, render({ text }), { isPrivate: true, threadTs });
  } catch (error) {
    logger.warn('Slack: a person could not be told something', { reason: errorMessage(error) });
  }
};

/** A private chat in which the bot is not: what is answered there, others read. */
const isOwnDirect = async (
  { directory }: Pick<InteractionDeps, 'directory'>,
  channelId: string,
  userId: string,
): Promise<boolean> => {
  if (directory.directOwner(channelId) === userId) return true;
  return (await directory.directChannel(userId).catch(() => undefined)) === channelId;
};

export interface PlaceOfAct {
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
  /** Others than the person and the bot are there, and it is not the bot's place. */
  readonly isForeign: boolean;
}

/** Where a person was when they called a command or pressed a button. After the acknowledgement: it may ask Slack. */
export const placeOfAct = async (
  deps: InteractionDeps,
  channelId: string,
  channelName: string | undefined,
  userId: string,
  threadTs?: string,
): Promise<PlaceOfAct> => {
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
  // `privategroup` stands for private channels, and for groups of people too.
  const named = channelName?.startsWith('mpdm-') ? 'group' : 'channel';
  const isTold = channelName !== undefined && channelName !== 'privategroup';
  const known = isTold ? named : (await deps.directory.place(channelId))?.chatType;
  return { chatId: asId<ChatId>(channelId), chatType: known ?? 'channel', ...thread, isForeign: false };
};

/** Hands it to the gateway; whoever did it hears of it in any case. Never throws. */
export const receiveAct = async (
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
    deps.logger.error('A command could not be stored', { error });
    await tellPrivately(deps, url, t.notStored(), thread);
  }
};
