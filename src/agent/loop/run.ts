import { errorMessage, FinClawError, NoAnswerError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { ExecutionEvent } from '#src/kernel/execution.ts';
import type { AgentId } from '#src/kernel/ids.ts';
import type { ConversationMessage, StreamChunk, ToolCall } from '#src/kernel/model.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import { classifyFallbackError } from '../errors.ts';
import type { ResolvedModel } from '../models/resolve-model.ts';
import { blocksIn } from '../content-blocks.ts';
import type { ModelCaller } from './model-caller.ts';
import type { ModelAnswer, RequestShape } from './model-request.ts';
import {
  mayBeAboutPictures,
  mayBeAboutText,
  PARTS_TO_TRY,
  type PictureScope,
  type RefusedContent,
  scopesToTry,
  withoutPictures,
} from './refused-content.ts';
import { closingMessages, interrupted, isShutdown, notRun, unansweredCalls } from './closing-messages.ts';
import { StreamStateMachine } from './stream-state-machine.ts';
import { estimateRequest, TokenCounter } from './tokens.ts';
import { type ToolExecutor, toolUseEnd } from './tool-executor.ts';

export interface AgentRunParams {
  readonly agentId: AgentId;
  /** Tried in order; the first that can answer does. */
  readonly models: readonly ResolvedModel[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** The conversation so far. The run continues where it ends, also after a crash. */
  readonly messages: readonly ConversationMessage[];
  readonly toolContext: ToolExecutionContext;
  readonly maxTurns: number;
  /** Stores a message; the run continues only after it has resolved. */
  readonly append: (message: ConversationMessage) => Promise<void>;
  /** Must not throw. */
  readonly onEvent: (event: ExecutionEvent) => void;
  /** Keeps the conversation within the model's window. */
  readonly window?: RunWindow;
  /** Replaces these pictures by text for good, after a provider answered only without them. */
  readonly dropPictures?: (scope: PictureScope) => Promise<void>;
  /** Alternatives for a request whose content a provider refuses. */
  readonly refused?: RefusedContent;
  /**
   * Dequeues messages that the person sent during the run. Called before tools run and before the model is
   * called.
   */
  readonly takeSteering?: () => Promise<readonly ConversationMessage[]>;
}

/** The answering model's window, as a run needs it. */
export interface RunWindow {
  /** The compacted and stored conversation to send instead; undefined if it fits as it is. */
  readonly keep: (
    isOverflown: boolean,
    signal: AbortSignal,
  ) => Promise<readonly ConversationMessage[] | undefined>;
  /** Reports the actual usage of a request with this many messages. */
  readonly observe: (answer: ModelAnswer, messageCount: number) => void;
  /** The request for one model of the chain; undefined if nothing useful fits into its window. */
  readonly shapeFor: (
    model: ResolvedModel,
    messages: readonly ConversationMessage[],
    signal: AbortSignal,
  ) => Promise<RequestShape | undefined>;
  /** The room for tool calls of a model; by default the first of the chain. */
  readonly toolRoom: (model?: ResolvedModel) => ToolRoom;
}

/** The part of the window for tools. */
export interface ToolRoom {
  readonly isSmall: boolean;
  /** Limit for the list of tools. */
  readonly toolTokens: number;
  /** Limit for all results of one answer together. */
  readonly resultTokens: number;
}

export interface RunnerDeps {
  readonly askModel: ModelCaller;
  readonly tools: ToolExecutor;
  readonly clock: Clock;
  readonly events: Events;
}

/** Limit of failed requests for one message, over all its model calls. */
const MAX_FAILURES_PER_MESSAGE = 6;
/** After this many answers in a row with unparsable calls, the model is stuck. */
const MAX_MALFORMED_IN_A_ROW = 3;

/** Without a window, results are not truncated. */
const NO_LIMIT: ToolRoom = { isSmall: false, toolTokens: Infinity, resultTokens: Infinity };

const LIMIT_REACHED: ConversationMessage = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: '<context>\nThe limit of steps for this question is reached; no tool can be called any more. Answer now with what is known, and say what is missing.\n</context>',
    },
  ],
};

