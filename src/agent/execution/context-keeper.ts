import type { Events } from '#src/core/events.ts';
import { asId, type SessionKey, type TurnId } from '#src/core/ids.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/core/tool.ts';
import { compactContext } from '../context/compaction.ts';
import type { Summarizer } from '../context/summarize.ts';
import {
  type ContextWindowState,
  estimateMessage,
  evaluateContextWindow,
  type LastRequest,
  measureContext,
  reserveFor,
  WINDOW_THRESHOLDS,
} from '../context/window-guard.ts';
import { wholeInputTokens } from '../models/cost.ts';
import type { ResolvedModel } from '../models/selection.ts';
import type { ModelCaller } from './model-caller.ts';
import type { RunWindow } from './runner.ts';
import type { TokenEstimator } from './tokens.ts';
import type { TurnHistory } from './turn-history.ts';
import { withoutOldImages } from './turn-message.ts';

export interface ContextKeeperDeps {
  readonly askModel: ModelCaller;
  readonly estimator: TokenEstimator;
  readonly maxOutputTokens: number;
  /** Every request pays for the whole conversation: a larger window is not filled for its own sake. */
  readonly maxContextTokens: number;
  readonly events: Events;
}

/** What is sent with every message of a turn. */
export interface TurnRequest {
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  readonly toolContext: ToolExecutionContext;
}

/** What the last request of a conversation really took, and by whose count. */
interface Measured extends LastRequest {
  readonly modelId: string;
}

/** Of the window that is left for the conversation: so much is filled again after a compaction. */
const TARGET_SHARE = 0.5;
const PRESERVED_MESSAGES = 6;
const MAX_SESSIONS = 10_000;
/** A summary that fails is not worth many requests: there is a way without. */
const SUMMARY_FAILURES = 1;
const SUMMARIZER_PROMPT = 'You sum up parts of a conversation about markets, exactly and briefly.';

/** A summary belongs to no turn: it stands before all of them. */
const NO_TURN = asId<TurnId>('summary');

const silent = { onAttempt: () => undefined, onChunk: () => undefined };

const textOf = ({ content }: ConversationMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const said = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] });

/** Knows how full the window of each conversation is, and makes room in it before it overflows. */
export class ContextKeeper {
  readonly #deps: ContextKeeperDeps;
  readonly #measured = new Map<SessionKey, Measured>();
  readonly #ratios = new Map<SessionKey, number>();

  constructor(deps: ContextKeeperDeps) {
    this.#deps = deps;
  }

  /** The conversation has become another one. */
  readonly forget = (sessionKey: SessionKey): void => {
    this.#measured.delete(sessionKey);
    this.#ratios.delete(sessionKey);
  };

  /** The state of the window, and whether it rests on a real request. */
  stateOf(
    { models: [model], systemPrompt, tools }: Pick<TurnRequest, 'models' | 'systemPrompt' | 'tools'>,
    messages: readonly ConversationMessage[],
    sessionKey: SessionKey,
  ): { readonly state: ContextWindowState; readonly isMeasured: boolean; readonly reserveTokens: number } {
    const { estimator, maxOutputTokens, maxContextTokens } = this.#deps;
    const contextWindow = Math.min(model?.entry.contextWindow ?? maxContextTokens, maxContextTokens);
    const modelId = model?.modelId ?? '';
    const last = this.#measured.get(sessionKey);
    const measure = measureContext(
      { systemPrompt, tools, messages },
      (tokens) => estimator.correct(modelId, tokens),
      // Another model counts otherwise.
      last?.modelId === modelId ? last : undefined,
    );
    const reserveTokens = reserveFor(contextWindow, maxOutputTokens);
    const state = evaluateContextWindow(measure, contextWindow, { ...WINDOW_THRESHOLDS, reserveTokens });
    return { state, isMeasured: measure.isMeasured, reserveTokens };
  }

