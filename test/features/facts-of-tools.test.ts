import { expect, it, onTestFinished } from 'vitest';
import { openFeatures } from '#src/features/open/open-features.ts';
import { isMetricId, METRICS } from '#src/kernel/market/fact-metrics.ts';
import type { MetricKind } from '#src/kernel/market/metrics/metric.ts';
import { requesterOfCall } from '#src/kernel/people/requester.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { CALLS } from './sample-calls.ts';

const signal = new AbortController().signal;

const CURRENCY = /^(?:[A-Z]{3,5}|points|%|%p)$/u;
const UNITS: Readonly<Record<MetricKind, RegExp>> = {
  // A rate is quoted in percent, an index in points.
  money: CURRENCY,
  percent: /^%p?$/u,
  number: /^./u,
  // A split is also told in shares.
  multiple: /^(?:x|shares)$/u,
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

interface Told {
  readonly call: string;
  readonly content: string;
  readonly facts: readonly Fact[];
}

/** What every tool says on the sample market to a person with a portfolio. */
const tell = async (locale: Locale): Promise<readonly Told[]> => {
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
  const { portfolio } = features.personal;
  const requester = requesterOfCall(toolContextOf({ locale }), 'portfolios');
  await portfolio.create({ name: 'main', currency: 'KRW' }, requester, signal);
  await portfolio.create({ name: 'many', currency: 'USD' }, requester, signal);
  await portfolio.configure({ portfolio: 'many', setting: 'short', value: 'on' }, requester, signal);
  await portfolio.configure({ portfolio: 'many', setting: 'cost', value: 'fifo' }, requester, signal);
  const told: Told[] = [];
  for (const [index, [name, input]] of CALLS.entries()) {
    const context = toolContextOf({ locale, inboxId: asId<InboxId>(`inbox-${index}`) });
    const result = await tools.get(name)?.invoke(input, context, signal);
    const call = `${name} ${JSON.stringify(input)}`;
    if (!result || result.isError) throw new Error(`${call}: ${result?.content}`);
    told.push({ call, content: result.content, facts: result.facts ?? [] });
  }
  const text = 'date,kind,symbol,quantity,price\n2026-04-08,buy,MSFT,7,431.5\n2026-04-09,sell,MSFT,2,440.25';
  const preview = await portfolio.preview({ text, files: [], portfolio: 'many' }, requester, signal);
  return [...told, { call: 'import', ...preview }];
};

const IS_NAMELESS = /^(?:calculation|market|portfolio|tax \d{4})$/u;

const problemsOf = ({ call, facts }: Told): readonly string[] => {
  const named = new Set(facts.filter(({ names }) => names).map(({ entity }) => entity));
  const nameless = new Set(facts.map(({ entity }) => entity)).difference(named);
  return [
    ...facts.flatMap((fact) => {
      const problem = problemOf(fact);
      return problem === undefined ? [] : [`${problem} of ${JSON.stringify(fact)}: ${call}`];
    }),
    ...[...nameless]
      .filter((entity) => !IS_NAMELESS.test(entity))
      .map((entity) => `no names of ${entity}: ${call}`),
  ];
};

it.each(['ko', 'en'] as const)(
  'are well-formed and carry every number that is printed (%s)',
  async (locale) => {
    const told = await tell(locale);
    expect([
      ...told.flatMap(problemsOf),
      ...told.flatMap(({ call, ...answer }) => missingNumbers(answer).map((number) => `${number}: ${call}`)),
    ]).toEqual([]);
  },
);
