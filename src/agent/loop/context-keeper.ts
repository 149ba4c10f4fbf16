import type { Events } from '#src/kernel/events.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/kernel/tool.ts';
import { compactContext, type CompactionSettings } from '../memory/window/compaction.ts';
import { type ModelWindow, type WindowLimits, windowOf } from '../memory/window/model-window.ts';
import type { Summarizer } from '../memory/window/summarize.ts';
import {
  type ContextWindowState,
  estimateMessage,
  evaluateContextWindow,
  type LastRequest,
  measureContext,
  ThresholdWatch,
} from '../memory/window/window-guard.ts';
import { wholeInputTokens } from '../models/cost.ts';
import type { ResolvedModel } from '../models/selection.ts';
import type { RequestHead } from '../prompt/open-prompts.ts';
import type { ModelCaller } from './model-caller.ts';
import type { RequestShape } from './model-request.ts';
import type { RunWindow } from './run.ts';
import { estimateRequest, type TokenEstimator } from './tokens.ts';
import type { TurnHistory } from './turn-history.ts';
import { withoutOldImages } from './turn-message.ts';

export interface ContextKeeperDeps extends WindowLimits {
  readonly askModel: ModelCaller;
  readonly estimator: TokenEstimator;
  readonly compaction: CompactionSettings;
  readonly events: Events;
}

/** What is sent with every message of a turn. */
export interface TurnRequest extends RequestHead {
  readonly models: readonly ResolvedModel[];
  readonly toolContext: ToolExecutionContext;
  /** The head for a model with another window than the first. Absent: all get the same. */
  readonly other?: (window: ModelWindow) => RequestHead;
}

/** What the last request of a conversation really took, and by whose count. */
interface Measured extends LastRequest {
  readonly modelId: string;
}

/** Share of the room for the conversation that the tool results of one answer may take. */
const RESULT_SHARE = 0.6;
const MAX_SESSIONS = 10_000;
/** A summary that fails is not worth many requests: there is a way without. */
const SUMMARY_FAILURES = 1;
const SUMMARIZER_PROMPT = 'You sum up parts of a conversation about markets, exactly and briefly.';

/** A summary belongs to no turn: it stands before all of them. */
const NO_TURN = asId<TurnId>('summary');

/** Used where nothing that is stored changes. */
const SILENT: Pick<Events, 'emit'> = { emit: () => undefined };

const silent = { onAttempt: () => undefined, onChunk: () => undefined };

const textOf = ({ content }: ConversationMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const said = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] });

/** Knows how full the window of each conversation is, and makes room in it before it overflows. */
export class ContextKeeper {
  readonly #deps: ContextKeeperDeps;
  readonly #measured = new Map<SessionKey, Measured>();
  readonly #ratios = new Map<SessionKey, number>();
  readonly #thresholds = new ThresholdWatch();

  constructor(deps: ContextKeeperDeps) {
    this.#deps = deps;
  }

  /** The conversation has become another one. */
  readonly forget = (sessionKey: SessionKey): void => {
    this.#measured.delete(sessionKey);
    this.#ratios.delete(sessionKey);
    this.#thresholds.forget(sessionKey);
  };

  readonly windowOf = (model: ResolvedModel | undefined): ModelWindow => windowOf(model?.entry, this.#deps);

  /** The state of the window, and whether it rests on a real request. */
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
      // Another model counts otherwise.
      last?.modelId === modelId ? last : undefined,
    );
    const state = evaluateContextWindow(measure, windowTokens, {
      warningThreshold: compaction.warnAt,
      criticalThreshold: compaction.compactAt,
      reserveTokens,
    });
    return { state, isMeasured: measure.isMeasured, reserveTokens };
  }

  /** For one turn: what its run asks before and after every request. */
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
        // What a smaller window was sent is not the whole conversation.
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

  /** Each threshold once, and again after the conversation was shortened. */
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

  /** Tokens that a conversation may take beside the head of the request and the answer. */
  #roomIn({ windowTokens, reserveTokens }: ModelWindow, head: RequestHead, modelId: string): number {
    const headTokens = this.#deps.estimator.correct(modelId, estimateRequest({ ...head, messages: [] }));
    return windowTokens - reserveTokens - headTokens;
  }

  /**
   * What is sent to one model of the chain. One with a smaller window than the first, for which the conversation is
   * kept, gets as much of its end as fits; what is stored stays as it is.
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
      // Servers of small models drop the beginning of what is too long without a word, and our instructions with it.
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
    // A window that was smaller than it was said to be: what is there has to shrink in any case.
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
        // While there is room, nothing is cut off for want of a summary that may be had a little later.
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
