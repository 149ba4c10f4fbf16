import type { APIMessage } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { OutboundMessage, ReplyPayload, ReplyTarget } from '#src/kernel/message.ts';
import { discordMessages } from './messages.ts';
import { CODES, DiscordError, hasCode } from './api.ts';
import { NOTHING, readUploads, type Upload } from './files.ts';
import type { InteractionAnswers } from './interaction-answers.ts';
import { type Messages, nonceOf } from './posting.ts';
import type { Places } from './channel-info.ts';
import {
  cardsAsText,
  contentOf,
  cut,
  MAX_CONTENT,
  type MessageBody,
  readerLocale,
  sentence,
  toBody,
} from './render.ts';
import type { DiscordDeps } from './settings.ts';
import { idAt } from './snowflake.ts';

export interface OutboundDeps extends Omit<DiscordDeps, 'settings'> {
  readonly messages: Messages;
  readonly places: Places;
  readonly botId: () => string | undefined;
}

/** The channel in which the target's messages stand. */
export const channelOf = async (target: ReplyTarget, places: Places, signal: AbortSignal): Promise<string> =>
  target.isDirect
    ? (await places.directChannel(target.recipientId, signal)).id
    : (target.threadId ?? target.chatId);

/** What can be pointed at: an interaction is no message. */
export const referenceOf = ({ replyToMessageId, interaction }: ReplyTarget): string | undefined =>
  interaction ? undefined : replyToMessageId;

/** For so long Discord knows a nonce for sure. */
const NONCE_LIFE_MS = 120_000;
/** Our clock and theirs may differ a little. */
export const SKEW_MS = 5_000;
const MAX_NOTES = 500;
export const LOOK_BACK = 100;

interface Content {
  readonly body: MessageBody;
  readonly upload: Upload;
  /** What could not be put under the text any more. */
  readonly afterword?: string;
}

const isTooMuch = (error: unknown): boolean =>
  hasCode(error, CODES.missingPermissions, CODES.tooLarge) ||
  (error instanceof DiscordError && error.httpStatus === 413);

const withMissing = (
  payload: ReplyPayload,
  upload: Upload,
  missing: readonly string[],
  fixed: Locale | 'auto',
): Content => {
  const t = channelMessages(readerLocale(payload, fixed));
  const note = missing.map((name) => t.fileMissing({ name: cut(name, 100) })).join('\n');
  const text = [payload.text, note].filter((part) => part !== '').join('\n');
  return text.length <= MAX_CONTENT || note === ''
    ? { body: toBody({ ...payload, text }, fixed), upload }
    : { body: toBody(payload, fixed), upload, afterword: cut(note, MAX_CONTENT) };
};

/** As it is meant; then, for places where the bot may not do all that, without files, and in words alone. */
const variantsOf = (
  payload: ReplyPayload,
  upload: Upload,
  fixed: Locale | 'auto',
): readonly [Content, ...Content[]] => {
  const { cards = [], media = [], ...rest } = payload;
  const names = media.map(({ name }) => name);
  const inWords = cut(
    [payload.text, cardsAsText(cards)].filter((part) => part !== '').join('\n\n'),
    MAX_CONTENT,
  );
  return [
    withMissing(payload, upload, upload.missing, fixed),
    ...(upload.files.length > 0 ? [withMissing(payload, NOTHING, names, fixed)] : []),
    ...(cards.length > 0 ? [withMissing({ ...rest, text: inWords }, NOTHING, names, fixed)] : []),
  ];
};

type IsIt = (found: APIMessage, sought: OutboundMessage) => boolean;

/** The same words, as an answer to the same message. Under the text there may be a word about a file. */
const isSame: IsIt = ({ content, embeds, message_reference: replied }, { target, payload }) => {
  const reference = referenceOf(target);
  const text = contentOf(payload).trim();
  // Cards may say it all: then they tell one message from another.
  if (payload.cards?.[0] && !(embeds ?? []).some(({ title }) => title === payload.cards?.[0]?.title))
    return false;
  const isSameText = payload.media && text !== '' ? content.trim().startsWith(text) : content.trim() === text;
  return isSameText && (reference === undefined || !replied || replied.message_id === reference);
};

/** An own message in the same place since then: it arrived the first time. */
export const createFindSent =
  ({ messages, places, botId }: Pick<OutboundDeps, 'messages' | 'places' | 'botId'>, isIt: IsIt = isSame) =>
  async (sought: OutboundMessage, signal: AbortSignal): Promise<APIMessage | undefined> => {
    const { target, inDoubtSince } = sought;
    if (!inDoubtSince) return undefined;
    const after = idAt(inDoubtSince.subtract({ milliseconds: SKEW_MS }));
    const channelId = await channelOf(target, places, signal);
    const found = await messages.list(channelId, { after, limit: LOOK_BACK }, signal);
    return found.find((one) => one.author.id === botId() && isIt(one, sought));
  };

