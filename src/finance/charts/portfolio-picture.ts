import { texts } from '#src/core/i18n.ts';
import type { Reader } from '#src/core/market-desk.ts';
import { Decimal, formatFinancialNumber } from '#src/core/money.ts';
import { shownParts } from '#src/core/shown-parts.ts';
import { moneyParts, moneyText } from '../portfolio/money-text.ts';
import type { AllocationPicture, ValuePicture } from './chart-picture.ts';
import type { AllocationRequest, ValueRequest } from './portfolio-charts.ts';

/** As many as can be told apart by colour, and one for the rest. */
const MAX_PARTS = 9;

/** Up to as many parts as there are colours; the smallest of more are one. */
const shown = (parts: AllocationRequest['parts'], reader: Reader): AllocationRequest['parts'] => {
  const sorted = parts.toSorted((a, b) => b.value.comparedTo(a.value));
  if (sorted.length <= MAX_PARTS) return sorted;
  const rest = sorted.slice(MAX_PARTS - 1);
  return [
    ...sorted.slice(0, MAX_PARTS - 1),
    {
      label: texts(reader.locale).charts.portfolio.others({ count: rest.length }),
      value: rest.reduce((sum, { value }) => sum.plus(value), new Decimal(0)),
    },
  ];
};

/** To a tenth of a percent. */
const SHARE_DECIMALS = 3;

export const allocationPicture = (request: AllocationRequest, reader: Reader): AllocationPicture => {
  const { locale } = reader;
  const words = texts(locale).charts;
  const { title, currency, total, totalName, origin, isSample, theme = 'light' } = request;
  const parts = shown(request.parts, reader);
  // Shares of what is drawn: a total may hold what is below zero, which is no part of a ring.
  const whole = parts.reduce((sum, { value }) => sum.plus(value), new Decimal(0));
  const shares = shownParts(
    parts.map(({ value }) => value.dividedBy(whole)),
    new Decimal(1),
    SHARE_DECIMALS,
  );
  // Where something below zero is in the total, the parts of the ring are not all of it.
  const amounts = moneyParts(
    parts.map(({ value }) => value),
    whole.minus(total).abs().lessThan(1) ? total : whole,
    currency,
  );
  return {
    kind: 'allocation',
    theme,
    locale,
    head: {
      title,
      titleEnd: '',
      subtitle: words.portfolio.allocation,
      origin,
      ...(isSample && { watermark: words.watermark }),
    },
    parts: parts.map(({ label, value }, index) => ({
      label,
      share: formatFinancialNumber(shares[index] ?? value.dividedBy(whole), {
        locale,
        isPercent: true,
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }),
      amount: moneyText(amounts[index] ?? value, currency, locale),
      value: value.toNumber(),
    })),
    total: { name: totalName ?? words.portfolio.total, amount: moneyText(total, currency, locale) },
  };
};

export const allocationAlt = (
  request: AllocationRequest,
  { parts, total }: AllocationPicture,
  { locale }: Reader,
): string =>
  texts(locale).charts.portfolio.allocationAlt({
    name: request.title,
    total: total.amount,
    parts: parts.map(({ label, share }) => `${label} ${share}`).join(', '),
    origin: request.origin,
    isSample: request.isSample,
  });

/** Whole units are enough on an axis of what is worth hundreds. */
const decimalsFor = (request: ValueRequest): number =>
  Math.max(...request.points.map(({ value }) => Math.abs(value))) < 100 && request.currency !== 'KRW' ? 2 : 0;

const UTC = 'UTC';
const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(UTC).epochMilliseconds;

export const valuePicture = (request: ValueRequest, { locale }: Reader): ValuePicture => {
  const words = texts(locale).charts;
  const { points, isSample, theme = 'light' } = request;
  return {
    kind: 'value',
    theme,
    locale,
    head: {
      title: request.title,
      titleEnd: '',
      subtitle: request.subtitle,
      origin: request.origin,
      price: request.headline,
      ...(request.change && { change: request.change }),
      ...(isSample && { watermark: words.watermark }),
    },
    timeZone: UTC,
    interval: '1d',
    times: points.map(({ date }) => startOf(date)),
    value: points.map(({ value }) => value),
    contributed: points.map(({ contributed }) => contributed),
    currency: request.currency,
    decimals: decimalsFor(request),
    words: { value: words.portfolio.value, contributed: words.portfolio.contributed },
  };
};

export const valueAlt = (request: ValueRequest, reader: Reader): string => {
  const [first, last] = [request.points[0], request.points.at(-1)];
  const amount = (value = 0): string => moneyText(new Decimal(value), request.currency, reader.locale);
  return texts(reader.locale).charts.portfolio.valueAlt({
    name: request.title,
    dates: `${first?.date.toString() ?? ''} – ${last?.date.toString() ?? ''}`,
    first: amount(first?.value),
    last: amount(last?.value),
    contributed: amount(last?.contributed),
    origin: request.origin,
    isSample: request.isSample,
  });
};
