import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ChannelId, DeliveryId, InboxId } from '#src/kernel/ids.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/message.ts';
import type { BeforeMessageProcessPayload } from '#src/kernel/plugin.ts';
import type { BindingMatch, PipelineStage, ProcessOutcome } from '#src/kernel/stage.ts';
import { NEVER_ABORTED, raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import { newErrorId, newId } from '#src/platform/ids.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { createAcknowledgement } from '../reply/acknowledgement.ts';
import { type Delivery, deliveryFailure, type DeliveryReport, targetOf } from '../reply/delivery.ts';
import { PipelineError } from '../reply/errors.ts';
import type { LiveAnswers } from '../reply/live-answers.ts';
import type { Received, SixStages } from './stage-types.ts';
import type { PipelineObserver, PipelineResult } from './observer.ts';
import { failureText, runStageSafely } from './stage-failures.ts';

export interface PipelineDependencies {
  readonly stages: SixStages;
  readonly delivery: Delivery;
  /** Takes away what was shown of an answer that nobody waits for any more. */
  readonly live?: Pick<LiveAnswers, 'withdraw'>;
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  readonly observer: PipelineObserver;
  readonly hooks: Pick<Hooks, 'beforeMessageProcess' | 'afterMessageProcess'>;
  /** The model has been asked about this message before: before a crash, or before a decision. */
  readonly isBegun: (inboxId: InboxId) => Promise<boolean>;
  readonly timeoutMs: number;
  /** Reactions and the typing sign are wanted. */
  readonly enableAck?: boolean;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** What an aborted stage gets to leave its work in order. */
const ABORT_GRACE_MS = 2_000;
/** The sentence about a failure is sent even when the run's own time is up. */
const FAILURE_NOTICE_MS = 30_000;

/** Takes one accepted message through the six stages. */
export class AutoReplyPipeline {
  readonly #deps: PipelineDependencies;

  constructor(deps: PipelineDependencies) {
    this.#deps = deps;
  }

  /**
   * Ends in an answer, in the silence a control token asked for, in a question to a person (`suspended`), or
   * (`parked`) in the next start. Never throws. `onAnswered` is called when there is an answer and nothing is left
   * but to send it.
   */
  readonly process = async (
    ctx: MsgContext,
    match: BindingMatch,
    parent: AbortSignal,
    onAnswered: () => void = () => undefined,
  ): Promise<ProcessOutcome> => {
    const startedAtMs = this.#deps.clock.monotonicMs();
    const outcome = await this.#process(ctx, match, parent, onAnswered);
    const durationMs = this.#deps.clock.monotonicMs() - startedAtMs;
    // Who only hears of it afterwards holds nobody up.
    void this.#deps.hooks.afterMessageProcess.fire({ ctx, outcome: outcome.outcome, durationMs });
    return outcome;
  };

  async #process(
    ctx: MsgContext,
    match: BindingMatch,
    parent: AbortSignal,
    onAnswered: () => void,
  ): Promise<ProcessOutcome> {
    const { delivery, channelOf, observer, clock } = this.#deps;
    const startedAtMs = clock.monotonicMs();
    const stagesExecuted: string[] = [];
    const { signal, clear, lift } = withDeadline(
      parent,
      this.#deps.timeoutMs,
      clock,
      () => new PipelineError(`No answer within ${this.#deps.timeoutMs} ms`, 'PIPELINE_TIMEOUT'),
    );
    const end = (result: Omit<PipelineResult, 'stagesExecuted' | 'durationMs'>): void =>
      observer.onPipelineComplete?.(ctx, {
        ...result,
        stagesExecuted,
        durationMs: clock.monotonicMs() - startedAtMs,
      });
    let received: Received | undefined;

    observer.onPipelineStart?.(ctx);
    try {
      const channel = channelOf(ctx.channelId);
      const acknowledgement = createAcknowledgement(
        channel,
        replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
        this.#deps,
      );
      received = { ctx, match, channel, acknowledgement };

      // An answer that was planned before a restart is not made a second time, only sent.
      const onlySend = (): void => {
        lift();
        onAnswered();
      };
      const resumed = await this.#resume(ctx.inboxId, channel, signal, onlySend);
      if (resumed.parts > 0) {
        await acknowledgement.resume();
        void this.#deps.live?.withdraw(ctx, channel, 'unrecorded');
        const failure = deliveryFailure(resumed);
        if (failure && !resumed.isClosed) throw failure;
        end({ success: true, reason: 'delivered after a restart' });
        return { outcome: 'done' };
      }

      const asSent: BeforeMessageProcessPayload = { ctx, body: ctx.rawBody };
      // Plugins were asked when the run began: what they say now could only contradict it.
      const before = (await this.#deps.isBegun(ctx.inboxId))
        ? asSent
        : await raceAbort(this.#deps.hooks.beforeMessageProcess.fire(asSent), signal, clock, 0);
      if (before.skip) {
        const reply = before.skipReply;
        if (reply) {
          const delivering = delivery.deliver(ctx, { text: reply }, channel, signal);
          const failure = deliveryFailure(await raceAbort(delivering, signal, clock, ABORT_GRACE_MS));
          if (failure) throw failure;
        }
        end({ success: true, reason: 'answered by a plugin' });
        return { outcome: 'done' };
      }
      if (before.body !== ctx.rawBody) {
        const { command: _ofOtherWords, ...changed } = ctx;
        received = { ...received, ctx: { ...changed, rawBody: before.body } };
      }

      let current: unknown = received;
      for (const stage of this.#deps.stages) {
        // The answer is there. A platform that is out of reach for long costs neither it nor others their place.
        if (stage.name === 'deliver') onlySend();
        const result = await this.#runStage(stage, current, ctx, signal);
        stagesExecuted.push(stage.name);
        if (result.action === 'abort') {
          throw result.error ?? new PipelineError(result.reason, 'STAGE_FAILED');
        }
        if (result.action === 'skip' || result.action === 'suspend') {
          await received.acknowledgement.end(true);
          end({ success: true, reason: result.reason });
          return { outcome: result.action === 'skip' ? 'done' : 'suspended' };
        }
        current = result.data;
      }
      await received.acknowledgement.end(true);
      end({ success: true });
      return { outcome: 'done' };
    } catch (error) {
      // Whatever a stage makes of an abort: what counts is why the run was ended.
      const cause: unknown = signal.aborted ? signal.reason : error;
      const outcome = await this.#fail(ctx, received, cause);
      end({ success: false, reason: cause instanceof RunAbortedError ? cause.kind : outcome.outcome });
      return outcome;
    } finally {
      clear();
    }
  }

  /** A message that is refused now (no place, too many attempts) may have its answer already: that is sent all the same. */
  async #resume(
    inboxId: InboxId,
    channel: ChannelPlugin,
    signal: AbortSignal,
    onPlanned: () => void,
  ): Promise<DeliveryReport> {
    const { delivery, clock } = this.#deps;
    const isRefused = signal.aborted && !(signal.reason instanceof RunAbortedError);
    const { signal: allowed, clear } = isRefused ? this.#timeForWords() : { signal, clear: () => undefined };
    try {
      const sending = delivery.resume(inboxId, channel, allowed, onPlanned);
      return await raceAbort(sending, allowed, clock, ABORT_GRACE_MS);
    } finally {
      clear();
    }
  }

  /** Also where the run's own time is up. */
  #timeForWords(): ReturnType<typeof withDeadline> {
    const { clock } = this.#deps;
    return withDeadline(NEVER_ABORTED, FAILURE_NOTICE_MS, clock, () => new RunAbortedError('timeout'));
  }

  async #runStage(
    stage: PipelineStage<never, unknown>,
    input: unknown,
    ctx: MsgContext,
    signal: AbortSignal,
  ) {
    const { clock, observer } = this.#deps;
    signal.throwIfAborted();
    const startedAtMs = clock.monotonicMs();
    observer.onStageStart?.(ctx, stage.name);
    // The tuple's type guarantees that each stage gets what the one before it made.
    const running = runStageSafely(stage, input as never, signal, this.#deps);
    const result = await raceAbort(running, signal, clock, ABORT_GRACE_MS);
    observer.onStageComplete?.(ctx, stage.name, result.action, clock.monotonicMs() - startedAtMs);
    return result;
  }

  /** Where nothing can be stored any more, the sentence is said all the same. False where that fails too. */
  async #tellAtOnce(
    ctx: MsgContext,
    text: string,
    channel: ChannelPlugin,
    signal: AbortSignal,
  ): Promise<boolean> {
    const part = {
      deliveryId: newId<DeliveryId>(),
      target: targetOf(ctx),
      payload: { text, isClosing: true },
    };
    try {
      signal.throwIfAborted();
      await raceAbort(channel.send(part, signal), signal, this.#deps.clock, 0);
      return true;
    } catch {
      return false;
    }
  }

  /** Tells the person, in one sentence. Only a shutdown says nothing: the message is taken up again. */
  async #fail(ctx: MsgContext, received: Received | undefined, error: unknown): Promise<ProcessOutcome> {
    if (error instanceof RunAbortedError && error.kind === 'shutdown') {
      received?.acknowledgement.pause();
      return { outcome: 'parked' };
    }
    if (error instanceof RunAbortedError && error.kind === 'superseded') {
      void received?.acknowledgement.withdraw();
      if (received) void this.#deps.live?.withdraw(ctx, received.channel);
      return { outcome: 'superseded' };
    }
    const isStop = error instanceof RunAbortedError && error.kind === 'stopped';
    const errorId = newErrorId();
    const { signal, clear } = this.#timeForWords();
    if (!isStop) this.#deps.observer.onPipelineError?.(ctx, error, errorId);
    const text = failureText(error, ctx.locale, errorId);
    try {
      if (received) {
        const telling = this.#deps.delivery.closeWith(ctx, text, received.channel, signal);
        await raceAbort(telling, signal, this.#deps.clock, 0);
      }
      return isStop ? { outcome: 'done' } : { outcome: 'failed', errorId };
    } catch (cause) {
      const isTold = received && (await this.#tellAtOnce(ctx, text, received.channel, signal));
      this.#deps.logger.error(
        isTold
          ? 'What was said of a failure could not be stored'
          : 'The sender could not be told of a failure',
        { errorId, error, cause },
      );
      return { outcome: 'failed', errorId };
    } finally {
      clear();
      await received?.acknowledgement.end(isStop);
    }
  }
}
