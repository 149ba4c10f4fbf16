import type { CardField } from '#src/kernel/card.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Decimal, formatPercent } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { formatPrice, toneOf } from '#src/markets/answers/quote-text.ts';
import {
  averageText,
  gainText,
  moneyPairs,
  moneyParts,
  moneyText,
  percentOf,
  shownQuantityText,
} from '#src/markets/answers/money-text.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { Exact, sumOf, ZERO } from '../ledger/fixed-point.ts';
import type { BaseGain } from '../ledger/ledger-state.ts';
import type { Known, PortfolioValue, ValuedHolding } from './portfolio-value.ts';

/** Holdings below these rows are summed up in one row. */
export const MAX_ROWS = 20;
const NONE = '–';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

type ShownValues = ReturnType<typeof shownValues>;

/**
 * Rounded values of the holdings, of the row for all others and of cash, in the portfolio's currency. They add up to
 * the total that is shown.
 */
const shownValues = ({ holdings, cash, totals, state }: PortfolioValue) => {
  const [listed, others] = [holdings.slice(0, MAX_ROWS), holdings.slice(MAX_ROWS)];
  const values = listed.map(({ worth }) => worth?.value.base);
  const rest = sumOf(others.map(({ worth }) => worth?.value.base));
  const all = [...values, rest, ...cash.map(({ base }) => base)];
  const shown = moneyParts(
    all.map((value) => value ?? ZERO),
    totals.value,
    state.baseCurrency,
  );
  return {
    of: (holding: ValuedHolding): Decimal | undefined =>
      holding.worth?.value.base ? shown[listed.indexOf(holding)] : undefined,
    rest: shown[listed.length] ?? ZERO,
    cash: cash.map(({ base }, index) => base && shown[listed.length + 1 + index]),
  };
};

/** The value in the portfolio's currency, or without a rate in the holding's own, as its sign shows. */
const valueCell = (holding: ValuedHolding, shown: ShownValues, base: string, locale: Locale): string => {
  const { worth, position } = holding;
  if (!worth) return NONE;
  const value = shown.of(holding);
  return value
    ? moneyText(value, base, locale)
    : moneyText(worth.value.local, position.instrument.currency, locale);
};

const percentCell = (gain: Decimal | undefined, of: Decimal | undefined, locale: Locale): string =>
  gain && of && !of.isZero() ? formatPercent(gain.dividedBy(of.abs()), locale) : NONE;

/** The gain in the portfolio's currency. The gain in the holding's own is in `detailLines`. */
const gainCell = ({ worth, position: { cost } }: ValuedHolding, locale: Locale): string =>
  percentCell(worth?.unrealised.base?.total, cost.base, locale);

const moveOf = ({ quote }: ValuedHolding): Decimal | undefined =>
  quote?.previousClose && quote.price.minus(quote.previousClose);

const dayCell = (holding: ValuedHolding, locale: Locale): string =>
  percentCell(moveOf(holding), holding.quote?.previousClose, locale);

const markOf = ({ isMarked }: ValuedHolding): string => (isMarked ? ' ⚠️' : '');

const nameCell = (holding: ValuedHolding, locale: Locale): string => {
  const { instrument, quantity } = holding.position;
  const name = `${narrowName(instrument, locale)}${markOf(holding)}`;
  return `${name}${quantity.isNegative() ? ` · ${portfolioMessages(locale).short}` : ''}`;
};

const holdingRow = (
  holding: ValuedHolding,
  shown: ShownValues,
  base: string,
  locale: Locale,
): readonly string[] => [
  nameCell(holding, locale),
  shownQuantityText(holding.position.quantity, holding.position.instrument, locale),
  valueCell(holding, shown, base, locale),
  gainCell(holding, locale),
  dayCell(holding, locale),
];

/** Sums up the other holdings. Those without a price do not count as zero. */
const restRow = (
  rest: readonly ValuedHolding[],
  shown: ShownValues,
  base: string,
  locale: Locale,
): readonly string[] => {
  const valued = rest.filter(({ worth }) => worth?.value.base);
  const gained = rest.filter(({ worth, position }) => worth?.unrealised.base && position.cost.base);
  return [
    portfolioMessages(locale).rest({ count: rest.length }),
    NONE,
    valued.length === 0 ? NONE : moneyText(shown.rest, base, locale),
    percentCell(
      sumOf(gained.map(({ worth }) => worth?.unrealised.base?.total)),
      sumOf(gained.map(({ position }) => position.cost.base?.abs())),
      locale,
    ),
    NONE,
  ];
};

/**
 * The largest holdings, and one row for all others. It has few columns, so that a row fits on a line on platforms
 * without tables; `detailLines` has the rest.
 */
