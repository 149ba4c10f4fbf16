import type { CardField } from '#src/kernel/chat/card.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Decimal, formatPercent } from '#src/kernel/money.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { formatPrice, toneOf } from '#src/markets/answers/quote-text.ts';
import {
  averageText,
  gainText,
  moneyText,
  percentOf,
  shownQuantityText,
} from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { BaseGain } from '../ledger/ledger-state.ts';
import type { KnownAmount, PortfolioValue, ValuedHolding } from './portfolio-value.ts';
import { shownGain } from '../entries/shown-gain.ts';
import { shownAmounts, type ShownAmounts, type ShownHolding } from './shown-amounts.ts';

const NONE = '–';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The value in the portfolio's currency, or without a rate in the holding's own, as its sign shows. */
const valueCell = ({ holding, value }: ShownHolding, base: string, locale: Locale): string => {
  const { worth, position } = holding;
  if (!worth) return NONE;
  return value
    ? moneyText(value, base, locale)
    : moneyText(worth.value.local, position.instrument.currency, locale);
};

const percentCell = (gain: Decimal | undefined, of: Decimal | undefined, locale: Locale): string =>
  gain && of && !of.isZero() ? formatPercent(gain.dividedBy(of.abs()), locale) : NONE;

/** The gain in the portfolio's currency. The gain in the holding's own is in `detailLines`. */
const gainCell = ({ worth, position: { cost } }: ValuedHolding, locale: Locale): string =>
  percentCell(worth?.unrealised.base?.total, cost.base, locale);

const averageCell = ({ position: { cost, quantity, instrument } }: ValuedHolding, locale: Locale): string =>
  averageText(new Exact(cost.local).dividedBy(quantity), instrument, locale);

const moveOf = ({ quote }: ValuedHolding): Decimal | undefined =>
  quote?.previousClose && quote.price.minus(quote.previousClose);

const dayCell = (holding: ValuedHolding, locale: Locale): string =>
  percentCell(moveOf(holding), holding.quote?.previousClose, locale);

const markOf = ({ isMarked }: ValuedHolding): string => (isMarked ? ' ⚠️' : '');

const nameCell = (holding: ValuedHolding, locale: Locale): string => {
  const { instrument, quantity } = holding.position;
  const name = `${narrowName(instrument, locale)}${markOf(holding)}`;
  return `${name}${quantity.isNegative() ? ` · ${portfolioTexts(locale).short}` : ''}`;
};

const holdingRow = (shown: ShownHolding, base: string, locale: Locale): readonly string[] => {
  const { holding } = shown;
  return [
    nameCell(holding, locale),
    shownQuantityText(holding.position.quantity, holding.position.instrument, locale),
    averageCell(holding, locale),
    valueCell(shown, base, locale),
    gainCell(holding, locale),
    dayCell(holding, locale),
  ];
};

/** Sums up the other holdings. Those without a price do not count as zero. */
const othersRow = (
  { count, value, gain, cost }: NonNullable<ShownAmounts['others']>,
  base: string,
  locale: Locale,
): readonly string[] => [
  portfolioTexts(locale).rest({ count }),
  NONE,
  NONE,
  value ? moneyText(value, base, locale) : NONE,
  percentCell(gain, cost, locale),
  NONE,
];

/**
 * The largest holdings, and one row for all others. `detailLines` has their prices and gains in money.
 */
export const holdingsTable = (value: PortfolioValue, locale: Locale): string => {
  const { columns } = portfolioTexts(locale);
  const base = value.state.baseCurrency;
  const { listed, others } = shownAmounts(value);
  const head = [columns.name, columns.quantity, columns.average, columns.value, columns.gain, columns.day];
  return [
    row(head),
    `|---|${'---:|'.repeat(head.length - 1)}`,
    ...listed.map((holding) => row(holdingRow(holding, base, locale))),
    ...(others ? [row(othersRow(others, base, locale))] : []),
  ].join('\n');
};

