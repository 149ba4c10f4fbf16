import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { type ApprovalId, asId, type ChannelId, type InboxId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { OperatorActions, OperatorReports } from '#src/kernel/operations/operator.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import type { OperatorAccess } from '#src/operator/access.ts';
import { mountOperatorPage } from '#src/operator/mount.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { startHealthServer } from '#src/platform/net/health-server.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { findChromium, startChromium } from '#test/support/chromium.ts';

// Draws the operator page of the documentation from made-up reports, which each picture says. Needs Chromium.

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const PORT = 18_437;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const [DESK, PHONE] = [1_280, 320];
const SAMPLE: Readonly<Record<Locale, string>> = { ko: '샘플 데이터', en: 'SAMPLE DATA' };

const NOW = Temporal.Instant.from('2026-11-13T06:30:00Z');
const TODAY = Temporal.PlainDate.from('2026-11-13');
const [DISCORD, SLACK] = [asId<ChannelId>('discord'), asId<ChannelId>('slack')];
const clock = { ...systemClock, now: () => NOW };
const logger = createLogger({
  level: 'error',
  pretty: true,
  secrets: [],
  write: (line) => process.stderr.write(line),
});

/** The same on every run: neither even nor a straight line. */
const swing = (index: number): number => 1 + Math.sin(index * 1.7) * 0.4 + Math.sin(index * 0.45) * 0.3;

const usageOf = (days: number) =>
  Array.from({ length: days }, (_, index) => index).flatMap((ago) =>
    [
      { model: 'claude-sonnet-5', channelId: DISCORD, person: '3f9a1c5e20b84d7716ca', share: 0.9 },
      { model: 'claude-sonnet-5', channelId: SLACK, person: '77b0e2d9416f3a8c05eb', share: 0.6 },
      { model: 'gpt-5-mini', channelId: SLACK, person: 'c41d08a6e97253bf1c40', share: 0.4 },
    ].map(({ share, ...of }, index) => {
      const requestCount = Math.round(60 * share * swing(ago + index * 5));
      return {
        ...of,
        day: TODAY.subtract({ days: ago }),
        requestCount,
        failedCount: ago % 4 === index ? 1 : 0,
        inputTokens: requestCount * 4_100,
        outputTokens: requestCount * 730,
        costUsd: new Decimal(requestCount).times(share).times('0.019'),
        unpricedCount: 0,
      };
    }),
  );

const KEY: KeyStatus = {
  id: 'key-01993b7e',
  provider: 'anthropic',
  name: 'team',
  masked: 'sk-...9f3A',
  source: 'profile',
  isSaved: true,
  isActive: true,
  isPreferred: true,
  health: 'healthy',
  cooldownMs: 0,
};

const PROCESS = {
  version: '0.1.0',
  channels: [DISCORD, SLACK],
  startedAt: NOW.subtract({ hours: 76 }),
  isSelf: false,
  isLeading: false,
};

const reports: OperatorReports = {
  status: async () => ({
    version: '0.1.0',
    uptimeMs: 273_723_000,
    memoryBytes: 142_000_000,
    channels: [
      { id: DISCORD, isConnected: true },
      { id: SLACK, isConnected: true },
    ],
    queue: { sessions: 14, running: 3, waiting: 1 },
    lanes: [
      { laneId: 'main', active: 3, queued: 1, maxConcurrency: 8 },
      { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 2 },
    ],
    breakers: [{ name: 'openai', state: 'half-open' }],
    processes: [
      {
        ...PROCESS,
        id: '0199a3f1-0000-7000-8000-000000000001',
        role: 'all',
        sessions: 9,
        isSelf: true,
        isLeading: true,
      },
      { ...PROCESS, id: '0199a3f7-0000-7000-8000-000000000002', role: 'worker', sessions: 5 },
    ],
    inbox: { pending: 4, suspended: 1 },
    numbers: {
      answers: 2_310,
      toRepair: 31,
      checked: 12_042,
      supported: 9_630,
      quoted: 1_104,
      derived: 1_266,
      asked: 12,
      repaired: 38,
      marked: 42,
    },
    deadLetters: { count: 2, newest: [] },
    plugins: [{ name: 'dividends', failures: 0 }],
  }),
  usage: async (days) => ({
    timeZone: 'Asia/Seoul',
    days: usageOf(days),
  }),
  spending: async () => ({
    todayUsd: usageOf(1).reduce((sum, { costUsd }) => sum.plus(costUsd), new Decimal(0)),
    limits: { perUserUsd: new Decimal(2), perDayUsd: new Decimal(20) },
  }),
  keys: async () => [
    KEY,
    { ...KEY, id: 'key-0199a3f1', name: 'spare', masked: 'sk-...c07Q', isPreferred: false, isActive: false },
    {
      ...KEY,
      id: 'env-openai-1',
      provider: 'openai',
      name: 'OPENAI_API_KEY #1',
      masked: 'sk-...77Qz',
      source: 'environment',
      isPreferred: false,
      health: 'degraded',
      cooldownMs: 92_000,
      cooldownReason: 'auth',
    },
  ],
  refusedPosts: () => [],
  deadLetters: async () => ({
    count: 2,
    newest: [
      {
        channelId: DISCORD,
        hours: 2,
        id: 'a',
        reason: 'The process ended again and again while it worked on this message',
      },
      {
        channelId: SLACK,
        hours: 31,
        id: 'b',
        reason: 'The process ended again and again while it worked on this message',
      },
    ].map(({ channelId, hours, id, reason }) => ({
      inboxId: asId<InboxId>(`0199${id}000-0000-7000-8000-000000000000`),
      channelId,
      attempts: 3,
      reason,
      errorId: `7c${id}41f0e`,
      at: NOW.subtract({ hours }),
    })),
  }),
  approvals: async () => [
    {
      id: asId<ApprovalId>('ap-1'),
      toolName: 'add_transaction',
      channelId: DISCORD,
      person: '3f9a1c5e20b84d7716ca',
      askedAt: NOW.subtract({ minutes: 4 }),
      expiresAt: NOW.add({ minutes: 6 }),
      summary: '> Record: bought 10 AAPL at $182.50 on 2026-11-12',
    },
  ],
  plans: async () => [
    { channelId: DISCORD, alerts: 120, briefings: 31 },
    { channelId: SLACK, alerts: 44, briefings: 12 },
  ],
  market: () => ({
    kind: 'live',
    sources: [
      { name: 'yahoo', state: 'closed' },
      { name: 'upbit', state: 'closed' },
    ],
  }),
  settings: [],
  feedback: async () => [],
  log: () => [],
  audit: async () => [],
  shares: async () => [],
  nameOf: async () => 'Ann',
};

const nothing = async (): Promise<never> => {
  throw new Error('Pictures do nothing');
};
const actions: OperatorActions = {
  replay: nothing,
  discard: nothing,
  setKeyActive: nothing,
  restKey: nothing,
  decide: nothing,
  readShare: nothing,
  recordLogin: nothing,
  recordLogout: nothing,
};

const access: OperatorAccess = {
  issueCode: nothing,
  endSessions: nothing,
  logIn: nothing,
  find: async () => ({
    operator: { kind: 'admin', person: { channelId: DISCORD, userId: asId('ann') }, roles: [] },
    expiresAt: NOW.add({ hours: 12 }),
    formToken: 'sample',
  }),
  logOut: nothing,
  logOutEverywhere: nothing,
};

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly locale: Locale;
  readonly theme: 'light' | 'dark';
  readonly width?: number;
  readonly height: number;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  { name: 'overview', path: '/operator', locale: 'en', theme: 'light', height: 860 },
  { name: 'overview', path: '/operator', locale: 'ko', theme: 'dark', height: 860 },
  { name: 'usage', path: '/operator/usage?days=30&by=person', locale: 'ko', theme: 'light', height: 1_000 },
  { name: 'usage', path: '/operator/usage?days=30&by=model', locale: 'en', theme: 'dark', height: 1_000 },
  {
    name: 'dead-letters',
    path: '/operator/dead-letters',
    locale: 'en',
    theme: 'light',
    height: 560,
    prepare: (page) => page.click('main button[value=replay]'),
  },
  { name: 'keys', path: '/operator/keys', locale: 'ko', theme: 'dark', height: 640 },
  { name: 'phone-overview', path: '/operator', locale: 'ko', theme: 'light', width: PHONE, height: 900 },
  {
    name: 'phone-dead-letters',
    path: '/operator/dead-letters',
    locale: 'en',
    theme: 'dark',
    width: PHONE,
    height: 900,
  },
];

