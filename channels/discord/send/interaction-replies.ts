import { type APIMessage, type InteractionResponseType, MessageFlags, Routes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { InteractionReply, OutboundMessage } from '#src/kernel/chat/message.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { CODES, type DiscordApi, DiscordError, hasCode } from '../api.ts';
import { NOTHING, type Upload } from './files.ts';
import { withUpload } from './posting.ts';
import type { MessageBody } from './render.ts';
import { isSnowflake, timeOf } from '../snowflake.ts';

/** `open`: "… is thinking" is shown and waits for the answer. `filled`: what follows is a message of its own. */
type State = 'open' | 'filled';

const TOKEN_LIFE_MS = 15 * 60_000;
const MAX_KEPT = 2_000;
/** Discord's name for the first reply to an interaction. */
export const ORIGINAL = '@original';

/** Whether Discord no longer accepts the token. An unknown message does not count: it was deleted. */
const isTokenGone = (error: unknown): boolean =>
  hasCode(error, CODES.unknownWebhook, CODES.invalidWebhookToken, CODES.unknownInteraction) ||
  (error instanceof DiscordError &&
    (error.httpStatus === 401 || error.httpStatus === 404) &&
    !hasCode(error, CODES.unknownMessage));

/** Several parts of an answer may have no text, so the titles of their cards are compared too. */
const isSameMessage = (one: Pick<APIMessage, 'content' | 'embeds'>, body: MessageBody): boolean =>
  one.content.trim() === body.content.trim() && (one.embeds ?? [])[0]?.title === body.embeds[0]?.title;

export type InteractionReplies = ReturnType<typeof createInteractionReplies>;

/** Replies through the token of an interaction. Every call throws `DiscordError`, or the reason of the signal. */
export const createInteractionReplies = (
  api: DiscordApi,
  clock: Clock,
  findSent: (message: OutboundMessage, signal: AbortSignal) => Promise<APIMessage | undefined>,
) => {
  const { states, put, followUp, remove, removeIfThere, stateOf } = createTokenRequests(api);

  const write = async (
    message: OutboundMessage & { readonly target: { readonly interaction: InteractionReply } },
    { body, upload }: { readonly body: MessageBody; readonly upload: Upload },
    signal: AbortSignal,
  ): Promise<APIMessage> => {
    const { target, payload, replaces, inDoubtSince, isContinued } = message;
    const { accountId: applicationId, interaction } = target;
    const { token, isPrivate, updates = false } = interaction;
    if (updates && states.get(token) !== 'filled') {
      // A refusal does not take the place of what the person is looking at.
      if (payload.ephemeral === true && !isPrivate)
        return followUp(applicationId, token, body, { isPrivate: true, upload }, signal);
      // The picture of the message before goes too.
      return put(
        applicationId,
        token,
        ORIGINAL,
        { ...body, attachments: upload.attachments },
        upload,
        signal,
      );
    }
    const { state, original } = await stateOf(applicationId, token, signal, isContinued);
    // The reply was announced in public, but it is for one person: the announcement is removed, and the reply follows.
    if (payload.ephemeral === true && !isPrivate) {
      if (state === 'open') await removeIfThere(applicationId, token, ORIGINAL, signal);
      else if (replaces) await removeIfThere(applicationId, token, replaces, signal);
      return followUp(applicationId, token, body, { isPrivate: true, upload }, signal);
    }
    const place = replaces ?? (state === 'open' ? ORIGINAL : undefined);
    if (place !== undefined) {
      try {
        return await put(applicationId, token, place, body, upload, signal);
      } catch (error) {
        if (!hasCode(error, CODES.unknownMessage)) throw error;
        states.set(token, 'filled');
      }
    }
    if (inDoubtSince) {
      if (original && isSameMessage(original, body)) return original;
      // The bot cannot search ephemeral messages: a reply that arrives twice is better than none.
      const found = isPrivate ? undefined : await findSent(message, signal).catch(() => undefined);
      if (found) return found;
    }
    return followUp(applicationId, token, body, { isPrivate, upload }, signal);
  };

  return {
    /** Discord accepts one acknowledgement, within 3 seconds. */
    acknowledge: (
      { id, token }: { readonly id: string; readonly token: string },
      body: { readonly type: InteractionResponseType; readonly data?: unknown },
      signal: AbortSignal,
    ) => api.request<void>('POST', Routes.interactionCallback(id, token), { body, auth: false }, signal),
    /** Records that the acknowledgement promised an answer. */
    opened: (token: string) => void states.set(token, 'open'),
    /** Records that the acknowledgement was all there is in its place: the answer is a message of its own. */
    filled: (token: string) => void states.set(token, 'filled'),
    isOpen: (token: string) => states.get(token) === 'open',
    /** Removes "… is thinking" when no answer follows. Discord is asked first: another process may have answered. */
    withdraw: async (applicationId: string, token: string, signal: AbortSignal): Promise<void> => {
      states.delete(token);
      const { state } = await stateOf(applicationId, token, signal);
      if (state === 'open') await removeIfThere(applicationId, token, ORIGINAL, signal);
    },
    remove,
    followUp,
    /** Changes nothing but the buttons of the message whose button was pressed. */
    changeButtons: (
      applicationId: string,
      token: string,
      components: readonly object[],
      signal: AbortSignal,
    ): Promise<void> => {
      const request = { body: { components }, auth: false };
      return api.request('PATCH', Routes.webhookMessage(applicationId, token, ORIGINAL), request, signal);
    },
    /** Writes the answer in the place of "… is thinking". Undefined if Discord does not accept the token any more. */
    write: async (
      message: Parameters<typeof write>[0],
      content: Parameters<typeof write>[1],
      signal: AbortSignal,
    ): Promise<APIMessage | undefined> => {
      if (isTooOld(clock, message)) return undefined;
      try {
        return await write(message, content, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isTokenGone(error)) return undefined;
        throw error;
      }
    },
    /** Edits a message of the interaction, or, without `messageId`, fills the place of "… is thinking". */
    edit: async (
      applicationId: string,
      token: string,
      messageId: string | undefined,
      body: MessageBody,
      signal: AbortSignal,
    ) => {
      if (messageId === undefined && (await stateOf(applicationId, token, signal)).state === 'filled')
        throw new DiscordError('refused', 'The interaction has been answered already');
      return put(applicationId, token, messageId ?? ORIGINAL, body, NOTHING, signal);
    },
  };
};

/** The requests with the token of an interaction, and what is known of its first reply. */
const createTokenRequests = (api: DiscordApi) => {
  /** Saves requests: Discord is asked for the state of a token that is missing here. */
  const states = new LRUCache<string, State>({ max: MAX_KEPT });

  const put = async (
    applicationId: string,
    token: string,
    messageId: string,
    body: MessageBody & { readonly attachments?: Upload['attachments'] },
    upload: Upload,
    signal: AbortSignal,
  ): Promise<APIMessage> => {
    const route = Routes.webhookMessage(applicationId, token, messageId);
    const request = { ...withUpload(body, upload), auth: false };
    const written = await api.request<APIMessage>('PATCH', route, request, signal);
    states.set(token, 'filled');
    return written;
  };

  const followUp = (
    applicationId: string,
    token: string,
    body: MessageBody,
    { isPrivate, upload = NOTHING }: { readonly isPrivate: boolean; readonly upload?: Upload },
    signal: AbortSignal,
  ): Promise<APIMessage> => {
    const flags = isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags;
    const request = { ...withUpload({ ...body, flags }, upload), auth: false };
    return api.request('POST', Routes.webhook(applicationId, token), request, signal);
  };

  const remove = (
    applicationId: string,
    token: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<void> =>
    api.request('DELETE', Routes.webhookMessage(applicationId, token, messageId), { auth: false }, signal);

  const removeIfThere = async (
    applicationId: string,
    token: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      await remove(applicationId, token, messageId, signal);
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) throw error;
    }
    states.set(token, 'filled');
  };

  const stateOf = async (
    applicationId: string,
    token: string,
    signal: AbortSignal,
    isContinued = false,
  ): Promise<{ readonly state: State; readonly original?: APIMessage }> => {
    const known = states.get(token);
    // Another process may have filled what this one has opened.
    if (known === 'filled' || (known && !isContinued)) return { state: known };
    try {
      const route = Routes.webhookMessage(applicationId, token, ORIGINAL);
      const original = await api.request<APIMessage>('GET', route, { auth: false }, signal);
      const state = ((original.flags ?? 0) & MessageFlags.Loading) !== 0 ? 'open' : 'filled';
      states.set(token, state);
      return { state, original };
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) throw error;
      states.set(token, 'filled');
      return { state: 'filled' };
    }
  };

  return { states, put, followUp, remove, removeIfThere, stateOf };
};

const isTooOld = (clock: Clock, { target: { replyToMessageId: id } }: OutboundMessage): boolean =>
  id !== undefined &&
  isSnowflake(id) &&
  timeOf(id).add({ milliseconds: TOKEN_LIFE_MS }).epochMilliseconds < clock.now().epochMilliseconds;
