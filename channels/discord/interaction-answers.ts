import { type APIMessage, MessageFlags } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { InteractionReply, OutboundMessage } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import { CODES, DiscordError, hasCode } from './api.ts';
import { NOTHING, type Upload } from './files.ts';
import { ORIGINAL, type Replies } from './posting.ts';
import type { MessageBody } from './render.ts';
import { isSnowflake, timeOf } from './snowflake.ts';

/** `open`: "… is thinking" stands there, and waits for the answer. `filled`: what follows is a message of its own. */
type State = 'open' | 'filled';

/** Answers through the token of an interaction. */
export interface InteractionAnswers {
  /** It was acknowledged by a promise of an answer. */
  readonly opened: (token: string) => void;
  /** The promise of an answer still stands there. */
  readonly isOpen: (token: string) => boolean;
  /** The promise is taken back: there is nothing to say. */
  readonly withdraw: (applicationId: string, token: string, signal: AbortSignal) => Promise<void>;
  /** The answer is written into the place of the promise. Undefined where the token is of no use any more. */
  readonly write: (
    message: OutboundMessage & { readonly target: { readonly interaction: InteractionReply } },
    content: { readonly body: MessageBody; readonly upload: Upload },
    signal: AbortSignal,
  ) => Promise<APIMessage | undefined>;
  /** What is shown while the answer is made takes the place of the promise. */
  readonly edit: (
    applicationId: string,
    token: string,
    messageId: string | undefined,
    body: MessageBody,
    signal: AbortSignal,
  ) => Promise<APIMessage>;
}

const TOKEN_LIFE_MS = 15 * 60_000;
const MAX_KEPT = 2_000;

/** Discord does not know the token any more; a message that is gone is something else. */
const isTokenGone = (error: unknown): boolean =>
  hasCode(error, CODES.unknownWebhook, CODES.invalidWebhookToken, CODES.unknownInteraction) ||
  (error instanceof DiscordError &&
    (error.httpStatus === 401 || error.httpStatus === 404) &&
    !hasCode(error, CODES.unknownMessage));

export const createInteractionAnswers = (
  replies: Replies,
  clock: Clock,
  findSent: (message: OutboundMessage, signal: AbortSignal) => Promise<APIMessage | undefined>,
): InteractionAnswers => {
  /** Only a shortcut: what is not known any more is asked for. */
  const states = new LRUCache<string, State>({ max: MAX_KEPT });

  const isTooOld = ({ target: { replyToMessageId: id } }: OutboundMessage): boolean =>
    id !== undefined &&
    isSnowflake(id) &&
    timeOf(id).add({ milliseconds: TOKEN_LIFE_MS }).epochMilliseconds < clock.now().epochMilliseconds;

  const look = async (
    applicationId: string,
    token: string,
    signal: AbortSignal,
  ): Promise<{ readonly state: State; readonly original?: APIMessage }> => {
    const state = states.get(token);
    if (state) return { state };
    try {
      const original = await replies.original(applicationId, token, signal);
      const isThinking = ((original.flags ?? 0) & MessageFlags.Loading) !== 0;
      states.set(token, isThinking ? 'open' : 'filled');
      return { state: isThinking ? 'open' : 'filled', original };
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) throw error;
      states.set(token, 'filled');
      return { state: 'filled' };
    }
  };

  /** Somebody may have deleted it: then it needs no deleting. */
  const removeIfThere = async (
    applicationId: string,
    token: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      await replies.remove(applicationId, token, messageId, signal);
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) throw error;
    }
    states.set(token, 'filled');
  };

  const write: InteractionAnswers['write'] = async (message, { body, upload }, signal) => {
    const { target, payload, replaces, inDoubtSince } = message;
    const { accountId: applicationId, interaction } = target;
    const { token, isPrivate } = interaction;
    const followUp = (isHidden: boolean): Promise<APIMessage> =>
      replies.followUp(applicationId, token, body, { isPrivate: isHidden, upload }, signal);

    const { state, original } = await look(applicationId, token, signal);
    // It was promised in public, and turned out to be for one person: the promise goes, what it says follows.
    if (payload.ephemeral === true && !isPrivate) {
      if (state === 'open') await removeIfThere(applicationId, token, ORIGINAL, signal);
      else if (replaces) await removeIfThere(applicationId, token, replaces, signal);
      return followUp(true);
    }
    const place = replaces ?? (state === 'open' ? ORIGINAL : undefined);
    if (place !== undefined) {
      try {
        const written = await replies.edit(applicationId, token, place, body, upload, signal);
        states.set(token, 'filled');
        return written;
      } catch (error) {
        if (!hasCode(error, CODES.unknownMessage)) throw error;
        states.set(token, 'filled');
      }
    }
    if (inDoubtSince) {
      if (original?.content.trim() === body.content.trim()) return original;
      // What only one person sees cannot be looked for: rather twice than never.
      const found = isPrivate ? undefined : await findSent(message, signal).catch(() => undefined);
      if (found) return found;
    }
    return followUp(isPrivate);
  };

  return {
    opened: (token) => states.set(token, 'open'),
    isOpen: (token) => states.get(token) === 'open',
    withdraw: (applicationId, token, signal) => removeIfThere(applicationId, token, ORIGINAL, signal),
    write: async (message, content, signal) => {
      if (isTooOld(message)) return undefined;
      try {
        return await write(message, content, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isTokenGone(error)) return undefined;
        throw error;
      }
    },
    edit: async (applicationId, token, messageId, body, signal) => {
      if (messageId === undefined && (await look(applicationId, token, signal)).state === 'filled')
        throw new DiscordError('refused', 'The interaction has been answered already');
      const written = await replies.edit(applicationId, token, messageId ?? ORIGINAL, body, NOTHING, signal);
      states.set(token, 'filled');
      return written;
    },
  };
};
