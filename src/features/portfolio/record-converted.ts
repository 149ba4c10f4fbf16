import type { Instrument } from '#src/kernel/finance.ts';
import { portfolioMessages } from './messages/portfolio.ts';
import { codeFor } from '#src/kernel/instrument-code.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Requester, RecordRequest } from '#src/kernel/account-services.ts';
import { MAX_PRESSED_CHARS } from '#src/kernel/message.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { isTrade } from './checks/oddities.ts';
import { type FillRatesDeps, rateOn } from './entries/fill-rates.ts';
import { readEntry } from './entries/read-entry.ts';
import { readEntryNumber } from './entries/read-entry-checks.ts';
import { writtenMoment } from './entries/read-entry-moment.ts';
import { Exact } from './ledger/exact.ts';
import { currencyText, exactMoneyText, exactPriceText } from '#src/markets/answers/money-text.ts';
import { rateFact, rateOriginText, rateText } from './rate-text.ts';
import { recordCommand } from './record-instrument.ts';
import { readTypedRate } from './typed-rate.ts';

const PRICE_DECIMALS = 4;
/** A won is less than a thousandth of a dollar: digits count, not decimals. */
const RATE_DIGITS = 8;

/** The number alone; of a third kind of money, as it is: that is refused. */
const without = (money: Currency, typed: string | undefined): string | undefined => {
  const read = readEntryNumber(typed ?? '');
  if (!read || (read.currency !== undefined && read.currency !== money)) return typed;
  return read.value.toFixed();
};

const rounded = (value: Decimal, decimals: number): string => value.toDecimalPlaces(decimals).toFixed();

/** Where shares that are known by their US listing are traded in that money. */
const HOME_OF: ReadonlyMap<Currency, readonly string[]> = new Map([
  ['JPY', ['도쿄', 'Tokyo']],
  ['HKD', ['홍콩', 'Hong Kong']],
  ['GBP', ['런던', 'London']],
]);

/** `도요타 100 3000엔`: yen are paid for the shares in Tokyo, which are offered before anything else. */
export const withHomeListing = (
  answer: MarketAnswer,
  { currency, instrument }: { readonly currency: Currency; readonly instrument: Instrument },
  request: RecordRequest,
  { locale }: Requester,
  { symbols }: FillRatesDeps,
): MarketAnswer => {
  const listed = (HOME_OF.get(currency) ?? [])
    .map((city) => symbols.resolve(`${request.name ?? ''} ${city}`))
    .flatMap((match) => (match.status === 'found' ? [match.instrument] : []))
    .find((other) => other.currency === currency && other.symbol !== instrument.symbol);
  if (!listed) return answer;
  const command = recordCommand(request, codeFor(listed, symbols));
  const listing = instrumentLabel(listed, locale);
  return {
    ...answer,
    content: `${portfolioMessages(locale).homeListing({ listing, money: currencyText(currency, locale), command })}\n${answer.content}`,
    choices: [
      ...(command.length <= MAX_PRESSED_CHARS ? [{ label: listing, command }] : []),
      ...(answer.choices ?? []),
    ],
  };
};

/**
 * A trade whose price is given in other money than that in which it trades: what it comes to at the rate of its day, and
 * a command that records exactly that. The rate goes into the entry where the portfolio is kept in that money. Undefined
 * where there is no live rate.
 */
export const convertedAnswer = async (
  request: RecordRequest,
  {
    instrument,
    money,
    ...context
  }: {
    readonly instrument: Instrument;
    /** What the price is given in. */
    readonly money: Currency;
    readonly baseCurrency: Currency;
    readonly today: Temporal.PlainDate;
  },
  requester: Requester,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<MarketAnswer | undefined> => {
  const { locale } = requester;
  const t = portfolioMessages(locale);
  const { baseCurrency, today } = context;
  const bare: RecordRequest = {
    ...request,
    price: without(money, request.price),
    total: without(money, request.total),
    fee: without(money, request.fee),
    tax: without(money, request.tax),
    currency: undefined,
    rate: undefined,
  };
  const read = readEntry(bare, { instrument, baseCurrency, today, clientId: '' });
  if (read.status === 'problem' || !isTrade(read.entry)) return undefined;
  const { date, time, price, quantity, currency: own } = read.entry;
  const typed = money === baseCurrency ? readEntryNumber(request.rate ?? '')?.value : undefined;
  const pair = { from: own, to: money, date, today };
  const given = typed?.greaterThan(0) ? (await readTypedRate(typed, pair, deps, signal)).rate : undefined;
  const market = given ? undefined : await rateOn(own, money, date, deps, signal);
  // A price that was worked out with an invented rate must not get into a ledger.
  const rate = given ?? (market?.isSample ? undefined : market?.rate);
  if (!rate?.greaterThan(0)) return undefined;
  const inOwn = (value: Decimal, decimals = PRICE_DECIMALS): string =>
    rounded(new Exact(value).dividedBy(rate), decimals);
  const charge = (typed: string | undefined): string | undefined => {
    const value = readEntryNumber(typed ?? '')?.value;
    return value && inOwn(value);
  };
  const decimals = Math.max(PRICE_DECIMALS, instrument.priceDecimals);
  const converted: RecordRequest = {
    ...bare,
    quantity: quantity.toFixed(),
    price: inOwn(price, decimals),
    total: undefined,
    fee: charge(bare.fee),
    tax: charge(bare.tax),
    ...(time
      ? writtenMoment(instrument, date, time, requester)
      : { date: date.equals(today) ? undefined : date.toString() }),
    rate: money === baseCurrency ? rate.toSignificantDigits(RATE_DIGITS).toFixed() : undefined,
  };
  const command = recordCommand(converted, codeFor(instrument, deps.symbols));
  const inWords = exactPriceText(new Decimal(converted.price ?? 0), instrument, locale);
  return {
    content: [
      t.converted({
        name: instrumentLabel(instrument, locale),
        own: currencyText(own, locale),
        typed: exactMoneyText(price, money, locale),
        price: inWords,
        rate: rateText(own, money, rate, locale),
        origin: market ? rateOriginText(market, locale) : '',
      }),
      converted.rate === undefined ? t.convertedHint({ command }) : t.convertedRateHint({ command }),
    ].join('\n'),
    facts: market ? [rateFact(own, money, market)] : [],
    found: 0,
    ...(command.length <= MAX_PRESSED_CHARS && {
      choices: [{ label: t.recordConverted({ price: inWords }), command }],
    }),
  };
};
