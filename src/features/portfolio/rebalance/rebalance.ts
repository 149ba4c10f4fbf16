import type { Instrument } from '#src/kernel/market/finance.ts';
import { instrumentOf, type PortfolioRecord, type PortfolioTarget } from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { PortfolioStore } from '../store/store.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type CountDeps, countLedger, uncheckedHoldings, uncheckedLines } from '../summary/counted-ledger.ts';
import { splitNotes } from '../corporate-actions/offers.ts';
import { Exact, sumOf, ZERO } from '../ledger/fixed-point.ts';
import { koreanTransactionTax } from '../ledger/korean-transaction-tax.ts';
import type { Position } from '../ledger/ledger-state.ts';
import {
  doneAnswer,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  portfolioOption,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import {
  type CurrentRate,
  currentRate,
  type PortfolioValueDeps,
  type ValuedHolding,
  valuePositions,
} from '../summary/portfolio-value.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';
import { type PlanItem, planTrades } from './plan-trades.ts';
import { type PlanArgs, readPlanArgs } from './read-plan-args.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { type PlannedItem, type RebalanceAnswer, rebalanceText } from './rebalance-text.ts';
import {
  refusedTargets,
  type SettledTargets,
  settleTargets,
  type TargetContext,
  targetList,
} from './targets.ts';
import type { InPortfolio, RebalanceRequest } from '../requests.ts';

type RebalanceDeps = PickDeps & CountDeps & PortfolioValueDeps & Uses<'symbols.findListing'>;

/** Coins are divisible; shares are proposed in whole numbers, in Tokyo in the lots of a hundred that trade there. */
const COIN_STEP = new Decimal('0.00000001');
const SHARE_STEP = new Decimal(1);
const TOKYO = 'TSE';
const TOKYO_LOT = new Decimal(100);
const NO_TARGET = new Decimal(0);

const stepOf = ({ assetClass, exchange }: Instrument): Decimal => {
  if (assetClass === 'crypto') return COIN_STEP;
  return assetClass === 'equity' && exchange === TOKYO ? TOKYO_LOT : SHARE_STEP;
};

/** A position of zero, for a target that is not held. */
const emptyPosition = (instrument: Instrument, today: Temporal.PlainDate): Position => ({
  instrument,
  quantity: ZERO,
  cost: { local: ZERO, base: ZERO },
  realised: { local: ZERO, base: { total: ZERO, fromPrice: ZERO, fromFx: ZERO } },
  dividends: { local: ZERO, base: ZERO },
  firstDate: today,
  lastDate: today,
});

/** Empty positions of the targets that are not held yet. */
const missingPositions = (
  held: readonly Position[],
  targets: readonly PortfolioTarget[],
  today: Temporal.PlainDate,
): readonly Position[] =>
  targets.flatMap(({ instrument }) =>
    !instrument || held.some((position) => position.instrument.symbol === instrument.symbol)
      ? []
      : [emptyPosition(instrument, today)],
  );

/** Items to plan with, and holdings that are left out: those without a price or rate, and short positions. */
const splitHoldings = (
  holdings: readonly ValuedHolding[],
  targets: readonly PortfolioTarget[],
  today: Temporal.PlainDate,
) => {
  const targetOf = ({ position }: ValuedHolding): Decimal =>
    targets.find(({ instrument }) => instrument?.symbol === position.instrument.symbol)?.percent ?? NO_TARGET;
  const items: { readonly holding: ValuedHolding; readonly item: PlanItem }[] = [];
  const unpriced: ValuedHolding[] = [];
  const shorts: ValuedHolding[] = [];
  for (const holding of holdings) {
    const { quote, rate, position } = holding;
    const { instrument, quantity: held } = position;
    if (held.isNegative()) shorts.push(holding);
    else if (!quote?.price.greaterThan(0) || !rate) unpriced.push(holding);
    else {
      const price = new Exact(quote.price).times(rate);
      const sellTax = (quantity: Decimal): Decimal =>
        koreanTransactionTax(instrument, quote.price.times(quantity), today).times(rate);
      const item = { price, held, target: targetOf(holding), step: stepOf(instrument), sellTax };
      items.push({ holding, item });
    }
  }
  return { items, unpriced, shorts };
};

interface NewMoney extends NonNullable<RebalanceAnswer['newMoney']> {
  readonly rate?: CurrentRate;
}

/** In the portfolio's currency; undefined without a rate. */
const newMoneyOf = async (
  { newMoney }: PlanArgs,
  baseCurrency: Currency,
  deps: RebalanceDeps,
  signal: AbortSignal,
): Promise<NewMoney | undefined> => {
  if (!newMoney) return { amount: ZERO };
  const { amount, currency = baseCurrency } = newMoney;
  if (currency === baseCurrency) return { amount: new Exact(amount) };
  const rate = await currentRate(currency, baseCurrency, deps, signal);
  const decimals = currencyNamed(baseCurrency)?.decimals;
  if (!rate || decimals === undefined) return undefined;
  return {
    amount: new Exact(amount).times(rate.rate).toDecimalPlaces(decimals, Decimal.ROUND_FLOOR),
    written: { amount, currency },
    rate,
  };
};

const targetsFor = async (
  read: PlanArgs,
  portfolio: PortfolioRecord,
  context: TargetContext,
  { locale }: Requester,
  signal: AbortSignal,
): Promise<SettledTargets> => {
  const t = rebalanceTexts(locale);
  if (read.leftOver !== undefined) return refusedTargets(t.leftOver({ typed: shortened(read.leftOver) }));
  if (read.targets.length > 0) return settleTargets(read.targets, context, 'rebalance', locale, signal);
  const { targets = [], name } = portfolio;
  return targets.length > 0 ? { status: 'ok', targets } : refusedTargets(t.needsTargets({ name }));
};

/** Plans the trades that reach the target weights. Records nothing. Throws on abort alone. */
export const rebalanceAnswer =
  (deps: RebalanceDeps): AccountQuery<RebalanceRequest> =>
  async ({ portfolio: named, text, canSell }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = rebalanceTexts(locale);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, locale);
    const { portfolio } = picked;
    const { name, baseCurrency } = portfolio;
    const counted = await countLedger(portfolio, deps, signal);
    const { derived, recorded: entries, unvalued, found } = counted;
    if (derived.status === 'refused') {
      const why = ledgerProblemText(derived.problem, locale);
      return refusedAnswer(portfolioTexts(locale).broken({ name, why }));
    }
    const { state } = derived;
    const held = state.positions.filter(({ quantity }) => !quantity.isZero());
    const read = readPlanArgs(text);
    const settled = await targetsFor(
      read,
      portfolio,
      { held: held.map(({ instrument }) => instrument), entries, baseCurrency, symbols: deps.symbols },
      requester,
      signal,
    );
    if (settled.status === 'refused') return settled.answer;
    const { targets } = settled;
    const today = deps.clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const positions = [...held, ...missingPositions(held, targets, today)];
    const valued = await valuePositions(
      state,
      positions,
      { ...deps, unvalued, settled: found.settled },
      signal,
    );
    const notes = splitNotes(counted, { portfolio, audience: requester, symbols: deps.symbols });
    // Without a reliable value, no trades can be planned.
    if (unvalued.size > 0) return { ...refusedAnswer(notes.lines.join('\n')), choices: notes.choices };
    const { items, unpriced, shorts } = splitHoldings(valued.holdings, targets, today);
    const isWanted = ({ position }: ValuedHolding): boolean =>
      targets.some(({ instrument }) => instrument?.symbol === position.instrument.symbol);
    const needed = unpriced.filter(isWanted);
    const unratedCash = valued.cash.filter(({ base }) => !base);
    const newMoney = await newMoneyOf(read, baseCurrency, deps, signal);
    if (needed.length > 0 || !newMoney) {
      const names = [
        ...needed.map(({ position }) => narrowName(position.instrument, locale)),
        ...(newMoney ? [] : [read.newMoney?.currency ?? '']),
      ];
      return refusedAnswer(t.needsPrice({ names: names.join(', ') }));
    }
    // The rate of the new money is listed with the others.
    const { rate: newRate } = newMoney;
    const isOther = newRate && !valued.rates.some(({ currency }) => currency === newRate.currency);
    const value = isOther ? { ...valued, rates: [...valued.rates, newRate] } : valued;
    const decimals = currencyNamed(baseCurrency)?.decimals ?? 2;
    const cash = sumOf(value.cash.map(({ base }) => base)).toDecimalPlaces(decimals, Decimal.ROUND_FLOOR);
    const sells = read.newMoney === undefined || read.canSell || canSell === true;
    const cashTarget = targets.find(({ instrument }) => !instrument)?.percent ?? NO_TARGET;
    const plan = planTrades(
      items.map(({ item }) => item),
      {
        cash,
        cashTarget,
        newMoney: newMoney.amount,
        canSell: sells,
        band: read.band ?? NO_TARGET,
        feePercent: read.feePercent ?? NO_TARGET,
        decimals,
      },
    );
    if (!plan.total.greaterThan(0)) return refusedAnswer(t.nothingThere({ name }));
    const planned = items.flatMap(({ holding, item }, index): readonly PlannedItem[] => {
      const trade = plan.trades[index];
      return trade ? [{ holding, item, trade, isNamed: isWanted(holding) }] : [];
    });
    const answer = {
      name,
      value,
      planned,
      plan,
      cash: { now: cash, target: cashTarget, isCounted: state.cashSince !== undefined },
      newMoney: read.newMoney ? newMoney : undefined,
      canSell: sells,
      band: read.band,
      feePercent: read.feePercent,
      left: {
        unpriced: [
          ...unpriced.map(({ position }) => narrowName(position.instrument, locale)),
          ...unratedCash.map(({ balance }) => `${t.cash} ${balance.currency}`),
        ],
        shorts: shorts.map(({ position }) => narrowName(position.instrument, locale)),
      },
      suffix: portfolioOption(portfolio),
    };
    const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample: false }, locale);
    return {
      content: [
        ...notes.lines,
        ...uncheckedLines(uncheckedHoldings(value.holdings, counted.found), counted.found, locale),
        rebalanceText(answer, told, requester),
      ].join('\n'),
      facts: told.facts(),
      found: 1,
      ...(notes.choices.length > 0 && { choices: notes.choices }),
      ...(notes.typed !== undefined && { typed: notes.typed }),
    };
  };

