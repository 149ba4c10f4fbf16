import { chartTexts } from './texts.ts';
import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { shownParts } from '#src/platform/text/round-to-total.ts';
import { moneyParts, moneyText } from '../answers/money-text.ts';
import type { AllocationPicture, PictureHead, ValuePicture } from './chart-picture.ts';

interface PortfolioRequest {
  /** The portfolio's name. */
  readonly title: string;
  readonly currency: Currency;
  /** Data time and source. */
  readonly origin: string;
  readonly isSample: boolean;
  readonly theme?: ChartTheme | undefined;
}

/** One part per position, largest first. */
export interface AllocationRequest extends PortfolioRequest {
  readonly total: Decimal;
  /** Names the total if it is only a part of the portfolio. */
  readonly totalName?: string;
  /** Positive values. Many small parts are drawn as one. */
  readonly parts: readonly { readonly label: string; readonly value: Decimal }[];
}

/** Daily value and cumulative contributions. */
export interface ValueRequest extends PortfolioRequest {
  /** The dates, and what is drawn. */
  readonly subtitle: string;
  /** Oldest first, at least two. */
  readonly points: readonly {
    readonly date: Temporal.PlainDate;
    readonly value: number;
    readonly contributed: number;
  }[];
  /** The last value and its change, formatted. */
  readonly headline: string;
  readonly change?: PictureHead['change'];
}

type Draw<Request> = (request: Request, audience: Audience, signal: AbortSignal) => Promise<MediaAttachment>;

/** Portfolio charts. Reject like the other charts. */
export interface PortfolioCharts {
  readonly allocation: Draw<AllocationRequest>;
  readonly valueOverTime: Draw<ValueRequest>;
}

/** As many as there are distinct colours, and one for the rest. */
const MAX_PARTS = 9;

/** Merges the smallest parts if there are more than colours. */
const mergeSmallParts = (
  parts: AllocationRequest['parts'],
  audience: Audience,
): AllocationRequest['parts'] => {
  const sorted = parts.toSorted((a, b) => b.value.comparedTo(a.value));
  if (sorted.length <= MAX_PARTS) return sorted;
  const rest = sorted.slice(MAX_PARTS - 1);
  return [
    ...sorted.slice(0, MAX_PARTS - 1),
    {
      label: chartTexts(audience.locale).portfolio.others({ count: rest.length }),
      value: rest.reduce((sum, { value }) => sum.plus(value), new Decimal(0)),
    },
  ];
};

/** A tenth of a percent. */
const SHARE_DECIMALS = 3;

export const allocationPicture = (request: AllocationRequest, audience: Audience): AllocationPicture => {
  const { locale } = audience;
  const t = chartTexts(locale);
  const { title, currency, total, totalName, origin, isSample, theme = 'light' } = request;
  const parts = mergeSmallParts(request.parts, audience);
  // Shares refer to the drawn parts, because the total may contain negative values.
  const whole = parts.reduce((sum, { value }) => sum.plus(value), new Decimal(0));
  const shares = shownParts(
    parts.map(({ value }) => value.dividedBy(whole)),
    new Decimal(1),
    SHARE_DECIMALS,
  );
  // With negative values in the total, the ring does not add up to it.
  const amounts = moneyParts(
    parts.map(({ value }) => value),
    whole.minus(total).abs().lessThan(1) ? total : whole,
    currency,
  );
  return {
    kind: 'allocation',
    theme,
    locale,
    isSample,
    head: { title, titleEnd: '', subtitle: t.portfolio.allocation, origin },
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
    total: { name: totalName ?? t.portfolio.total, amount: moneyText(total, currency, locale) },
  };
};

export const allocationAlt = (
  request: AllocationRequest,
  { parts, total }: AllocationPicture,
  { locale }: Audience,
): string =>
  chartTexts(locale).portfolio.allocationAlt({
    name: request.title,
    total: total.amount,
    parts: parts.map(({ label, share }) => `${label} ${share}`).join(', '),
    origin: request.origin,
    isSample: request.isSample,
  });

/** Whole units are enough for an axis in the hundreds. */
const decimalsFor = (request: ValueRequest): number =>
  Math.max(...request.points.map(({ value }) => Math.abs(value))) < 100 && request.currency !== 'KRW' ? 2 : 0;

const UTC = 'UTC';
const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(UTC).epochMilliseconds;

export const valuePicture = (request: ValueRequest, { locale }: Audience): ValuePicture => {
  const { points, title, subtitle, origin, headline: price, change, isSample, theme = 'light' } = request;
  return {
    kind: 'value',
    theme,
    locale,
    isSample,
    head: { title, titleEnd: '', subtitle, origin, price, change },
    timeZone: UTC,
    interval: '1d',
    times: points.map(({ date }) => startOf(date)),
    value: points.map(({ value }) => value),
    contributed: points.map(({ contributed }) => contributed),
    currency: request.currency,
    decimals: decimalsFor(request),
  };
};

export const valueAlt = (request: ValueRequest, audience: Audience): string => {
  const [first, last] = [request.points[0], request.points.at(-1)];
  const amount = (value = 0): string => moneyText(new Decimal(value), request.currency, audience.locale);
  return chartTexts(audience.locale).portfolio.valueAlt({
    name: request.title,
    dates: `${first?.date.toString() ?? ''} – ${last?.date.toString() ?? ''}`,
    first: amount(first?.value),
    last: amount(last?.value),
    contributed: amount(last?.contributed),
    origin: request.origin,
    isSample: request.isSample,
  });
};
