import type { Locale } from '#src/kernel/locale.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { Quote } from '#src/kernel/market/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { shortOriginOf } from '#src/markets/answers/quote-table.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { LEDGER_SOURCE } from '../portfolios/portfolio-told.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type CurrentRate, type PortfolioValue, rateOrigins, type ValuedHolding } from './portfolio-value.ts';
import { rateFacts, rateText } from '../rates/rate-text.ts';

/** The most names that a warning lists. */
const MAX_NAMED = 10;

/** The first names, and the number of the others. */
export const firstNames = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} … (+${names.length - MAX_NAMED})`;

const KRX: ReadonlySet<string> = new Set(['KOSPI', 'KOSDAQ', 'KONEX']);

/** For a negative balance, suggests recording the deposit that may be missing. */
const cashNotes = ({ cash, state }: PortfolioValue, locale: Locale): readonly string[] => {
  const t = portfolioTexts(locale);
  return cash.flatMap(({ balance: { amount, currency }, base }) => {
    if (!amount.lessThan(0)) return [];
    const owed = amount.abs().toDecimalPlaces(currencyNamed(currency)?.decimals ?? 2, Decimal.ROUND_UP);
    const missing = { currency, missing: moneyText(owed, currency, locale) };
    const entry = `${owed.toFixed()} ${currency} ${state.cashSince?.toString() ?? ''}`;
    if (currency === state.baseCurrency || !base) return [t.depositMissing({ ...missing, entry })];
    const paid = `${base.abs().toDecimalPlaces(0, Decimal.ROUND_UP).toFixed()} ${state.baseCurrency}`;
    return [t.exchangeMissing({ ...missing, entry: `${paid} ${entry}` })];
  });
};

/** Names holdings whose price is old. */
export const staleLines = (holdings: readonly ValuedHolding[], locale: Locale): readonly string[] => {
  const stale = holdings.filter(({ quote }) => quote?.isStale);
  const names = stale.map(({ position }) => narrowName(position.instrument, locale));
  return names.length > 0 ? [portfolioTexts(locale).staleNames({ names: firstNames(names) })] : [];
};

/** One line for each thing that the sums leave out or that is not fresh. */
export const summaryNotes = (
  value: PortfolioValue,
  { locale }: Audience,
  /** Entries without a rate are already named elsewhere. */
  isRateNoted: boolean,
): readonly string[] => {
  const { holdings, cash, state } = value;
  const t = portfolioTexts(locale);
  const currency = state.baseCurrency;
  const named = (some: readonly ValuedHolding[]): readonly string[] =>
    some.map(({ position }) => narrowName(position.instrument, locale));
  const unpriced = named(holdings.filter(({ quote, reason }) => !quote && reason !== 'limited'));
  const unpricedYet = named(holdings.filter(({ quote, reason }) => !quote && reason === 'limited'));
  const unrated = [
    ...named(holdings.filter(({ quote, rate }) => quote && !rate)),
    ...cash.flatMap(({ balance, base }) => (base ? [] : [balance.currency])),
  ];
  const isUncosted = ({ cost, realised, dividends }: (typeof state.positions)[number]): boolean =>
    !cost.base || !realised.base || !dividends.base;
  const undatedFees = [...state.fees, ...state.taxes].filter(({ total }) => !total.base);
  const undatedInterest = state.interest.filter(({ total }) => !total.base);
  const uncosted = [
    ...state.positions.filter(isUncosted).map(({ instrument }) => narrowName(instrument, locale)),
    ...new Set([
      ...cash.flatMap(({ balance }) =>
        balance.costBase && balance.realisedFx ? [] : [`${t.cash} ${balance.currency}`],
      ),
      ...undatedInterest.map((each) => `${t.interest} ${each.currency}`),
      ...undatedFees.map((each) => `${t.fees}, ${t.taxes} ${each.currency}`),
    ]),
  ];
  // Korean sources report the after-market price as the last one; others keep it apart.
  const outside = (['pre', 'after'] as const).flatMap((session) => {
    const some = holdings.filter(
      ({ quote, position }) =>
        quote?.sessionState === session && !quote.extended && KRX.has(position.instrument.exchange),
    );
    const label = quoteTexts(locale).sessionStates[session];
    return some.length > 0 ? [t.outsideSession({ session: label, names: firstNames(named(some)) })] : [];
  });
  const undated = named(holdings.filter(({ quote }) => quote && !quote.previousClose));
  return [
    ...(unpriced.length > 0 ? [t.unpriced({ names: firstNames(unpriced) })] : []),
    ...(unpricedYet.length > 0 ? [t.unpricedYet({ names: firstNames(unpricedYet) })] : []),
    ...(unrated.length > 0 ? [t.unrated({ names: firstNames(unrated), currency })] : []),
    ...(uncosted.length > 0 && !isRateNoted ? [t.uncosted({ names: firstNames(uncosted), currency })] : []),
    ...staleLines(holdings, locale),
    ...outside,
    ...(undated.length > 0 ? [t.undated({ names: firstNames(undated) })] : []),
    ...cashNotes(value, locale),
  ];
};

/** Sources and times of the quotes, from the oldest to the newest. */
const originOf = (quotes: readonly Quote[], { locale, timeZone }: Audience): string => {
  const t = quoteTexts(locale);
  const times = quotes.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  const [first, last] = [times[0], times.at(-1)].map((at) => (at ? writeMoment(at, timeZone) : ''));
  const delay = Math.max(0, ...quotes.map(({ delayMinutes = 0, isSample }) => (isSample ? 0 : delayMinutes)));
  return [
    `${t.asOf} ${first === last ? first : `${first} – ${last}`}`,
    ...(delay > 0 ? [t.delayed({ minutes: delay })] : []),
    `${t.source}: ${[...new Set(quotes.map((quote) => sourceName(quote, locale)))].join(', ')}`,
  ].join(' · ');
};

export const quotesOf = ({ holdings }: Pick<PortfolioValue, 'holdings'>): readonly Quote[] =>
  holdings.flatMap(({ quote }) => (quote ? [quote] : []));

/** The origin of prices and rates, one line each. */
export const originLines = (value: PortfolioValue, audience: Audience): readonly string[] => {
  const { locale } = audience;
  const t = portfolioTexts(locale);
  const quotes = quotesOf(value);
  const textOf = ({ currency, rate }: CurrentRate): string =>
    rateText(currency, value.state.baseCurrency, rate, locale);
  const live = value.rates.filter(({ lastClose }) => !lastClose);
  const legs = live.flatMap((rate) => rate.legs.map(({ quote }) => quote));
  const old = legs.some(({ isStale }) => isStale) ? [t.rateMessages.stale] : [];
  const parts = [live.map(textOf).join(', '), ...old, ...(legs.length > 0 ? [originOf(legs, audience)] : [])];
  return [
    ...(quotes.length > 0 ? [`${t.prices}: ${originOf(quotes, audience)}`] : []),
    ...(legs.length > 0 ? [`${t.rates}: ${parts.join(' · ')}`] : []),
    ...value.rates.flatMap((rate) => {
      const { lastClose } = rate;
      if (!lastClose) return [];
      const close = t.rateMessages.lastClose({ date: lastClose.day.toString() });
      const source = `${quoteTexts(locale).source}: ${sourceName(lastClose, locale)}`;
      return [`⚠️ ${t.rates}: ${textOf(rate)} · ${close} · ${source}`];
    }),
  ];
};

/** Time, rates and source of all prices on one line. */
export const shortOrigin = (value: PortfolioValue, audience: Audience): string => {
  const { locale } = audience;
  const t = portfolioTexts(locale).rateMessages;
  const live = value.rates.filter(({ lastClose }) => !lastClose);
  const quotes = [...quotesOf(value), ...live.flatMap((rate) => rate.legs.map(({ quote }) => quote))];
  const rates = value.rates.map(({ currency, rate, lastClose, legs }) =>
    [
      ...(!lastClose && legs.some(({ quote }) => quote.isStale) ? [t.stale] : []),
      rateText(currency, value.state.baseCurrency, rate, locale),
      ...(lastClose ? [`(${t.lastClose({ date: lastClose.day.toString() })})`] : []),
    ].join(' '),
  );
  return shortOriginOf(quotes, audience, rates);
};

/** The rates that foreign amounts were converted at. */
export const currentRateFacts = (rates: PortfolioValue['rates'], unit: Currency): readonly Fact[] =>
  rates.flatMap((each) =>
    rateOrigins([each])
      .slice(0, 1)
      .flatMap(({ asOf, source, isSample }) =>
        rateFacts(each.currency, unit, each.rate, { asOf: asOf.toString(), source, isSample }),
      ),
  );

/** For sums of prices, which are as old as the oldest of them. */
export const pricedTold = (told: FactRecorder, value: PortfolioValue): FactRecorder => {
  const origins = [...quotesOf(value), ...rateOrigins(value.rates)];
  const [oldest] = origins.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  return told.about({
    ...(oldest && { asOf: oldest.toString() }),
    source: [...new Set([LEDGER_SOURCE, ...origins.map(({ source }) => source)])].join(' + '),
    isSample: origins.some(({ isSample }) => isSample),
  });
};
