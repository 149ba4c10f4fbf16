import { createCommands } from '#commands/index.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { NO_NUMBERS } from '#src/kernel/operations/status.ts';
import * as features from '#src/features/index.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { quietServices } from '#test/support/quiet-services.ts';
import { usageSnapshot } from '#test/support/usage.ts';
import { contextReport, keyStatus, modelInfo } from './support.ts';
import { markup } from '#test/support/markup.ts';

const NOTHING_KEPT = {
  messages: 0,
  conversations: 0,
  usageRecords: 0,
  reminders: 0,
  hasProfile: false,
  portfolios: 0,
  transactions: 0,
  alerts: 0,
  watched: 0,
  briefings: 0,
  verdicts: 0,
  others: [],
};

const nothing = async (): Promise<MarketAnswer> => ({ content: 'nothing', facts: [], found: 0 });
const markets = Object.fromEntries(
  Object.values(features)
    .flatMap((feature) => ('queries' in feature ? Object.keys(feature.queries) : []))
    .map((name) => [name, nothing]),
) as unknown as MarketQueries;

/** All of them, in a bot of which only these services know and do something. */
export const commandsWith = (services: Partial<typeof quietServices>): readonly Command[] =>
  createCommands({
    markets: { markets, symbols: createSymbolSearch() },
    people: {
      ...quietServices,
      ...services,
      markup,
      profiles: { get: async () => ({}), change: async () => undefined },
      zones: { settle: async () => [] },
      supportShares: {
        share: async () => Temporal.Instant.from('2026-11-14T06:30:00Z'),
        revoke: async () => false,
        current: async () => undefined,
      },
      guildSettings: { of: () => ({}), change: async () => ({}), revision: () => 0 },
      accountData: {
        retentionDays: 90,
        labels: [],
        counts: async () => NOTHING_KEPT,
        erase: async () => NOTHING_KEPT,
        export: async () => ({
          kind: 'file',
          mimeType: 'application/json',
          name: 'data.json',
          url: 'file:///x',
        }),
      },
      identities: {
        labels: [],
        of: async (person) => [person],
        ask: async () => ({ status: 'unknown' }),
        decline: async () => false,
        split: async () => undefined,
        issueCode: async () => ({
          code: 'ABCD-EFGH',
          expiresAt: Temporal.Instant.from('2026-11-15T00:00:00Z'),
        }),
        link: async () => ({ status: 'unknown' }),
        voidCode: async () => undefined,
        unlink: async () => undefined,
      },
      directTarget: async () => undefined,
      tellAlone: async () => false,
      pairings: {
        confirm: async () => undefined,
        deny: async () => undefined,
        pending: async () => [],
        revoke: async () => false,
      },
      notifier: { notify: async () => 'stored' },
    },
    chat: {
      listCommands: () => allCommands.map(({ definition }) => definition),
      queue: {
        stop: async () => 'idle',
        whileStopped: (_sessionKey, work) => work(),
        status: () => ({ isRunning: false, waiting: 0 }),
        runningInThreads: async () => [],
      },
      conversations: {
        reset: async () => false,
        participants: async () => ({ people: new Set(), isComplete: true }),
        context: async () => contextReport(),
        export: async () => undefined,
      },
      feedback: { export: async () => undefined },
      answerSources: { explain: async () => ({ status: 'none' }) },
      approvals: {
        pending: async () => [],
        pendingFor: async () => [],
        decide: async () => ({ outcome: 'unknown' }),
        giveUp: async () => 0,
      },
      models: {
        current: async () => ({ model: modelInfo(), isChosen: false, fallbacks: [] }),
        list: () => [],
        switchTo: async () => ({ status: 'unknown', near: [] }),
        useDefault: async () => modelInfo(),
      },
      usage: {
        today: async () => ({ total: usageSnapshot(), byModel: [] }),
        month: async () => ({ total: usageSnapshot(), byModel: [] }),
        conversation: async () => usageSnapshot(),
        monthByProvider: async () => [],
        requests: async () => [],
        limits: { perUserUsd: undefined, perDayUsd: undefined },
      },
      modes: { of: () => ({ mode: 'collect', setFor: 'default' }), choose: async () => undefined },
      recentRuns: { last: () => [] },
    },
    operations: {
      dashboard: undefined,
      backups: { everyHours: 0, make: async () => ({ status: 'running' }), list: async () => [] },
      toolPolicies: { names: () => [], explain: () => undefined },
      keys: {
        list: async () => [],
        setActive: async () => 'unknown',
        remove: async () => 'unknown',
        setPreferred: async () => 'unknown',
        add: async () => keyStatus(),
      },
      audit: { record: async () => undefined, recent: async () => [], recentReads: async () => [] },
      status: {
        current: async () => ({
          version: '0.0.0',
          uptimeMs: 0,
          memoryBytes: 0,
          channels: [],
          queue: { sessions: 0, running: 0, waiting: 0 },
          lanes: [],
          breakers: [],
          processes: [],
          inbox: { pending: 0, suspended: 0 },
          numbers: NO_NUMBERS,
          deadLetters: { count: 0, newest: [] },
          plugins: [],
        }),
      },
      settings: [],
      clock: new ManualClock(),
    },
  });

export const allCommands: readonly Command[] = commandsWith({});
