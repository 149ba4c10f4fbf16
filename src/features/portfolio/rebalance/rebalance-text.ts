import type { Locale } from '#src/kernel/locale.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { shownParts } from '#src/platform/text/round-to-total.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { Exact, sumOf, ZERO } from '../ledger/fixed-point.ts';
import { shownQuantityText } from '#src/markets/answers/money-text.ts';
import type { PortfolioValue, ValuedHolding } from '../summary/portfolio-value.ts';
import { currentRateFacts, originLines, pricedTold } from '../summary/summary-notes.ts';
import type { Plan, PlanItem, PlannedTrade } from './plan-trades.ts';

export interface PlannedItem {
  readonly holding: ValuedHolding;
  readonly item: PlanItem;
  readonly trade: PlannedTrade;
  /** The instrument is one of the targets. */
  readonly isNamed: boolean;
}

export interface RebalanceAnswer {
  readonly name: string;
  readonly value: PortfolioValue;
  readonly planned: readonly PlannedItem[];
  readonly plan: Plan;
  readonly cash: { readonly now: Decimal; readonly target: Decimal; readonly isCounted: boolean };
  readonly newMoney:
    | {
        readonly amount: Decimal;
        /** The amount as typed, if in another currency than the portfolio's. */
        readonly written?: { readonly amount: Decimal; readonly currency: Currency };
      }
    | undefined;
  readonly canSell: boolean;
  readonly band: Decimal | undefined;
  readonly feePercent: Decimal | undefined;
  /** Names that are left out of all sums. */
  readonly left: { readonly unpriced: readonly string[]; readonly shorts: readonly string[] };
  /** The option that selects the portfolio in a command. */
  readonly suffix: string;
}

const HONG_KONG = 'HKEX';
const HUNDRED = 100;
const SHOWN_DECIMALS = 1;
const MAX_DECIMALS = 4;

/** Percentages with one decimal that add up to 100.0, by the largest remainder. */
export const percentShares = (values: readonly Decimal[]): readonly Decimal[] => {
  const total = sumOf(values);
  if (!total.greaterThan(0)) return values.map(() => ZERO);
  const exact = values.map((value) => new Exact(value).times(HUNDRED).dividedBy(total));
  return shownParts(exact, new Decimal(HUNDRED), SHOWN_DECIMALS);
};

interface Weights {
  readonly cashNow: Decimal;
  /** Of each planned item in order, then of cash. */
  readonly now: readonly Decimal[];
  readonly after: readonly Decimal[];
}

/** The weights as they are shown. */
const weightsOf = ({ planned, plan, cash, newMoney }: RebalanceAnswer): Weights => {
  const worth = planned.map(({ item, trade }) => ({
    now: item.price.times(item.held),
    after: item.price.times(item.held.plus(trade.quantity)),
  }));
  const cashNow = cash.now.plus(newMoney?.amount ?? ZERO);
  return {
    cashNow,
    now: percentShares([...worth.map((each) => each.now), cashNow]),
    after: percentShares([...worth.map((each) => each.after), plan.cashAfter]),
  };
};

/** One decimal, or as many as the target has. */
const percentText = (value: Decimal, locale: Locale, showSign = false): string =>
  `${formatFinancialNumber(value, { locale, minimumFractionDigits: SHOWN_DECIMALS, maximumFractionDigits: MAX_DECIMALS, showSign })}%`;

