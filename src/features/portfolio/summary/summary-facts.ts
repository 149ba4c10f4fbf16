import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { Quote } from '#src/kernel/market/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { shortOriginOf } from '#src/markets/answers/quote-table.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import type { PortfolioRecord } from '#src/kernel/market/ledger.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import {
  type CurrentRate,
  type KnownAmount,
  type PortfolioValue,
  rateOrigins,
  type ValuedHolding,
} from './portfolio-value.ts';
import { rateFacts, rateText } from '../rates/rate-text.ts';
import { Exact, FACT_DECIMALS } from '../ledger/fixed-point.ts';
import { shownGain } from '../entries/shown-gain.ts';
import { type ShownAmounts, shownAmounts, type ShownHolding } from './shown-amounts.ts';

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

/** The source of facts that come from the person's own ledger. */
export const LEDGER_SOURCE = 'ledger';
const PERCENT_DECIMALS = 2;
const QUOTE_METRICS: ReadonlySet<MetricId> = new Set<MetricId>(['price', 'previousClose', 'changePercent']);

type Base = Pick<Fact, 'entity' | 'asOf' | 'source' | 'isSample' | 'label' | 'parameter'>;

export const entityOf = ({ name }: Pick<PortfolioRecord, 'name'>): string => `portfolio:${name}`;

const fact = (base: Base, metric: MetricId, value: Decimal | undefined, unit: string): readonly Fact[] =>
  value ? [{ ...base, metric, value: value.toDecimalPlaces(FACT_DECIMALS).toFixed(), unit }] : [];

const percent = (
  base: Base,
  metric: MetricId,
  gain: Decimal | undefined,
  of: Decimal | undefined,
): readonly Fact[] =>
  gain && of && !of.isZero()
    ? [{ ...base, metric, value: gain.dividedBy(of.abs()).times(100).toFixed(PERCENT_DECIMALS), unit: '%' }]
    : [];

const holdingFacts = (
  { holding, value: shown, gain }: ShownHolding,
  ledger: Base,
  baseCurrency: string,
  /** The value of the whole portfolio, if known. */
  total: Decimal | undefined,
): readonly Fact[] => {
  const { position, quote, worth } = holding;
  const { instrument, quantity, cost } = position;
  const own = { ...ledger, entity: instrument.symbol };
  const local = instrument.currency;
  const held = withNames(namesOf(instrument), [
    ...fact(own, 'quantity', quantity, 'units'),
    ...fact(own, 'averageCost', new Exact(cost.local).dividedBy(quantity), local),
    ...fact(own, 'cost', cost.local, local),
  ]);
  if (!quote) return held;
  const quoted = quoteFacts(quote).filter(({ metric }) => QUOTE_METRICS.has(metric));
  if (!worth) return [...held, ...quoted];
  const priced = {
    entity: instrument.symbol,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: ledger.isSample || quote.isSample,
  };
  const { value, unrealised } = worth;
  const isForeign = local !== baseCurrency;
  const inBase = isForeign ? gain : undefined;
  return [
    ...held,
    ...quoted,
    ...fact(priced, 'marketValue', isForeign ? value.local : shown, local),
    ...(isForeign ? fact(priced, 'marketValueBase', shown, baseCurrency) : []),
    ...fact(priced, 'unrealisedGain', isForeign ? unrealised.local : gain?.total, local),
    ...percent(priced, 'unrealisedGainPercent', unrealised.local, cost.local),
    ...fact(priced, 'unrealisedGainBase', inBase?.total, baseCurrency),
    ...percent(priced, 'unrealisedGainBasePercent', inBase && unrealised.base?.total, cost.base),
    ...fact(priced, 'unrealisedFromPrice', inBase?.fromPrice, baseCurrency),
    ...fact(priced, 'unrealisedFromFx', inBase?.fromFx, baseCurrency),
    ...fact(priced, 'dayChange', holding.dayChange?.local, local),
    ...(isForeign ? fact(priced, 'dayChange', holding.dayChange?.base, baseCurrency) : []),
    ...percent(priced, 'weight', total && value.base, total),
  ];
};

/** Labels a partial sum, so that a model does not take it for the whole. */
const partOf = (base: Base, known: KnownAmount): Base =>
  known === 'all' ? base : { ...base, label: 'known part only' };

