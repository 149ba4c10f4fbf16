import { type Locale, texts } from '#src/core/i18n.ts';
import type { Currency, Decimal } from '#src/core/money.ts';
import type { Fact } from '#src/core/tool.ts';
import { currencyNamed, isQuotedIn } from '#src/language/currencies.ts';
import { sourceName } from '../answers/quote-text.ts';
import type { RateOn } from './entries/fill-rates.ts';
import { Exact } from './ledger/exact.ts';
import { exactMoneyText } from './money-text.ts';

const RATE_DIGITS = 6;

/** Which of two currencies is priced in the other one: the usual way round has digits to read. */
const isUsualWay = (from: Currency, to: Currency): boolean => {
  const [a, b] = [currencyNamed(from), currencyNamed(to)];
  return !a || !b || a.isCoin || (!b.isCoin && isQuotedIn(a, b));
};

/** `1 USD = ₩1,463.25`, whichever way round it was worked out. `rate`: what one `from` costs in `to`. */
export const rateText = (from: Currency, to: Currency, rate: Decimal, locale: Locale): string => {
  const isUsual = isUsualWay(from, to);
  const [base, price] = isUsual ? [from, to] : [to, from];
  const value = isUsual ? rate : new Exact(1).dividedBy(rate);
  return `1 ${base} = ${exactMoneyText(value.toSignificantDigits(RATE_DIGITS), price, locale)}`;
};

/** The day of a rate and where it is from. */
export const rateOriginText = ({ day, isAbout, ...of }: RateOn, locale: Locale): string => {
  const words = texts(locale).portfolio;
  const date = isAbout ? words.aboutDay({ date: day.toString() }) : day.toString();
  return `${date} · ${texts(locale).quotes.source}: ${sourceName(of, locale)}`;
};

export const rateFact = (from: Currency, to: Currency, { rate, day, source, isSample }: RateOn): Fact => ({
  entity: `${from}/${to}`,
  metric: 'rate',
  value: rate.toSignificantDigits(12).toFixed(),
  unit: to,
  asOf: day.toZonedDateTime('UTC').toInstant().toString(),
  source,
  isSample,
});