const table = (answer: RebalanceAnswer, told: FactRecorder): string => {
  const { locale } = told;
  const { columns, cash: cashWord } = rebalanceTexts(locale);
  const { planned, plan, cash } = answer;
  const { cashNow, now, after } = weightsOf(answer);
  const rows = [
    ...planned.map(({ holding, item }) => ({ ...aboutHolding(holding, told), target: item.target })),
    { name: cashWord, own: told.about({ parameter: 'cash' }), behindOf: 'cash after', target: cash.target },
  ];
  const lines = rows.flatMap(({ name, own, behindOf = 'after', target }, index) => {
    const [before, behind] = [now[index] ?? ZERO, after[index] ?? ZERO];
    own.keep('targetWeight', target, '%');
    own.keep('weight', before, '%');
    own.keep('weight', behind, '%', behindOf);
    own.keep('weightGap', before.minus(target), '%');
    const isEmpty =
      index === rows.length - 1 && target.isZero() && cashNow.isZero() && plan.cashAfter.isZero();
    if (isEmpty) return [];
    const cells = [
      name,
      percentText(before, locale),
      percentText(target, locale),
      percentText(before.minus(target), locale, true),
      percentText(behind, locale),
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  const heads = [columns.name, columns.now, columns.target, columns.change, columns.after];
  return [`| ${heads.join(' | ')} |`, '| --- | ---: | ---: | ---: | ---: |', ...lines].join('\n');
};

const aboutHolding = (
  { position: { instrument } }: ValuedHolding,
  told: FactRecorder,
): { readonly name: string; readonly own: FactRecorder; readonly behindOf?: string } => ({
  name: narrowName(instrument, told.locale),
  own: told.about({ entity: instrument.symbol, names: namesOf(instrument) }),
});

const tradeLine = ({ holding, trade }: PlannedItem, base: Currency, told: FactRecorder): string => {
  const t = rebalanceTexts(told.locale);
  const { name, own } = aboutHolding(holding, told);
  const { quote, rate, position } = holding;
  const { instrument } = position;
  const side = trade.quantity.isNegative() ? 'sell' : 'buy';
  const pieces = trade.quantity.abs();
  own.keep('tradeQuantity', pieces, 'units', side);
  const inBase = own.money('tradeAmount', trade.amount.abs(), base, side);
  const inOwn =
    quote && rate && instrument.currency !== base
      ? own.money('tradeAmount', quote.price.times(pieces), instrument.currency, side)
      : undefined;
  return t.trade({
    side: t.sides[side],
    name,
    quantity: shownQuantityText(pieces, instrument, told.locale),
    amount: inOwn === undefined ? inBase : `${inOwn} (${inBase})`,
  });
};

const commandFor = ({ holding, item, trade }: PlannedItem, suffix: string): string => {
  const verb = trade.quantity.isNegative() ? 'sell' : 'add';
  const pieces = trade.quantity.abs();
  const quantity = verb === 'sell' && pieces.equals(item.held) ? 'all' : pieces.toFixed();
  return `/portfolio ${verb} ${holding.position.instrument.ticker} ${quantity}${suffix}`;
};

const noteLines = (
  answer: RebalanceAnswer,
  traded: readonly PlannedItem[],
  audience: Audience,
): readonly string[] => {
  const { locale } = audience;
  const t = rebalanceTexts(locale);
  const { planned, value, left, cash, newMoney } = answer;
  const base = value.state.baseCurrency;
  const named = (some: readonly PlannedItem[]): string =>
    some.map(({ holding }) => narrowName(holding.position.instrument, locale)).join(', ');
  const unnamed = planned.filter(({ isNamed }) => !isNamed);
  const inLots = traded.filter(({ item }) => item.step.greaterThan(1));
  // Each company in Hong Kong has a lot of its own, which no source here tells.
  const unknownLots = traded.filter(({ holding }) => holding.position.instrument.exchange === HONG_KONG);
  const stale = planned.filter(({ holding }) => holding.quote?.isStale);
  const [first] = traded;
  return [
    ...(inLots.length > 0 ? [t.lots({ names: named(inLots) })] : []),
    ...(unknownLots.length > 0 ? [`⚠️ ${t.unknownLots({ names: named(unknownLots) })}`] : []),
    ...(unnamed.length > 0 ? [t.unnamed({ names: named(unnamed) })] : []),
    ...(left.unpriced.length > 0 ? [`⚠️ ${t.unpriced({ names: left.unpriced.join(', ') })}`] : []),
    ...(left.shorts.length > 0 ? [`⚠️ ${t.shorts({ names: left.shorts.join(', ') })}`] : []),
    ...(stale.length > 0 ? [`⚠️ ${t.stale({ names: named(stale) })}`] : []),
    ...(cash.isCounted || newMoney ? [] : [t.cashNotCounted]),
    ...(traded.some(({ holding }) => holding.position.instrument.currency !== base) ? [t.exchange] : []),
    ...originLines(value, audience),
    ...(first ? [t.notRecorded({ command: commandFor(first, answer.suffix) })] : []),
    t.notAdvice,
  ];
};

/** The new money, in the portfolio's currency and as it was typed. */
const newMoneyText = (
  { amount, written }: NonNullable<RebalanceAnswer['newMoney']>,
  unit: Currency,
  told: FactRecorder,
): string => {
  const inBase = told.money('cashMove', amount, unit, 'new money');
  if (!written) return inBase;
  const typed = written.amount.toFixed();
  told.about({ entity: `${written.currency}/${unit}` }).keep('converted', amount, unit, {
    label: `${typed} ${written.currency} in ${unit}`,
    operands: [typed],
  });
  return `${told.money('cashMove', written.amount, written.currency, 'new money')} = ${inBase}`;
};

/** Weights now and after, trades, charges, and the exact remaining cash. */
export const rebalanceText = (answer: RebalanceAnswer, whole: FactRecorder, audience: Audience): string => {
  const { locale } = audience;
  const t = rebalanceTexts(locale);
  const { value, plan, planned, cash, newMoney, canSell, band, feePercent } = answer;
  const base = value.state.baseCurrency;
  // A plan is as old as its oldest price.
  const told = pricedTold(whole, value);
  const traded = planned.filter(({ trade }) => !trade.quantity.isZero());
  const sorted = [
    ...traded.filter(({ trade }) => trade.quantity.isNegative()),
    ...traded.filter(({ trade }) => trade.quantity.isPositive()),
  ];
  const after = told.money('cashAfter', plan.cashAfter, base);
  const left = told.money('cashAfter', plan.cashAfter.minus(cash.now), base, 'of the new money');
  const now = told.money('cashValue', cash.now.plus(newMoney?.amount ?? ZERO), base);
  const added = newMoney ? newMoneyText(newMoney, base, told) : '';
  if (band) told.keep('weightGap', band, '%p', 'left alone');
  told.add(currentRateFacts(value.rates, base));
  const tax = told.money('transactionTax', sumOf(traded.map(({ trade }) => trade.tax)), base);
  const fee = told.money('fees', sumOf(traded.map(({ trade }) => trade.fee)), base);
  const charges = feePercent ? t.charges({ tax, fee }) : t.chargesWithoutFee({ tax });
  return [
    t.title({ name: answer.name, currency: base }),
    ...(newMoney
      ? [canSell ? t.withNewMoneyAndSales({ amount: added }) : t.withNewMoney({ amount: added })]
      : []),
    ...(band ? [t.band({ points: band.toFixed() })] : []),
    '',
    table(answer, told),
    '',
    `**${t.trades}**`,
    ...(sorted.length > 0 ? sorted.map((item) => `- ${tradeLine(item, base, told)}`) : [t.noTrades]),
    ...(sorted.length > 0 ? [`- ${charges}`] : []),
    newMoney && !canSell ? `- ${t.moneyLeft({ amount: left })}` : `- ${t.cashChange({ now, after })}`,
    '',
    ...noteLines(answer, sorted, audience),
  ].join('\n');
};
