import type { CardField } from '#src/kernel/chat/card.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { type Decimal, formatPercent } from '#src/kernel/money.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { formatPrice, toneOf } from '#src/markets/answers/quote-text.ts';
import { averageText, gainText, moneyText, shownQuantityText } from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { BaseGain } from '../ledger/ledger-state.ts';
import type { KnownAmount, PortfolioValue, ValuedHolding } from './portfolio-value.ts';
import { shownGain } from '../entries/shown-gain.ts';
import { shownAmounts, type ShownAmounts, type ShownHolding } from './shown-amounts.ts';
import { currentRateFacts, pricedTold } from './summary-notes.ts';

const NONE = '–';
const QUOTE_METRICS: ReadonlySet<MetricId> = new Set<MetricId>(['price', 'previousClose', 'changePercent']);

interface NamedSum {
  readonly name: string;
  readonly value: string;
}

/** A row of the table, with the field of the card and the line of the details that say the same. */
interface WrittenRow {
  readonly cells: readonly string[];
  readonly field: CardField;
  /** Average cost, price and gain. */
  readonly detail?: string;
}

/** What a summary says. */
export interface WrittenSummary {
  readonly headline: string;
  /** Sums of zero are left out. */
  readonly totals: readonly NamedSum[];
  /** Gain, change of the day and cash. */
  readonly shortTotals: readonly NamedSum[];
  /** The largest holdings, and one row for all others. */
  readonly table: string;
  readonly fields: readonly CardField[];
  readonly details: readonly string[];
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Writes a summary. `told` keeps its numbers; those that only models get, too. */
export const writeSummary = (value: PortfolioValue, told: FactRecorder): WrittenSummary => {
  const t = portfolioTexts(told.locale);
  const { columns } = t;
  const priced = pricedTold(told, value);
  const total = headline(value, priced);
  const totals = totalLines(value, told, priced);
  const { listed, others } = shownAmounts(value);
  const rows = [
    ...listed.map((shown) => holdingRow(shown, value, told)),
    ...(others ? [othersRow(others, value.state.baseCurrency, priced)] : []),
  ];
  told.count('holdingCount', value.holdings.length);
  told.add(currentRateFacts(value.rates, value.state.baseCurrency));
  const details = rows.flatMap(({ detail }) => (detail === undefined ? [] : [detail]));
  const head = [columns.name, columns.quantity, columns.average, columns.value, columns.gain, columns.day];
  const short: ReadonlySet<string> = new Set([t.unrealised, t.dayChange, t.cash]);
  return {
    headline: total,
    totals: totals.map(({ name, value: text, parts = '' }) => ({ name, value: text + parts })),
    shortTotals: totals
      .filter(({ name }) => short.has(name))
      .map(({ name, value: text }) => ({ name, value: text })),
    table: [
      row(head),
      `|---|${'---:|'.repeat(head.length - 1)}`,
      ...rows.map(({ cells }) => row(cells)),
    ].join('\n'),
    fields: rows.map(({ field }) => field),
    details: details.length > 0 ? [t.detailTitle, ...details] : [],
  };
};

/** The parts of a gain that come from the price and from the exchange rate. */
const hasParts = ({ fromPrice, fromFx }: BaseGain): boolean => !fromPrice.isZero() && !fromFx.isZero();

const partsText = (
  { fromPrice, fromFx }: BaseGain,
  base: string,
  told: FactRecorder,
  of: 'unrealised' | 'realised',
): string => {
  const t = portfolioTexts(told.locale);
  const price = told.gain(`${of}FromPrice`, fromPrice, base);
  return `${t.fromPrice} ${price} · ${t.fromFx} ${told.gain(`${of}FromFx`, fromFx, base)}`;
};

const holdingRow = (
  { holding, value, gain }: ShownHolding,
  { state, totals }: PortfolioValue,
  told: FactRecorder,
): WrittenRow => {
  const { locale } = told;
  const t = portfolioTexts(locale);
  const { position, quote, worth } = holding;
  const { instrument, quantity, cost } = position;
  const { currency, symbol } = instrument;
  const base = state.baseCurrency;
  const isForeign = currency !== base;
  const own = told.about({ entity: symbol, names: namesOf(instrument) });
  const average = new Exact(cost.local).dividedBy(quantity);
  own.keep('quantity', quantity, 'units');
  own.keep('averageCost', average, currency);
  own.keep('cost', cost.local, currency);
  if (quote) own.add(quoteFacts(quote).filter(({ metric }) => QUOTE_METRICS.has(metric)));
  const priced = quote
    ? own.about({ asOf: quote.asOf.toString(), source: quote.source, isSample: quote.isSample })
    : own;
  const inOwn =
    worth && priced.money('marketValue', isForeign || !value ? worth.value.local : value, currency);
  const inBase = isForeign && value && priced.money('marketValueBase', value, base);
  const unrealised = worth?.unrealised;
  const ofCost = priced.percent('unrealisedGainPercent', unrealised?.local, cost.local);
  const percent = isForeign
    ? priced.percent('unrealisedGainBasePercent', unrealised?.base?.total, cost.base)
    : ofCost;
  const ownGain = isForeign ? unrealised?.local : gain?.total;
  const gains = [
    ...(ownGain ? [priced.gain('unrealisedGain', ownGain, currency)] : []),
    ...(isForeign && gain ? [baseGainText(gain, base, priced)] : []),
  ].join(' = ');
  priced.keep('dayChange', worth && holding.dayChange?.local, currency);
  if (isForeign) priced.keep('dayChange', worth && holding.dayChange?.base, base);
  if (totals.known.value === 'all') priced.percent('weight', worth?.value.base, totals.value);
  const move = moveOf(holding);
  const from = quote?.previousClose;
  const day = move && from && !from.isZero() ? formatPercent(move.dividedBy(from.abs()), locale) : NONE;
  const marked = `${narrowName(instrument, locale)}${holding.isMarked ? ' ⚠️' : ''}`;
  const name = `${marked}${quantity.isNegative() ? ` · ${t.short}` : ''}`;
  const shown = {
    quantity: shownQuantityText(quantity, instrument, locale),
    average: averageText(average, instrument, locale),
    value: inBase || (inOwn ?? NONE),
    percent: percent ?? NONE,
    price: quote ? formatPrice(quote.price, instrument, locale) : NONE,
  };
  return {
    cells: [name, shown.quantity, shown.average, shown.value, shown.percent, day],
    field: {
      name,
      value: `${shown.quantity} × ${shown.average} → ${shown.value}\n${shown.percent} · ${t.columns.day} ${day}`,
      ...pageLink(instrument, locale),
      tone: toneOf(move ?? ZERO),
      isWide: true,
    },
    detail: `- ${marked}: ${shown.average} → ${shown.price}${gains === '' ? '' : ` · ${gains}`}`,
  };
};

/** A gain in the portfolio's currency, with its parts if it has both. */
const baseGainText = (gain: BaseGain, base: string, told: FactRecorder): string => {
  const total = told.gain('unrealisedGainBase', gain.total, base);
  const parts = partsText(gain, base, told, 'unrealised');
  return hasParts(gain) ? `${total} (${parts})` : total;
};

const moveOf = ({ quote }: ValuedHolding): Decimal | undefined =>
  quote?.previousClose && quote.price.minus(quote.previousClose);

/** Sums up the other holdings. Those without a price do not count as zero. */
const othersRow = (
  { count, value, gain, cost }: NonNullable<ShownAmounts['others']>,
  base: string,
  told: FactRecorder,
): WrittenRow => {
  const those = told.about({ parameter: 'others' });
  const name = portfolioTexts(told.locale).rest({ count: those.count('holdingCount', count) });
  const worth = value ? those.money('holdingsValue', value, base) : NONE;
  const percent = those.percent('unrealisedGainPercent', gain, cost) ?? NONE;
  return {
    cells: [name, NONE, NONE, worth, percent, NONE],
    field: { name, value: `${worth} · ${percent}`, isWide: true },
  };
};

/** Labels a partial sum, so that a model does not take it for the whole. */
const partOf = (told: FactRecorder, known: KnownAmount): FactRecorder =>
  known === 'all' ? told : told.about({ label: 'known part only' });

const inBrackets = (percent: string | undefined): string => (percent === undefined ? '' : ` (${percent})`);

/** The day's change of the holdings. Cash has none. */
const dayText = ({ totals, holdings, state }: PortfolioValue, priced: FactRecorder): string | undefined => {
  const { dayChange, dayBase, known } = totals;
  const part = partOf(priced, known.value);
  const percent = inBrackets(part.percent('dayChangePercent', dayChange, dayBase));
  const isKnown = holdings.some((holding) => holding.dayChange?.base);
  if (!isKnown && holdings.length > 0) return undefined;
  const arrow = dayChange.isZero() ? '■' : dayChange.isPositive() ? '▲' : '▼';
  const text = `${arrow} ${part.gain('dayChange', dayChange, state.baseCurrency)}${percent}`;
  return isKnown ? text : undefined;
};

/** The unrealised gain with its percentage, the number of holdings behind it, and apart its parts. */
const unrealisedText = (
  { totals, holdings, state }: PortfolioValue,
  priced: FactRecorder,
): { readonly value: string; readonly parts?: string } => {
  const base = state.baseCurrency;
  const { unrealised, cost, known } = totals;
  if (known.unrealised === 'none') return { value: NONE };
  const part = partOf(priced, known.unrealised);
  part.keep('cost', cost, base);
  const gained = holdings.filter(({ worth }) => worth?.unrealised.base).length;
  const of = portfolioTexts(priced.locale).ofHoldings({ known: gained, all: holdings.length });
  const gain = shownGain(unrealised, base);
  const parts = partsText(gain, base, part, 'unrealised');
  const total = part.gain('unrealisedGain', unrealised.total, base);
  const percent = inBrackets(part.percent('unrealisedGainPercent', unrealised.total, cost));
  return {
    value: `${total}${percent}${known.unrealised === 'all' ? '' : ` (${of})`}`,
    ...(hasParts(gain) && { parts: ` · ${parts}` }),
  };
};

const realisedText = ({ totals, state }: PortfolioValue, told: FactRecorder): string => {
  if (totals.known.realised === 'none') return NONE;
  const base = state.baseCurrency;
  const part = partOf(told, totals.known.realised);
  const total = part.gain('realisedGain', totals.realised.total, base);
  const gain = shownGain(totals.realised, base);
  const parts = partsText(gain, base, part, 'realised');
  return hasParts(gain) ? `${total} (${parts})` : total;
};

/** Dividends after recorded tax and before it, or before tax where none is recorded. */
const dividendsText = ({ totals, state }: PortfolioValue, told: FactRecorder): string => {
  const { dividends, dividendTax, known } = totals;
  if (known.dividends === 'none') return NONE;
  const t = portfolioTexts(told.locale);
  const part = partOf(told, known.dividends);
  const net = part.money('dividends', dividends, state.baseCurrency);
  if (dividendTax.isZero()) return t.untaxedDividends({ gross: net });
  const gross = part.money('dividends', dividends.plus(dividendTax), state.baseCurrency, 'before tax');
  return t.taxedDividends({ net, gross });
};

const cashText = (value: PortfolioValue, told: FactRecorder, priced: FactRecorder): string => {
  const base = value.state.baseCurrency;
  const shown = shownAmounts(value).cash;
  const texts = value.cash.flatMap(({ balance: { amount, currency } }, index) => {
    const text = told.money('cashBalance', amount, currency, currency);
    const inBase = shown[index];
    if (amount.isZero()) return [];
    if (!inBase) return [text];
    if (currency === base) return [told.money('cashBalance', inBase, base, currency)];
    return [`${text} (${priced.money('cashBalance', inBase, base, currency)})`];
  });
  return texts.join(', ') || told.money('cashBalance', ZERO, base, base);
};

const feesText = ({ totals, state }: PortfolioValue, told: FactRecorder): string => {
  const fees = told.money('fees', totals.fees, state.baseCurrency);
  if (totals.accountFees.isZero()) return fees;
  const ofAccount = told.money('fees', totals.accountFees, state.baseCurrency, 'account');
  return `${fees} (${portfolioTexts(told.locale).accountFees} ${ofAccount})`;
};

/** The sums of a portfolio with their names. Sums of zero are left out. */
const totalLines = (
  value: PortfolioValue,
  told: FactRecorder,
  priced: FactRecorder,
): readonly (NamedSum & { readonly parts?: string })[] => {
  const { totals, state, holdings } = value;
  const { known } = totals;
  const t = portfolioTexts(told.locale);
  const base = state.baseCurrency;
  const unrealised = unrealisedText(value, priced);
  const hasDividends = known.dividends !== 'all' || !totals.dividends.plus(totals.dividendTax).isZero();
  const cash = cashText(value, told, priced);
  if (known.cashFx !== 'none') partOf(priced, known.cashFx).keep('cashFxGain', totals.cashFx, base);
  if (!totals.interest.isZero() && known.interest !== 'none')
    partOf(told, known.interest).keep('interest', totals.interest, base);
  const lines: readonly (readonly [name: string, isShown: unknown, text: string | undefined])[] = [
    [t.dayChange, true, dayText(value, priced)],
    [t.realised, known.realised !== 'all' || !totals.realised.total.isZero(), realisedText(value, told)],
    [t.dividends, hasDividends, dividendsText(value, told)],
    [t.interest, !totals.interest.isZero(), moneyText(totals.interest, base, told.locale)],
    [t.cash, state.cashSince, cash],
    [t.cashFx, !totals.cashFx.isZero(), gainText(totals.cashFx, base, told.locale)],
    [t.fees, !totals.fees.isZero(), feesText(value, told)],
    [t.taxes, !totals.taxes.isZero(), told.money('taxes', totals.taxes, base)],
  ];
  return [
    ...(holdings.length > 0 ? [{ name: t.unrealised, ...unrealised }] : []),
    ...lines.flatMap(([name, isShown, text]) =>
      isShown && text !== undefined ? [{ name, value: text }] : [],
    ),
  ];
};

/** The total value, or the part of it that is known. */
const headline = ({ totals, state, holdings }: PortfolioValue, priced: FactRecorder): string => {
  const t = portfolioTexts(priced.locale);
  const base = state.baseCurrency;
  if (totals.known.value === 'none') return t.totalUnknown;
  const value = partOf(priced, totals.known.value).money('totalValue', totals.value, base);
  if (totals.known.value === 'all') {
    priced.keep('holdingsValue', totals.holdings, base);
    if (state.cashSince) priced.keep('cashValue', totals.cash, base);
    return `${t.totalValue} ${value}`;
  }
  const known = holdings.filter(({ worth }) => worth?.value.base).length;
  return t.knownValue({ value, of: t.ofHoldings({ known, all: holdings.length }) });
};
