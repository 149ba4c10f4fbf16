import type { Events } from '#src/kernel/operations/events.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { compactContext, type CompactionSettings } from '../memory/window/compaction.ts';
import { type ModelWindow, type WindowLimits, windowOf } from '../memory/window/model-window.ts';
import type { Summarizer } from '../memory/window/summarize.ts';
import { textMessage } from '../memory/window/turns.ts';
import {
  type ContextWindowState,
  evaluateContextWindow,
  type LastRequest,
  measureContext,
  ThresholdWatch,
} from '../memory/window/context-window.ts';
import { blocksIn, textsIn } from '../content-blocks.ts';
import { wholeInputTokens } from '../models/cost.ts';
import type { ResolvedModel } from '../models/resolve-model.ts';
import type { RequestHead } from '../prompt/open-prompts.ts';
import type { ModelCaller } from './model-caller.ts';
import type { RequestShape } from './model-request.ts';
import type { RunWindow } from './run-params.ts';
import { estimateMessage, estimateRequest, type TokenEstimator } from '../tokens.ts';
import type { TurnHistory } from './turn-history.ts';
import { withoutOldImages } from './turn-message.ts';

export interface ContextKeeperDeps extends WindowLimits {
  readonly askModel: ModelCaller;
  readonly estimator: TokenEstimator;
  readonly compaction: CompactionSettings;
  readonly events: Events;
}

/** The parts of a request that stay the same during a turn. */
export interface TurnRequest extends RequestHead {
  readonly models: readonly ResolvedModel[];
  readonly toolContext: ToolExecutionContext;
  /** Builds the head for another window size. Absent: all models get the same head. */
  readonly other?: (window: ModelWindow) => RequestHead;
}

/** The measured size of the last request, and the model that counted it. */
interface Measured extends LastRequest {
  readonly modelId: string;
}

/** Share of the conversation's room that the tool results of one answer may take. */
const RESULT_SHARE = 0.6;
const MAX_SESSIONS = 10_000;
/** A failed summary is not worth many requests, because compaction works without one. */
const SUMMARY_FAILURES = 1;
const SUMMARIZER_PROMPT = 'You sum up parts of a conversation about markets, exactly and briefly.';

/** A summary belongs to no turn and precedes all of them. */
const NO_TURN = asId<TurnId>('summary');

/** For compactions that change no stored data. */
const SILENT: Pick<Events, 'emit'> = { emit: () => undefined };

const silent = { onAttempt: () => undefined, onChunk: () => undefined };

/** Tracks the window usage of each conversation, and compacts it before it overflows. */
export class ContextKeeper {
  readonly #deps: ContextKeeperDeps;
  readonly #measured = new Map<SessionKey, Measured>();
  readonly #ratios = new Map<SessionKey, number>();
  readonly #thresholds = new ThresholdWatch();

  constructor(deps: ContextKeeperDeps) {
    this.#deps = deps;
  }

  /** Drops the measurements of a conversation that was reset. */
  readonly forget = (sessionKey: SessionKey): void => {
    this.#measured.delete(sessionKey);
    this.#ratios.delete(sessionKey);
    this.#thresholds.forget(sessionKey);
  };