const isOverflow = (error: unknown): boolean => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((each) => classifyFallbackError(each) === 'context-overflow');
};

const tokensIn = (messages: readonly ConversationMessage[]): number =>
  estimateRequest({ systemPrompt: '', tools: [], messages });

/** A shorter message is never the reason for an overflow. */
const MIN_LONG_TOKENS = 1_000;

/** Whether the person's new message is most of the request, and so the reason for the overflow. */
const isMostlyNew = (messages: readonly ConversationMessage[]): boolean => {
  const lastAnswer = messages.findLastIndex(
    (message) =>
      message.role === 'assistant' && !message.isPaused && blocksIn([message], 'tool_use').length === 0,
  );
  const written = messages.slice(lastAnswer + 1).filter(({ role }) => role === 'user');
  const tokens = tokensIn(written);
  return tokens > MIN_LONG_TOKENS && tokens * 2 > tokensIn(messages);
};

/** One run of the tool loop. */
export class Run {
  readonly messages: ConversationMessage[];
  readonly counter = new TokenCounter();
  turns = 0;
  isCut = false;
  /** Text of the current answer so far. */
  partialText = '';
  readonly #machine = new StreamStateMachine();
  readonly #failures = { left: MAX_FAILURES_PER_MESSAGE };
  readonly #deps: RunnerDeps;
  readonly #params: AgentRunParams;
  readonly #signal: AbortSignal;
  #malformedInARow = 0;
  #hasOverflown = false;
  #hasTriedWithoutPictures = false;
  /** Undefined before the first answer. */
  #answeredBy: ResolvedModel | undefined;

  constructor(deps: RunnerDeps, params: AgentRunParams, signal: AbortSignal) {
    this.#deps = deps;
    this.#params = params;
    this.#signal = signal;
    this.messages = [...params.messages];
    this.#machine.on(params.onEvent);
  }

