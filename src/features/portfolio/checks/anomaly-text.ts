import { quoteMessages } from '#src/markets/answers/quote-messages.ts';
import type { NewTransaction, Trade } from '#src/kernel/ledger.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { type Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { writeDate } from '#src/kernel/moment.ts';
import { formatPrice, instrumentLabel, originText, sourceName } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyText, exactMoneyText, writtenPriceText } from '#src/markets/answers/money-text.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { corporateActionMessages } from '../messages/actions.ts';
import { countingWords, splitNameText, splitWords } from '../corporate-actions/offers.ts';
import { rateOriginText, rateText } from '../rates/rate-text.ts';
import { isTrade, type Oddity, splitFactor, timesOff } from './anomalies.ts';
import type { PriceReference } from './price-reference.ts';

type PriceOddity = Extract<Oddity, { readonly reference: unknown }>;

const PERCENT_DIGITS = 2;

const percentText = (part: Decimal, whole: Decimal, locale: Audience['locale']): string => {
  const percent = part.dividedBy(whole).times(100).toSignificantDigits(PERCENT_DIGITS);
  return `${formatFinancialNumber(percent, { locale, maximumFractionDigits: 8 })}%`;
};

/** Prices of a day are named by it: when they were asked for says nothing of them. */
const referenceOrigin = ({ day, origin }: PriceReference, audience: Audience): string =>
  day
    ? `${day.toString()} · ${quoteMessages(audience.locale).source}: ${sourceName(origin, audience.locale)}`
    : originText(origin, audience);

const priceText = (oddity: PriceOddity, trade: Trade, audience: Audience): string => {
  const { locale } = audience;
  const t = portfolioMessages(locale).odd;
  const { instrument, price } = trade;
  const { reference } = oddity;
  const { splits } = reference;
  const common = {
    price: writtenPriceText(price, instrument, locale),
    origin: referenceOrigin(reference, audience),
    isBeforeSplit: splits.length > 0,
  };
  const last = reference.kind === 'price' ? reference.price : reference.high;
  switch (oddity.kind) {
    case 'out-of-range': {
      const { low, high } = oddity.reference;
      return t['out-of-range']({
        ...common,
        low: formatPrice(low, instrument, locale),
        high: formatPrice(high, instrument, locale),
      });
    }
    case 'after-split': {
      const then = price.times(splitFactor(oddity.splits));
      return corporateActionMessages(locale).afterSplit({
        price: common.price,
        name: instrumentLabel(instrument, locale),
        splits: oddity.splits
          .map((split) => `${splitNameText(split.ratio, audience)} (${writeDate(split.date, locale)})`)
          .join(', '),
        once: formatPrice(then, instrument, locale),
      });
    }
    case 'far-price':
      return t['far-price']({
        ...common,
        last: formatPrice(last, instrument, locale),
        times: formatFinancialNumber(timesOff(price, last), { locale, maximumFractionDigits: 1 }),
        percent: percentText(price, last, locale),
        isAbove: price.greaterThan(last),
      });
    case 'other-money':
      return t['other-money']({
        ...common,
        name: instrumentLabel(instrument, locale),
        typed: formatFinancialNumber(price, { locale, maximumFractionDigits: 8 }),
        money: currencyText(oddity.money, locale),
        own: currencyText(instrument.currency, locale),
        last: formatPrice(last, instrument, locale),
      });
  }
  return oddity satisfies never;
};

type SplitOddity = Extract<Oddity, { readonly split: unknown }>;

const splitText = ({ kind, split }: SplitOddity, entry: NewTransaction, audience: Audience): string => {
  const t = corporateActionMessages(audience.locale);
  const told = splitWords(split, { audience });
  if (kind === 'missing-split')
    return split.status === 'mixed'
      ? t.splitBeforeMixed({ ...told, ...countingWords(split) })
      : t.splitBefore(told);
  if (kind === 'other-ratio')
    return t.splitUnlike({
      ...told,
      own: entry.kind === 'split' ? splitNameText(entry.ratio, audience) : '',
    });
  return split.entry
    ? t.splitRecorded({ ...told, number: split.entry.number })
    : t.splitAlready({ ...told, ...countingWords(split) });
};

