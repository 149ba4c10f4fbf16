import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Requester } from '#src/kernel/account-services.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { formatPrice, instrumentLabel, originText } from '#src/markets/answers/quote-text.ts';
import {
  moneyText,
  shownQuantityText,
  writtenMoneyText,
  writtenPriceText,
} from '#src/markets/answers/money-text.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import {
  type Disposal,
  type Gain,
  type LedgerState,
  type Position,
  positionIn,
} from '../ledger/ledger-state.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { corporateActionMessages } from '../messages/actions.ts';
import type { Offers } from '../corporate-actions/offers.ts';
import { isTrade } from '../checks/anomalies.ts';
import { refusedAnswer } from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures } from '../rates/rate-text.ts';
import { entryFacts } from './entry-facts.ts';
import {
  cashText,
  entryText,
  realisedGainText,
  movedText,
  perShareText,
  positionText,
} from './entry-text.ts';
import type { Fitting } from './evaluate-entry.ts';
import type { EntryTerms } from './terms.ts';
import { entityOf, FACT_DECIMALS, LEDGER_SOURCE } from '../summary/summary-facts.ts';

/** A recorded sale whose realised gain has changed. */
export interface ChangedGain {
  readonly number: number;
  readonly currency: Currency;
  readonly before: Gain;
  readonly after: Gain;
}

const NO_GAIN: Gain = { local: ZERO, base: { total: ZERO, fromPrice: ZERO, fromFx: ZERO } };

const isSame = (a: Gain, b: Gain): boolean =>
  a.local.equals(b.local) && (a.base && b.base ? a.base.total.equals(b.base.total) : a.base === b.base);

const gainsOf = ({ disposals }: LedgerState): ReadonlyMap<Disposal['entry'], Gain> =>
  new Map(disposals.map(({ entry, gain }) => [entry, gain]));

/**
 * The gains of other entries that an entry counting before them has changed. Both ledgers hold the same entries except
 * that one, whose own gain is not included.
 */
export const changedGains = (before: LedgerState, after: LedgerState): readonly ChangedGain[] => {
  const [was, is] = [gainsOf(before), gainsOf(after)];
  // A trade that closes a position in only one ledger realised nothing in the other.
  const entries = [...new Set([...was.keys(), ...is.keys()])];
  return entries.flatMap((entry) => {
    const [one, other] = [was.get(entry) ?? NO_GAIN, is.get(entry) ?? NO_GAIN];
    const isRecorded = 'number' in entry && typeof entry.number === 'number';
    return isRecorded && !isSame(one, other)
      ? [{ number: Number(entry.number), currency: entry.currency, before: one, after: other }]
      : [];
  });
};

export interface RecordedEntry {
  readonly portfolio: PortfolioRecord;
  /** The portfolio was created for this entry. */
  readonly isNew: boolean;
  readonly isRepeated: boolean;
  readonly transaction: Transaction | undefined;
  readonly terms: EntryTerms;
  /** The entry in its ledger; undefined if it was recorded before. */
  readonly fitting: Fitting | undefined;
  /** The total from which the price was derived. */
  readonly total: Decimal | undefined;
  /** True for a split if trades of its day count after it. */
  readonly isBeforeTrades: boolean;
  readonly isTaxComputed: boolean;
  /** Notes about its own missing rate and about other rates that were filled in meanwhile. */
  readonly rateNotes: readonly string[];
  /** Splits that are not recorded. */
  readonly offers?: Offers;
  /** The ledger with these splits, as the summary counts it; `before` is without this entry. */
  readonly asIf?: Pick<Fitting, 'before' | 'after'>;
  readonly now: Timestamp;
}

/** The gain that the entry itself realised; undefined if it closed nothing. */
const realisedBy = ({ fitting, asIf }: RecordedEntry): Gain | undefined =>
  (asIf ?? fitting)?.after.disposals.findLast(({ entry }) => entry.clientId === fitting?.entry.clientId)
    ?.gain;

/** True for income from an instrument without a recorded purchase. An instrument that was held and sold has one. */
const isNeverHeld = ({ quantity, instrument }: Position, after: LedgerState | undefined): boolean =>
  quantity.isZero() &&
  !after?.disposals.some(
    ({ entry }) => entry.kind !== 'cash-in-lieu' && entry.instrument.symbol === instrument.symbol,
  );

/** The most changed gains that are listed. */
const MAX_CHANGED = 5;

/** Lists gains that were shown before and have changed. */
export const changedText = (
  changed: readonly ChangedGain[],
  { baseCurrency }: Pick<PortfolioRecord, 'baseCurrency'>,
  { locale }: Requester,
): readonly string[] => {
  if (changed.length === 0) return [];
  const shown = changed
    .slice(0, MAX_CHANGED)
    .map(
      ({ number, currency, ...gain }) =>
        `#${number} ${[gain.before, gain.after].map((each) => realisedGainText(each, currency, baseCurrency, locale)).join(' → ')}`,
    );
  const rest = changed.length > MAX_CHANGED ? [`… (+${changed.length - MAX_CHANGED})`] : [];
  return [portfolioMessages(locale).gainsChanged({ changes: [...shown, ...rest].join(', ') })];
};

