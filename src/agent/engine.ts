import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import { agentSettingsOf, type GroundingMode } from '#src/kernel/agent/agent-settings.ts';
import type { AnswerSources } from '#src/kernel/agent/answer-sources.ts';
import type { ExecutionAdapter, OpeningOf, ReceiptsOf } from '#src/kernel/agent/execution.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { BudgetCheck, UsageReports } from '#src/kernel/agent/usage.ts';
import type { NumberCounts } from '#src/kernel/operations/status.ts';
import type { Conversations } from '#src/kernel/agent/conversations.ts';
import type { Keys } from '#src/kernel/agent/keys.ts';
import type { Models } from '#src/kernel/agent/models.ts';
import type { Steering } from '#src/kernel/chat/queue.ts';
import type { ReadPicture } from '#src/kernel/agent/picture-task.ts';
import type { ReadSentence } from '#src/kernel/agent/sentence.ts';
import type { Transcriber } from '#src/kernel/agent/transcription.ts';
import type { WarmUp } from '#src/kernel/operations/warm-up.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import type { BreakerStatus } from '#src/platform/concurrency/circuit-breaker.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import { createBudgetLedger } from '#src/agent/store/budget-ledger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createUsageLedger } from '#src/agent/store/usage.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import type { Uses } from '#src/platform/services.ts';
import type { CompactionSettings } from './memory/window/compaction.ts';
import { createAnswerSources } from './answer-sources.ts';
import { createConversations } from './conversations.ts';
import { checkInSteps, needsCheck } from './grounding/judge/check-answer.ts';
import { NOTHING_TO_CHECK } from './grounding/judge/verdict.ts';
import { evidenceIn } from './grounding/facts/evidence.ts';
import type { FallbackReason } from './errors.ts';
import { ContextKeeper } from './loop/context-keeper.ts';
import { createReceiptsOf } from './loop/answer-facts.ts';
import { createExecutionAdapter } from './loop/execution-adapter.ts';
import { createModelCaller } from './loop/model-caller.ts';
import { createNumberTally } from './loop/number-tally.ts';
import { createPictureReader } from './loop/picture-reader.ts';
import { Runner } from './loop/runner.ts';
import { TokenEstimator } from './tokens.ts';
import { ToolExecutor } from './loop/tool-executor.ts';
import { DEFAULT_FALLBACK_ON } from './models/fallback.ts';
import { type KeySettings, type ModelSettings, type OpenedModels, temperatureOf } from './open-models.ts';
import { offline, offlineRules } from './offline/offline-provider.ts';
import { createProviders } from './providers/providers.ts';
import type { TranscriptStore } from './memory/transcript/transcript-store.ts';
import { createOpeningOf } from './loop/thread-opening.ts';
import type { ExecuteTool } from './tools/call-execution.ts';
import type { ToolRegistry } from './tools/tool-registry.ts';
import { createTranscriber, type VoiceSettings } from './transcriber.ts';
import { agentWarmUps } from './warm-up.ts';
import { createBudget } from './usage/budget.ts';
import { dayOf } from './usage/periods.ts';
import { createUsageReports, UsageAggregator } from './usage/usage-reports.ts';

/** The `engine` part of the configuration. */
export interface EngineSettings extends KeySettings, ModelSettings {
  readonly fallbackOn: readonly FallbackReason[] | undefined;
  readonly maxRetriesPerKey: number;
  readonly maxTurns: number;
  readonly maxOutputTokens: number;
  /** Upper limit for a conversation, if the model's window is larger. */
  readonly maxContextTokens: number;
  readonly compaction: CompactionSettings;
  readonly maxParallelTools: number;
  readonly maxResultChars: number;
  readonly grounding: { readonly mode: GroundingMode };
  readonly voice: VoiceSettings;
}

export interface EngineDeps extends Uses<'clock' | 'events' | 'exchanges' | 'logger' | 'turns'> {
  readonly settings: EngineSettings;
  readonly models: Pick<OpenedModels, 'keys' | 'prompts' | 'choice'>;
  readonly files: Pick<SentFiles, 'save'>;
  readonly storage: Storage;
  /** No other process uses the database. */
  readonly isExclusive: boolean;
  readonly transcripts: TranscriptStore;
  readonly executeTool: ExecuteTool;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly hooks: Hooks;
  readonly readSentence: ReadSentence;
  readonly steering: Steering;
  readonly storedToday: DailyBytes;
}

/** The engine's interface to the rest of the program. */
export interface Engine {
  readonly adapter: ExecutionAdapter;
  readonly receiptsOf: ReceiptsOf;
  readonly openingOf: OpeningOf;
  readonly transcriber: Transcriber;
  readonly readPicture: ReadPicture;
  readonly models: Models;
  readonly keys: Keys;
  readonly usage: UsageReports;
  readonly conversations: Conversations;
  readonly answerSources: AnswerSources;
  readonly budget: BudgetCheck;
  /** Circuit breakers of providers that have been failing. */
  readonly breakers: () => readonly BreakerStatus[];
  /** How many numbers of answers had which verdict since the start. */
  readonly numbers: () => NumberCounts;
  readonly warmUps: readonly WarmUp[];
}

const decimal = (text: string | undefined): Decimal | undefined =>
  text === undefined ? undefined : new Decimal(text);

