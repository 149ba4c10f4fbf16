import { expect, it, onTestFinished } from 'vitest';
import { openFeatures } from '#src/features/open-features.ts';
import { isMetricId, METRICS, type MetricKind } from '#src/kernel/fact-metrics.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const signal = new AbortController().signal;

const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['record_transaction', { kind: 'deposit', amount: '50000000', currency: 'KRW', date: '2026-01-02' }],
  [
    'record_transaction',
    { kind: 'buy', symbol: '005930', quantity: '120', price: '71200', date: '2026-01-05' },
  ],
  [
    'record_transaction',
    { kind: 'buy', symbol: 'AAPL', quantity: '31', price: '246.35', date: '2026-02-10', rate: '1438.2' },
  ],
  ['record_transaction', { kind: 'sell', symbol: 'AAPL', quantity: '2', price: '290', date: '2026-07-08' }],
  ['record_transaction', { kind: 'dividend', symbol: 'AAPL', amount: '8.06', date: '2026-05-15' }],
  ['get_quote', { symbols: ['005930', 'AAPL', 'BTC', 'KOSPI', 'JPY/KRW', 'TNX', 'GC=F'] }],
  ['get_history', { symbol: '005930', range: '1mo' }],
  ['get_history', { symbol: 'AAPL', range: '5y' }],
  ['get_history', { symbol: 'JPY/KRW', range: '1d' }],
  ['get_history', { symbol: 'TNX', from: '2026-11-10' }],
  ['get_history', { symbol: 'AAPL', from: '2026-11-03', to: '2026-11-10' }],
  ['get_indicators', { symbol: '005930' }],
  ['get_indicators', { symbol: 'JPY/KRW' }],
  ['compare', { symbols: ['005930', 'AAPL', 'TNX'], range: '1y' }],
  ['get_fundamentals', { symbol: 'AAPL' }],
  ['get_earnings_calendar', { symbols: ['AAPL', '005930'] }],
  ['get_market_overview', {}],
  ['get_market_hours', {}],
  ['get_news', { symbol: 'AAPL' }],
  ['convert_currency', { amount: '50000', from: 'JPY', to: 'KRW' }],
  ['calculate', { expression: 'pct(98700, 102300)' }],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '310' }],
  ['set_alert', { symbol: '005930', condition: 'rsi_below', value: '30' }],
  ['set_alert', { symbol: 'TSLA', condition: 'falls_percent', value: '5', fromNow: true }],
  ['list_alerts', {}],
  ['get_portfolio', {}],
  ['analyze_portfolio', {}],
  [
    'plan_rebalance',
    {
      targets: [
        { name: 'AAPL', percent: 40 },
        { name: '005930', percent: 50 },
        { name: 'cash', percent: 10 },
      ],
    },
  ],
  ['get_tax_report', { year: 2026 }],
];

const CURRENCY = /^(?:[A-Z]{3,5}|points|%|%p)$/u;
const UNITS: Readonly<Record<MetricKind, RegExp>> = {
  // A rate is quoted in percent, an index in points.
  money: CURRENCY,
  percent: /^%p?$/u,
  number: /^./u,
  multiple: /^x$/u,
  count: /^(?:units|shares|count|rows|days|number)$/u,
  date: /^date$/u,
  text: /^text$/u,
};
const DECIMAL = /^-?\d+(?:\.\d+)?$/u;
const DAY = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/u;
const PERIOD = /^(?:\d+(?:m|d|wk|mo|y)|ytd|max|\d{4}|\d{4}-\d{2}-\d{2})$/u;

/** What is wrong with a fact, if anything. */
const problemOf = (fact: Fact): string | undefined => {
  const { metric, value, unit, day, period, operands = [], names = [], asOf } = fact;
  if (!isMetricId(metric)) return 'metric';
  const { kind } = METRICS[metric];
  if (!UNITS[kind].test(unit)) return 'unit';
  if (kind === 'date' ? !DAY.test(value) : kind !== 'text' && !DECIMAL.test(value)) return 'value';
  if (day !== undefined && !DAY.test(day)) return 'day';
  if (period !== undefined && !PERIOD.test(period)) return 'period';
  if (operands.some((operand) => !DECIMAL.test(operand))) return 'operands';
  if (names.some((name) => name.length > 60 || name.trim() === '') || names.length > 16) return 'names';
  return Number.isNaN(Date.parse(asOf)) ? 'asOf' : undefined;
};

it('have listed metrics, fitting units, plain decimals, and say what people call each subject', async () => {
  const clock = new ManualClock('2026-11-13T22:00:00Z');
  const features = openFeatures({
    settings: { mode: 'sample', hasLiveSetup: false },
    personal: personalDepsOn((await sqliteStorage()).storage, clock),
    files: createSentFiles({ dataDir: temporaryDir(), clock }),
    clock,
    logger: recordingLogger().logger,
  });
  onTestFinished(features.stop);
  const tools = new Map(features.tools.map((tool) => [tool.definition.name, tool]));
  const wrong: string[] = [];
  for (const [index, [name, input]] of CALLS.entries()) {
    const context = toolContextOf({ locale: 'ko', inboxId: asId<InboxId>(`inbox-${index}`) });
    const result = await tools.get(name)?.invoke(input, context, signal);
    const what = `${name} ${JSON.stringify(input)}: ${result?.content}`;
    const facts = result?.facts ?? [];
    if (result?.isError !== false || facts.length === 0) wrong.push(what);
    for (const fact of facts) {
      const problem = problemOf(fact);
      if (problem !== undefined) wrong.push(`${problem} of ${JSON.stringify(fact)}: ${what}`);
    }
    const isNameless = /^(?:calculation|market|tax \d{4})$/u;
    const named = new Set(facts.filter(({ names }) => names).map(({ entity }) => entity));
    const subjects = new Set(facts.map(({ entity }) => entity).filter((entity) => !isNameless.test(entity)));
    for (const entity of subjects.difference(named)) wrong.push(`no names of ${entity}: ${what}`);
  }
  expect(wrong).toEqual([]);
});