/** Sends one part of an answer to where it belongs. */
export const createOutbound = (deps: OutboundDeps, answers: InteractionAnswers): ChannelPlugin['send'] => {
  const { messages, places, clock, logger, locale: fixed } = deps;
  const findSent = createFindSent(deps);
  /** An answer of several parts is one answer: one note is enough. */
  const notes = new LRUCache<string, MessageId>({ max: MAX_NOTES });

  const tryEach = async <T>(
    [first, ...rest]: readonly [Content, ...Content[]],
    attempt: (content: Content) => Promise<T>,
  ): Promise<T> => {
    try {
      return await attempt(first);
    } catch (error) {
      const [next, ...others] = rest;
      if (!next || !isTooMuch(error)) throw error;
      logger.warn('Discord did not take all of a message; sending less', { error });
      return tryEach([next, ...others], attempt);
    }
  };

  const variants = async ({ payload }: OutboundMessage): Promise<readonly [Content, ...Content[]]> =>
    variantsOf(payload, payload.media ? await readUploads(payload.media, logger) : NOTHING, fixed);

  const mayHaveArrived = ({ inDoubtSince }: OutboundMessage): boolean =>
    inDoubtSince !== undefined && inDoubtSince.until(clock.now()).total('milliseconds') >= NONCE_LIFE_MS;

  const sendTo = async (
    channelId: string,
    message: OutboundMessage,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const contents = await variants(message);
    const { replaces, deliveryId } = message;
    const nonce = nonceOf(deliveryId);
    if (replaces) {
      try {
        await tryEach(contents, ({ body, upload }) =>
          messages.edit(channelId, replaces, body, upload, signal),
        );
        return replaces;
      } catch (error) {
        if (!hasCode(error, CODES.unknownMessage)) throw error;
      }
    }
    if (mayHaveArrived(message)) {
      const found = await findSent(message, signal);
      if (found) return asId<MessageId>(found.id);
    }
    const replyTo = referenceOf(message.target);
    const { id } = await tryEach(contents, async ({ body, upload, afterword }) => {
      const posted = await messages.post(channelId, body, { nonce, replyTo, upload }, signal);
      if (afterword !== undefined)
        await messages.post(channelId, sentence(afterword), { nonce: nonceOf(deliveryId, '+') }, signal);
      return posted;
    });
    return asId<MessageId>(id);
  };

  const sendDirect = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { replyToMessageId: _elsewhere, interaction: _gone, threadId: _none, ...rest } = message.target;
    const { replaces: _there, ...moved } = message;
    const { id } = await places.directChannel(rest.recipientId, signal);
    return sendTo(id, { ...moved, target: { ...rest, isDirect: true } }, signal);
  };

  /** A short word in the channel about what could not be said there. */
  const leaveNote = async (
    { target, deliveryId, replaces }: OutboundMessage,
    text: string,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const channelId = target.threadId ?? target.chatId;
    const key = `${channelId}:${target.replyToMessageId ?? deliveryId}`;
    const kept = notes.get(key);
    if (kept) return kept;
    const options = { nonce: nonceOf(deliveryId, '!'), replyTo: referenceOf(target) };
    // What was shown live of it must not stay where others read.
    const { id } = replaces
      ? await messages.edit(channelId, replaces, sentence(text), NOTHING, signal)
      : await messages.post(channelId, sentence(text), options, signal);
    const note = asId<MessageId>(id);
    notes.set(key, note);
    return note;
  };

  /** For one person's eyes, where only a direct chat can do that. */
  const sendHidden = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const t = channelMessages(readerLocale(message.payload, fixed));
    let id: MessageId;
    try {
      id = await sendDirect(message, signal);
    } catch (error) {
      if (!hasCode(error, CODES.cannotWriteToPerson)) throw error;
      // Asking again would change nothing: the person has been told what to do, and that is the answer.
      return leaveNote(message, t.directClosed(), signal);
    }
    await leaveNote(message, t.onlyForYou(), signal).catch((error: unknown) =>
      logger.warn('A note could not be left in a channel', { error }),
    );
    return id;
  };

  /** Nobody is left without an answer because the bot may listen in a channel, and not write there. */
  const sendElsewhere = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { target, payload, deliveryId } = message;
    const { id } = await places.directChannel(target.recipientId, signal);
    const key = `${id}:${target.replyToMessageId ?? deliveryId}`;
    if (!notes.has(key)) {
      const locale = readerLocale(payload, fixed);
      const words = discordMessages(locale).mayNotWrite({ chat: `<#${target.threadId ?? target.chatId}>` });
      const posted = await messages.post(id, sentence(words), { nonce: nonceOf(deliveryId, '!') }, signal);
      notes.set(key, asId<MessageId>(posted.id));
    }
    return sendDirect(message, signal);
  };

  /** The half answer that stands where the whole one could not go any more. */
  const removeLive = async (
    { target }: OutboundMessage,
    messageId: MessageId,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      await messages.remove(await channelOf(target, places, signal), messageId, signal);
    } catch (error) {
      logger.debug('A live message is left behind', { error });
    }
  };

  return async (message, signal) => {
    const { target, payload, replaces } = message;
    const { interaction } = target;
    if (interaction) {
      const through = { ...message, target: { ...target, interaction } };
      const written = await tryEach(await variants(message), (content) =>
        answers.write(through, content, signal),
      );
      if (written) return { messageId: asId<MessageId>(written.id) };
      const messageId = await sendDirect(message, signal);
      if (replaces) await removeLive(message, replaces, signal);
      return { messageId };
    }
    const isForOne = payload.ephemeral && !payload.isHarmless && !target.isDirect;
    if (isForOne) return { messageId: await sendHidden(message, signal) };
    try {
      return { messageId: await sendTo(await channelOf(target, places, signal), message, signal) };
    } catch (error) {
      if (target.isDirect || !hasCode(error, CODES.missingPermissions, CODES.missingAccess)) throw error;
      return { messageId: await sendElsewhere(message, signal) };
    }
  };
};