  /** The next step depends on the conversation alone, so an interrupted run continues from the stored state. */
  async loop(): Promise<'completed' | 'max_turns' | 'suspended'> {
    let isResumed = unansweredCalls(this.messages).length > 0;
    for (;;) {
      this.#signal.throwIfAborted();
      const pending = unansweredCalls(this.messages);
      if (pending.length > 0) {
        // After a resume, calls that a person may have approved run first, whatever they wrote since.
        if (!isResumed && (await this.#steerPast(pending))) continue;
        isResumed = false;
        if ((await this.#runTools(pending)) === 'suspended') return 'suspended';
        continue;
      }
      const last = this.messages.at(-1);
      if (last?.role === 'assistant' && !last.isPaused) return 'completed';
      const isStuck = this.#malformedInARow >= MAX_MALFORMED_IN_A_ROW;
      for (const message of await this.#steering()) await this.push(message);
      if (this.turns >= this.#params.maxTurns || isStuck) return this.#answerAtTheLimit();
      const { message, stopReason } = await this.#ask('auto');
      const calls = blocksIn([message], 'tool_use');
      const isMalformed = calls.length > 0 && calls.every((call) => call.malformed !== undefined);
      this.#malformedInARow = isMalformed ? this.#malformedInARow + 1 : 0;
      this.isCut = stopReason === 'max_tokens' && calls.length === 0;
      await this.push(message);
    }
  }

  async push(message: ConversationMessage): Promise<void> {
    await this.#params.append(message);
    this.messages.push(message);
    this.partialText = '';
    if (message.role === 'assistant') this.#machine.emit({ type: 'message_complete', message });
  }

  /** Closes open calls and the turn, whatever ended the run. */
  async close(why: string): Promise<void> {
    for (const message of closingMessages(this.messages, this.partialText, why)) await this.push(message);
  }

  /** Emits the last event of the run. */
  end(): void {
    this.#machine.transition('done');
  }

  async #steering(): Promise<readonly ConversationMessage[]> {
    return (await this.#params.takeSteering?.()) ?? [];
  }

  /** A new message of the person takes precedence over tools that have not started. */
  async #steerPast(pending: readonly ToolCall[]): Promise<boolean> {
    const steering = await this.#steering();
    if (steering.length === 0) return false;
    const skipped = pending.map((call) => notRun(call, 'skipped, for the user wrote something new'));
    await this.push({ role: 'tool', content: skipped });
    for (const message of steering) await this.push(message);
    return true;
  }

  /** Makes one last call without tools, so that the person gets a reply. */
  async #answerAtTheLimit(): Promise<'max_turns'> {
    await this.push(LIMIT_REACHED);
    const { message, stopReason } = await this.#ask('none');
    this.isCut = stopReason === 'max_tokens';
    // Calls that the model makes anyway are dropped; its text is kept.
    const content = message.content.filter((block) => block.type !== 'tool_use');
    const hasWords = content.some((block) => block.type === 'text');
    const { standIn } = message;
    if (hasWords) await this.push({ role: 'assistant', content, ...(standIn && { standIn }) });
    else await this.close('the limit of steps was reached');
    return 'max_turns';
  }

  async #ask(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    try {
      return await this.#askWithinWindow(toolChoice);
    } catch (error) {
      if (this.#signal.aborted || !isOverflow(error) || !isMostlyNew(this.messages)) throw error;
      throw new NoAnswerError('message-too-long', errorMessage(error), { cause: error });
    }
  }

  /** Compacts before the window overflows, and once more if the provider reports an overflow. */
  async #askWithinWindow(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    await this.#keepWithinWindow(false);
    try {
      return await this.#requestWithoutRefused(toolChoice);
    } catch (error) {
      if (this.#signal.aborted || this.#hasOverflown || !isOverflow(error)) throw error;
      this.#hasOverflown = true;
      if (!(await this.#keepWithinWindow(true))) throw error;
      return this.#requestWithoutRefused(toolChoice);
    }
  }

  /** Leaves out what a provider refuses, by the rule in `refused-content.ts`. */
  async #requestWithoutRefused(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    try {
      return await this.#requestWithPictures(toolChoice);
    } catch (error) {
      const { refused } = this.#params;
      if (!refused || this.#signal.aborted || this.partialText !== '' || !mayBeAboutText(error)) throw error;
      const shown = [...this.messages];
      for (const part of PARTS_TO_TRY) {
        const messages = refused.without(part);
        if (!messages) continue;
        // Refused requests cost nothing and are few, so earlier failures must not end the search.
        this.#failures.left = Math.max(this.#failures.left, 1);
        this.messages.splice(0, Infinity, ...messages);
        try {
          const answer = await this.#request(toolChoice);
          await refused.leaveOut(part);
          return answer;
        } catch (again) {
          this.messages.splice(0, Infinity, ...shown);
          if (this.#signal.aborted || !mayBeAboutText(again)) throw again;
        }
      }
      const noted = refused.without('turn');
      if (noted) await refused.leaveOut('turn');
      this.messages.splice(0, Infinity, ...(noted ?? shown));
      throw new NoAnswerError('message-refused', errorMessage(error), { cause: error });
    }
  }

  /**
   * Retries a refused request with text in place of its newest pictures, then of all. If that is answered, the
   * pictures were the reason and are removed from the conversation, because every later request would fail too.
   */
  async #requestWithPictures(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    try {
      return await this.#request(toolChoice);
    } catch (error) {
      const shown = [...this.messages];
      const scopes = this.#hasTriedWithoutPictures ? [] : scopesToTry(shown);
      let refusal: unknown = error;
      for (const scope of scopes) {
        if (this.#signal.aborted || !mayBeAboutPictures(refusal)) break;
        this.#hasTriedWithoutPictures = true;
        this.messages.splice(0, Infinity, ...withoutPictures(shown, scope));
        try {
          const answer = await this.#request(toolChoice);
          await this.#params.dropPictures?.(scope);
          return answer;
        } catch (again) {
          this.messages.splice(0, Infinity, ...shown);
          refusal = again;
        }
      }
      throw refusal;
    }
  }

  async #keepWithinWindow(isOverflown: boolean): Promise<boolean> {
    const kept = await this.#params.window?.keep(isOverflown, this.#signal);
    if (!kept) return false;
    this.messages.splice(0, this.messages.length, ...kept);
    return true;
  }

  async #request(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    const { agentId, toolContext, models, systemPrompt, tools, window } = this.#params;
    const { sessionKey, channelId, userId } = toolContext;
    this.turns += 1;
    this.#deps.events.emit('execution:turn', { agentId, sessionKey, turn: this.turns });
    const answer = await this.#deps.askModel(
      {
        models,
        systemPrompt,
        messages: this.messages,
        tools,
        toolChoice,
        sessionKey,
        channelId,
        userId,
        failures: this.#failures,
        ...(window && {
          shapeFor: (model: ResolvedModel) => window.shapeFor(model, this.messages, this.#signal),
        }),
      },
      { onAttempt: () => this.#beginAttempt(), onChunk: (chunk) => this.#onChunk(chunk) },
      this.#signal,
    );
    this.counter.add(answer.usage);
    this.#answeredBy = answer.model;
    window?.observe(answer, this.messages.length);
    return answer;
  }

  #beginAttempt(): void {
    if (this.partialText !== '') this.#machine.emit({ type: 'text_reset' });
    this.partialText = '';
    this.#machine.ensure('streaming');
  }

  #onChunk(chunk: StreamChunk): void {
    if (this.#signal.aborted) return;
    if (chunk.type === 'text_delta') {
      this.partialText += chunk.text;
      this.#machine.emit({ type: 'text_delta', delta: chunk.text });
    }
    if (chunk.type === 'tool_use_start') this.#machine.ensure('tool_use');
  }

  async #runTools(calls: readonly ToolCall[]): Promise<'done' | 'suspended'> {
    const { toolContext, agentId, tools, window } = this.#params;
    const { isSmall, toolTokens, resultTokens } = window?.toolRoom(this.#answeredBy) ?? NO_LIMIT;
    const each = Math.floor(resultTokens / calls.length);
    const context = isSmall ? { ...toolContext, model: { toolTokens, resultTokens: each } } : toolContext;
    this.#machine.ensure('executing');
    for (const toolCall of calls) this.#machine.emit({ type: 'tool_use_start', toolCall });
    const outcomes = await this.#deps.tools.executeAll(calls, context, each, this.#signal);
    const isGoneOnWith = isShutdown(this.#signal.reason);
    const results = outcomes.flatMap((outcome, index) => {
      const call = calls[index];
      const name = call?.name ?? '';
      // A run that is not taken up again must not say of a call in flight that it was not made.
      if (call && outcome.status === 'aborted' && outcome.hasBegun && !isGoneOnWith)
        return [interrupted(call)];
      if (outcome.status !== 'finished') return [];
      const { result, durationMs } = outcome;
      this.#machine.emit(toolUseEnd(result));
      // A name that the model made up can be any word of the conversation: it stays out of logs and metrics.
      const toolName = tools.some((tool) => tool.name === name) ? name : 'unknown';
      this.#deps.events.emit('execution:tool_use', { agentId, toolName, durationMs });
      return [result];
    });
    // Finished calls are stored even if the run is over, so that no tool runs twice.
    if (results.length > 0) await this.push({ role: 'tool', content: results });
    this.#signal.throwIfAborted();
    if (outcomes.some(({ status }) => status === 'suspended')) return 'suspended';
    // Without stored results the same calls would repeat forever.
    if (results.length === 0)
      throw new FinClawError('No tool call finished', 'TOOLS_WITHOUT_OUTCOME', { isOperational: false });
    return 'done';
  }
}
