import { errorMessage, FinClawError, NoAnswerError } from '#src/kernel/errors.ts';
import type { AnsweringModel } from '#src/kernel/chat/feedback.ts';
import type { ConversationMessage, StreamChunk, ToolCall, WithoutAi } from '#src/kernel/agent/model.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import { FailoverError, classifyFallbackError } from '../errors.ts';
import type { ResolvedModel } from '../models/resolve-model.ts';
import { blocksIn } from '../content-blocks.ts';
import type { ModelAnswer } from './model-request.ts';
import {
  mayBeAboutPictures,
  mayBeAboutText,
  PARTS_TO_TRY,
  scopesToTry,
  withoutPictures,
} from './refused-content.ts';
import type { AgentRunParams, RunnerDeps, ToolRoom } from './run-params.ts';
import {
  closingMessages,
  interrupted,
  isShutdown,
  notRun,
  unansweredCalls,
} from '../memory/transcript/closing-messages.ts';
import { TokenCounter, estimateRequest } from '../tokens.ts';
import { toolUseEnd } from './tool-executor.ts';
import type { ExecutionEvent, StreamState } from '#src/kernel/agent/execution.ts';

/** Every other state leads to `done`, because an error or abort may come at any time. */
const TRANSITIONS: Readonly<Record<StreamState, readonly StreamState[]>> = {
  idle: ['streaming', 'executing', 'done'],
  streaming: ['tool_use', 'done'],
  // Back to streaming: the attempt failed after its first call, and another one begins.
  tool_use: ['executing', 'streaming', 'done'],
  executing: ['streaming', 'done'],
  done: [],
};

/** The state of a run, with its listeners. An unknown transition is a bug, and throws. */
export class StreamStateMachine {
  #state: StreamState = 'idle';
  readonly #listeners = new Set<(event: ExecutionEvent) => void>();

