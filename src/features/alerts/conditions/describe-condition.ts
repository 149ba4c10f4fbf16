import type { AlertCondition, AlertRecord, AlertSplit } from '#src/kernel/people/alerts.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { alertTexts } from '../texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { visibleLine } from '#src/kernel/text.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { shortLabel, withoutCompanyForm } from '#src/markets/answers/narrow-name.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { inMarkdown } from '#src/markets/answers/untrusted-text.ts';
import { splitName } from '#src/markets/answers/split-ratio.ts';

/** Shows all digits, even more than the market has: a target is never rounded. */
const exactPrice = (value: Decimal, of: Instrument, locale: Locale): string => {
  const { instrument, price } = shownTo(of, locale);
  const shown = price(value);
  const priceDecimals = Math.max(instrument.priceDecimals, shown.decimalPlaces());
  return formatPrice(shown, { ...instrument, priceDecimals }, locale);
};

const exact = (value: Decimal, locale: Locale): string =>
  formatFinancialNumber(value, { locale, maximumFractionDigits: value.decimalPlaces() });

/** The crossing of these averages has a name of its own. */
const NAMED_CROSS = { fast: 50, slow: 200 } as const;

/** The condition in words, without the name of the instrument. Words of people are escaped, unless it is plain text. */
export const describeCondition = (
  { condition, instrument }: Pick<AlertRecord, 'condition' | 'instrument'>,
  locale: Locale,
  isPlain = false,
): string => {
  const t = alertTexts(locale).conditions;
  switch (condition.kind) {
    case 'above':
    case 'below':
    case 'crosses-above':
    case 'crosses-below':
      return t[condition.kind]({ price: exactPrice(condition.price, instrument, locale) });
    case 'change': {
      const { direction, basePrice } = condition;
      const percent = exact(condition.percent, locale);
      return basePrice
        ? t.changeSince[direction]({ percent, from: exactPrice(basePrice, instrument, locale) })
        : t.change[direction]({ percent });
    }
    case 'rsi': {
      const { period, side, level } = condition;
      return t.rsi[side]({ period, level: exact(level, locale) });
    }
    case 'ma-cross': {
      const { fast, slow, direction } = condition;
      if (fast === 1) return t.priceAverage[direction]({ slow });
      const crossing = t.averages[direction]({ fast, slow });
      const hasName = fast === NAMED_CROSS.fast && slow === NAMED_CROSS.slow;
      return hasName ? `${crossing} (${t.crosses[direction]})` : crossing;
    }
    case 'year-high':
    case 'year-low':
      return t[condition.kind]();
    case 'volume':
      return t.volume({ multiple: exact(condition.multiple, locale) });
    case 'news':
      break;
  }
  const keyword = visibleLine(condition.keyword);
  return t.news({ keyword: isPlain ? keyword : inMarkdown(keyword) });
};

type Subject = Pick<AlertRecord, 'condition' | 'instrument'>;

/** `Apple (AAPL)`. */
export const alertSubject = ({ instrument }: Pick<AlertRecord, 'instrument'>, locale: Locale): string =>
  shortLabel(shownTo(instrument, locale).instrument, locale);

/** `Apple (AAPL): at $200.00 or above`, on one line and without bold type. */
export const alertTitle = (alert: Subject, locale: Locale): string =>
  `${alertSubject(alert, locale)}: ${describeCondition(alert, locale)}`;

/** `Apple at $200.00 or above`. */
export const shortAlertTitle = (alert: Subject, locale: Locale): string =>
  `${withoutCompanyForm(shownTo(alert.instrument, locale).instrument.name[locale])} ${describeCondition(alert, locale)}`;

/** `4:1 split on 2026-11-16`. */
export const splitText = (
  { date, ratio: written }: Pick<AlertSplit, 'date' | 'ratio'>,
  locale: Locale,
): string => alertTexts(locale).events.split({ date, ...splitName(new Decimal(written), locale) });

