import { LRUCache } from 'lru-cache';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { replyLocale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type {
  InteractionReply,
  OutboundMessage,
  ReplyPayload,
  ReplyTarget,
} from '#src/kernel/chat/message.ts';
import { isRefusedWith, type SlackApi, SlackRefusedError } from '../api.ts';
import type { SlackDirectory } from '../directory.ts';
import type { SlackFiles, Uploaded } from './files.ts';
import type { Pacing } from './send-rate.ts';
import {
  findPosted,
  findSent,
  messagesSince,
  post,
  postEphemeral,
  type PostTarget,
  update,
} from './posting.ts';
import { type PreparedPicture, render, type Rendered } from './render.ts';
import { nearby, type SlackRefusalReason, wayAfter } from './refusals.ts';
import { slackTexts } from './texts.ts';
import { HOME_TOKEN, type Respond } from './interaction-replies.ts';
import type { SlackDeps, SlackIdentity } from '../settings.ts';
import { isTs, type SlackMessage } from '../wire.ts';

export interface SlackOutboundDeps extends Omit<SlackDeps, 'settings'> {
  readonly api: SlackApi;
  readonly directory: SlackDirectory;
  readonly pacing: Pacing;
  /** Undefined until Slack has named the bot. */
  readonly self: () => SlackIdentity | undefined;
  readonly closing: AbortSignal;
  /** For work that no answer waits for. Closing the channel waits a moment for it. Must not reject. */
  readonly inBackground: (work: Promise<void>) => void;
}

interface SendDeps extends SlackOutboundDeps {
  readonly files: SlackFiles;
  readonly respond: Respond;
  /** Shows what came of a press on the home tab. Throws `ChannelError`. */
  readonly showOnHome: (userId: string, payload: ReplyPayload) => Promise<void>;
}

/** The message to replace was deleted, is too old, or is not the bot's. */
const GONE = [
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'is_inactive',
  'channel_not_found',
];
/** A longer answer would push the page out of sight. */
const MAX_NOTICE = 1_500;
const MAX_EXPLAINED = 1_000;
const NO_FILES: Uploaded = { ids: [], missing: [] };

/** The same answer, addressed to the person's direct chat. */
const toDirect = ({ target, replaces: _gone, ...message }: OutboundMessage): OutboundMessage => {
  const { interaction: _over, threadId: _thread, replyToMessageId: _asked, ...rest } = target;
  return { ...message, target: { ...rest, chatId: asId<ChatId>(target.recipientId), isDirect: true } };
};

export const createOutbound = (deps: SendDeps): ChannelPlugin['send'] => {
  const { api, pacing, respond, showOnHome, self, logger } = deps;

  const sharing = createFileSharing(deps);
  const posts = createOpenPosts(deps, sharing);
  const { uploadOf, withMissing, share } = sharing;
  const { spotOf, writeWithPictures, sendOpenly } = posts;

  const { shareDirectly, sendEphemerally } = createPrivatePosts(deps, sharing, posts);
  const sendElsewhere = createSendElsewhere(deps, posts);

  /** Answers over the `response_url`; once that is used up or expired, to the person alone. */
  const answer = async (
    message: OutboundMessage,
    interaction: InteractionReply,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const { target, deliveryId, inDoubtSince } = message;
    const isPrivate = !target.isDirect && (interaction.isPrivate || message.payload.ephemeral === true);
    // A refusal does not take the place of what the person is looking at.
    const isRefusal = message.payload.ephemeral === true && !interaction.isPrivate && !target.isDirect;
    // Pictures of a private answer are in the direct chat; its text takes the place of the one before.
    const replaces =
      interaction.updates === true && !isRefusal && (isPrivate || !message.payload.media?.length);
    const options = { isPrivate, threadTs: target.threadId, replaces };
    const rendered = render(message.payload, target.recipientId);
    if (inDoubtSince && !isPrivate && !replaces) {
      // Replies over a `response_url` have no metadata, so the text is compared.
      const isIt = ({ text, bot_id: botId }: SlackMessage): boolean =>
        text === rendered.text && botId !== undefined && botId === self()?.botId;
      const found = await findSent(api, await spotOf(target), inDoubtSince, isIt);
      if (found) return found;
    }
    if (!isPrivate) {
      const pressed = interaction.updates && !isRefusal ? interaction.pressedMessageId : undefined;
      const written = await writeWithPictures(message, pressed, signal);
      if (written) return written;
    }
    const { media: _files, ...withoutFiles } = message.payload;
    try {
      const payload = isPrivate ? await shareDirectly(message.payload, target) : message.payload;
      const uploaded = isPrivate ? NO_FILES : await uploadOf(payload);
      const shown = render(withMissing(payload, uploaded.missing), target.recipientId);
      await pacing.run(
        interaction.token,
        async () => {
          try {
            await respond(interaction.token, shown, options);
          } catch (error) {
            if (!isRefusedWith(error, 'invalid_blocks', 'msg_blocks_too_long')) throw error;
            await respond(interaction.token, { ...shown, blocks: [] }, options);
          }
        },
        signal,
      );
      if (!(await share(uploaded, await spotOf(target)))) await shareDirectly(payload, target);
      return asId<MessageId>(`response:${deliveryId}`);
    } catch (error) {
      if (!(error instanceof ChannelError) || error.failure !== 'refused') throw error;
      logger.debug('Slack: the response_url no longer works', { reason: error.message });
      return isPrivate
        ? sendEphemerally({ ...message, payload: withoutFiles }, signal)
        : sendOpenly(toDirect(message), signal);
    }
  };

  /** Writing the page twice changes nothing. What does not fit there goes to the direct chat. */
  const answerOnHome = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { target, payload, deliveryId } = message;
    if (payload.media?.length || payload.text.length > MAX_NOTICE)
      return sendOpenly(toDirect(message), signal);
    try {
      await showOnHome(target.recipientId, payload);
      return asId<MessageId>(`home:${deliveryId}`);
    } catch (error) {
      if (!(error instanceof ChannelError) || error.failure !== 'refused') throw error;
      logger.debug('Slack: the home tab cannot be written', { reason: error.message });
      return sendOpenly(toDirect(message), signal);
    }
  };

  return async (message, signal) => {
    const { target, payload } = message;
    if (target.interaction?.token === HOME_TOKEN) return { messageId: await answerOnHome(message, signal) };
    const isForOne = payload.ephemeral === true && !target.isDirect;
    if (target.interaction) return { messageId: await answer(message, target.interaction, signal) };
    if (isForOne) return { messageId: await sendEphemerally(message, signal) };
    const messageId = await sendOpenly(message, signal).catch((error: unknown) =>
      sendElsewhere(message, error, signal),
    );
    return { messageId };
  };
};

