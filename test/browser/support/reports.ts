import type { AuditAction } from '#src/kernel/operations/audit.ts';
import { NO_NUMBERS } from '#src/kernel/operations/status.ts';
import { asId, type ApprovalId, type ChannelId, type InboxId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { OperatorActions, OperatorReports } from '#src/kernel/operations/operator.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import { fakeReports } from '#test/operator/fake-operator.ts';

/** Each calls `attacked` of the page if anything takes it for more than text. */
export const HOSTILE_TEXTS = [
  `<img src=x onerror="attacked('image')">`,
  `"><script>attacked('script')</script>`,
  `' autofocus onfocus='attacked(1)' x='`,
  `</code></td></table></title><svg onload=attacked('svg')>`,
  "javascript:attacked('address')",
  "${attacked('template')}{{attacked('braces')}}<%= attacked('tag') %>",
  '&lt;script&gt;attacked(2)&lt;/script&gt;',
  '\u202Eevil\u0007\u0000\u2028',
] as const;
export const HOSTILE = HOSTILE_TEXTS.join(' ');

const AT = Temporal.Instant.from('2026-11-13T06:00:00Z');
const BILLION = 1_234_567_890;
const channelId = asId<ChannelId>(HOSTILE);

const KEY: KeyStatus = {
  id: HOSTILE,
  provider: 'anthropic',
  name: HOSTILE,
  masked: HOSTILE,
  source: 'profile',
  isSaved: false,
  isActive: true,
  isPreferred: true,
  health: 'unhealthy',
  cooldownMs: 0,
};

/** Every text that a person, a provider or a file can choose is an attack, and every number is very large or very small. */
export const hostileReports: OperatorReports = fakeReports({
  status: async () => ({
    ...(await fakeReports().status()),
    version: HOSTILE,
    uptimeMs: BILLION,
    memoryBytes: BILLION,
    channels: [{ id: channelId, isConnected: false }],
    queue: { sessions: BILLION, running: BILLION, waiting: 0 },
    lanes: [{ laneId: HOSTILE, active: BILLION, queued: BILLION, maxConcurrency: BILLION }],
    breakers: [{ name: HOSTILE, state: 'half-open' }],
    processes: [
      {
        id: HOSTILE,
        role: 'all',
        version: HOSTILE,
        channels: [channelId, channelId],
        sessions: BILLION,
        startedAt: AT,
        isSelf: true,
        isLeading: true,
      },
    ],
    plugins: [
      { name: HOSTILE, failures: 1 },
      { file: HOSTILE, reason: HOSTILE },
    ],
  }),
  usage: async () => ({
    timeZone: 'Asia/Seoul',
    days: ['0', '0.0000001', '123456789.123456'].map((costUsd, index) => ({
      day: Temporal.PlainDate.from('2026-11-11').add({ days: index }),
      model: `${HOSTILE}${index}`,
      channelId,
      person: HOSTILE,
      requestCount: BILLION,
      failedCount: BILLION,
      inputTokens: Number.MAX_SAFE_INTEGER,
      outputTokens: 0,
      costUsd: new Decimal(costUsd),
      unpricedCount: BILLION,
    })),
  }),
  spending: async () => ({
    todayUsd: new Decimal('123456789.123456'),
    limits: { perUserUsd: new Decimal('0.01'), perDayUsd: new Decimal(0) },
  }),
  keys: async () => [KEY, { ...KEY, isActive: false, cooldownMs: BILLION, health: 'disabled' }],
  deadLetters: async () => ({
    count: BILLION,
    newest: [
      {
        inboxId: asId<InboxId>(HOSTILE),
        channelId,
        attempts: BILLION,
        reason: HOSTILE,
        errorId: HOSTILE,
        at: AT,
      },
    ],
  }),
  approvals: async () => [
    {
      id: asId<ApprovalId>(HOSTILE),
      toolName: HOSTILE,
      channelId,
      person: HOSTILE,
      askedAt: AT,
      expiresAt: AT,
      summary: HOSTILE,
    },
  ],
  plans: async () => [{ channelId, alerts: BILLION, briefings: BILLION }],
  market: () => ({ kind: 'live', sources: [{ name: HOSTILE, state: 'half-open' }] }),
  settings: [{ path: HOSTILE, value: HOSTILE, source: 'file' }],
  feedback: async () => [{ model: HOSTILE, counts: { up: 0, down: BILLION } }],
  log: () => [{ at: AT, level: 'error', logger: HOSTILE, text: HOSTILE }],
  audit: async () => [
    { at: AT, action: HOSTILE as AuditAction, person: HOSTILE, details: { [HOSTILE]: HOSTILE } },
  ],
  shares: async () => [{ id: HOSTILE, person: HOSTILE, channelId, sharedAt: AT, expiresAt: AT }],
  nameOf: async () => HOSTILE,
});

export const hostileActions: Partial<OperatorActions> = {
  readShare: async () => [
    { at: AT, from: 'person', text: `${HOSTILE}\n\n${HOSTILE}` },
    { at: AT, from: 'tool', text: 'x'.repeat(500) },
  ],
};

/** A bot that nobody uses yet. */
export const emptyReports: Partial<OperatorReports> = {
  status: async () => ({
    ...(await fakeReports().status()),
    channels: [],
    lanes: [],
    breakers: [],
    processes: [],
    plugins: [],
    queue: { sessions: 0, running: 0, waiting: 0 },
    inbox: { pending: 0, suspended: 0 },
    numbers: NO_NUMBERS,
    deadLetters: { count: 0, newest: [] },
  }),
  usage: async () => ({
    timeZone: 'Asia/Seoul',
    days: [],
  }),
  spending: async () => ({
    todayUsd: new Decimal(0),
    limits: { perUserUsd: undefined, perDayUsd: undefined },
  }),
  keys: async () => [],
  deadLetters: async () => ({ count: 0, newest: [] }),
  approvals: async () => [],
  plans: async () => [],
  market: () => ({ kind: 'undecided', sources: [] }),
  settings: [],
  feedback: async () => [],
  log: () => [],
  audit: async () => [],
  shares: async () => [],
};

const fail = (): never => {
  throw new Error('The database is away');
};

/** A bot whose database is away. */
export const failingReports: OperatorReports = {
  ...Object.fromEntries(
    Object.keys(fakeReports())
      .filter((name) => name !== 'settings')
      .map((name) => [name, fail]),
  ),
  settings: [],
} as unknown as OperatorReports;
