import type { APIMessage } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { type Locale, replyLocale } from '#src/kernel/locale.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { OutboundMessage, ReplyPayload, ReplyTarget } from '#src/kernel/message.ts';
import { cut, splitAtLines } from '#src/kernel/text.ts';
import { discordMessages } from './messages.ts';
import { CODES, DiscordError, hasCode } from './api.ts';
import { NOTHING, readUploads, type Upload } from './files.ts';
import type { Identity } from './connection.ts';
import type { InteractionReplies } from './interaction-replies.ts';
import { type Messages, nonceOf } from './posting.ts';
import type { Directory } from './directory.ts';
import { cardsAsText, titleOf } from './cards.ts';
import { contentOf, MAX_CONTENT, type MessageBody, sentence, toBody } from './render.ts';
import type { DiscordDeps } from './settings.ts';
import { idAt } from './snowflake.ts';

export interface OutboundDeps extends Omit<DiscordDeps, 'settings'> {
  readonly messages: Messages;
  readonly directory: Directory;
  /** Undefined until the first connection. */
  readonly self: () => Identity | undefined;
}

/** The id of the channel, thread or direct chat that the target names. */
export const channelOf = async (
  target: ReplyTarget,
  directory: Directory,
  signal: AbortSignal,
): Promise<string> =>
  target.isDirect
    ? (await directory.directChannel(target.recipientId, signal)).id
    : (target.threadId ?? target.chatId);

/** The message to reply to. An interaction is not a message, so nothing can refer to it. */
export const referenceOf = ({ replyToMessageId, interaction }: ReplyTarget): string | undefined =>
  interaction ? undefined : replyToMessageId;

/** Discord is sure to know a nonce for this long. */
const NONCE_LIFE_MS = 120_000;
/** Allowed difference between our clock and Discord's. */
export const SKEW_MS = 5_000;
const MAX_NOTES = 500;
export const LOOK_BACK = 100;

interface Content {
  readonly body: MessageBody;
  readonly upload: Upload;
  /** What does not fit into the message and is posted after it: a note about missing files, the rest of cards as text. */
  readonly afterwords?: readonly string[];
}

/** Whether a message was posted so long ago that its nonce no longer prevents a second one. */
export const isPastNonceLife = (since: Temporal.Instant | undefined, now: Temporal.Instant): boolean =>
  since !== undefined && since.until(now).total('milliseconds') >= NONCE_LIFE_MS;

const isTooMuch = (error: unknown): boolean =>
  hasCode(error, CODES.missingPermissions, CODES.tooLarge) ||
  (error instanceof DiscordError && error.httpStatus === 413);

const withMissing = (
  payload: ReplyPayload,
  upload: Upload,
  missing: readonly string[],
  fixed: Locale | 'auto',
): Content => {
  const t = channelMessages(replyLocale(payload, fixed));
  const note = missing.map((name) => t.fileMissing({ name: cut(name, 100) })).join('\n');
  const text = [payload.text, note].filter((part) => part !== '').join('\n');
  return text.length <= MAX_CONTENT || note === ''
    ? { body: toBody({ ...payload, text }, fixed), upload }
    : { body: toBody(payload, fixed), upload, afterwords: [cut(note, MAX_CONTENT)] };
};

const withAfterwords = (content: Content, afterwords: readonly string[]): Content => ({
  ...content,
  afterwords: [...afterwords, ...(content.afterwords ?? [])],
});

/** The full message; then, for channels where the bot lacks permissions, without files; then as text alone. */
const variantsOf = (
  payload: ReplyPayload,
  upload: Upload,
  fixed: Locale | 'auto',
): readonly [Content, ...Content[]] => {
  const { cards = [], media = [], isLedByCards: _inText, ...rest } = payload;
  const names = media.map(({ name }) => name);
  const inWords = [payload.text, cardsAsText(cards)].filter((part) => part !== '').join('\n\n');
  const [text = '', ...afterwords] = splitAtLines(inWords, MAX_CONTENT);
  return [
    withMissing(payload, upload, upload.missing, fixed),
    ...(upload.files.length > 0 ? [withMissing(payload, NOTHING, names, fixed)] : []),
    ...(cards.length > 0
      ? [withAfterwords(withMissing({ ...rest, text }, NOTHING, names, fixed), afterwords)]
      : []),
  ];
};

type IsIt = (found: APIMessage, sought: OutboundMessage) => boolean;

/** The answer of an interaction notifies nobody, so its cards need no line above them. */
const shownPayload = ({ target, payload }: OutboundMessage): ReplyPayload => {
  const { isLedByCards: _needless, ...rest } = payload;
  return target.interaction ? rest : payload;
};

/** Whether both have the same text and answer the same message. A note about a file may follow the text. */
const isSame: IsIt = ({ content, embeds, message_reference: replied }, sought) => {
  const reference = referenceOf(sought.target);
  const payload = shownPayload(sought);
  const text = contentOf(payload).trim();
  const [card] = payload.cards ?? [];
  // A message may consist of cards alone, so their titles are compared too.
  if (card && !(embeds ?? []).some(({ title }) => title === titleOf(card))) return false;
  const isSameText = payload.media && text !== '' ? content.trim().startsWith(text) : content.trim() === text;
  return isSameText && (reference === undefined || !replied || replied.message_id === reference);
};