/** Files of an answer: in Slack they are uploaded first and shown afterwards. */
const createFileSharing = ({ files, logger, locale }: Pick<SendDeps, 'files' | 'logger' | 'locale'>) => {
  /** Says where the files are that are not shown with the answer. */
  const withFileNotes = (
    payload: ReplyPayload,
    names: readonly string[],
    note: 'fileMissing' | 'fileInDirect',
  ): ReplyPayload => {
    if (names.length === 0) return payload;
    const say = channelTexts(replyLocale(payload, locale))[note];
    return { ...payload, text: [payload.text, ...names.map((name) => say({ name }))].join('\n') };
  };

  const withMissing = (payload: ReplyPayload, missing: readonly string[]): ReplyPayload =>
    withFileNotes(payload, missing, 'fileMissing');
  const uploadOf = async ({ media = [] }: ReplyPayload): Promise<Uploaded> =>
    media.length === 0 ? NO_FILES : files.upload(media);

  /**
   * The pictures of an answer with buttons that replace it. As blocks of the message, they are replaced too, while a
   * shared file stays for good. Undefined if Slack does not take them: then they are shared.
   */
  const preparedPictures = async (
    payload: ReplyPayload,
    signal: AbortSignal,
  ): Promise<readonly PreparedPicture[] | undefined> => {
    const { media = [], choices = [] } = payload;
    const isReplaceable = choices.some(({ effect }) => effect === 'replaces');
    if (!isReplaceable || media.length === 0 || media.some(({ kind }) => kind !== 'image')) return undefined;
    try {
      const uploaded = await files.upload(media);
      return uploaded.missing.length > 0 ? undefined : await files.prepare(uploaded, signal);
    } catch (error) {
      logger.warn('Slack: could not show a picture in its message', { error });
      return undefined;
    }
  };

  /** Whether the files are visible now. */
  const share = async (uploaded: Uploaded, spot: PostTarget): Promise<boolean> => {
    try {
      await files.share(uploaded, spot);
      return true;
    } catch (error) {
      logger.warn('Slack: could not share files', { error });
      return false;
    }
  };

  return { withFileNotes, withMissing, uploadOf, preparedPictures, share };
};

type FileSharing = ReturnType<typeof createFileSharing>;