type FarRate = Extract<Oddity, { readonly kind: 'far-rate' }>;

/** `$1,000.00 × ₩1,470 = ₩1,470,000`: what may have been meant by an exchange. */
export const likelyText = (
  { likely }: FarRate,
  entry: Extract<NewTransaction, { readonly kind: 'fx' }>,
  { locale }: Audience,
): string => {
  if (!likely) return '';
  const isPriceReceived = likely.price[1] === entry.toCurrency;
  const amount = exactMoneyText(likely.amount, entry.currency, locale);
  const toAmount = exactMoneyText(likely.toAmount, entry.toCurrency, locale);
  const price = exactMoneyText(...likely.price, locale);
  return isPriceReceived ? `${amount} × ${price} = ${toAmount}` : `${toAmount} × ${price} = ${amount}`;
};

const rateOddText = (
  oddity: FarRate,
  entry: Extract<NewTransaction, { readonly kind: 'fx' }>,
  audience: Audience,
): string => {
  const { locale } = audience;
  const { currency: from, toCurrency: to } = entry;
  const { rate, market, likely } = oddity;
  return portfolioMessages(locale).odd['far-rate']({
    rate: rateText(from, to, rate, locale),
    market: rateText(from, to, market.rate, locale),
    origin: rateOriginText(market, locale),
    price: likely ? exactMoneyText(...likely.price, locale) : '',
    likely: likelyText(oddity, entry, audience),
  });
};

/** What is odd about an entry, in one sentence. */
export const oddityText = (oddity: Oddity, entry: NewTransaction, audience: Audience): string => {
  const { locale } = audience;
  const t = portfolioMessages(locale).odd;
  if (oddity.kind === 'never-held') {
    const name = 'instrument' in entry && entry.instrument ? instrumentLabel(entry.instrument, locale) : '';
    return t['never-held']({ name, date: entry.date.toString() });
  }
  if (oddity.kind === 'duplicate') return t.duplicate({ number: oddity.number });
  if ('split' in oddity) return splitText(oddity, entry, audience);
  if (oddity.kind === 'far-rate') return entry.kind === 'fx' ? rateOddText(oddity, entry, audience) : '';
  if (oddity.kind === 'far-typed-rate' || oddity.kind === 'far-file-rate') {
    const { kind, rate, market, to } = oddity;
    return t[kind]({
      rate: rateText(entry.currency, to, rate, locale),
      market: rateText(entry.currency, to, market.rate, locale),
      origin: rateOriginText(market, locale),
    });
  }
  if (oddity.kind === 'other-amount') {
    const isBought = oddity.field === 'toAmount' && entry.kind === 'fx';
    const currency = isBought ? entry.toCurrency : entry.currency;
    const written = (value: Decimal): string => exactMoneyText(value, currency, locale);
    return t['other-amount']({
      typed: echo(oddity.typed),
      taken: written(oddity.value),
      others: oddity.others.map(written).join(', '),
    });
  }
  if (oddity.kind === 'other-day')
    return t['other-day']({
      typed: echo(oddity.typed),
      taken: writeDate(entry.date, locale),
      others: oddity.others.map((date) => writeDate(date, locale)).join(', '),
    });
  if (oddity.kind !== 'closed-day') return isTrade(entry) ? priceText(oddity, entry, audience) : '';
  const { market, holiday } = oddity.closed;
  const day = {
    date: writeDate(entry.date, locale),
    market,
    nearest: oddity.nearest.map((date) => writeDate(date, locale)),
  };
  return holiday ? t.holiday({ ...day, holiday: holiday[locale] }) : t.weekend(day);
};