interface HoldingDetail {
  readonly shown: ShownHolding;
  readonly average: string;
  readonly price: string;
  /** In its own currency and in the portfolio's, with the parts of price and exchange rate. Undefined if unknown. */
  readonly gain: string | undefined;
}

const holdingDetails = (value: PortfolioValue, locale: Locale): readonly HoldingDetail[] => {
  const base = value.state.baseCurrency;
  return shownAmounts(value).listed.map((shown) => {
    const { position, quote, worth } = shown.holding;
    const { instrument } = position;
    const isForeign = instrument.currency !== base;
    const own = isForeign ? worth?.unrealised.local : shown.gain?.total;
    const gain = [
      ...(own ? [gainText(own, instrument.currency, locale)] : []),
      ...(isForeign && shown.gain
        ? [
            hasParts(shown.gain)
              ? `${gainText(shown.gain.total, base, locale)} (${partsText(shown.gain, base, locale)})`
              : gainText(shown.gain.total, base, locale),
          ]
        : []),
    ].join(' = ');
    return {
      shown,
      average: averageCell(shown.holding, locale),
      price: quote ? formatPrice(quote.price, instrument, locale) : NONE,
      gain: gain === '' ? undefined : gain,
    };
  });
};

/** Average cost, price and gain of each holding. */
export const detailLines = (value: PortfolioValue, locale: Locale): readonly string[] => {
  const lines = holdingDetails(value, locale).map(({ shown: { holding }, average, price, gain }) => {
    const name = `${narrowName(holding.position.instrument, locale)}${markOf(holding)}`;
    return `- ${name}: ${average} → ${price}${gain === undefined ? '' : ` · ${gain}`}`;
  });
  return lines.length > 0 ? [portfolioTexts(locale).detailTitle, ...lines] : [];
};

/** The largest holdings as fields of a card, and one field for all others. */
export const holdingFields = (value: PortfolioValue, locale: Locale): readonly CardField[] => {
  const t = portfolioTexts(locale);
  const base = value.state.baseCurrency;
  const { others } = shownAmounts(value);
  const fields = shownAmounts(value).listed.map((shown): CardField => {
    const [name = '', quantity, average, worth, percent, day] = holdingRow(shown, base, locale);
    const { holding } = shown;
    const { instrument } = holding.position;
    return {
      name,
      value: `${quantity} × ${average} → ${worth}\n${percent} · ${t.columns.day} ${day}`,
      ...pageLink(instrument, locale),
      tone: toneOf(moveOf(holding) ?? ZERO),
      isWide: true,
    };
  });
  if (!others) return fields;
  const [name = '', , , worth, percent] = othersRow(others, base, locale);
  return [...fields, { name, value: `${worth} · ${percent}`, isWide: true }];
};

/** The parts of a gain that come from the price and from the exchange rate. */
const hasParts = ({ fromPrice, fromFx }: BaseGain): boolean => !fromPrice.isZero() && !fromFx.isZero();

const partsText = ({ fromPrice, fromFx }: BaseGain, base: string, locale: Locale): string => {
  const t = portfolioTexts(locale);
  return `${t.fromPrice} ${gainText(fromPrice, base, locale)} · ${t.fromFx} ${gainText(fromFx, base, locale)}`;
};

/** The day's change of the holdings. Cash has none. */
const dayText = ({ dayChange, dayBase }: PortfolioValue['totals'], base: string, locale: Locale): string => {
  const arrow = dayChange.isZero() ? '■' : dayChange.isPositive() ? '▲' : '▼';
  return `${arrow} ${gainText(dayChange, base, locale)}${percentOf(dayChange, dayBase, locale)}`;
};

