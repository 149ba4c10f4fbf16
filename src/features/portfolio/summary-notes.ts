import type { Locale } from '#src/kernel/locale.ts';
import { portfolioMessages } from './messages/portfolio.ts';
import { quoteMessages } from '#src/markets/answers/quote-messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { Quote } from '#src/kernel/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import type { CurrentRate, PortfolioValue, ValuedHolding } from './portfolio-value.ts';
import { rateText } from './rate-text.ts';

/** More names in a warning are not read. */
const MAX_NAMED = 10;

const listed = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} … (+${names.length - MAX_NAMED})`;

const KRX: ReadonlySet<string> = new Set(['KOSPI', 'KOSDAQ', 'KONEX']);

/** Where money is owed: what to write down if it was forgotten, with the amount that is missing. */
const cashNotes = ({ cash, state }: PortfolioValue, locale: Locale): readonly string[] => {
  const t = portfolioMessages(locale);
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

/** Names what has only an old price. */
export const staleLines = (holdings: readonly ValuedHolding[], locale: Locale): readonly string[] => {
  const stale = holdings.filter(({ quote }) => quote?.isStale);
  const names = stale.map(({ position }) => narrowName(position.instrument, locale));
  return names.length > 0 ? [portfolioMessages(locale).staleNames({ names: listed(names) })] : [];
};

/** What the sums leave out, and what is not as fresh as it should be: said, one line each. */
export const summaryNotes = (
  value: PortfolioValue,
  { locale }: Audience,
  /** Entries without a rate are named elsewhere. */
  isRateTold: boolean,
): readonly string[] => {
  const { holdings, cash, state } = value;
  const t = portfolioMessages(locale);
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
  // Korean sources give the price of the after-market as the last one; others keep it apart.
  const outside = (['pre', 'after'] as const).flatMap((session) => {
    const some = holdings.filter(
      ({ quote, position }) =>
        quote?.sessionState === session && !quote.extended && KRX.has(position.instrument.exchange),
    );
    const label = quoteMessages(locale).sessionStates[session];
    return some.length > 0 ? [t.outsideSession({ session: label, names: listed(named(some)) })] : [];
  });
  const undated = named(holdings.filter(({ quote }) => quote && !quote.previousClose));
  return [
    ...(unpriced.length > 0 ? [t.unpriced({ names: listed(unpriced) })] : []),
    ...(unpricedYet.length > 0 ? [t.unpricedYet({ names: listed(unpricedYet) })] : []),
    ...(unrated.length > 0 ? [t.unrated({ names: listed(unrated), currency })] : []),
    ...(uncosted.length > 0 && !isRateTold ? [t.uncosted({ names: listed(uncosted), currency })] : []),
    ...staleLines(holdings, locale),
    ...outside,
    ...(undated.length > 0 ? [t.undated({ names: listed(undated) })] : []),
    ...cashNotes(value, locale),
  ];
};

/** From where, and as of when: of several the oldest and the newest. */
const originOf = (quotes: readonly Quote[], { locale, timeZone }: Audience): string => {
  const t = quoteMessages(locale);
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

/** Where the prices and the rates are from, one line each. */
export const originLines = (value: PortfolioValue, audience: Audience): readonly string[] => {
  const { locale } = audience;
  const t = portfolioMessages(locale);
  const quotes = quotesOf(value);
  const textOf = ({ currency, rate }: CurrentRate): string =>
    rateText(currency, value.state.baseCurrency, rate, locale);
  const live = value.rates.filter(({ lastClose }) => !lastClose);
  const legs = live.flatMap((rate) => rate.legs.map(({ quote }) => quote));
  const old = legs.some(({ isStale }) => isStale) ? [t.rateWords.stale] : [];
  const told = [live.map(textOf).join(', '), ...old, ...(legs.length > 0 ? [originOf(legs, audience)] : [])];
  return [
    ...(quotes.length > 0 ? [`${t.prices}: ${originOf(quotes, audience)}`] : []),
    ...(legs.length > 0 ? [`${t.rates}: ${told.join(' · ')}`] : []),
    ...value.rates.flatMap((rate) => {
      const { lastClose } = rate;
      if (!lastClose) return [];
      const close = t.rateWords.lastClose({ date: lastClose.day.toString() });
      const source = `${quoteMessages(locale).source}: ${sourceName(lastClose, locale)}`;
      return [`⚠️ ${t.rates}: ${textOf(rate)} · ${close} · ${source}`];
    }),
  ];
};