const factsOf = (
  { portfolio, transaction, fitting, now }: RecordedEntry,
  position: Position | undefined,
  realised: Gain | undefined,
): readonly Fact[] => {
  if (!transaction) return [];
  const base = { asOf: now.toString(), source: LEDGER_SOURCE, isSample: hasSampleFigures([transaction]) };
  const { baseCurrency } = portfolio;
  const cash = fitting?.after.cash ?? [];
  const recorded = [
    ...entryFacts(transaction, portfolio, base),
    ...cash.map(({ amount, currency }) => ({
      ...base,
      entity: entityOf(portfolio),
      metric: 'cashBalance' as const,
      parameter: currency,
      value: amount.toDecimalPlaces(FACT_DECIMALS).toFixed(),
      unit: currency,
    })),
  ];
  if (!position) return recorded;
  const { instrument, quantity, cost } = position;
  const own = (metric: MetricId, value: Decimal, unit: string): Fact => ({
    ...base,
    entity: instrument.symbol,
    metric,
    value: value.toDecimalPlaces(FACT_DECIMALS).toFixed(),
    unit,
  });
  const average = quantity.isZero() ? undefined : new Exact(cost.local).dividedBy(quantity);
  return [
    ...recorded,
    own('quantity', quantity, 'units'),
    ...(average ? [own('averageCost', average, instrument.currency)] : []),
    ...(realised ? [own('realisedGain', realised.local, instrument.currency)] : []),
    ...(realised?.base && instrument.currency !== baseCurrency
      ? [own('realisedGain', realised.base.total, baseCurrency)]
      : []),
  ];
};

/** Says that this entry makes cash count, or count from an earlier day. */
const cashSinceText = (
  { before, after }: Pick<Fitting, 'before' | 'after'>,
  { locale }: Requester,
): readonly string[] => {
  const since = before && after.cashSince?.toString();
  if (since === undefined || since === before?.cashSince?.toString()) return [];
  const t = portfolioMessages(locale);
  const isShort = after.cash.some(({ amount }) => amount.lessThan(0));
  return [t.cashSince({ date: since }), ...(isShort ? [t.cashShort()] : [])];
};

const totalText = ({ transaction, total }: RecordedEntry, { locale }: Requester): readonly string[] => {
  if (!transaction || !isTrade(transaction) || !total) return [];
  const { instrument, quantity, price, currency } = transaction;
  return [
    portfolioMessages(locale).pricedByTotal({
      total: writtenMoneyText(total, currency, locale),
      quantity: shownQuantityText(quantity, instrument, locale),
      price: writtenPriceText(price, instrument, locale),
    }),
  ];
};

/** Confirms the exact entry with its number, the holding, the realised gain, and how to undo it. */
export const recordedAnswer = (recorded: RecordedEntry, requester: Requester): MarketAnswer => {
  const { portfolio, transaction, terms, fitting, asIf } = recorded;
  const { quote } = terms;
  const after = fitting?.after;
  const shown = asIf ?? fitting;
  const changed = fitting?.before && shown?.before ? changedGains(shown.before, shown.after) : [];
  const { locale } = requester;
  const t = portfolioMessages(locale);
  const { name, baseCurrency } = portfolio;
  if (!transaction) return refusedAnswer(t.gone({ name }));
  const { number } = transaction;
  const line = entryText(transaction, baseCurrency, locale);
  const choices = [
    {
      label: t.undo({ number }),
      command: `/portfolio undo ${number} --in=${name}`,
      effect: 'ends' as const,
      isDestructive: true,
    },
  ];
  if (recorded.isRepeated)
    return {
      content: `${t.repeated({ name, number })}\n${line}`,
      facts: factsOf(recorded, undefined, undefined),
      found: 1,
      choices,
    };
  const symbol = 'instrument' in transaction ? transaction.instrument.symbol : undefined;
  const counted = positionIn(asIf?.after, symbol);
  const position = counted ?? positionIn(after, symbol);
  const realised = realisedBy(recorded);
  const hasTax = recorded.isTaxComputed && transaction.kind === 'sell' && !transaction.tax.isZero();
  return {
    content: [
      t.recorded({ name, number }),
      line,
      ...(quote && 'instrument' in transaction
        ? [
            t.pricedByQuote({
              price: formatPrice(quote.price, transaction.instrument, locale),
              origin: originText(quote, requester),
            }),
          ]
        : []),
      ...movedText(transaction, terms.moved, locale),
      ...totalText(recorded, requester),
      ...perShareText(transaction, terms.perShare, locale),
      ...(recorded.isBeforeTrades ? [t.splitFirst()] : []),
      ...(hasTax
        ? [t.taxComputed({ amount: moneyText(transaction.tax, transaction.currency, locale) })]
        : []),
      ...recorded.rateNotes,
      ...(position
        ? [
            isNeverHeld(position, after)
              ? t.neverHeld({ name: instrumentLabel(position.instrument, locale) })
              : counted
                ? corporateActionMessages(locale).countedWithSplit({
                    position: positionText(counted, locale),
                  })
                : positionText(position, locale),
          ]
        : []),
      ...(realised && position
        ? [
            t.realisedBySale({
              gain: realisedGainText(realised, position.instrument.currency, baseCurrency, locale),
            }),
          ]
        : []),
      ...changedText(changed, portfolio, requester),
      ...(after && after.cash.length > 0 ? [t.cashNow({ amounts: cashText(after.cash, locale) })] : []),
      ...(fitting ? cashSinceText(fitting, requester) : []),
      ...(recorded.offers?.lines ?? []),
      ...(recorded.isNew ? [t.made({ name, currency: baseCurrency })] : []),
    ].join('\n'),
    facts: factsOf(recorded, position, realised),
    found: 1,
    choices: [...(recorded.offers?.choices ?? []), ...choices],
    ...(recorded.offers?.typed !== undefined && { typed: recorded.offers.typed }),
  };
};