/** The unrealised gain with its percentage, the number of holdings behind it, and in detail its parts. */
const unrealisedText = (
  { totals, holdings, state }: PortfolioValue,
  isDetailed: boolean,
  locale: Locale,
): string => {
  const base = state.baseCurrency;
  const { unrealised, cost, known } = totals;
  if (known.unrealised === 'none') return NONE;
  const gained = holdings.filter(({ worth }) => worth?.unrealised.base).length;
  const of = portfolioTexts(locale).ofHoldings({ known: gained, all: holdings.length });
  const gain = shownGain(unrealised, base);
  return [
    `${gainText(unrealised.total, base, locale)}${percentOf(unrealised.total, cost, locale)}`,
    known.unrealised === 'all' ? '' : ` (${of})`,
    isDetailed && hasParts(gain) ? ` · ${partsText(gain, base, locale)}` : '',
  ].join('');
};

interface NamedSum {
  readonly name: string;
  readonly value: string;
}

/** Gain, change of the day and cash. */
export const shortTotals = (value: PortfolioValue, locale: Locale): readonly NamedSum[] => {
  const t = portfolioTexts(locale);
  const names: ReadonlySet<string> = new Set([t.unrealised, t.dayChange, t.cash]);
  return totalLines(value, locale, false).filter(({ name }) => names.has(name));
};

/** The sums of a portfolio with their names. Sums of zero are left out. */
export const totalLines = (value: PortfolioValue, locale: Locale, isDetailed = true): readonly NamedSum[] => {
  const { totals, state, cash, holdings } = value;
  const shown = shownAmounts(value);
  const t = portfolioTexts(locale);
  const base = state.baseCurrency;
  const money = (amount: Decimal): string => moneyText(amount, base, locale);
  const gain = (of: BaseGain, known: KnownAmount): string => {
    if (known === 'none') return NONE;
    const total = gainText(of.total, base, locale);
    const parts = shownGain(of, base);
    return hasParts(parts) ? `${total} (${partsText(parts, base, locale)})` : total;
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
    [t.unrealised, holdings.length > 0, () => unrealisedText(value, isDetailed, locale)],
    [t.dayChange, holdings.some(({ dayChange }) => dayChange?.base), () => dayText(totals, base, locale)],
    [
      t.realised,
      known.realised !== 'all' || !totals.realised.total.isZero(),
      () => gain(totals.realised, known.realised),
    ],
    [
      t.dividends,
      known.dividends !== 'all' || !totals.dividends.plus(totals.dividendTax).isZero(),
      () => dividendsText(value, locale),
    ],
    [t.interest, !totals.interest.isZero(), () => money(totals.interest)],
    [t.cash, state.cashSince, () => cashTexts.join(', ') || money(ZERO)],
    [t.cashFx, !totals.cashFx.isZero(), () => gainText(totals.cashFx, base, locale)],
    [t.fees, !totals.fees.isZero(), () => `${money(totals.fees)}${ofAccount}`],
    [t.taxes, !totals.taxes.isZero(), () => money(totals.taxes)],
  ];
  return lines.flatMap(([name, isShown, text]) => (isShown ? [{ name, value: text() }] : []));
};

/** Dividends after recorded tax and before it, or before tax where none is recorded. */
const dividendsText = ({ totals, state: { baseCurrency } }: PortfolioValue, locale: Locale): string => {
  const { dividends, dividendTax, known } = totals;
  if (known.dividends === 'none') return NONE;
  const t = portfolioTexts(locale);
  const net = moneyText(dividends, baseCurrency, locale);
  const gross = moneyText(dividends.plus(dividendTax), baseCurrency, locale);
  return dividendTax.isZero() ? t.untaxedDividends({ gross }) : t.taxedDividends({ net, gross });
};

/** The total value, or the part of it that is known. */
export const headline = ({ totals, state, holdings }: PortfolioValue, locale: Locale): string => {
  const t = portfolioTexts(locale);
  const value = moneyText(totals.value, state.baseCurrency, locale);
  if (totals.known.value === 'all') return `${t.totalValue} ${value}`;
  if (totals.known.value === 'none') return t.totalUnknown;
  const known = holdings.filter(({ worth }) => worth?.value.base).length;
  return t.knownValue({ value, of: t.ofHoldings({ known, all: holdings.length }) });
};