  readonly windowOf = (model: ResolvedModel | undefined): ModelWindow => windowOf(model?.entry, this.#deps);

  /** The state of the window, and whether it is based on a measured request. */
  stateOf(
    { models: [model], systemPrompt, tools }: Pick<TurnRequest, 'models' | 'systemPrompt' | 'tools'>,
    messages: readonly ConversationMessage[],
    sessionKey: SessionKey,
  ): { readonly state: ContextWindowState; readonly isMeasured: boolean; readonly reserveTokens: number } {
    const { estimator, compaction } = this.#deps;
    const { windowTokens, reserveTokens } = this.windowOf(model);
    const modelId = model?.modelId ?? '';
    const last = this.#measured.get(sessionKey);
    const measure = measureContext(
      { systemPrompt, tools, messages },
      (tokens) => estimator.correct(modelId, tokens),
      // Token counts of different models are not comparable.
      last?.modelId === modelId ? last : undefined,
    );
    const state = evaluateContextWindow(measure, windowTokens, {
      warningThreshold: compaction.warnAt,
      criticalThreshold: compaction.compactAt,
      reserveTokens,
    });
    return { state, isMeasured: measure.isMeasured, reserveTokens };
  }

  /** The window of one turn, which its run consults before and after every request. */
  forTurn(request: TurnRequest, history: TurnHistory): RunWindow {
    const { sessionKey } = request.toolContext;
    const [first] = request.models;
    const own = this.windowOf(first);
    return {
      keep: async (isOverflown, signal) => {
        const messages = withoutOldImages(history.messages);
        const { state } = this.stateOf(request, messages, sessionKey);
        this.#report(request, state.currentTokens, state.maxTokens);
        if (state.status !== 'safe')
          this.#deps.events.emit('context:window:status', {
            status: state.status,
            usageRatio: state.usageRatio,
          });
        if (!isOverflown && !state.compactionNeeded) return undefined;
        return this.#compact(request, history, state, isOverflown, signal);
      },
      observe: ({ usage, model }, messageCount) => {
        // A smaller window was sent only a part of the conversation.
        if (this.windowOf(model).windowTokens < own.windowTokens) return;
        const inputTokens = wholeInputTokens(usage);
        this.#report(request, inputTokens + usage.outputTokens, own.windowTokens - own.reserveTokens);
        if (this.#measured.size >= MAX_SESSIONS && !this.#measured.has(sessionKey)) this.#measured.clear();
        this.#measured.set(sessionKey, {
          modelId: model.modelId,
          inputTokens,
          outputTokens: usage.outputTokens,
          messageCount,
        });
      },
      shapeFor: (model, messages, signal) => this.#shapeFor(request, model, messages, signal),
      toolRoom: (model = first) => {
        const window = this.windowOf(model);
        const room = this.#roomIn(window, this.#headFor(request, window), model?.modelId ?? '');
        return { ...window, resultTokens: Math.max(0, Math.floor(room * RESULT_SHARE)) };
      },
    };
  }

  /** Reports each threshold once, and again after a compaction. */
  #report(
    { toolContext: { sessionKey, agentId } }: TurnRequest,
    usedTokens: number,
    maxTokens: number,
  ): void {
    const ratio = usedTokens / maxTokens;
    for (const threshold of this.#thresholds.pass(sessionKey, usedTokens, maxTokens))
      this.#deps.events.emit('execution:context_threshold', { agentId, ratio, threshold });
  }

  #headFor(request: TurnRequest, window: ModelWindow): RequestHead {
    const own = this.windowOf(request.models[0]);
    return window.toolTokens === own.toolTokens ? request : (request.other?.(window) ?? request);
  }

  /** Room for the conversation, beside the head of the request and the answer. */
  #roomIn({ windowTokens, reserveTokens }: ModelWindow, head: RequestHead, modelId: string): number {
    const headTokens = this.#deps.estimator.correct(modelId, estimateRequest({ ...head, messages: [] }));
    return windowTokens - reserveTokens - headTokens;
  }

  /**
   * The request for one model of the chain. A model with a smaller window than the first gets the newest part
   * that fits; the stored conversation is unchanged.
   */
  async #shapeFor(
    request: TurnRequest,
    model: ResolvedModel,
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ): Promise<RequestShape | undefined> {
    const { estimator } = this.#deps;
    const window = this.windowOf(model);
    const { systemPrompt, tools } = this.#headFor(request, window);
    if (window.windowTokens >= this.windowOf(request.models[0]).windowTokens) {
      const shape = { systemPrompt, tools, messages };
      // Servers of small models silently drop the start of a request that is too long, including the system prompt.
      const isCut =
        window.isSmall &&
        estimator.correct(model.modelId, estimateRequest(shape)) > model.entry.contextWindow;
      return isCut ? undefined : shape;
    }
    const targetTokens = this.#roomIn(window, { systemPrompt, tools }, model.modelId);
    const { compactedEntries, afterTokens } = await compactContext(
      messages.map((message) => ({ message })),
      { strategy: 'truncate-oldest', targetTokens, preserveRecentMessages: 0 },
      {
        summarizer: undefined,
        countTokens: (message) => estimator.correct(model.modelId, estimateMessage(message)),
        makeEntry: (message) => ({ message }),
        events: SILENT,
      },
      signal,
    );
    if (afterTokens > targetTokens) return undefined;
    return { systemPrompt, tools, messages: compactedEntries.map(({ message }) => message) };
  }

  async #compact(
    request: TurnRequest,
    history: TurnHistory,
    state: ContextWindowState,
    isOverflown: boolean,
    signal: AbortSignal,
  ): Promise<readonly ConversationMessage[] | undefined> {
    const { estimator, compaction, events } = this.#deps;
    const { sessionKey } = request.toolContext;
    const compressionRatio = this.#ratios.get(sessionKey);
    const modelId = request.models[0]?.modelId ?? '';
    const { systemPrompt, tools, ...spoken } = state.breakdown;
    const roomTokens = Math.max(state.maxTokens - systemPrompt - tools, 1);
    const spokenTokens = spoken.conversation + spoken.toolResults + spoken.summary;
    // The window was smaller than configured, so the conversation must shrink in any case.
    const sizeTokens = isOverflown ? Math.min(roomTokens, spokenTokens) : roomTokens;
    const { summarizer, isDown } = this.#summarizer(request);
    const result = await compactContext(
      history.entries,
      {
        strategy: compaction.strategy,
        targetTokens: Math.floor(sizeTokens * compaction.target),
        preserveRecentMessages: compaction.keepMessages,
      },
      {
        summarizer,
        countTokens: (message) => estimator.correct(modelId, estimateMessage(message)),
        makeEntry: (message) => ({ turnId: NO_TURN, at: history.entries[0]?.at ?? '', message }),
        events,
        // While there is room, nothing is cut only because a summary is unavailable at the moment.
        isAcceptable: () => !isDown() || state.status !== 'critical' || isOverflown,
        ...(compressionRatio === undefined ? {} : { compressionRatio }),
      },
      signal,
    );
    if (result.afterTokens >= result.beforeTokens) return undefined;
    this.#measured.delete(sessionKey);
    this.#ratios.set(sessionKey, result.afterTokens / result.beforeTokens);
    this.#thresholds.shrink(sessionKey, systemPrompt + tools + result.afterTokens);
    await history.replace(result.compactedEntries);
    return withoutOldImages(history.messages);
  }

  /** Undefined if no model can summarize. `isDown`: the request failed. */
  #summarizer({ models, systemPrompt, tools, toolContext }: TurnRequest): {
    readonly summarizer: Summarizer | undefined;
    readonly isDown: () => boolean;
  } {
    const { sessionKey, channelId, userId, inboxId } = toolContext;
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
          // Same choice as in every other request, because providers cache per tool choice.
          toolChoice: 'auto',
          sessionKey,
          channelId,
          userId,
          inboxId,
          failures: { left: SUMMARY_FAILURES },
        },
        silent,
        signal,
      );
      hasFailed = false;
      // A tool call in place of a summary is no summary.
      return blocksIn([message], 'tool_use').length > 0 ? '' : textsIn(message).join('\n\n');
    };
    const summarizer: Summarizer = {
      // Same prompt, tools and messages as before, which the provider has cached.
      ofConversation: (messages, instruction, signal) =>
        ask(systemPrompt, tools, [...withoutOldImages(messages), textMessage(instruction)], signal),
      ofText: (text, instruction, signal) =>
        ask(SUMMARIZER_PROMPT, [], [textMessage(`${instruction}\n\n${text}`)], signal),
    };
    const canAsk = models.some(({ provider }) => provider !== 'offline');
    return { summarizer: canAsk ? summarizer : undefined, isDown: () => hasFailed };
  }
}