/** Assembles the engine: providers, the budget, and the loop that calls models and tools. */
export const createEngine = async (deps: EngineDeps): Promise<Engine> => {
  const { settings, storage, turns, exchanges, clock, events, logger } = deps;
  const { keys, prompts, choice: models } = deps.models;
  const limits = limitsIn(settings);
  const aggregator = new UsageAggregator({ ledger: createUsageLedger(storage.db) });

  const { providers, estimator, budget, askModel, transcriber } = await openRequests(deps, limits);
  const executor = new ToolExecutor({
    executeTool: deps.executeTool,
    maxParallel: settings.maxParallelTools,
    maxResultChars: settings.maxResultChars,
    monotonicMs: clock.monotonicMs,
  });
  const { maxOutputTokens, maxContextTokens, compaction } = settings;
  const windows = new ContextKeeper({
    askModel,
    estimator,
    maxOutputTokens,
    maxContextTokens,
    compaction,
    events,
  });
  const isOfPlugin = (tool: string): boolean => deps.tools.get(tool)?.source === 'plugin';
  const tally = createNumberTally();
  const adapter = createExecutionAdapter({
    runner: new Runner({ askModel, tools: executor, clock, events }),
    transcripts: deps.transcripts,
    turns,
    exchanges,
    models,
    prompts,
    windows,
    hooks: deps.hooks,
    steering: deps.steering,
    storedToday: deps.storedToday,
    offline: offlineRules(deps.readSentence),
    maxTurnsOf: (agentId) => agentSettingsOf(settings.agents ?? {}, agentId).maxTurns ?? settings.maxTurns,
    grounding: {
      modeOf: (agentId) =>
        agentSettingsOf(settings.agents ?? {}, agentId).grounding?.mode ?? settings.grounding.mode,
      check: async (answer, messages, today) =>
        needsCheck(answer, today)
          ? byTime(checkInSteps(answer, evidenceIn(messages(), today, isOfPlugin)), NEVER_ABORTED)
          : NOTHING_TO_CHECK,
      tally,
    },
    events,
    clock,
    logger,
  });
  return {
    adapter,
    receiptsOf: createReceiptsOf(deps.transcripts),
    openingOf: createOpeningOf({ transcripts: deps.transcripts, turns, exchanges }),
    transcriber,
    readPicture: createPictureReader({ askModel, models }),
    models,
    keys,
    usage: createUsageReports({ aggregator, clock, ...limits }),
    budget: {
      check: async (channelId, userId) => {
        // The offline model costs nothing.
        if (models.defaultModel().provider === 'offline') return 'ok';
        const found = await budget.check(channelId, userId);
        if (found.verdict === 'ok') return 'ok';
        return found.scope === 'user' ? 'user' : 'total';
      },
      used: budget.used,
    },
    breakers: providers.breakers,
    numbers: tally.current,
    conversations: createConversations({
      ...deps,
      ...compaction,
      windows,
      models,
      prompts,
      turns,
    }),
    answerSources: createAnswerSources({
      transcripts: deps.transcripts,
      turns,
      exchanges,
      // Of a tool that was removed nothing is known, so what it said stays private.
      isSensitive: (name) => deps.tools.get(name)?.tool.definition.accessesSensitiveData !== false,
    }),
    warmUps: agentWarmUps({
      choice: models,
      providers,
      prompts,
      limits: settings,
      clock,
    }),
  };
};

const limitsIn = ({ timeZone, perDayUsd, perUserUsd }: EngineSettings) => ({
  timeZone,
  perDayUsd: decimal(perDayUsd),
  perUserUsd: decimal(perUserUsd),
});

/** Opens what sends requests to providers, under the budget. */
const openRequests = async (deps: EngineDeps, limits: ReturnType<typeof limitsIn>) => {
  const { settings, storage, clock, events, logger } = deps;
  const { keys } = deps.models;
  const providers = createProviders({
    settings: settings.providers,
    offline: offline({ readSentence: deps.readSentence }),
    clock,
    onBreakerChange: (provider, from, to) => events.emit('provider:circuit:change', { provider, from, to }),
  });

  const estimator = new TokenEstimator();

  const budget = createBudget({
    ledger: createBudgetLedger(storage, (at) => dayOf(at, settings.timeZone)),
    isExclusive: deps.isExclusive,
    clock,
    logger,
    ...limits,
  });

  const askModel = createModelCaller({
    providers,
    keys,
    budget,
    estimator,
    settings: {
      maxOutputTokens: settings.maxOutputTokens,
      temperatureOf: (agentId) => temperatureOf(settings, agentId),
      maxRetriesPerKey: settings.maxRetriesPerKey,
      fallbackOn: settings.fallbackOn ?? DEFAULT_FALLBACK_ON,
    },
    clock,
    events,
    logger,
  });

  const transcriber = createTranscriber({
    settings: settings.voice,
    api: settings.providers.openai.api,
    providers,
    keys,
    budget,
    maxRetriesPerKey: settings.maxRetriesPerKey,
    fallbackOn: settings.fallbackOn ?? DEFAULT_FALLBACK_ON,
    clock,
    events,
    logger,
  });
  await budget.recover();
  return { providers, estimator, budget, askModel, transcriber };
};