type TargetDeps = PickDeps &
  Uses<'clock.now' | 'symbols.resolve' | 'symbols.findListing'> & {
    readonly store: Pick<PortfolioStore, 'configure' | 'transactions'>;
  };

const CLEARS = /^(?:clear|none|off|remove|delete|삭제|지우기|없음|해제|초기화)$/iu;

/** Stores target weights, or shows the stored ones if the text is empty. */
export const targetAnswer =
  (deps: TargetDeps): AccountQuery<InPortfolio & { readonly text: string }> =>
  async ({ portfolio: named, text }, requester, signal) => {
    const { locale } = requester;
    const t = rebalanceTexts(locale);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, locale);
    const { portfolio, ownerId } = picked;
    const { id, name, targets = [] } = portfolio;
    const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample: false }, locale);
    const typed = text.trim();
    if (typed === '')
      return targets.length === 0
        ? refusedAnswer(t.noTargets({ name }))
        : doneAnswer(t.targetsShown({ name, list: targetList(targets, told) }), told.facts());
    const save = async (wanted: typeof targets, done: string) => {
      const outcome = await deps.store.configure(ownerId, id, { targets: wanted });
      return outcome.status === 'done'
        ? doneAnswer(done, told.facts())
        : refusedAnswer(portfolioTexts(locale).gone({ name }));
    };
    if (CLEARS.test(typed)) return save([], t.targetsCleared({ name }));
    const read = readPlanArgs(typed);
    if (read.targets.length === 0 || read.leftOver !== undefined)
      return refusedAnswer(t.leftOver({ typed: shortened(read.leftOver ?? typed) }));
    const entries = await deps.store.transactions(ownerId, id, signal);
    const held = entries.flatMap((entry) => (entry.isReversed ? [] : (instrumentOf(entry) ?? [])));
    const context = { held, entries, baseCurrency: portfolio.baseCurrency, symbols: deps.symbols };
    const settled = await settleTargets(read.targets, context, 'target', locale, signal);
    if (settled.status === 'refused') return settled.answer;
    return save(settled.targets, t.targetsSet({ name, list: targetList(settled.targets, told) }));
  };