const draw = async (page: Page, picture: Picture): Promise<void> => {
  const { name, path, locale, theme, width = DESK, height, prepare } = picture;
  await page.setViewport({ width, height });
  await page
    .browserContext()
    .setCookie(
      ...Object.entries({ finclaw_operator: 'sample', finclaw_locale: locale, finclaw_theme: theme }).map(
        ([cookie, value]) => ({ name: cookie, value, domain: '127.0.0.1', path: '/operator' }),
      ),
    );
  await page.goto(`${ORIGIN}${path}`);
  await page.evaluate(
    `document.querySelector('h1').insertAdjacentHTML('afterend', '<p class="sample"><strong>${SAMPLE[locale]}</strong></p>')`,
  );
  await prepare?.(page);
  const file = `operator-${name}-${locale}-${theme}.png`;
  await page.screenshot({ path: join(IMAGES, file) });
  console.log(`${file} (${Math.round((await stat(join(IMAGES, file))).size / 1_024)} KB)`);
};

const chromium = findChromium();
if (chromium === undefined) throw new Error('Chromium is not installed. Set FINCLAW_CHROMIUM to its path.');
const operator = mountOperatorPage({
  reports,
  actions,
  access,
  hasToken: false,
  publicUrl: undefined,
  locale: 'en',
  timeZone: 'Asia/Seoul',
  clock,
  logger,
});
const server = await startHealthServer({
  port: PORT,
  channels: () => [],
  readiness: {},
  facts: () => ({}),
  operator: operator.handle,
  logger,
});
const browser = await startChromium(chromium);
try {
  const page = await browser.newPage();
  for (const picture of PICTURES) await draw(page, picture);
} finally {
  await browser.close();
  operator.stop();
  await server.close();
}