/** Finds the bot's own message if an attempt whose outcome is unknown did arrive. */
export const createFindSent =
  ({ messages, directory, self }: OutboundDeps, isIt: IsIt = isSame) =>
  async (sought: OutboundMessage, signal: AbortSignal): Promise<APIMessage | undefined> => {
    const { target, inDoubtSince } = sought;
    if (!inDoubtSince) return undefined;
    const after = idAt(inDoubtSince.subtract({ milliseconds: SKEW_MS }));
    const channelId = await channelOf(target, directory, signal);
    const found = await messages.list(channelId, { after, limit: LOOK_BACK }, signal);
    return found.find((one) => one.author.id === self()?.botId && isIt(one, sought));
  };

export const createOutbound = (deps: OutboundDeps, replies: InteractionReplies): ChannelPlugin['send'] => {
  const { messages, directory, clock, logger, locale: fixed } = deps;
  const findSent = createFindSent(deps);
  /** All parts of an answer share one note. */
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
      logger.warn('Discord refused a message; sending a smaller one', { error });
      return tryEach([next, ...others], attempt);
    }
  };

  const variants = async (message: OutboundMessage): Promise<readonly [Content, ...Content[]]> => {
    const payload = shownPayload(message);
    return variantsOf(payload, payload.media ? await readUploads(payload.media, logger) : NOTHING, fixed);
  };

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
    if (isPastNonceLife(message.inDoubtSince, clock.now())) {
      const found = await findSent(message, signal);
      if (found) return asId<MessageId>(found.id);
    }
    // One answer is one reply, however many messages it takes. Below buttons, the reply tells whose they are.
    const isReply = !message.isContinued || (message.payload.choices?.length ?? 0) > 0;
    const replyTo = isReply ? referenceOf(message.target) : undefined;
    const { id } = await tryEach(contents, async ({ body, upload, afterwords = [] }) => {
      const posted = await messages.post(channelId, body, { nonce, replyTo, upload }, signal);
      for (const [index, afterword] of afterwords.entries()) {
        const sign = index === 0 ? '+' : `+${index}`;
        await messages.post(channelId, sentence(afterword), { nonce: nonceOf(deliveryId, sign) }, signal);
      }
      return posted;
    });
    return asId<MessageId>(id);
  };

  const sendDirect = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { replyToMessageId: _elsewhere, interaction: _gone, threadId: _none, ...rest } = message.target;
    const { replaces: _there, ...moved } = message;
    const { id } = await directory.directChannel(rest.recipientId, signal);
    return sendTo(id, { ...moved, target: { ...rest, isDirect: true } }, signal);
  };

  /** Posts a short note in the channel about an answer that could not be posted there. */
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
    // The live message of a private answer must not stay in the channel.
    const { id } = replaces
      ? await messages.edit(channelId, replaces, sentence(text), NOTHING, signal)
      : await messages.post(channelId, sentence(text), options, signal);
    const note = asId<MessageId>(id);
    notes.set(key, note);
    return note;
  };

  /** Sends an ephemeral answer directly: without an interaction, Discord has no ephemeral messages. */
  const sendHidden = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const t = channelMessages(replyLocale(message.payload, fixed));
    let id: MessageId;
    try {
      id = await sendDirect(message, signal);
    } catch (error) {
      if (!hasCode(error, CODES.cannotWriteToPerson)) throw error;
      // A retry would change nothing: the note tells the person what to do.
      return leaveNote(message, t.directClosed(), signal);
    }
    await leaveNote(message, t.onlyForYou(), signal).catch((error: unknown) =>
      logger.warn('Discord: could not post the note about a direct answer', { error }),
    );
    return id;
  };

  /** Answers directly if the bot may read a channel but not write there. */
  const sendElsewhere = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const { target, payload, deliveryId } = message;
    const { id } = await directory.directChannel(target.recipientId, signal);
    const key = `${id}:${target.replyToMessageId ?? deliveryId}`;
    if (!notes.has(key)) {
      const t = discordMessages(replyLocale(payload, fixed));
      const note = sentence(t.mayNotWrite({ chat: `<#${target.threadId ?? target.chatId}>` }));
      const posted = await messages.post(id, note, { nonce: nonceOf(deliveryId, '!') }, signal);
      notes.set(key, asId<MessageId>(posted.id));
    }
    return sendDirect(message, signal);
  };

  /** Removes the unfinished live message when the answer is sent elsewhere. */
  const removeLive = async (
    { target }: OutboundMessage,
    messageId: MessageId,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      await messages.remove(await channelOf(target, directory, signal), messageId, signal);
    } catch (error) {
      logger.debug('Discord: could not remove a live message', { error });
    }
  };

  return async (message, signal) => {
    const { target, payload, replaces } = message;
    const { interaction } = target;
    if (interaction) {
      const through = { ...message, target: { ...target, interaction } };
      const written = await tryEach(await variants(message), async (content) => {
        const first = await replies.write(through, content, signal);
        const { token, isPrivate } = interaction;
        const how = { isPrivate: isPrivate || payload.ephemeral === true };
        for (const afterword of first ? (content.afterwords ?? []) : [])
          await replies.followUp(target.accountId, token, sentence(afterword), how, signal);
        return first;
      });
      if (written) return { messageId: asId<MessageId>(written.id) };
      const messageId = await sendDirect(message, signal);
      if (replaces) await removeLive(message, replaces, signal);
      return { messageId };
    }
    const isForOne = payload.ephemeral && !payload.isHarmless && !target.isDirect;
    if (isForOne) return { messageId: await sendHidden(message, signal) };
    try {
      return { messageId: await sendTo(await channelOf(target, directory, signal), message, signal) };
    } catch (error) {
      if (target.isDirect || !hasCode(error, CODES.missingPermissions, CODES.missingAccess)) throw error;
      return { messageId: await sendElsewhere(message, signal) };
    }
  };
};
