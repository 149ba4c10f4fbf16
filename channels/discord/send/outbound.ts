import { type APIMessage, ChannelType } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { type Locale, replyLocale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type {
  InteractionReply,
  OutboundMessage,
  ReplyPayload,
  ReplyTarget,
} from '#src/kernel/chat/message.ts';
import { cut, splitAtLines } from '#src/kernel/text.ts';
import { withoutLinks } from '#src/platform/text/visible-links.ts';
import { discordTexts } from './texts.ts';
import { CODES, hasCode, isRefusal } from '../api.ts';
import { NOTHING, readUploads, type Upload } from './files.ts';
import type { Identity } from '../connect/connection.ts';
import type { InteractionReplies } from './interaction-replies.ts';
import { type Messages, nonceOf } from './posting.ts';
import { type DiscordDirectory, isForum } from '../directory.ts';
import { cardsAsText, titleOf } from './cards.ts';
import { helps, reasonOf } from './refusals.ts';
import { contentOf, MAX_CONTENT, type MessageBody, sentence, toBody } from './render.ts';
import type { DiscordDeps } from '../settings.ts';
import { idAt } from '../snowflake.ts';

export interface DiscordOutboundDeps extends Omit<DiscordDeps, 'settings'> {
  readonly messages: Messages;
  readonly directory: DiscordDirectory;
  /** Undefined until the first connection. */
  readonly self: () => Identity | undefined;
}

/** The id of the channel, thread or direct chat that the target names. */
export const channelOf = async (
  target: ReplyTarget,
  directory: DiscordDirectory,
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

/** A way to write a message. It is written when it is tried. */
interface Variant {
  /** The refusal that it helps against. */
  readonly against?: 'smaller' | 'without-links';
  readonly write: () => Content;
}

/** Whether a message was posted so long ago that its nonce no longer prevents a second one. */
export const isPastNonceLife = (since: Temporal.Instant | undefined, now: Temporal.Instant): boolean =>
  since !== undefined && since.until(now).total('milliseconds') >= NONCE_LIFE_MS;

const withMissing = (
  payload: ReplyPayload,
  upload: Upload,
  missing: readonly string[],
  fixed: Locale | 'auto',
): Content => {
  const t = channelTexts(replyLocale(payload, fixed));
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

/** The full message; then, where Discord refuses that, without files; then as text alone; or without addresses. */
const variantsOf = (
  payload: ReplyPayload,
  upload: Upload,
  fixed: Locale | 'auto',
): readonly [Variant, ...Variant[]] => {
  const { cards = [], media = [], isLedByCards: _inText, ...rest } = payload;
  const names = media.map(({ name }) => name);
  const inWords = (
    wording: (text: string) => string,
    brought: Upload,
    missing: readonly string[],
  ): Content => {
    const words = [payload.text, cardsAsText(cards)].filter((part) => part !== '').join('\n\n');
    const [text = '', ...afterwords] = splitAtLines(wording(words), MAX_CONTENT);
    return withAfterwords(withMissing({ ...rest, text }, brought, missing, fixed), afterwords);
  };
  return [
    { write: () => withMissing(payload, upload, upload.missing, fixed) },
    ...(upload.files.length > 0
      ? [{ against: 'smaller' as const, write: () => withMissing(payload, NOTHING, names, fixed) }]
      : []),
    ...(cards.length > 0
      ? [{ against: 'smaller' as const, write: () => inWords((text) => text, NOTHING, names) }]
      : []),
    { against: 'without-links', write: () => inWords(withoutLinks, upload, upload.missing) },
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
  ({ messages, directory, self }: DiscordOutboundDeps, isIt: IsIt = isSame) =>
  async (sought: OutboundMessage, signal: AbortSignal): Promise<APIMessage | undefined> => {
    const { target, inDoubtSince } = sought;
    if (!inDoubtSince) return undefined;
    const after = idAt(inDoubtSince.subtract({ milliseconds: SKEW_MS }));
    const channelId = await channelOf(target, directory, signal);
    const found = await messages.list(channelId, { after, limit: LOOK_BACK }, signal);
    return found.find((one) => one.author.id === self()?.botId && isIt(one, sought));
  };

export const createOutbound = (
  deps: DiscordOutboundDeps,
  replies: InteractionReplies,
): ChannelPlugin['send'] => {
  const { messages, directory, logger } = deps;

  const posts = createPosts(deps);
  const { tryEach, variants, sendTo, sendDirect } = posts;

  const { sendHidden, sendBelowNote } = createNotedPosts(deps, posts);

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

  /** The channel of a thread that everybody there may read. */
  const parentOf = async (
    { chatId, threadId }: ReplyTarget,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    if (threadId === undefined) return undefined;
    const thread = await directory.find(threadId, signal).catch(() => undefined);
    const isOpen =
      thread?.type === ChannelType.PublicThread || thread?.type === ChannelType.AnnouncementThread;
    return isOpen && !isForum(thread.parentType) ? chatId : undefined;
  };

  /** Nobody pays for an answer that nobody gets: where a chat refuses it, it goes to the parent channel or to the person. */
  const sendElsewhere = async (
    message: OutboundMessage,
    refused: unknown,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const { target, payload, replaces } = message;
    logger.warn('Discord refused an answer in its chat; sending it elsewhere', { error: refused });
    if (replaces) await removeLive(message, replaces, signal);
    const isForAll = !target.interaction && payload.ephemeral !== true;
    const parent = isForAll && helps('in-parent', refused) ? await parentOf(target, signal) : undefined;
    if (parent !== undefined) {
      try {
        return await sendBelowNote(parent, message, refused, signal);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        logger.warn('Discord refused an answer in the channel of its thread too', { error });
      }
    }
    const { id } = await directory.directChannel(target.recipientId, signal);
    const direct = { ...message, target: { ...target, isDirect: true as const } };
    return sendBelowNote(id, direct, refused, signal);
  };

  /** Undefined if Discord does not accept the interaction any more. */
  const writeReply = async (
    message: OutboundMessage,
    interaction: InteractionReply,
    signal: AbortSignal,
  ): Promise<APIMessage | undefined> => {
    const { target, payload } = message;
    const through = { ...message, target: { ...target, interaction } };
    const how = { isPrivate: interaction.isPrivate || payload.ephemeral === true };
    return tryEach(await variants(message), async (content) => {
      const first = await replies.write(through, content, signal);
      for (const afterword of first ? (content.afterwords ?? []) : [])
        await replies.followUp(target.accountId, interaction.token, sentence(afterword), how, signal);
      return first;
    });
  };

  const send: ChannelPlugin['send'] = async (message, signal) => {
    const { target, payload, replaces } = message;
    if (target.interaction) {
      const written = await writeReply(message, target.interaction, signal);
      if (written) return { messageId: asId<MessageId>(written.id) };
      const messageId = await sendDirect(message, signal);
      if (replaces) await removeLive(message, replaces, signal);
      return { messageId };
    }
    const isForOne = payload.ephemeral && !payload.isHarmless && !target.isDirect;
    if (isForOne) return { messageId: await sendHidden(message, signal) };
    return { messageId: await sendTo(await channelOf(target, directory, signal), message, signal) };
  };

  return async (message, signal) => {
    try {
      return await send(message, signal);
    } catch (error) {
      const { isDirect, interaction } = message.target;
      const isForOne = message.payload.ephemeral && !message.payload.isHarmless;
      // A message that was sent directly, or could not be, is not sent so again.
      if (isDirect || !isRefusal(error) || (isForOne && !interaction)) throw error;
      return { messageId: await sendElsewhere(message, error, signal) };
    }
  };
};

/** Messages as the bot writes them: whole, or as much of them as Discord accepts. */
const createPosts = (deps: DiscordOutboundDeps) => {
  const { messages, directory, clock, logger, locale: fixed } = deps;
  const findSent = createFindSent(deps);

  const tryEach = async <T>(
    [first, ...rest]: readonly [Variant, ...Variant[]],
    attempt: (content: Content) => Promise<T>,
  ): Promise<T> => {
    try {
      return await attempt(first.write());
    } catch (error) {
      const index = rest.findIndex(({ against }) => against !== undefined && helps(against, error));
      const [next, ...others] = index === -1 ? [] : rest.slice(index);
      if (!next) throw error;
      logger.warn('Discord refused a message; sending less of it', { error });
      return tryEach([next, ...others], attempt);
    }
  };

  const variants = async (message: OutboundMessage): Promise<readonly [Variant, ...Variant[]]> => {
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
        if (!helps('as-new', error)) throw error;
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

  return { tryEach, variants, sendTo, sendDirect };
};

type Posts = ReturnType<typeof createPosts>;

/** Answers that are not where they were asked for, with one note that says so. */
const createNotedPosts = (
  { messages, logger, locale: fixed }: DiscordOutboundDeps,
  { sendTo, sendDirect }: Posts,
) => {
  /** All parts of an answer share one note. */
  const notes = new LRUCache<string, MessageId>({ max: MAX_NOTES });

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
    const post = () => messages.post(channelId, sentence(text), options, signal);
    const { id } = replaces
      ? await messages.edit(channelId, replaces, sentence(text), NOTHING, signal).catch((error: unknown) => {
          if (helps('as-new', error)) return post();
          throw error;
        })
      : await post();
    const note = asId<MessageId>(id);
    notes.set(key, note);
    return note;
  };

  /** Sends an ephemeral answer directly: without an interaction, Discord has no ephemeral messages. */
  const sendHidden = async (message: OutboundMessage, signal: AbortSignal): Promise<MessageId> => {
    const t = channelTexts(replyLocale(message.payload, fixed));
    let id: MessageId;
    try {
      id = await sendDirect(message, signal);
    } catch (error) {
      if (!hasCode(error, CODES.cannotWriteToPerson, CODES.noMutualServers)) throw error;
      // A retry would change nothing: the note tells the person what to do.
      return leaveNote(message, t.directClosed(), signal);
    }
    await leaveNote(message, t.onlyForYou(), signal).catch((error: unknown) =>
      logger.warn('Discord: could not post the note about a direct answer', { error }),
    );
    return id;
  };

  /** Posts an answer in another chat, below one sentence that says why. Only the person it is for is mentioned. */
  const sendBelowNote = async (
    channelId: string,
    message: OutboundMessage,
    refused: unknown,
    signal: AbortSignal,
  ): Promise<MessageId> => {
    const { target, payload, deliveryId } = message;
    const key = `${channelId}:${target.replyToMessageId ?? deliveryId}`;
    const { replyToMessageId: _elsewhere, threadId: _none, interaction: _gone, ...place } = target;
    const { replaces: _there, ...moved } = message;
    if (!notes.has(key)) {
      const t = discordTexts(replyLocale(payload, fixed));
      const text = t[reasonOf(refused)]({ chat: `<#${target.threadId ?? target.chatId}>` });
      const mentions = place.isDirect ? {} : { mentions: target.recipientId };
      const note = toBody({ text, ...mentions }, fixed);
      const posted = await messages.post(channelId, note, { nonce: nonceOf(deliveryId, '!') }, signal);
      notes.set(key, asId<MessageId>(posted.id));
    }
    return sendTo(channelId, { ...moved, target: place }, signal);
  };

  return { sendHidden, sendBelowNote };
};
