import { z } from 'zod';
import { createModelCaller } from '#src/agent/loop/model-caller.ts';
import type { AgentRunParams } from '#src/agent/loop/run-params.ts';
import { Runner, type RunResult } from '#src/agent/loop/runner.ts';
import { TokenEstimator } from '#src/agent/tokens.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { InMemoryModelCatalog } from '#src/agent/models/catalog.ts';
import { DEFAULT_FALLBACK_ON } from '#src/agent/models/fallback.ts';
import { buildModelAliasIndex, resolveModel } from '#src/agent/models/resolve-model.ts';
import { offline } from '#src/agent/offline/offline-provider.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { defineTool } from '#src/kernel/agent/tool.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createEvents } from '#src/platform/events.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

export const MODEL_ID = 'claude-sonnet-5-5';
export const API_KEY = 'sk-ant-bench-0000000000000000';
const QUOTE = 'AAPL 304.12 USD, -0.59 %, as of 2026-11-13T21:00:00Z, source: sample';

const quoteTool = defineTool({
  name: 'get_quote',
  description: 'Gives the newest quotes of the given symbols, with source and time.',
  group: 'finance',
  input: z.object({ symbols: z.array(z.string()), fields: z.string().optional() }),
  run: async () => ({ content: QUOTE, isError: false }),
});

/** Tools that are only there to be read: a bot has more of them than it uses in a turn. */
const furtherTool = (index: number) =>
  defineTool({
    name: `further_tool_${index}`,
    description: `Stands for one of the many tools of a bot: number ${index}. ${'It says when to use it, what it needs and what it gives back. '.repeat(6)}`,
    group: 'finance',
    input: z.object({
      symbol: z.string().describe('A ticker, or the name of a company in Korean or English.'),
      range: z.enum(['1d', '5d', '1mo', '1y']).describe('How far to look back.'),
    }),
    run: async () => ({ content: 'nothing', isError: false }),
  });

const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });

/** The engine as the app wires it, without storage: what it costs is what the loop costs. */
export const engineOn = (
  baseUrl: string,
  options: { readonly furtherTools: number; readonly prompt: string },
) => {
  const clock = systemClock;
  const events = createEvents(() => undefined);
  const registry = registryOf({ clock, events });
  registry.register(quoteTool, 'built-in');
  for (let index = 0; index < options.furtherTools; index += 1)
    registry.register(furtherTool(index), 'built-in');
  const provider = { baseUrl, maxConcurrency: 64, idleTimeoutMs: 30_000 };
  const runner = new Runner({
    askModel: createModelCaller({
      providers: createProviders({
        settings: { anthropic: provider, openai: { ...provider, api: 'responses' } },
        offline: offline({ readSentence: async () => ({ calls: [] }) }),
        clock,
        onBreakerChange: () => undefined,
      }),
      keys: {
        resolve: async () => ({ apiKey: API_KEY, profileId: 'bench' }),
        reportSuccess: async () => undefined,
        reportFailure: async () => undefined,
      },
      budget: {
        reserve: async () => ({
          verdict: 'reserved',
          reservation: { settle: async () => undefined, cancel: async () => undefined },
        }),
      },
      estimator: new TokenEstimator(),
      settings: { maxOutputTokens: 4_096, maxRetriesPerKey: 0, fallbackOn: DEFAULT_FALLBACK_ON },
      clock,
      events,
      logger,
    }),
    tools: new ToolExecutor({
      executeTool: registry.execute,
      maxParallel: 8,
      maxResultChars: 10_000,
      monotonicMs: clock.monotonicMs,
    }),
    clock,
    events,
  });
  const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS);
  const index = buildModelAliasIndex(catalog, { onDuplicate: () => undefined });
  const tools = registry.definitions();
  const base: Omit<AgentRunParams, 'messages' | 'toolContext' | 'append'> = {
    agentId: asId<AgentId>('bench'),
    models: [resolveModel({ raw: MODEL_ID }, catalog, index)],
    systemPrompt: options.prompt,
    tools,
    maxTurns: 8,
    onEvent: () => undefined,
  };
  const run = (
    sessionKey: string,
    messages: readonly ConversationMessage[],
    append: (message: ConversationMessage) => Promise<void> = async () => undefined,
  ): Promise<RunResult> =>
    runner.execute(
      {
        ...base,
        append,
        messages,
        toolContext: toolContextOf({ sessionKey: asId<SessionKey>(sessionKey) }),
      },
      new AbortController().signal,
    );
  return { run, tools };
};
