import { type Locale, texts } from '#src/core/i18n.ts';
import { Decimal, formatCount } from '#src/core/money.ts';
import type { UsagePeriod, UsageReports, UsageScope, UsageSnapshot } from '#src/core/ports.ts';

/** Whole, not rounded: who asks for their data gets what is stored. */
const exactUsd = (value: Decimal): string => `${value.toFixed()} USD`;

/** What is not in the sum is said beside it: a cost that leaves something out must not look whole. */
const describeCost = ({ costUsd, unpricedCount }: UsageSnapshot, locale: Locale): string => {
  const words = texts(locale);
  if (unpricedCount === 0) return exactUsd(costUsd);
  if (costUsd.isZero()) return words.models.priceUnknown();
  return `${exactUsd(costUsd)} (${words.usage.unpriced({ count: unpricedCount })})`;
};

const describeSnapshot = (usage: UsageSnapshot, locale: Locale): string => {
  const words = texts(locale).usage;
  const failed = usage.failedCount > 0 ? ` (${words.failed({ count: usage.failedCount })})` : '';
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return [
    describeCost(usage, locale),
    words.requests({ count: usage.requestCount }) + failed,
    words.tokensIn({ tokens: formatCount(inputTokens, locale) }),
    words.tokensOut({ tokens: formatCount(usage.outputTokens, locale) }),
  ].join(' · ');
};

const describePeriod = (title: string, { total, byModel }: UsagePeriod, locale: Locale): string => {
  if (total.requestCount === 0) return `${title}: ${texts(locale).usage.nothingToday()}`;
  return [
    `${title}: ${describeSnapshot(total, locale)}`,
    ...byModel.map(({ model, usage }) => `- ${model}: ${describeSnapshot(usage, locale)}`),
  ].join('\n');
};

/** Of the common limit a person hears only how high it is: what is left of it would tell what the others used. */
const describeLimits = (
  { perUserUsd, perDayUsd }: UsageReports['limits'],
  usedTodayUsd: Decimal,
  locale: Locale,
): readonly string[] => {
  const words = texts(locale).usage;
  const own = perUserUsd && {
    limit: exactUsd(perUserUsd),
    left: exactUsd(Decimal.max(perUserUsd.minus(usedTodayUsd), 0)),
  };
  return [
    ...(own ? [words.limit(own)] : []),
    ...(perDayUsd ? [words.limitShared({ limit: exactUsd(perDayUsd) })] : []),
  ];
};

/** What one person used, in exact numbers. `now` is in the zone whose days and months the ledger counts by. */
export const describeUsage = async (
  usage: Pick<UsageReports, 'today' | 'month' | 'limits'>,
  scope: UsageScope,
  now: Temporal.ZonedDateTime,
  locale: Locale,
): Promise<string> => {
  const words = texts(locale).usage;
  const [today, month] = await Promise.all([usage.today(scope), usage.month(scope)]);
  const day = `${words.today()} (${now.toPlainDate().toString()}, ${now.timeZoneId})`;
  const wholeMonth = `${words.month()} (${now.toPlainDate().toPlainYearMonth().toString()}, ${now.timeZoneId})`;
  return [
    describePeriod(day, today, locale),
    describePeriod(wholeMonth, month, locale),
    ...describeLimits(usage.limits, today.total.costUsd, locale),
  ].join('\n');
};