/** A sum without any known part gives no fact. */
const totalFacts = (
  { state, totals, holdings }: PortfolioValue,
  priced: Base,
  ledger: Base,
): readonly Fact[] => {
  const unit = state.baseCurrency;
  const { known } = totals;
  const [unrealised, realised] = [shownGain(totals.unrealised, unit), shownGain(totals.realised, unit)];
  const sums = (
    of: KnownAmount,
    some: readonly (readonly [metric: MetricId, value: Decimal])[],
    base: Base,
  ): readonly Fact[] =>
    of === 'none' ? [] : some.flatMap(([metric, sum]) => fact(partOf(base, of), metric, sum, unit));
  const { value } = known;
  const isTaxed = !totals.dividendTax.isZero();
  const hasChange = holdings.length === 0 || holdings.some(({ dayChange }) => dayChange?.base);
  return [
    ...sums(value, [['totalValue', totals.value]], priced),
    ...(value === 'all' ? fact(priced, 'holdingsValue', totals.holdings, unit) : []),
    ...(value === 'all' && state.cashSince ? fact(priced, 'cashValue', totals.cash, unit) : []),
    ...(hasChange ? sums(value, [['dayChange', totals.dayChange]], priced) : []),
    ...percent(partOf(priced, value), 'dayChangePercent', totals.dayChange, totals.dayBase),
    ...sums(
      known.unrealised,
      [
        ['cost', totals.cost],
        ['unrealisedGain', unrealised.total],
      ],
      priced,
    ),
    ...percent(partOf(priced, known.unrealised), 'unrealisedGainPercent', unrealised.total, totals.cost),
    ...sums(
      known.unrealised,
      [
        ['unrealisedFromPrice', unrealised.fromPrice],
        ['unrealisedFromFx', unrealised.fromFx],
      ],
      priced,
    ),
    ...sums(
      known.realised,
      [
        ['realisedGain', realised.total],
        ['realisedFromPrice', realised.fromPrice],
        ['realisedFromFx', realised.fromFx],
      ],
      ledger,
    ),
    ...sums(known.dividends, [['dividends', totals.dividends]], ledger),
    ...(isTaxed
      ? sums(known.dividends, [['dividends', totals.dividends.plus(totals.dividendTax)]], {
          ...ledger,
          parameter: 'before tax',
        })
      : []),
    ...(totals.interest.isZero() ? [] : sums(known.interest, [['interest', totals.interest]], ledger)),
    ...sums(known.cashFx, [['cashFxGain', totals.cashFx]], priced),
  ];
};

/** The row of the holdings that are not listed. */
const otherFacts = (others: ShownAmounts['others'], base: Base, unit: Currency): readonly Fact[] => {
  if (!others) return [];
  const { count, value, gain, cost } = others;
  const those = { ...base, parameter: 'others' };
  return [
    ...fact(those, 'holdingCount', new Decimal(count), 'count'),
    ...fact(those, 'holdingsValue', value, unit),
    ...percent(those, 'unrealisedGainPercent', gain, cost),
  ];
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

/**
 * The statements of the summary as facts. Sums of prices are as old as their oldest price. `isLedgerSample`: some
 * entries contain sample data.
 */
export const summaryFacts = (
  portfolio: Pick<PortfolioRecord, 'name'>,
  value: PortfolioValue,
  now: Timestamp,
  isLedgerSample: boolean,
): readonly Fact[] => {
  const { state, totals, holdings, cash, rates } = value;
  const shown = shownAmounts(value);
  const unit = state.baseCurrency;
  const entity = entityOf(portfolio);
  const ledger: Base = { entity, asOf: now.toString(), source: LEDGER_SOURCE, isSample: isLedgerSample };
  const quotes = [...quotesOf(value), ...rateOrigins(rates)];
  const [oldest] = quotes.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  const priced: Base = {
    entity,
    asOf: (oldest ?? now).toString(),
    source: [...new Set([LEDGER_SOURCE, ...quotes.map(({ source }) => source)])].join(' + '),
    isSample: isLedgerSample || quotes.some(({ isSample }) => isSample),
  };
  const total = totals.known.value === 'all' ? totals.value : undefined;
  return [
    ...withNames(
      [portfolio.name],
      [
        ...totalFacts(value, priced, ledger),
        ...otherFacts(shown.others, priced, unit),
        ...fact(ledger, 'fees', totals.fees, unit),
        ...(totals.accountFees.isZero()
          ? []
          : fact({ ...ledger, parameter: 'account' }, 'fees', totals.accountFees, unit)),
        ...fact(ledger, 'taxes', totals.taxes, unit),
        ...fact(ledger, 'holdingCount', new Decimal(holdings.length), 'count'),
      ],
    ),
    ...cash.flatMap(({ balance: { amount, currency } }, index) => [
      ...fact({ ...ledger, parameter: currency }, 'cashBalance', amount, currency),
      ...(currency === unit
        ? []
        : fact({ ...priced, parameter: currency }, 'cashBalance', shown.cash[index], unit)),
    ]),
    ...currentRateFacts(rates, unit),
    ...shown.listed.flatMap((holding) => holdingFacts(holding, ledger, unit, total)),
  ];
};