  /** For one turn: what its run asks before and after every request. */
  forTurn(request: TurnRequest, history: TurnHistory): RunWindow {
    const { sessionKey } = request.toolContext;
    return {
      keep: async (isOverflown, signal) => {
        const messages = withoutOldImages(history.messages);
        const { state } = this.stateOf(request, messages, sessionKey);
        if (state.status !== 'safe')
          this.#deps.events.emit('context:window:status', {
            status: state.status,
            usageRatio: state.usageRatio,
          });
        if (!isOverflown && !state.compactionNeeded) return undefined;
        return this.#compact(request, history, state, isOverflown, signal);
      },
      observe: ({ usage, model }, messageCount) => {
        if (this.#measured.size >= MAX_SESSIONS && !this.#measured.has(sessionKey)) this.#measured.clear();
        this.#measured.set(sessionKey, {
          modelId: model.modelId,
          inputTokens: wholeInputTokens(usage),
          outputTokens: usage.outputTokens,
          messageCount,
        });
      },
    };
  }

  async #compact(
    request: TurnRequest,
    history: TurnHistory,
    state: ContextWindowState,
    isOverflown: boolean,
    signal: AbortSignal,
  ): Promise<readonly ConversationMessage[] | undefined> {
    const { estimator, events } = this.#deps;
    const { sessionKey } = request.toolContext;
    const compressionRatio = this.#ratios.get(sessionKey);
    const modelId = request.models[0]?.modelId ?? '';
    const { systemPrompt, tools, ...spoken } = state.breakdown;
    const roomTokens = Math.max(state.maxTokens - systemPrompt - tools, 1);
    const spokenTokens = spoken.conversation + spoken.toolResults + spoken.summary;
    // A window that was smaller than it was said to be: what is there has to shrink in any case.
    const sizeTokens = isOverflown ? Math.min(roomTokens, spokenTokens) : roomTokens;
    const { summarizer, isDown } = this.#summarizer(request);
    const result = await compactContext(
      history.entries,
      {
        strategy: 'hybrid',
        targetTokens: Math.floor(sizeTokens * TARGET_SHARE),
        preserveRecentMessages: PRESERVED_MESSAGES,
      },
      {
        summarizer,
        countTokens: (message) => estimator.correct(modelId, estimateMessage(message)),
        makeEntry: (message) => ({ turnId: NO_TURN, at: history.entries[0]?.at ?? '', message }),
        events,
        // While there is room, nothing is cut off for want of a summary that may be had a little later.
        isAcceptable: () => !isDown() || state.status !== 'critical' || isOverflown,
        ...(compressionRatio === undefined ? {} : { compressionRatio }),
      },
      signal,
    );
    if (result.afterTokens >= result.beforeTokens) return undefined;
    this.#measured.delete(sessionKey);
    this.#ratios.set(sessionKey, result.afterTokens / result.beforeTokens);
    await history.replace(result.compactedEntries);
    return withoutOldImages(history.messages);
  }

  /** None where no model could do it. `isDown`: it was asked, and gave no answer at all. */
  #summarizer({ models, systemPrompt, tools, toolContext }: TurnRequest): {
    readonly summarizer: Summarizer | undefined;
    readonly isDown: () => boolean;
  } {
    const { sessionKey, channelId, userId } = toolContext;
    let hasFailed = false;
    const ask = async (
      prompt: string,
      offered: readonly ToolDefinition[],
      messages: readonly ConversationMessage[],
      signal: AbortSignal,
    ): Promise<string> => {
      hasFailed = true;
      const { message } = await this.#deps.askModel(
        {
          models,
          systemPrompt: prompt,
          messages,
          tools: offered,
          // As in every other request: a provider's cache of a conversation counts for one choice only.
          toolChoice: 'auto',
          sessionKey,
          channelId,
          userId,
          failures: { left: SUMMARY_FAILURES },
        },
        silent,
        signal,
      );
      hasFailed = false;
      // Who calls a tool instead has not summed up.
      return message.content.some(({ type }) => type === 'tool_use') ? '' : textOf(message);
    };
    const summarizer: Summarizer = {
      // The same prompt, tools and messages as in the requests before: the provider has them in its cache.
      ofConversation: (messages, instruction, signal) =>
        ask(systemPrompt, tools, [...withoutOldImages(messages), said(instruction)], signal),
      ofText: (text, instruction, signal) =>
        ask(SUMMARIZER_PROMPT, [], [said(`${instruction}\n\n${text}`)], signal),
    };
    const canAsk = models.some(({ provider }) => provider !== 'offline');
    return { summarizer: canAsk ? summarizer : undefined, isDown: () => hasFailed };
  }
}
