import type { AlertRecord, AlertSplit } from '#src/kernel/people/alerts.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { alertTexts } from '../texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { visibleLine } from '#src/kernel/text.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { createFactRecorder, type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
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

type Watched = Pick<AlertRecord, 'condition' | 'instrument'>;

/** The condition in words, without the name of the instrument. Words of people are escaped, unless it is plain text. */
const writeCondition = ({ condition, instrument }: Watched, told: FactRecorder, isPlain = false): string => {
  const { locale } = told;
  const t = alertTexts(locale).conditions;
  const days = (count: number, of: string): void => told.keep('alertDays', count, 'days', of);
  const priceOf = (metric: 'alertPrice' | 'alertBasePrice', price: Decimal): string => {
    told.keep(metric, price.toFixed(), instrument.currency);
    return exactPrice(price, instrument, locale);
  };
  switch (condition.kind) {
    case 'above':
    case 'below':
    case 'crosses-above':
    case 'crosses-below':
      return t[condition.kind]({ price: priceOf('alertPrice', condition.price) });
    case 'change': {
      const { direction, basePrice } = condition;
      const percent = exact(condition.percent, locale);
      told.keep('alertChangePercent', condition.percent.times(direction === 'down' ? -1 : 1), '%');
      return basePrice
        ? t.changeSince[direction]({ percent, from: priceOf('alertBasePrice', basePrice) })
        : t.change[direction]({ percent });
    }
    case 'rsi': {
      const { period, side, level } = condition;
      told.keep('alertRsi', level, 'points', String(period));
      days(period, 'rsi');
      return t.rsi[side]({ period, level: exact(level, locale) });
    }
    case 'ma-cross': {
      const { fast, slow, direction } = condition;
      days(fast, 'fast');
      days(slow, 'slow');
      if (fast === 1) return t.priceAverage[direction]({ slow });
      const crossing = t.averages[direction]({ fast, slow });
      const hasName = fast === NAMED_CROSS.fast && slow === NAMED_CROSS.slow;
      return hasName ? `${crossing} (${t.crosses[direction]})` : crossing;
    }
    case 'year-high':
    case 'year-low':
      return t[condition.kind]();
    case 'volume':
      told.keep('alertVolumeMultiple', condition.multiple, 'x');
      return t.volume({ multiple: exact(condition.multiple, locale) });
    case 'news':
      break;
  }
  const keyword = visibleLine(condition.keyword);
  return t.news({ keyword: isPlain ? keyword : inMarkdown(keyword) });
};

export const describeCondition = (alert: Watched, locale: Locale, isPlain = false): string =>
  writeCondition(alert, withoutFacts(locale), isPlain);

/** The numbers of an alert as facts; `isSample` where it was set with sample prices. */
export const alertFacts = (
  alert: Watched & Partial<Pick<AlertRecord, 'id' | 'createdAt'>>,
  isSample = false,
  now = alert.createdAt,
): readonly Fact[] => {
  const { symbol } = alert.instrument;
  const told = createFactRecorder('en', {
    entity: symbol,
    names: namesOf(alert.instrument),
    asOf: now?.toString() ?? '',
    source: `alert ${alert.id ?? 'not set'}`,
    isSample,
  });
  writeCondition(alert, told);
  return told.facts();
};

/** `Apple (AAPL)`. */
export const alertSubject = ({ instrument }: Pick<AlertRecord, 'instrument'>, locale: Locale): string =>
  shortLabel(shownTo(instrument, locale).instrument, locale);

/** `Apple (AAPL): at $200.00 or above`, on one line and without bold type. */
export const alertTitle = (alert: Watched, locale: Locale): string =>
  `${alertSubject(alert, locale)}: ${describeCondition(alert, locale)}`;

/** `Apple at $200.00 or above`. */
export const shortAlertTitle = (alert: Watched, locale: Locale): string =>
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
export const deleteLabel = (alert: Watched, locale: Locale): string => {
  const what = `${alert.instrument.ticker}: ${describeCondition(alert, locale)}`;
  const letters = Array.from(alertTexts(locale).deleteChoice({ what }));
  return letters.length <= MAX_LABEL ? letters.join('') : `${letters.slice(0, MAX_LABEL - 1).join('')}…`;
};
