import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { shownParts } from '#src/platform/text/round-to-total.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { Exact, sumOf, ZERO, FACT_DECIMALS } from '../ledger/fixed-point.ts';
import { moneyText, shownQuantityText } from '#src/markets/answers/money-text.ts';
import { type PortfolioValue, rateOrigins, type ValuedHolding } from '../summary/portfolio-value.ts';
import {
  entityOf,
  LEDGER_SOURCE,
  originLines,
  quotesOf,
  currentRateFacts,
} from '../summary/summary-facts.ts';
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

const table = (answer: RebalanceAnswer, locale: Locale): string => {
  const { columns, cash: cashWord } = rebalanceTexts(locale);
  const { planned, plan, cash } = answer;
  const { cashNow, now, after } = weightsOf(answer);
  const rows = [
    ...planned.map(({ holding, item }) => ({
      name: narrowName(holding.position.instrument, locale),
      target: item.target,
    })),
    { name: cashWord, target: cash.target },
  ];
  const lines = rows.flatMap(({ name, target }, index) => {
    const [before, behind] = [now[index] ?? ZERO, after[index] ?? ZERO];
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

const tradeLine = ({ holding, trade }: PlannedItem, base: Currency, locale: Locale): string => {
  const t = rebalanceTexts(locale);
  const { instrument } = holding.position;
  const { quote, rate } = holding;
  const pieces = trade.quantity.abs();
  const own = quote ? moneyText(quote.price.times(pieces), instrument.currency, locale) : '';
  const inBase = moneyText(trade.amount, base, locale);
  return t.trade({
    side: t.sides[trade.quantity.isNegative() ? 'sell' : 'buy'],
    name: narrowName(instrument, locale),
    quantity: shownQuantityText(pieces, instrument, locale),
    amount: instrument.currency === base || !rate ? inBase : `${own} (${inBase})`,
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

/** Weights now and after, trades, charges, and the exact remaining cash. */
export const rebalanceText = (answer: RebalanceAnswer, audience: Audience): string => {
  const { locale } = audience;
  const t = rebalanceTexts(locale);
  const { value, plan, planned, cash, newMoney, canSell, band, feePercent } = answer;
  const base = value.state.baseCurrency;
  const money = (amount: Decimal): string => moneyText(amount, base, locale);
  const traded = planned.filter(({ trade }) => !trade.quantity.isZero());
  const sorted = [
    ...traded.filter(({ trade }) => trade.quantity.isNegative()),
    ...traded.filter(({ trade }) => trade.quantity.isPositive()),
  ];
  const added = newMoney
    ? `${newMoney.written ? `${moneyText(newMoney.written.amount, newMoney.written.currency, locale)} = ` : ''}${money(newMoney.amount)}`
    : '';
  const tax = money(sumOf(traded.map(({ trade }) => trade.tax)));
  const charges = feePercent
    ? t.charges({ tax, fee: money(sumOf(traded.map(({ trade }) => trade.fee))) })
    : t.chargesWithoutFee({ tax });
  return [
    t.title({ name: answer.name, currency: base }),
    ...(newMoney
      ? [canSell ? t.withNewMoneyAndSales({ amount: added }) : t.withNewMoney({ amount: added })]
      : []),
    ...(band ? [t.band({ points: band.toFixed() })] : []),
    '',
    table(answer, locale),
    '',
    `**${t.trades}**`,
    ...(sorted.length > 0 ? sorted.map((item) => `- ${tradeLine(item, base, locale)}`) : [t.noTrades]),
    ...(sorted.length > 0 ? [`- ${charges}`] : []),
    newMoney && !canSell
      ? `- ${t.moneyLeft({ amount: money(plan.cashAfter.minus(cash.now)) })}`
      : `- ${t.cashChange({ now: money(cash.now.plus(newMoney?.amount ?? ZERO)), after: money(plan.cashAfter) })}`,
    '',
    ...noteLines(answer, sorted, audience),
  ].join('\n');
};

/** The numbers that a model may repeat. */
export const rebalanceFacts = (answer: RebalanceAnswer, now: Timestamp): readonly Fact[] => {
  const { name, value, planned, plan, cash, newMoney, band } = answer;
  const unit = value.state.baseCurrency;
  const origins = [...quotesOf(value), ...rateOrigins(value.rates)];
  const isSample = origins.some((origin) => origin.isSample);
  const source = [...new Set([LEDGER_SOURCE, ...origins.map((origin) => origin.source)])].join(' + ');
  // A plan is as old as its oldest price.
  const [oldest = now] = origins.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  const fact = (entity: string, metric: MetricId, amount: Decimal, of: string, parameter?: string): Fact => ({
    entity,
    metric,
    ...(parameter !== undefined && { parameter }),
    value: amount.toDecimalPlaces(FACT_DECIMALS).toFixed(),
    unit: of,
    asOf: oldest.toString(),
    source,
    isSample,
  });
  const whole = entityOf({ name });
  const weights = weightsOf(answer);
  const written = newMoney?.written;
  /** The row of the table: weight now and after, target, and the distance from it. */
  const row = (entity: string, index: number, target: Decimal, of?: string): readonly Fact[] => {
    const [before, behind] = [weights.now[index] ?? ZERO, weights.after[index] ?? ZERO];
    return [
      fact(entity, 'targetWeight', target, '%', of),
      fact(entity, 'weight', before, '%', of),
      fact(entity, 'weight', behind, '%', of === undefined ? 'after' : `${of} after`),
      fact(entity, 'weightGap', before.minus(target), '%', of),
    ];
  };
  return [
    ...withNames(
      [name],
      [
        fact(whole, 'cashAfter', plan.cashAfter, unit),
        fact(whole, 'cashAfter', plan.cashAfter.minus(cash.now), unit, 'of the new money'),
        fact(whole, 'cashValue', weights.cashNow, unit),
        fact(whole, 'transactionTax', sumOf(planned.map(({ trade }) => trade.tax)), unit),
        fact(whole, 'fees', sumOf(planned.map(({ trade }) => trade.fee)), unit),
        ...row(whole, planned.length, cash.target, 'cash'),
        ...(newMoney ? [fact(whole, 'cashMove', newMoney.amount, unit, 'new money')] : []),
        ...(written ? [fact(whole, 'cashMove', written.amount, written.currency, 'new money')] : []),
        ...(band ? [fact(whole, 'weightGap', band, '%p', 'left alone')] : []),
      ],
    ),
    ...(newMoney && written
      ? [
          {
            ...fact(`${written.currency}/${unit}`, 'converted', newMoney.amount, unit),
            label: `${written.amount.toFixed()} ${written.currency} in ${unit}`,
            operands: [written.amount.toFixed()],
          },
        ]
      : []),
    ...currentRateFacts(value.rates, unit),
    ...planned.flatMap(({ holding, item, trade }, index) => {
      const { instrument } = holding.position;
      const { symbol, currency } = instrument;
      const side = trade.quantity.isNegative() ? 'sell' : 'buy';
      const pieces = trade.quantity.abs();
      const own = holding.quote && currency !== unit ? holding.quote.price.times(pieces) : undefined;
      return withNames(namesOf(instrument), [
        ...row(symbol, index, item.target),
        ...(pieces.isZero()
          ? []
          : [
              fact(symbol, 'tradeQuantity', pieces, 'units', side),
              fact(symbol, 'tradeAmount', trade.amount.abs(), unit, side),
              ...(own ? [fact(symbol, 'tradeAmount', own, currency, side)] : []),
            ]),
      ]);
    }),
  ];
};
