import type { ExecutionResult, PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Choice, isChoice } from '#src/kernel/chat/message.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import type { SentenceCall, SentenceReading } from '#src/kernel/agent/sentence.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { blocksIn } from '../content-blocks.ts';
import type { ModelEntry } from '../models/catalog.ts';
import type { TurnHistory } from './turn-history.ts';

/** The rules of the offline model, beside other models. */
export interface OfflineRules {
  /** Answers where no model can. */
  readonly standIn: ModelEntry;
  readonly isOwnCall: (call: Pick<ToolCall, 'id'>) => boolean;
  /** What the rules read in the last words of a conversation. */
  readonly readLastWords: (
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ) => Promise<SentenceReading>;
  /** Whether the last words may ask for own things. True too often, never false for what `readLastWords` reads as own. */
  readonly speaksOfOwn: (messages: readonly ConversationMessage[]) => boolean;
  /** The label of the button, and what is said beside it without a model. */
  readonly onlyMe: (locale: Locale) => { readonly label: string; readonly text: string };
}

/** Wishes in one message that get a button each. */
const MAX_BUTTONS = 4;

export const isOffered = ({ tool }: SentenceCall, tools: readonly ToolDefinition[]): boolean =>
  tools.some(({ name }) => name === tool);

interface OnlyMe {
  readonly choices: readonly Choice[];
  readonly text: string;
}

/**
 * Buttons for a wish about the person's own data in a chat that others read. The data is in neither the prompt nor the
 * transcript: the press is a command of its own, answered to one person.
 */
export const onlyMeFor = async (
  { offline, logger }: { readonly offline: OfflineRules; readonly logger: Pick<FinClawLogger, 'warn'> },
  { chatType, channelCapabilities, locale, inboxId }: PipelineMsgContext,
  messages: readonly ConversationMessage[],
  tools: readonly ToolDefinition[],
  signal: AbortSignal,
): Promise<OnlyMe | undefined> => {
  if (chatType === 'direct' || !channelCapabilities.answersPressesAlone) return undefined;
  if (!offline.speaksOfOwn(messages)) return undefined;
  try {
    const { calls, own = [] } = await offline.readLastWords(messages, signal);
    const isWhole = own.length > 0 && own.length <= MAX_BUTTONS;
    if (!isWhole || calls.some((call) => isOffered(call, tools))) return undefined;
    const { label, text } = offline.onlyMe(locale);
    const choices = own.map(({ command, isGuarded }, index): Choice => ({
      label: own.length > 1 ? `${label} (${index + 1})` : label,
      command,
      ...(isGuarded && { isDestructive: true }),
    }));
    // A command that is too long for a button would be lost.
    return choices.every(isChoice) ? { choices, text } : undefined;
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('An answer is sent without the button for one person', { inboxId, error });
    return undefined;
  }
};

/** The commands that the rules offer below an answer that no tool gave: what may be meant, or where it is set. */
export const withCommands = async (
  { offline, logger }: { readonly offline: OfflineRules; readonly logger: Pick<FinClawLogger, 'warn'> },
  { inboxId }: PipelineMsgContext,
  { messages, ofThisTurn }: Pick<TurnHistory, 'messages' | 'ofThisTurn'>,
  result: ExecutionResult,
  signal: AbortSignal,
): Promise<ExecutionResult> => {
  const isPlain = blocksIn(ofThisTurn, 'tool_use').length === 0;
  if (!isPlain || result.answeredBy?.provider !== 'offline') return result;
  try {
    const { choices = [] } = await offline.readLastWords(messages, signal);
    return choices.length === 0 ? result : { ...result, display: { words: result.content, choices } };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('An answer is sent without its buttons', { inboxId, error });
    return result;
  }
};

/** The offline model says no more than that others must not read it. */
export const withOnlyMe = (result: ExecutionResult, onlyMe: OnlyMe | undefined): ExecutionResult => {
  if (!onlyMe) return result;
  const { choices, text } = onlyMe;
  const isOffline = result.answeredBy?.provider === 'offline';
  return { ...result, onlyMe: choices, ...(isOffline && { content: text }) };
};
