import { createMediaMemory } from '#src/platform/files/media-memory.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { ExecutionAdapter, PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { type CommandRegistry, createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import type { SixStages } from '#src/chat/pipeline/stage-types.ts';
import { createEventObserver } from '#src/chat/pipeline/observer.ts';
import { AutoReplyPipeline, type PipelineDependencies } from '#src/chat/pipeline/pipeline.ts';
import { normalize } from '#src/chat/pipeline/1-normalize.ts';
import { command } from '#src/chat/pipeline/2-command.ts';
import { ack } from '#src/chat/pipeline/3-ack.ts';
import { context } from '#src/chat/pipeline/4-context.ts';
import { execute } from '#src/chat/pipeline/5-execute.ts';
import { deliver } from '#src/chat/pipeline/6-deliver.ts';
import { type DeliverySettings, MATCH, setUpDelivery } from '#test/chat/pipeline/support.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { markup, normalizeText } from '#test/support/markup.ts';

/** What the model "says", as late and as badly as a test wants it. */
export type Answer = (signal: AbortSignal) => Promise<string>;

export interface PipelineSettings extends DeliverySettings {
  readonly answer?: Answer;
  readonly registry?: CommandRegistry;
  /** Puts another stage in the place of one of the six. */
  readonly replace?: (stages: SixStages) => SixStages;
  readonly deps?: Partial<PipelineDependencies>;
  readonly enableAck?: boolean;
}

export const ping: Command = {
  definition: {
    name: 'ping',
    aliases: [],
    description: { ko: '', en: '' },
    usage: { ko: '', en: '' },
    category: 'debug',
  },
  execute: async () => ({ content: 'pong', ephemeral: true }),
};

/** The pipeline with its six real stages, a real outbox, a channel in memory and a minute of time. */
export const setUpPipeline = async (settings: PipelineSettings = {}) => {
  const {
    answer = async () => 'Apple rose.',
    registry = createCommandRegistry([ping]),
    replace = (stages) => stages,
    deps,
    enableAck = true,
    ...options
  } = settings;
  const base = await setUpDelivery(options);
  const { delivery, clock, channel, recorded } = base;
  const { logger, records } = recordingLogger();
  const hooks = createHooks(logger, clock);
  /** What the model was asked, in order. */
  const asked: PipelineMsgContext[] = [];
  const adapter: ExecutionAdapter = {
    execute: async (ctx, signal) => {
      asked.push(ctx);
      return {
        status: 'completed',
        content: await answer(signal),
        facts: [],
        isCut: false,
      };
    },
  };
  const stages: SixStages = replace([
    normalize(normalizeText),
    command({ registry, delivery, clock, ack: { enableAck } }),
    ack({ enableAck }),
    context({
      financeContextProvider: {},
      registry,
      markup,
      openingOf: async () => undefined,
      media: createMediaMemory(),
      storedToday: { takePicture: async () => true },
      clock,
      logger,
    }),
    execute({
      adapter,
      awaitInput: async () => undefined,
      attachQuotes: async () => undefined,
      budget: { used: async () => undefined },
      logger,
    }),
    deliver({ delivery, feedback: { mode: 'off', channels: {} } }),
  ]);
  const pipeline = new AutoReplyPipeline({
    stages,
    delivery,
    channelOf: () => channel,
    observer: createEventObserver(recorded.events),
    isBegun: async () => false,
    receiptsOf: async () => [],
    hooks,
    timeoutMs: 60_000,
    clock,
    logger,
    ...deps,
  });
  const run = new AbortController();
  const process = (ctx: TurnContext = msgContext()) => pipeline.process(ctx, MATCH, run.signal);
  return { ...base, logger, records, hooks, asked, stages, pipeline, run, process };
};

/** Waits for the abort, as a well-behaved model call does. */
export const untilAborted: Answer = (signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

export const deaf: Answer = () => new Promise(() => undefined);