  /** Returns a function that removes the listener. */
  on(listener: (event: ExecutionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  transition(to: StreamState): void {
    const from = this.#state;
    if (!TRANSITIONS[from].includes(to)) {
      throw new FinClawError(
        `A run cannot go from ${from} to ${to}, only to ${TRANSITIONS[from].join(' or ') || 'nothing'}`,
        'STREAM_STATE_INVALID',
        { isOperational: false },
      );
    }
    this.#state = to;
    this.emit({ type: 'state_change', from, to });
  }

  /** Transitions to the state unless the run is already in it. */
  ensure(state: StreamState): void {
    if (this.#state !== state) this.transition(state);
  }

  emit(event: ExecutionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** Limit of failed requests for one message, over all its model calls. */
const MAX_FAILURES_PER_MESSAGE = 6;
/** After this many answers in a row with unparsable calls, the model is stuck. */
const MAX_MALFORMED_IN_A_ROW = 3;
/** A correction that takes longer is given up: the person waits for an answer that is there already. */
const REPAIR_REQUEST_MS = 90_000;

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
  /** The last answer has been reviewed. False for one that was stored before a crash. */
  #isReviewed = false;
  #isFirstCut = false;
  /** Why the offline model answers from here on. */
  #withoutAi: WithoutAi | undefined;
  /** Undefined before the first answer. */
  #answeredBy: ResolvedModel | undefined;

  constructor(deps: RunnerDeps, params: AgentRunParams, signal: AbortSignal) {
    this.#deps = deps;
    this.#params = params;
    this.#signal = signal;
    this.messages = [...params.messages];
    this.#machine.on(params.onEvent);
  }

  /** If the correction of an answer fails, the run ends with the answer as it was. */
  async loop(): Promise<'completed' | 'max_turns' | 'suspended'> {
    const { review } = this.#params;
    // A live view may still show the answer from before a crash.
    if (review?.isRepairing()) this.#machine.emit({ type: 'text_reset', isRepair: true });
    try {
      return await this.#steps();
    } catch (error) {
      if (this.#signal.aborted || !(await this.#keepFirstAnswer())) throw error;
      return 'completed';
    }
  }

  /** The next step depends on the conversation alone, so an interrupted run continues from the stored state. */
  async #steps(): Promise<'completed' | 'max_turns' | 'suspended'> {
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
      if (last?.role === 'assistant' && !last.isPaused) {
        if (await this.#isSettled(last)) return 'completed';
        continue;
      }
      const isStuck = this.#malformedInARow >= MAX_MALFORMED_IN_A_ROW;
      for (const message of await this.#steering()) await this.push(message);
      if (this.turns >= this.#params.maxTurns || isStuck) return this.#answerAtTheLimit();
      const { message, stopReason } = await this.#ask('auto');
      const calls = blocksIn([message], 'tool_use');
      const isMalformed = calls.length > 0 && calls.every((call) => call.malformed !== undefined);
      this.#malformedInARow = isMalformed ? this.#malformedInARow + 1 : 0;
      this.isCut = stopReason === 'max_tokens' && calls.length === 0;
      if (calls.length > 0 || message.isPaused) await this.push(message);
      else await this.#pushAnswer(message, this.turns < this.#params.maxTurns);
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

  get answeredBy(): AnsweringModel | undefined {
    const model = this.#answeredBy;
    return model && { provider: model.provider, model: model.modelId };
  }

  /** The offline model is part of the program, so its answers are not reviewed. */
  get #review(): AgentRunParams['review'] {
    const { models, review } = this.#params;
    return (this.#answeredBy ?? models[0])?.provider === 'offline' ? undefined : review;
  }

  /** Stores an answer, as its review says. */
  async #pushAnswer(answer: ConversationMessage, mayRepair: boolean): Promise<void> {
    const reviewed = await this.#review?.of(answer, mayRepair);
    this.#isReviewed = true;
    // A correction without words corrects nothing.
    if (reviewed?.outcome === 'empty' && (await this.#keepFirstAnswer())) return;
    await this.push(reviewed?.outcome === 'marked' ? { ...answer, shown: reviewed.shown } : answer);
    if (reviewed?.outcome === 'repair') await this.#beginRepair(reviewed.note);
  }

  /** Whether the run ends with its last message. An answer from before a crash is reviewed first. */
  async #isSettled({ isNote, shown }: ConversationMessage): Promise<boolean> {
    if (this.#isReviewed || isNote || shown !== undefined) return true;
    const reviewed = await this.#review?.of(undefined, true);
    this.#isReviewed = true;
    if (reviewed?.outcome === 'repair') await this.#beginRepair(reviewed.note);
    if (reviewed?.outcome !== 'marked') return reviewed?.outcome !== 'repair';
    await this.push(reviewed.note);
    return this.#keepFirstAnswer();
  }

  /** Asks the model once more. The next step of the run sends the note. */
  async #beginRepair(note: ConversationMessage): Promise<void> {
    this.#isFirstCut = this.isCut;
    await this.push(note);
    this.#machine.emit({ type: 'text_reset', isRepair: true });
  }

  /** Ends the turn with the answer from before its correction; false if there was no correction. */
  async #keepFirstAnswer(): Promise<boolean> {
    const first = await this.#params.review?.keepFirst();
    if (!first) return false;
    const pending = unansweredCalls(this.messages);
    if (pending.length > 0)
      await this.push({ role: 'tool', content: pending.map((call) => notRun(call, 'it failed')) });
    this.isCut = this.#isFirstCut;
    await this.push(first);
    return true;
  }

  /** A message during a correction is a question of its own: a failed correction must not lose it. */
  async #steering(): Promise<readonly ConversationMessage[]> {
    if (this.#params.review?.isRepairing()) return [];
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
    if (hasWords) await this.#pushAnswer({ role: 'assistant', content, ...(standIn && { standIn }) }, false);
    else await this.close('the limit of steps was reached');
    return 'max_turns';
  }

  async #ask(toolChoice: 'auto' | 'none'): Promise<ModelAnswer> {
    if (this.#withoutAi) return this.#request(toolChoice);
    try {
      return await this.#askWithinWindow(toolChoice);
    } catch (error) {
      // A correction that fails leaves the answer as it was.
      if (!this.#signal.aborted && !this.#params.review?.isRepairing()) {
        this.#withoutAi = await this.#params.standIn?.because(error, this.#signal);
        if (this.#withoutAi) return this.#request(toolChoice);
      }
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
      const { refused, review } = this.#params;
      // A refused correction costs nothing but itself.
      if (
        !refused ||
        review?.isRepairing() ||
        this.#signal.aborted ||
        this.partialText !== '' ||
        !mayBeAboutText(error)
      )
        throw error;
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
    const { agentId, toolContext, models: chosen, systemPrompt, tools, window, review } = this.#params;
    const standIn = this.#withoutAi ? this.#params.standIn?.model : undefined;
    const models = standIn ? [standIn] : chosen;
    const { sessionKey, channelId, userId, inboxId } = toolContext;
    this.turns += 1;
    this.#deps.events.emit('execution:turn', { agentId, sessionKey, turn: this.turns });
    const limit = review?.isRepairing() ? this.#repairLimit() : undefined;
    const signal = limit?.signal ?? this.#signal;
    const answer = await this.#deps
      .askModel(
        {
          models,
          systemPrompt,
          messages: this.messages,
          tools,
          toolChoice,
          sessionKey,
          channelId,
          userId,
          inboxId,
          // The stand-in costs nothing, reads the words alone and cannot fail.
          failures: standIn ? { left: 1 } : this.#failures,
          ...(window &&
            !standIn && {
              shapeFor: (model: ResolvedModel) => window.shapeFor(model, this.messages, signal),
            }),
        },
        { onAttempt: () => this.#beginAttempt(), onChunk: (chunk) => this.#onChunk(chunk) },
        signal,
      )
      .finally(limit?.clear);
    this.counter.add(answer.usage);
    this.#answeredBy = answer.model;
    if (!this.#withoutAi) {
      window?.observe(answer, this.messages.length);
      return answer;
    }
    const names = { model: answer.model.entry.displayName, chosen: chosen[0]?.entry.displayName ?? '' };
    return { ...answer, message: { ...answer.message, standIn: { ...names, withoutAi: this.#withoutAi } } };
  }

  #repairLimit(): ReturnType<typeof withDeadline> {
    const late = (): Error =>
      new FailoverError(`no correction within ${REPAIR_REQUEST_MS / 1_000} s`, 'timeout');
    return withDeadline(this.#signal, REPAIR_REQUEST_MS, this.#deps.clock, late);
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
    const willResume = isShutdown(this.#signal.reason);
    const results = outcomes.flatMap((outcome, index) => {
      const call = calls[index];
      const name = call?.name ?? '';
      // A run that is not taken up again must not say of a call in flight that it was not made.
      if (call && outcome.status === 'aborted' && outcome.hasBegun && !willResume) return [interrupted(call)];
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

/** Whether a conversation did not fit into the window of any model. */
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