export const holdingsTable = (value: PortfolioValue, locale: Locale): string => {
  const { holdings, state } = value;
  const { columns } = portfolioMessages(locale);
  const base = state.baseCurrency;
  const shown = shownValues(value);
  const rest = holdings.slice(MAX_ROWS);
  const head = [columns.name, columns.quantity, columns.value, columns.gain({ currency: base }), columns.day];
  return [
    row(head),
    `|---|${'---:|'.repeat(head.length - 1)}`,
    ...holdings.slice(0, MAX_ROWS).map((holding) => row(holdingRow(holding, shown, base, locale))),
    ...(rest.length > 0 ? [row(restRow(rest, shown, base, locale))] : []),
  ].join('\n');
};

interface HoldingDetail {
  readonly holding: ValuedHolding;
  readonly average: string;
  readonly price: string;
  /** In its own currency and in the portfolio's, with the parts of price and exchange rate. Undefined if unknown. */
  readonly gain: string | undefined;
}

const holdingDetails = (
  { holdings, state, totals }: PortfolioValue,
  locale: Locale,
): readonly HoldingDetail[] => {
  const base = state.baseCurrency;
  const gains = holdings.map(({ worth }) => worth?.unrealised.base?.total ?? ZERO);
  const shown = moneyParts(gains, totals.unrealised.total, base);
  const parts = moneyPairs(
    holdings.map(({ worth }, index) => ({
      shown: shown[index] ?? ZERO,
      parts: [worth?.unrealised.base?.fromPrice ?? ZERO, worth?.unrealised.base?.fromFx ?? ZERO],
    })),
    gainParts(totals.unrealised, base)[0],
    base,
  );
  return holdings.slice(0, MAX_ROWS).map((holding, index) => {
    const { position, quote, worth } = holding;
    const total = worth?.unrealised.base && shown[index];
    const { instrument, quantity, cost } = position;
    const isForeign = instrument.currency !== base;
    const own = isForeign ? worth?.unrealised.local : total;
    const [fromPrice, fromFx] = parts[index] ?? [ZERO, ZERO];
    const gain = [
      ...(own ? [gainText(own, instrument.currency, locale)] : []),
      ...(isForeign && total
        ? [`${gainText(total, base, locale)} (${partsText({ total, fromPrice, fromFx }, base, locale)})`]
        : []),
    ].join(' = ');
    return {
      holding,
      average: averageText(new Exact(cost.local).dividedBy(quantity), instrument, locale),
      price: quote ? formatPrice(quote.price, instrument, locale) : NONE,
      gain: gain === '' ? undefined : gain,
    };
  });
};

/** Average cost, price and gain of each holding. */
export const detailLines = (value: PortfolioValue, locale: Locale): readonly string[] => {
  const lines = holdingDetails(value, locale).map(({ holding, average, price, gain }) => {
    const name = `${narrowName(holding.position.instrument, locale)}${markOf(holding)}`;
    return `- ${name}: ${average} → ${price}${gain === undefined ? '' : ` · ${gain}`}`;
  });
  return lines.length > 0 ? [portfolioMessages(locale).detailTitle, ...lines] : [];
};

/** The largest holdings as fields of a card, and one field for all others. */
export const holdingFields = (value: PortfolioValue, locale: Locale): readonly CardField[] => {
  const t = portfolioMessages(locale);
  const base = value.state.baseCurrency;
  const shown = shownValues(value);
  const others = value.holdings.slice(MAX_ROWS);
  const gainName = t.columns.gain({ currency: base });
  const fields = holdingDetails(value, locale).map(({ holding, average, price, gain }): CardField => {
    const [name = '', quantity, worth, percent, day] = holdingRow(holding, shown, base, locale);
    const { instrument } = holding.position;
    return {
      name,
      value: [
        `${t.columns.quantity} ${quantity} · ${t.columns.value} ${worth}`,
        `${gainName} ${percent} · ${t.columns.day} ${day}`,
        ...(gain === undefined ? [] : [`${t.unrealised} ${gain}`]),
        t.averageToPrice({ average, price }),
      ].join('\n'),
      ...pageLink(instrument, locale),
      tone: toneOf(moveOf(holding) ?? ZERO),
      isWide: true,
    };
  });
  if (others.length === 0) return fields;
  const [name = '', , worth, percent] = restRow(others, shown, base, locale);
  return [...fields, { name, value: `${t.columns.value} ${worth} · ${gainName} ${percent}`, isWide: true }];
};

const gainParts = ({ total, fromPrice, fromFx }: BaseGain, base: string): readonly [Decimal, Decimal] => {
  const [price = ZERO, rate = ZERO] = moneyParts([fromPrice, fromFx], total, base);
  return [price, rate];
};

