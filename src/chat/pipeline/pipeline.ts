import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ReceiptsOf } from '#src/kernel/agent/execution.ts';
import type { MessageOutcome } from '#src/kernel/operations/events.ts';
import type { ChannelId, DeliveryId, InboxId } from '#src/kernel/ids.ts';
import { type TurnContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { BeforeMessageProcessPayload } from '#src/kernel/operations/plugin.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import type { BindingMatch, PipelineStage, ProcessOutcome } from '#src/kernel/chat/stage.ts';
import { NEVER_ABORTED, raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import { newErrorId, newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import { createAcknowledgement } from '../delivery/acknowledgement.ts';
import { type Delivery, deliveryFailure, type DeliveryReport, targetOf } from '../delivery/delivery.ts';
import { PipelineError } from '../delivery/errors.ts';
import type { LiveAnswers } from '../delivery/live-answers.ts';
import type { Received, SixStages } from './stage-types.ts';
import type { PipelineObserver, PipelineResult } from './observer.ts';
import { failureText, runStageSafely } from './stage-failures.ts';

export interface PipelineDependencies extends Uses<'clock' | 'logger'> {
  readonly stages: SixStages;
  readonly delivery: Delivery;
  /** Removes the live message of a superseded answer. */
  readonly live?: Pick<LiveAnswers, 'withdraw' | 'forget'>;
  readonly channelOf: (id: ChannelId) => ChannelPlugin;
  readonly observer: PipelineObserver;
  readonly hooks: Pick<Hooks, 'beforeMessageProcess' | 'afterMessageProcess'>;
  /** The receipts of a turn, which the person gets even if it has no answer. */
  readonly receiptsOf: ReceiptsOf;
  /** Whether the model was asked about this message before a crash or an approval. */
  readonly isBegun: (inboxId: InboxId) => Promise<boolean>;
  readonly timeoutMs: number;
  readonly enableAck?: boolean;
}

const SUCCESSES: ReadonlySet<MessageOutcome> = new Set(['answered', 'skipped', 'suspended']);
/** The time that an aborted stage gets to clean up. */
const ABORT_GRACE_MS = 2_000;
/** The time to tell the sender about a failure, after the run's own deadline. */
const FAILURE_NOTICE_MS = 30_000;

/** Passes an accepted message through the six stages. */
export class AutoReplyPipeline {
  readonly #deps: PipelineDependencies;

  constructor(deps: PipelineDependencies) {
    this.#deps = deps;
  }

  /**
   * Ends with an answer, with silence requested by a control token, with an approval request (`suspended`), or with a
   * retry at the next start (`parked`). Never throws. `onAnswered` is called when the answer only has to be sent.
   */
  readonly process = async (
    ctx: TurnContext,
    match: BindingMatch,
    parent: AbortSignal,
    onAnswered: () => void = () => undefined,
  ): Promise<ProcessOutcome> => {
    const startedAtMs = this.#deps.clock.monotonicMs();
    const outcome = await this.#process(ctx, match, parent, onAnswered);
    this.#deps.live?.forget(ctx.inboxId);
    const durationMs = this.#deps.clock.monotonicMs() - startedAtMs;
    // Not awaited: `after…` hooks must not delay the next message.
    void this.#deps.hooks.afterMessageProcess.fire({ ctx, outcome: outcome.outcome, durationMs });
    return outcome;
  };

  async #process(
    ctx: TurnContext,
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
    const end = (result: Omit<PipelineResult, 'success' | 'stagesExecuted' | 'durationMs'>): void =>
      observer.onPipelineComplete?.(ctx, {
        ...result,
        success: SUCCESSES.has(result.outcome),
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
        { ...this.#deps, isFirstAttempt: ctx.isFirstAttempt === true },
      );
      received = { ctx, match, channel, acknowledgement };

      // An answer that was planned before a restart is only sent, not generated again.
      const onlySend = (): void => {
        lift();
        onAnswered();
      };
      const resumed = ctx.isFirstAttempt
        ? undefined
        : await this.#resume(ctx.inboxId, channel, signal, onlySend);
      if (resumed && resumed.parts > 0) {
        await acknowledgement.resume();
        void this.#deps.live?.withdraw(ctx, channel, 'unrecorded');
        const failure = deliveryFailure(resumed);
        if (failure && !resumed.isClosed) throw failure;
        end({ outcome: 'answered', reason: 'delivered after a restart' });
        return { outcome: 'done' };
      }

      const asSent: BeforeMessageProcessPayload = { ctx, body: ctx.rawBody };
      // Plugins ran when the message was first processed and are not called again.
      const isBegun = !ctx.isFirstAttempt && (await this.#deps.isBegun(ctx.inboxId));
      const before = isBegun
        ? asSent
        : await raceAbort(this.#deps.hooks.beforeMessageProcess.fire(asSent), signal, clock, 0);
      if (before.skip) {
        const reply = before.skipReply;
        if (reply) {
          const delivering = delivery.deliver(ctx, { text: reply }, channel, signal);
          const failure = deliveryFailure(await raceAbort(delivering, signal, clock, ABORT_GRACE_MS));
          if (failure) throw failure;
        }
        end({ outcome: 'answered', reason: 'answered by a plugin' });
        return { outcome: 'done' };
      }
      if (before.body !== ctx.rawBody) {
        const { command: _ofOtherWords, ...changed } = ctx;
        received = { ...received, ctx: { ...changed, rawBody: before.body } };
      }

      let current: unknown = received;
      for (const stage of this.#deps.stages) {
        // From here on the deadline is lifted and the lane is free, because the platform may be unreachable for long.
        if (stage.name === 'deliver') onlySend();
        const result = await this.#runStage(stage, current, ctx, signal);
        stagesExecuted.push(stage.name);
        if (result.action === 'abort') {
          throw result.error ?? new PipelineError(result.reason, 'STAGE_FAILED');
        }
        if (result.action === 'skip' || result.action === 'suspend') {
          await received.acknowledgement.end(true);
          const { action, reason } = result;
          const command = action === 'skip' ? result.command : undefined;
          if (command !== undefined) end({ outcome: 'answered', reason, command });
          else end({ outcome: action === 'skip' ? 'skipped' : 'suspended', reason });
          return { outcome: action === 'skip' ? 'done' : 'suspended' };
        }
        current = result.data;
      }
      await received.acknowledgement.end(true);
      end({ outcome: 'answered' });
      return { outcome: 'done' };
    } catch (error) {
      // After an abort, its reason counts, whatever error the stage threw.
      const cause: unknown = signal.aborted ? signal.reason : error;
      const outcome = await this.#fail(ctx, received, cause);
      // The person who stopped it was told so.
      const ended = outcome.outcome === 'done' ? 'stopped' : outcome.outcome;
      const errorId = outcome.outcome === 'failed' ? { errorId: outcome.errorId } : {};
      const reason = cause instanceof RunAbortedError ? cause.kind : outcome.outcome;
      end({ outcome: ended, reason, ...errorId });
      return outcome;
    } finally {
      clear();
    }
  }

  /** Sends the planned answer of a message even if the message is refused now (no lane, too many attempts). */
  async #resume(
    inboxId: InboxId,
    channel: ChannelPlugin,
    signal: AbortSignal,
    onPlanned: () => void,
  ): Promise<DeliveryReport> {
    const { delivery, clock } = this.#deps;
    const isRefused = signal.aborted && !(signal.reason instanceof RunAbortedError);
    const { signal: allowed, clear } = isRefused
      ? this.#noticeDeadline()
      : { signal, clear: () => undefined };
    try {
      const sending = delivery.resume(inboxId, channel, allowed, onPlanned);
      return await raceAbort(sending, allowed, clock, ABORT_GRACE_MS);
    } finally {
      clear();
    }
  }

  #noticeDeadline(): ReturnType<typeof withDeadline> {
    const { clock } = this.#deps;
    return withDeadline(NEVER_ABORTED, FAILURE_NOTICE_MS, clock, () => new RunAbortedError('timeout'));
  }

  async #runStage(
    stage: PipelineStage<never, unknown>,
    input: unknown,
    ctx: TurnContext,
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

  /** Sends the failure message without storing it. False if that fails too. */
  async #sendUnstored(
    ctx: TurnContext,
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

  /** The answer to the newer message does not tell what was changed for this one. Never rejects. */
  async #tellChanges(ctx: TurnContext, channel: ChannelPlugin): Promise<void> {
    const { signal, clear } = this.#noticeDeadline();
    try {
      const receipts = await this.#receiptsOf(ctx, signal);
      if (receipts.length > 0)
        await raceAbort(
          this.#deps.delivery.closeWith(ctx, '', channel, signal, receipts),
          signal,
          this.#deps.clock,
          0,
        );
    } catch (error) {
      this.#deps.logger.error('What a superseded turn has changed could not be told', { error });
    } finally {
      clear();
    }
  }

  /** None if they cannot be read: the failure is told in any case. */
  async #receiptsOf(ctx: TurnContext, signal: AbortSignal): Promise<readonly ChangeReceipt[]> {
    try {
      return await raceAbort(this.#deps.receiptsOf(ctx), signal, this.#deps.clock, 0);
    } catch (error) {
      this.#deps.logger.error('What a failed turn has changed could not be read', { error });
      return [];
    }
  }

  /** Tells the person about a failure. A shutdown is silent, because the next start processes the message again. */
  async #fail(ctx: TurnContext, received: Received | undefined, error: unknown): Promise<ProcessOutcome> {
    if (error instanceof RunAbortedError && error.kind === 'shutdown') {
      received?.acknowledgement.pause();
      return { outcome: 'parked' };
    }
    if (error instanceof RunAbortedError && error.kind === 'superseded') {
      void received?.acknowledgement.withdraw();
      if (received) {
        void this.#deps.live?.withdraw(ctx, received.channel);
        await this.#tellChanges(ctx, received.channel);
      }
      return { outcome: 'superseded' };
    }
    const isStop = error instanceof RunAbortedError && error.kind === 'stopped';
    const errorId = newErrorId();
    const { signal, clear } = this.#noticeDeadline();
    if (!isStop) this.#deps.observer.onPipelineError?.(ctx, error, errorId);
    const text = failureText(error, ctx.locale, errorId);
    try {
      if (received) {
        const receipts = await this.#receiptsOf(ctx, signal);
        const telling = this.#deps.delivery.closeWith(ctx, text, received.channel, signal, receipts);
        await raceAbort(telling, signal, this.#deps.clock, 0);
      }
      return isStop ? { outcome: 'done' } : { outcome: 'failed', errorId };
    } catch (cause) {
      const isTold = received && (await this.#sendUnstored(ctx, text, received.channel, signal));
      this.#deps.logger.error(
        isTold
          ? 'A failure message was sent but could not be stored'
          : 'The sender could not be told about a failure',
        { errorId, error, cause },
      );
      return { outcome: 'failed', errorId };
    } finally {
      clear();
      await received?.acknowledgement.end(isStop);
    }
  }
}