/** Posts in a chat or thread, with their pictures and files. */
const createOpenPosts = (
  { api, directory, pacing, self, logger }: SlackOutboundDeps,
  { preparedPictures, uploadOf, withMissing, share }: FileSharing,
) => {
  const spotOf = async (target: ReplyTarget): Promise<PostTarget> => ({
    channel: await directory.channelOf(target),
    threadTs: target.threadId,
  });

  const replace = async (spot: PostTarget, ts: MessageId, rendered: Rendered, deliveryId: string) => {
    try {
      await update(api, spot.channel, ts, rendered, deliveryId);
    } catch (error) {
      if (!isRefusedWith(error, 'streaming_state_conflict')) throw error;
      // A crash left a stream open.
      await api.call('chat.stopStream', { channel: spot.channel, ts });
      await update(api, spot.channel, ts, rendered, deliveryId);
    }
  };

  /** Writes a message with its pictures; undefined if that is impossible here. */
  const writeWithPictures = async (
    { payload, target, deliveryId, replaces }: OutboundMessage,
    edited: MessageId | undefined,
    signal: AbortSignal,
  ): Promise<MessageId | undefined> => {
    const pictures = await preparedPictures(payload, signal);
    if (!pictures) return undefined;
    const spot = await spotOf(target);
    const rendered = { ...render(payload, target.recipientId, pictures), isWhole: true };
    const written = edited ?? replaces;
    try {
      return await pacing.run(
        spot.channel,
        async () => {
          if (written === undefined) return post(api, spot, rendered, deliveryId);
          await replace(spot, written, rendered, deliveryId);
          return written;
        },
        signal,
      );
    } catch (error) {
      if (!(error instanceof SlackRefusedError)) throw error;
      logger.warn('Slack: could not show a picture in its message', { error });
      return undefined;
    }
  };

  const write = async (
    message: OutboundMessage,
    spot: PostTarget,
    payload: ReplyPayload,
  ): Promise<MessageId> => {
    const { replaces, deliveryId } = message;
    const rendered = render(payload, message.target.recipientId);
    if (replaces) {
      try {
        await replace(spot, replaces, rendered, deliveryId);
        return replaces;
      } catch (error) {
        if (!isRefusedWith(error, ...GONE)) throw error;
      }
    }
    return post(api, spot, rendered, deliveryId);
  };

  const hasShared = async (
    spot: PostTarget,
    { media = [] }: ReplyPayload,
    since: Temporal.Instant,
  ): Promise<boolean> => {
    const names = new Set(media.map(({ name }) => name));
    for await (const { files: shown = [], bot_id: botId } of messagesSince(api, spot, since))
      if (botId === self()?.botId && shown.some(({ name }) => name !== undefined && names.has(name)))
        return true;
    return false;
  };

  /** Posts in the chat or thread, visible to everybody there. */
  const sendOpenly = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { payload, deliveryId, inDoubtSince } = message;
    const spot = await spotOf(message.target);
    const found = inDoubtSince && (await findPosted(api, spot, deliveryId, inDoubtSince));
    const isShared =
      inDoubtSince && found && payload.media?.length ? await hasShared(spot, payload, inDoubtSince) : false;
    if (found && (isShared || !payload.media?.length)) return found;
    const written = await writeWithPictures(message, found, signal);
    if (written) return written;
    const uploaded = await uploadOf(payload);
    const shown = withMissing(payload, uploaded.missing);
    const messageId = found ?? (await pacing.run(spot.channel, () => write(message, spot, shown), signal));
    if (!(await share(uploaded, spot))) {
      const all = withMissing(
        payload,
        (payload.media ?? []).map(({ name }) => name),
      );
      await update(api, spot.channel, messageId, render(all, message.target.recipientId), deliveryId).catch(
        () => undefined,
      );
    }
    return messageId;
  };

  return { spotOf, writeWithPictures, sendOpenly };
};

type OpenPosts = ReturnType<typeof createOpenPosts>;

