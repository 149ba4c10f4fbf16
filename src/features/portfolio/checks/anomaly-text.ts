import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import {
  type CurrencyExchange,
  instrumentOf,
  type NewTransaction,
  type Trade,
} from '#src/kernel/market/ledger.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { type Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { writeDate } from '#src/kernel/time.ts';
import { formatPrice, originText, sourceName } from '#src/markets/answers/quote-text.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyText, exactMoneyText, exactPriceText } from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import { countingParams, splitNameText, splitParams } from '../corporate-actions/offers.ts';
import { dayRateFacts, rateOriginText, rateText } from '../rates/rate-text.ts';
import { isTrade, type Anomaly, splitFactor, timesOff } from './anomalies.ts';
import type { PriceReference } from './price-reference.ts';

type PriceAnomaly = Extract<Anomaly, { readonly reference: unknown }>;

const PERCENT_DIGITS = 2;

const percentText = (part: Decimal, whole: Decimal, locale: Audience['locale']): string => {
  const percent = part.dividedBy(whole).times(100).toSignificantDigits(PERCENT_DIGITS);
  return `${formatFinancialNumber(percent, { locale, maximumFractionDigits: 8 })}%`;
};

/** Prices of a day are identified by the day; the time of the request does not matter. */
const referenceOrigin = ({ day, origin }: PriceReference, audience: Audience): string =>
  day
    ? `${day.toString()} · ${quoteTexts(audience.locale).source}: ${sourceName(origin, audience.locale)}`
    : originText(origin, audience);

const priceText = (anomaly: PriceAnomaly, trade: Trade, told: FactRecorder, audience: Audience): string => {
  const { locale } = audience;
  const t = portfolioTexts(locale).odd;
  const { instrument, price } = trade;
  const { reference } = anomaly;
  const { splits } = reference;
  const common = {
    price: exactPriceText(price, instrument, locale),
    origin: referenceOrigin(reference, audience),
    isBeforeSplit: splits.length > 0,
  };
  const last = reference.kind === 'price' ? reference.price : reference.high;
  const { asOf, source, isSample } = reference.origin;
  const compared = told.about({ asOf: asOf.toString(), source, isSample });
  switch (anomaly.kind) {
    case 'out-of-range': {
      const { low, high } = anomaly.reference;
      const own = compared.about({
        entity: instrument.symbol,
        names: namesOf(instrument),
        day: trade.date.toString(),
      });
      own.keep('dayLow', low.toFixed(), instrument.currency);
      own.keep('dayHigh', high.toFixed(), instrument.currency);
      return t['out-of-range']({
        ...common,
        low: formatPrice(low, instrument, locale),
        high: formatPrice(high, instrument, locale),
      });
    }
    case 'after-split': {
      const then = price.times(splitFactor(anomaly.splits));
      return corporateActionTexts(locale).afterSplit({
        price: common.price,
        name: shortLabel(instrument, locale),
        splits: anomaly.splits
          .map((split) => `${splitNameText(split.ratio, audience)} (${writeDate(split.date, locale)})`)
          .join(', '),
        once: formatPrice(then, instrument, locale),
      });
    }
    case 'far-price': {
      const isAbove = price.greaterThan(last);
      compared
        .about({ entity: 'calculation' })
        .keep('calculation', price.dividedBy(last).times(isAbove ? 1 : 100), isAbove ? 'x' : '%', {
          label: `${price.toFixed()} / ${last.toFixed()}`,
          operands: [price.toFixed(), last.toFixed()],
        });
      return t['far-price']({
        ...common,
        last: formatPrice(last, instrument, locale),
        times: formatFinancialNumber(timesOff(price, last), { locale, maximumFractionDigits: 1 }),
        percent: percentText(price, last, locale),
        isAbove,
      });
    }
    case 'other-money':
      return t['other-money']({
        ...common,
        name: shortLabel(instrument, locale),
        typed: formatFinancialNumber(price, { locale, maximumFractionDigits: 8 }),
        money: currencyText(anomaly.money, locale),
        own: currencyText(instrument.currency, locale),
        last: formatPrice(last, instrument, locale),
      });
  }
  return anomaly satisfies never;
};

type SplitAnomaly = Extract<Anomaly, { readonly split: unknown }>;

