import { type ApprovalId, asId, type ChannelId, type InboxId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type {
  DailyUsage,
  Operator,
  OperatorActions,
  OperatorReports,
} from '#src/kernel/operations/operator.ts';
import type { SystemStatus } from '#src/kernel/operations/status.ts';

const DISCORD = asId<ChannelId>('discord');
const SLACK = asId<ChannelId>('slack');
const AT = Temporal.Instant.from('2026-11-13T06:00:00Z');

const STATUS: SystemStatus = {
  version: '0.1.0',
  uptimeMs: 3_723_000,
  memoryBytes: 142_000_000,
  channels: [
    { id: DISCORD, isConnected: true },
    { id: SLACK, isConnected: false },
  ],
  queue: { sessions: 4, running: 2, waiting: 1 },
  lanes: [
    { laneId: 'main', active: 2, queued: 1, maxConcurrency: 8 },
    { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 2 },
  ],
  breakers: [{ name: 'anthropic', state: 'open' }],
  processes: [
    {
      id: '0199aaaa-0000-7000-8000-000000000001',
      role: 'all',
      version: '0.1.0',
      channels: ['discord', 'slack'],
      sessions: 3,
      startedAt: AT,
      isSelf: true,
      isLeading: true,
    },
    {
      id: '0199bbbb-0000-7000-8000-000000000002',
      role: 'worker',
      version: '0.1.0',
      channels: ['discord'],
      sessions: 1,
      startedAt: AT,
      isSelf: false,
      isLeading: false,
    },
  ],
  inbox: { pending: 3, suspended: 1 },
  numbers: {
    answers: 210,
    toRepair: 9,
    checked: 1_204,
    supported: 900,
    quoted: 200,
    derived: 90,
    asked: 7,
    repaired: 31,
    marked: 9,
  },
  deadLetters: { count: 2, newest: [] },
  plugins: [
    { name: 'example', failures: 0 },
    { file: 'broken.ts', reason: 'it has no default export' },
  ],
};

const usageOn = (day: string, overrides: Partial<DailyUsage> = {}): DailyUsage => ({
  day: Temporal.PlainDate.from(day),
  model: 'claude-sonnet-5',
  channelId: DISCORD,
  person: 'p-3f9a1c',
  requestCount: 12,
  failedCount: 1,
  inputTokens: 48_000,
  outputTokens: 9_200,
  costUsd: new Decimal('0.4215'),
  unpricedCount: 0,
  ...overrides,
});

/** What the operator page shows in tests. Each part can be replaced, also by one that throws. */
export const fakeReports = (overrides: Partial<OperatorReports> = {}): OperatorReports => ({
  status: async () => STATUS,
  usage: async (days) => ({
    timeZone: 'Asia/Seoul',
    days: [
      usageOn('2026-11-11', { model: 'gpt-5-mini', channelId: SLACK, person: 'p-77b0e2' }),
      usageOn('2026-11-12', { costUsd: new Decimal('1.2') }),
      usageOn('2026-11-13', { unpricedCount: 2 }),
    ].filter(
      ({ day }) =>
        Temporal.PlainDate.compare(day, Temporal.PlainDate.from('2026-11-13').subtract({ days: days - 1 })) >=
        0,
    ),
  }),
  spending: async () => ({
    todayUsd: new Decimal('0.4215'),
    limits: { perUserUsd: new Decimal(2), perDayUsd: new Decimal(20) },
  }),
  keys: async () => [
    {
      id: 'k1',
      provider: 'anthropic',
      name: 'team',
      masked: 'sk-ant-…9f3A',
      source: 'profile',
      isSaved: true,
      isActive: true,
      isPreferred: true,
      health: 'healthy',
      cooldownMs: 0,
    },
    {
      id: 'k2',
      provider: 'openai',
      name: '',
      masked: 'sk-…77Qz',
      source: 'environment',
      isSaved: false,
      isActive: true,
      isPreferred: false,
      health: 'degraded',
      cooldownMs: 90_000,
      cooldownReason: 'auth',
    },
  ],
  deadLetters: async () => ({
    count: 2,
    newest: ['a', 'b'].map((letter) => ({
      inboxId: asId<InboxId>(`0199${letter}000-0000-7000-8000-000000000000`),
      channelId: DISCORD,
      attempts: 5,
      reason: 'The model did not answer in time',
      errorId: `e${letter}12`,
      at: AT,
    })),
  }),
  refusedPosts: () => [{ channelId: SLACK, code: 'is_archived', count: 3, at: AT, errorId: 'ec34' }],
  approvals: async (by) => [
    {
      id: asId<ApprovalId>('ap-1'),
      toolName: 'set_reminder',
      channelId: DISCORD,
      person: 'p-3f9a1c',
      askedAt: AT,
      expiresAt: AT.add({ hours: 1 }),
      summary: by.kind === 'admin' ? '> Remind you of "Apple & co"\n> at 09:00' : undefined,
    },
  ],
  plans: async () => [{ channelId: DISCORD, alerts: 12, briefings: 3 }],
  market: () => ({
    kind: 'sample',
    sources: [
      { name: 'yahoo', state: 'open' },
      { name: 'upbit', state: 'closed' },
    ],
  }),
  settings: [
    { path: 'pipeline.timeoutSeconds', value: '120', source: 'default' },
    { path: 'timeZone', value: 'Asia/Seoul', source: 'file' },
    { path: 'FINCLAW_OPERATOR_TOKEN', value: '[***]', source: 'environment' },
  ],
  feedback: async () => [{ model: 'claude-sonnet-5', counts: { up: 40, down: 3 } }],
  log: () => [
    { at: AT, level: 'info', logger: 'finclaw', text: 'FinClaw is ready' },
    { at: AT.add({ seconds: 1 }), level: 'warn', logger: 'market', text: 'market: Yahoo answered slowly' },
    { at: AT.add({ seconds: 2 }), level: 'error', logger: 'model', text: 'The model did not answer in time' },
  ],
  audit: async () => [
    { at: AT, action: 'operator-login', person: 'p-3f9a1c', details: { channel: 'discord' } },
  ],
  shares: async () => [
    { id: 's1', person: 'p-77b0e2', channelId: SLACK, sharedAt: AT, expiresAt: AT.add({ hours: 24 }) },
  ],
  nameOf: async () => 'Ann',
  ...overrides,
});

/** Remembers what operators did. */
export const fakeActions = (overrides: Partial<OperatorActions> = {}) => {
  const done: (readonly [what: string, ...details: unknown[]])[] = [];
  const record =
    <T>(what: string, outcome: T) =>
    async (...details: readonly unknown[]): Promise<T> => {
      done.push([what, ...details]);
      return outcome;
    };
  const actions: OperatorActions = {
    replay: record('replay', 'done'),
    discard: record('discard', 'done'),
    setKeyActive: record('setKeyActive', 'done'),
    restKey: record('restKey', 'done'),
    decide: record('decide', 'done'),
    readShare: record('readShare', [
      { at: AT, from: 'person', text: 'What is the price of AAPL?' },
      { at: AT.add({ seconds: 5 }), from: 'bot', text: 'AAPL costs $270.' },
    ]),
    recordLogin: record<void>('recordLogin', undefined),
    recordLogout: record<void>('recordLogout', undefined),
    ...overrides,
  };
  return { actions, done };
};

export const ADMIN: Operator = {
  kind: 'admin',
  person: { channelId: DISCORD, userId: asId('42') },
  roles: [],
};