const splitNote = (split: AlertSplit, instrument: Instrument, locale: Locale): string => {
  const t = alertTexts(locale).events;
  const splits = (split.parts ?? [split]).map((part) => splitText(part, locale)).join(', ');
  return split.was === undefined
    ? t.listNoteBare({ splits })
    : t.listNote({ splits, before: exactPrice(new Decimal(split.was), instrument, locale) });
};

/** How often and until when it fires, in which hours, and whether a split changed it. */
export const describeTerms = (
  alert: AlertRecord,
  { locale, timeZone }: Audience,
  now: Temporal.Instant,
): string => {
  const t = alertTexts(locale);
  const { expiresAt, snoozedUntil } = alert;
  const isSnoozed = snoozedUntil && Temporal.Instant.compare(snoozedUntil, now) > 0;
  return [
    alert.isRepeating ? t.repeating({ cooldown: t.minutes({ minutes: alert.cooldownMinutes }) }) : t.once,
    ...(alert.isRepeating && alert.firedCount > 0 ? [t.rang({ times: alert.firedCount })] : []),
    ...(expiresAt ? [t.expires({ at: writeMoment(expiresAt, timeZone) })] : []),
    ...(alert.usesExtendedHours ? [t.extendedHours] : []),
    ...(isSnoozed ? [t.snoozed({ at: writeMoment(snoozedUntil, timeZone) })] : []),
    ...(alert.split ? [splitNote(alert.split, alert.instrument, locale)] : []),
  ].join(' · ');
};

const MAX_LABEL = 60;

/** The label of a button that deletes one of several alerts. */
export const deleteLabel = (alert: Subject, locale: Locale): string => {
  const what = `${alert.instrument.ticker}: ${describeCondition(alert, locale)}`;
  const letters = Array.from(alertTexts(locale).deleteChoice({ what }));
  return letters.length <= MAX_LABEL ? letters.join('') : `${letters.slice(0, MAX_LABEL - 1).join('')}…`;
};

type Level = Pick<Fact, 'metric' | 'parameter' | 'value' | 'unit'>;

/** The target numbers of a condition, so that an answer may repeat them. */
const levelsOf = (condition: AlertCondition, currency: string): readonly Level[] => {
  switch (condition.kind) {
    case 'above':
    case 'below':
    case 'crosses-above':
    case 'crosses-below':
      return [{ metric: 'alertPrice', value: condition.price.toFixed(), unit: currency }];
    case 'change':
      return [
        {
          metric: 'alertChangePercent',
          value: condition.percent.times(condition.direction === 'down' ? -1 : 1).toFixed(),
          unit: '%',
        },
        ...(condition.basePrice
          ? [{ metric: 'alertBasePrice' as const, value: condition.basePrice.toFixed(), unit: currency }]
          : []),
      ];
    case 'rsi':
      return [
        {
          metric: 'alertRsi',
          parameter: String(condition.period),
          value: condition.level.toFixed(),
          unit: 'points',
        },
        { metric: 'alertDays', parameter: 'rsi', value: String(condition.period), unit: 'days' },
      ];
    case 'ma-cross':
      return [
        { metric: 'alertDays', parameter: 'fast', value: String(condition.fast), unit: 'days' },
        { metric: 'alertDays', parameter: 'slow', value: String(condition.slow), unit: 'days' },
      ];
    case 'volume':
      return [{ metric: 'alertVolumeMultiple', value: condition.multiple.toFixed(), unit: 'x' }];
    case 'year-high':
    case 'year-low':
    case 'news':
      break;
  }
  return [];
};

/** An alert as facts; `isSample` where it was set with sample prices. */
export const alertFacts = (
  { id, instrument, condition, createdAt }: AlertRecord,
  isSample = false,
): readonly Fact[] =>
  withNames(
    namesOf(instrument),
    levelsOf(condition, instrument.currency).map((level) => ({
      entity: instrument.symbol,
      ...level,
      asOf: createdAt.toString(),
      source: `alert ${id}`,
      isSample,
    })),
  );