const splitText = ({ kind, split }: SplitAnomaly, entry: NewTransaction, audience: Audience): string => {
  const t = corporateActionTexts(audience.locale);
  const params = splitParams(split, { audience });
  if (kind === 'missing-split')
    return split.status === 'mixed'
      ? t.splitBeforeMixed({ ...params, ...countingParams(split) })
      : t.splitBefore(params);
  if (kind === 'other-ratio')
    return t.splitUnlike({
      ...params,
      own: entry.kind === 'split' ? splitNameText(entry.ratio, audience) : '',
    });
  return split.entry
    ? t.splitRecorded({ ...params, number: split.entry.number })
    : t.splitAlready({ ...params, ...countingParams(split) });
};

type FarRate = Extract<Anomaly, { readonly kind: 'far-rate' }>;

/** `$1,000.00 × ₩1,470 = ₩1,470,000`: the exchange that was probably meant. */
export const likelyText = ({ likely }: FarRate, entry: CurrencyExchange, { locale }: Audience): string => {
  if (!likely) return '';
  const isPriceReceived = likely.price[1] === entry.toCurrency;
  const amount = exactMoneyText(likely.amount, entry.currency, locale);
  const toAmount = exactMoneyText(likely.toAmount, entry.toCurrency, locale);
  const price = exactMoneyText(...likely.price, locale);
  return isPriceReceived ? `${amount} × ${price} = ${toAmount}` : `${toAmount} × ${price} = ${amount}`;
};

const farRateText = (anomaly: FarRate, entry: CurrencyExchange, audience: Audience): string => {
  const { locale } = audience;
  const { currency: from, toCurrency: to } = entry;
  const { rate, market, likely } = anomaly;
  return portfolioTexts(locale).odd['far-rate']({
    rate: rateText(from, to, rate, locale),
    market: rateText(from, to, market.rate, locale),
    origin: rateOriginText(market, locale),
    price: likely ? exactMoneyText(...likely.price, locale) : '',
    likely: likelyText(anomaly, entry, audience),
  });
};

/** Describes an anomaly in one sentence. */
export const anomalyText = (
  anomaly: Anomaly,
  entry: NewTransaction,
  told: FactRecorder,
  audience: Audience,
): string => {
  const { locale } = audience;
  const t = portfolioTexts(locale).odd;
  if (anomaly.kind === 'never-held') {
    const instrument = instrumentOf(entry);
    const name = instrument ? shortLabel(instrument, locale) : '';
    return t['never-held']({ name, date: entry.date.toString() });
  }
  if (anomaly.kind === 'duplicate') return t.duplicate({ number: anomaly.number });
  if ('split' in anomaly) return splitText(anomaly, entry, audience);
  if (anomaly.kind === 'far-rate') {
    if (entry.kind !== 'fx') return '';
    told.add(dayRateFacts(entry.currency, entry.toCurrency, anomaly.market));
    return farRateText(anomaly, entry, audience);
  }
  if ('to' in anomaly) {
    const { kind, rate, market, to } = anomaly;
    told.add(dayRateFacts(entry.currency, to, market));
    return t[kind]({
      rate: rateText(entry.currency, to, rate, locale),
      market: rateText(entry.currency, to, market.rate, locale),
      origin: rateOriginText(market, locale),
    });
  }
  if (anomaly.kind === 'other-amount') {
    const isBought = anomaly.field === 'toAmount' && entry.kind === 'fx';
    const currency = isBought ? entry.toCurrency : entry.currency;
    const written = (value: Decimal): string => exactMoneyText(value, currency, locale);
    return t['other-amount']({
      typed: echo(anomaly.typed),
      taken: written(anomaly.value),
      others: anomaly.others.map(written).join(', '),
    });
  }
  if (anomaly.kind === 'other-day')
    return t['other-day']({
      typed: echo(anomaly.typed),
      taken: writeDate(entry.date, locale),
      others: anomaly.others.map((date) => writeDate(date, locale)).join(', '),
    });
  if (anomaly.kind === 'early-day') return t['early-day']({ date: writeDate(entry.date, locale) });
  if (anomaly.kind === 'closed-hour')
    return t['closed-hour']({ time: anomaly.time.toString({ smallestUnit: 'minute' }) });
  if (anomaly.kind !== 'closed-day') return isTrade(entry) ? priceText(anomaly, entry, told, audience) : '';
  const { market, holiday } = anomaly.closed;
  const day = {
    date: writeDate(entry.date, locale),
    market,
    nearest: anomaly.nearest.map((date) => writeDate(date, locale)),
  };
  return holiday ? t.holiday({ ...day, holiday: holiday[locale] }) : t.weekend(day);
};