/** The parts of a gain that come from the price and from the exchange rate. */
const partsText = (gain: BaseGain, base: string, locale: Locale): string => {
  const t = portfolioMessages(locale);
  const [price, rate] = gainParts(gain, base);
  return `${t.fromPrice} ${gainText(price, base, locale)} · ${t.fromFx} ${gainText(rate, base, locale)}`;
};

/** The day's change of the holdings. Cash has none. */
const dayText = ({ dayChange, dayBase }: PortfolioValue['totals'], base: string, locale: Locale): string => {
  const arrow = dayChange.isZero() ? '■' : dayChange.isPositive() ? '▲' : '▼';
  return `${arrow} ${gainText(dayChange, base, locale)}${percentOf(dayChange, dayBase, locale)}`;
};

/** The unrealised gain with its percentage, the number of holdings behind it, and its parts. */
const unrealisedText = ({ totals, holdings, state }: PortfolioValue, isForeign: boolean, locale: Locale) => {
  const base = state.baseCurrency;
  const { unrealised, cost, known } = totals;
  if (known.unrealised === 'none') return NONE;
  const gained = holdings.filter(({ worth }) => worth?.unrealised.base).length;
  const of = portfolioMessages(locale).ofHoldings({ known: gained, all: holdings.length });
  return [
    `${gainText(unrealised.total, base, locale)}${percentOf(unrealised.total, cost, locale)}`,
    known.unrealised === 'all' ? '' : ` (${of})`,
    isForeign ? ` · ${partsText(unrealised, base, locale)}` : '',
  ].join('');
};

/** The sums of a portfolio with their names. Sums of zero are left out where they say nothing. */
export const totalLines = (
  value: PortfolioValue,
  locale: Locale,
): readonly { readonly name: string; readonly value: string }[] => {
  const { totals, state, cash, holdings } = value;
  const shown = shownValues(value);
  const t = portfolioMessages(locale);
  const base = state.baseCurrency;
  const isForeign =
    state.positions.some(({ instrument }) => instrument.currency !== base) ||
    cash.some(({ balance }) => balance.currency !== base);
  const money = (amount: Decimal): string => moneyText(amount, base, locale);
  const gain = (of: BaseGain, known: Known): string => {
    if (known === 'none') return NONE;
    const total = gainText(of.total, base, locale);
    return isForeign && !of.total.isZero() ? `${total} (${partsText(of, base, locale)})` : total;
  };
  const cashTexts = cash.flatMap(({ balance: { amount, currency } }, index) => {
    if (amount.isZero()) return [];
    const inBase = shown.cash[index];
    if (!inBase) return [moneyText(amount, currency, locale)];
    return [currency === base ? money(inBase) : `${moneyText(amount, currency, locale)} (${money(inBase)})`];
  });
  const { known, accountFees } = totals;
  const ofAccount = accountFees.isZero() ? '' : ` (${t.accountFees} ${money(accountFees)})`;
  const lines: readonly (readonly [name: string, isShown: unknown, text: () => string])[] = [
    [t.unrealised, holdings.length > 0, () => unrealisedText(value, isForeign, locale)],
    [t.dayChange, holdings.some(({ dayChange }) => dayChange?.base), () => dayText(totals, base, locale)],
    [t.realised, true, () => gain(totals.realised, known.realised)],
    [t.dividends, true, () => (known.dividends === 'none' ? NONE : money(totals.dividends))],
    [t.interest, !totals.interest.isZero(), () => money(totals.interest)],
    [t.cash, state.cashSince, () => cashTexts.join(', ') || money(ZERO)],
    [t.cashFx, !totals.cashFx.isZero(), () => gainText(totals.cashFx, base, locale)],
    [t.fees, !totals.fees.isZero(), () => `${money(totals.fees)}${ofAccount}`],
    [t.taxes, !totals.taxes.isZero(), () => money(totals.taxes)],
  ];
  return lines.flatMap(([name, isShown, text]) => (isShown ? [{ name, value: text() }] : []));
};

/** The total value, or the part of it that is known. */
export const headline = ({ totals, state, holdings }: PortfolioValue, locale: Locale): string => {
  const t = portfolioMessages(locale);
  const value = moneyText(totals.value, state.baseCurrency, locale);
  if (totals.known.value === 'all') return `${t.totalValue} ${value}`;
  if (totals.known.value === 'none') return t.totalUnknown;
  const known = holdings.filter(({ worth }) => worth?.value.base).length;
  return t.knownValue({ value, of: t.ofHoldings({ known, all: holdings.length }) });
};