/** Messages that one person alone sees. */
const createPrivatePosts = (
  { api, directory, pacing }: SlackOutboundDeps,
  { uploadOf, withMissing, withFileNotes, share }: FileSharing,
  { spotOf, sendOpenly }: OpenPosts,
) => {
  /** Sends files to the direct chat, because Slack has no ephemeral files; a note says so. */
  const shareDirectly = async (payload: ReplyPayload, target: ReplyTarget): Promise<ReplyPayload> => {
    const uploaded = await uploadOf(payload);
    if (uploaded.ids.length === 0) return withMissing(payload, uploaded.missing);
    const channel = await directory.directChannel(target.recipientId);
    const isShown = await share(uploaded, { channel, threadTs: undefined });
    const names = (payload.media ?? []).map(({ name }) => name);
    if (!isShown) return withMissing(payload, names);
    const shown = names.filter((name) => !uploaded.missing.includes(name));
    return withMissing(withFileNotes(payload, shown, 'fileInDirect'), uploaded.missing);
  };

  const sendEphemerally = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { target } = message;
    // Slack shows no ephemeral message in a thread without replies, so it is posted in the channel.
    const isFirst = target.threadId !== undefined && target.threadId === (target.replyToMessageId as string);
    const { channel, threadTs } = await spotOf(target);
    const spot = { channel, threadTs: isFirst ? undefined : threadTs };
    const payload = await shareDirectly(message.payload, target);
    try {
      return await pacing.run(
        spot.channel,
        () => postEphemeral(api, spot, target.recipientId, render(payload, target.recipientId)),
        signal,
      );
    } catch (error) {
      if (!(error instanceof SlackRefusedError)) throw error;
      const { media: _shared, ...rest } = payload;
      return sendOpenly(toDirect({ ...message, payload: rest }), signal);
    }
  };

  return { shareDirectly, sendEphemerally };
};

/** The way of an answer that Slack refuses in its place. */
const createSendElsewhere = (
  { api, directory, logger, locale }: SlackOutboundDeps,
  { spotOf, sendOpenly }: OpenPosts,
) => {
  /** Answers of which the person was told why they are elsewhere. */
  const explained = new LRUCache<string, true>({ max: MAX_EXPLAINED });

  /** One sentence, before all parts of an answer that is not where it was asked for. */
  const tellWhy = async (
    message: OutboundMessage,
    moved: OutboundMessage,
    reason: SlackRefusalReason,
  ): Promise<void> => {
    const { payload, deliveryId, inDoubtSince } = message;
    const { chatId, replyToMessageId, recipientId } = message.target;
    const spot = await spotOf(moved.target);
    const key = `${spot.channel}:${replyToMessageId ?? deliveryId}`;
    const noteId = `${deliveryId}:why`;
    if (explained.has(key) || (inDoubtSince && (await findPosted(api, spot, noteId, inDoubtSince)))) return;
    const t = slackTexts(replyLocale(payload, locale));
    const name = (await directory.place(chatId))?.name;
    const text = t[reason]({ chat: name === undefined ? t.thatChannel() : `#${name}` });
    const isOpen = moved.target.isDirect !== true;
    await post(api, spot, render({ text, ...(isOpen ? { mentions: recipientId } : {}) }), noteId);
    explained.set(key, true);
  };

  /** Nobody pays for an answer that nobody gets. What the direct chat refuses too is an error for the log and the operator. */
  const sendElsewhere = async (
    message: OutboundMessage,
    refused: unknown,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const way = wayAfter(refused);
    const { target, replaces } = message;
    if (way.to === 'nobody' || target.isDirect) throw refused;
    logger.warn('Slack refused an answer in its place; sending it elsewhere', { error: refused });
    if (replaces)
      await api
        .call('chat.delete', { channel: await directory.channelOf(target), ts: replaces })
        .catch(() => undefined);
    const near = nearby(message, way);
    if (near) {
      try {
        if (way.to === 'channel' && way.reason) await tellWhy(message, near, way.reason);
        return await sendOpenly(near, signal);
      } catch (error) {
        if (wayAfter(error).to === 'nobody') throw error;
        logger.warn('Slack refused an answer near its place too', { error });
      }
    }
    const direct = toDirect(message);
    await tellWhy(message, direct, way.reason ?? 'placeRefuses');
    return sendOpenly(direct, signal);
  };

  return sendElsewhere;
};

/** Slack's names of the emoji that the bot reacts with. */
const NAMES: Readonly<Record<string, string>> = {
  '👀': 'eyes',
  '⚠️': 'warning',
  '⚠': 'warning',
  '✅': 'white_check_mark',
  '❌': 'x',
  '⏳': 'hourglass_flowing_sand',
  '👍': '+1',
  '⛔': 'no_entry',
};

/** Adds or removes a reaction. Commands, buttons and forms have no message to react to. */
export const react = async (
  api: SlackApi,
  directory: SlackDirectory,
  action: 'add' | 'remove',
  target: ReplyTarget,
  emoji: string,
): Promise<void> => {
  const name = NAMES[emoji];
  if (!name || target.interaction || !isTs(target.replyToMessageId)) return;
  const channel = await directory.channelOf(target);
  try {
    await api.call(`reactions.${action}`, { channel, timestamp: target.replyToMessageId, name });
  } catch (error) {
    if (!isRefusedWith(error, 'already_reacted', 'no_reaction', 'message_not_found')) throw error;
  }
};
