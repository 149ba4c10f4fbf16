import { type Gate, PASS } from './gate.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { AwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import type { ConversationTraces } from '#src/chat/store/conversation-traces.ts';
import { isListed } from '../context/admins.ts';

interface MentionDeps {
  readonly mention: {
    readonly required: boolean;
    /** Chats in which no mention is needed: `platform:chatId`, or the id alone. */
    readonly freeChats: readonly string[];
  };
  readonly traces: Pick<ConversationTraces, 'isOurs' | 'hasTakenPart'>;
  readonly awaitedInputs: Pick<AwaitedInputs, 'isOpen'>;
  readonly sessionKeyOf: (message: MsgContext) => SessionKey;
  /** A command or answer about a running turn or an open approval of this conversation. */
  readonly isExpected: (message: MsgContext) => Promise<boolean>;
  /** A yes or a no in a chat where the bot asked only other people. */
  readonly isAside: (message: MsgContext) => Promise<boolean>;
}

/** In groups, accepts only messages that are meant for the bot. Drops others silently. */
export const mention = (deps: MentionDeps): Gate => {
  const { mention: rule, traces, awaitedInputs, sessionKeyOf, isExpected, isAside } = deps;
  const isPlainlyMeant = ({ chatType, mentionsBot, channelId, chatId }: MsgContext): boolean =>
    chatType === 'direct' ||
    !rule.required ||
    mentionsBot === true ||
    isListed(rule.freeChats, channelId, chatId);

  /** A reply to the bot, a message in a thread with the bot, or an answer to its question. */
  const continuesTalk = async (message: MsgContext): Promise<boolean> => {
    const { replyToMessageId, threadId, senderId } = message;
    if (replyToMessageId && (await traces.isOurs(message, replyToMessageId))) return true;
    // After a reconnect, thread messages from before the first mention arrive again; they are not meant for the bot.
    if (threadId && (await traces.hasTakenPart(sessionKeyOf(message), message.timestamp)))
      return !(await isAside(message));
    return (await awaitedInputs.isOpen(message, senderId)) || isExpected(message);
  };

  return {
    name: 'mention',
    // Database queries come last, so most messages in a busy channel cost at most one.
    check: async (message) =>
      isPlainlyMeant(message) || (await continuesTalk(message))
        ? PASS
        : { verdict: 'drop', reason: 'not-addressed' },
  };
};
