import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import { evidenceIn } from '#src/agent/grounding/facts/evidence.ts';
import type { EngineDeps } from '#src/agent/engine.ts';
import { ContextKeeper } from '#src/agent/loop/context-keeper.ts';
import { createExecutionAdapter } from '#src/agent/loop/execution-adapter.ts';
import { createModelCaller } from '#src/agent/loop/model-caller.ts';
import { Runner } from '#src/agent/loop/runner.ts';
import { TokenEstimator } from '#src/agent/tokens.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { DEFAULT_FALLBACK_ON } from '#src/agent/models/fallback.ts';
import { openKeyRing, openModelChoice } from '#src/agent/open-models.ts';
import { openPrompts, type PromptDeps } from '#src/agent/prompt/open-prompts.ts';
import { offline, offlineRules } from '#src/agent/offline/offline-provider.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { createAuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { createSessionSettings } from '#src/agent/store/session-settings.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { openToolbox } from '#src/agent/toolbox.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import { createBudget } from '#src/agent/usage/budget.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { ExecutionAdapter } from '#src/kernel/agent/execution.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createFinanceTools } from '#src/features/open/tools.ts';
import { createBudgetLedger } from '#src/agent/store/budget-ledger.ts';
import { quietServices } from '#test/support/quiet-services.ts';

interface OfflineAdapterDeps extends Pick<
  EngineDeps,
  'storage' | 'hooks' | 'steering' | 'clock' | 'events' | 'logger'
> {
  readonly profiles: PromptDeps['profiles'];
  readonly config: Config;
  readonly turns: TurnStore;
  readonly markets: MarketQueries;
  readonly symbols: SymbolSearch;
}

/** The engine without a key, as the app puts it together, but with the given turns. */
export const openOfflineAdapter = async (
  deps: OfflineAdapterDeps,
): Promise<{ readonly adapter: ExecutionAdapter; readonly close: () => Promise<void> }> => {
  const { config, storage, turns, hooks, steering, clock, events, logger } = deps;
  const settings = { ...config.engine, agents: config.agents };
  const { maxOutputTokens, maxRetriesPerKey } = settings;
  const toolbox = await openToolbox({
    settings: config,
    dataDir: config.dataDir,
    approvals: nobodyToAsk,
    hooks,
    clock,
    events,
    logger,
  });
  toolbox.registerTools(createFinanceTools({ ...deps, ...quietServices }));
  const tools = toolbox.registry;
  const keys = await openKeyRing({ ...deps, settings, savedKeys: createAuthProfileRows(storage) });
  const models = openModelChoice(
    { ...deps, settings, sessions: createSessionSettings(storage) },
    keys,
    () => true,
  );
  const estimator = new TokenEstimator();
  const askModel = createModelCaller({
    providers: createProviders({
      settings: settings.providers,
      offline: offline({ readSentence: createReadSentence(deps.symbols) }),
      clock,
      onBreakerChange: () => undefined,
    }),
    keys,
    budget: createBudget({
      ledger: createBudgetLedger(storage, () => ''),
      isExclusive: true,
      clock,
      logger,
      timeZone: config.timeZone,
    }),
    estimator,
    settings: { maxOutputTokens, maxRetriesPerKey, fallbackOn: DEFAULT_FALLBACK_ON },
    clock,
    events,
    logger,
  });
  const { maxParallelTools: maxParallel, maxResultChars } = settings;
  const executor = new ToolExecutor({
    executeTool: toolbox.execute,
    maxParallel,
    maxResultChars,
    monotonicMs: clock.monotonicMs,
  });
  const prompts = openPrompts({
    ...deps,
    tools,
    skills: toolbox.skills,
    instructions: settings.instructions,
    agents: config.agents,
    locale: config.locale,
  });
  const adapter = createExecutionAdapter({
    runner: new Runner({ askModel, tools: executor, clock, events }),
    transcripts: createTranscriptStore(createTranscriptRows(storage), clock, logger, events),
    turns,
    exchanges: { behind: async () => undefined },
    models,
    prompts,
    windows: new ContextKeeper({ askModel, estimator, ...settings, events }),
    hooks,
    steering,
    offline: offlineRules(async () => ({ calls: [] })),
    maxTurnsOf: () => settings.maxTurns,
    grounding: {
      modeOf: () => settings.grounding.mode,
      check: async (answer, messages, today) => checkAnswer(answer, evidenceIn(messages(), today)),
      tally: { add: () => undefined },
    },
    events,
    clock,
    logger,
  });
  return { adapter, close: async () => toolbox.skills.stop() };
};

const ANSWER = `Apple closed at 304.12 dollars, 0.59 percent below the previous close. ${'The market was calm. '.repeat(20)}`;

/** A model that answers at once and keeps no conversation: all that is left is what the gateway costs. */
export const instantAdapter: ExecutionAdapter = {
  execute: async () => ({
    status: 'completed',
    content: ANSWER,
    facts: [],
    usage: NO_USAGE,
    isCut: false,
  }),
};
