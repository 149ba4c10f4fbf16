import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { formatPrice, originText } from '#src/markets/answers/quote-text.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import {
  moneyText,
  quantityText,
  writtenMoneyText,
  exactPriceText,
} from '#src/markets/answers/money-text.ts';
import { ZERO } from '../ledger/fixed-point.ts';
import {
  type Disposal,
  type Gain,
  type LedgerState,
  type Position,
  positionIn,
} from '../ledger/ledger-state.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import type { Offers } from '../corporate-actions/offers.ts';
import { isTrade } from '../checks/anomalies.ts';
import { refusedAnswer } from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures } from '../rates/rate-text.ts';
import {
  cashText,
  entryText,
  realisedGainText,
  movedText,
  perShareText,
  positionText,
} from '../entries/entry-text.ts';
import type { Fitting } from './evaluate-entry.ts';
import type { EntryTerms } from './terms.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';

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
  told: FactRecorder,
): readonly string[] => {
  if (changed.length === 0) return [];
  const shown = changed.slice(0, MAX_CHANGED).map(({ number, currency, before, after }) => {
    const [was, is] = [
      realisedGainText(before, currency, baseCurrency, told.about({ parameter: `#${number} before` })),
      realisedGainText(after, currency, baseCurrency, told.about({ parameter: `#${number}` })),
    ];
    return `#${number} ${was} → ${is}`;
  });
  const rest = changed.length > MAX_CHANGED ? [`… (+${changed.length - MAX_CHANGED})`] : [];
  return [portfolioTexts(told.locale).gainsChanged({ changes: [...shown, ...rest].join(', ') })];
};

/** Says that this entry makes cash count, or count from an earlier day. */
const cashSinceText = (
  { before, after }: Pick<Fitting, 'before' | 'after'>,
  { locale }: Requester,
): readonly string[] => {
  const since = before && after.cashSince?.toString();
  if (since === undefined || since === before?.cashSince?.toString()) return [];
  const t = portfolioTexts(locale);
  const isShort = after.cash.some(({ amount }) => amount.lessThan(0));
  return [t.cashSince({ date: since }), ...(isShort ? [t.cashShort()] : [])];
};

const totalText = ({ transaction, total }: RecordedEntry, told: FactRecorder): readonly string[] => {
  if (!transaction || !isTrade(transaction) || !total) return [];
  const { locale } = told;
  const { instrument, quantity, price, currency } = transaction;
  told.about({ entity: instrument.symbol, names: namesOf(instrument) }).keep('cost', total, currency);
  return [
    portfolioTexts(locale).pricedByTotal({
      total: writtenMoneyText(total, currency, locale),
      quantity: quantityText(quantity, instrument, locale),
      price: exactPriceText(price, instrument, locale),
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
  const t = portfolioTexts(locale);
  const { name, baseCurrency } = portfolio;
  if (!transaction) return refusedAnswer(t.gone({ name }));
  const { number } = transaction;
  const isSample = hasSampleFigures([transaction]);
  const told = portfolioTold({ portfolio, now: recorded.now, isSample }, locale);
  const line = entryText(transaction, baseCurrency, told);
  const choices = [
    {
      label: t.undo({ number }),
      command: `/portfolio undo ${number} --in=${name}`,
      effect: 'ends' as const,
      isDestructive: true,
    },
  ];
  // A call that is made again after a crash has recorded the entry, too.
  const receipt = {
    effect: 'recorded' as const,
    text: `${t.recorded({ name, number })}\n${line}`,
    choices,
  };
  if (recorded.isRepeated)
    return {
      content: `${t.repeated({ name, number })}\n${line}`,
      facts: told.facts(),
      found: 1,
      choices,
      receipt,
    };
  const symbol = 'instrument' in transaction ? transaction.instrument.symbol : undefined;
  const counted = positionIn(asIf?.after, symbol);
  const position = counted ?? positionIn(after, symbol);
  const held = position ? positionText(position, told) : '';
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
      ...totalText(recorded, told),
      ...perShareText(transaction, terms.perShare, told),
      ...(recorded.isBeforeTrades ? [t.splitFirst()] : []),
      ...(hasTax
        ? [t.taxComputed({ amount: moneyText(transaction.tax, transaction.currency, locale) })]
        : []),
      ...recorded.rateNotes,
      ...(position
        ? [
            isNeverHeld(position, after)
              ? t.neverHeld({ name: shortLabel(position.instrument, locale) })
              : counted
                ? corporateActionTexts(locale).countedWithSplit({ position: held })
                : held,
          ]
        : []),
      ...(realised && position
        ? [
            t.realisedBySale({
              gain: realisedGainText(
                realised,
                position.instrument.currency,
                baseCurrency,
                told.about({ entity: position.instrument.symbol, names: namesOf(position.instrument) }),
              ),
            }),
          ]
        : []),
      ...changedText(changed, portfolio, told),
      ...(after && after.cash.length > 0 ? [t.cashNow({ amounts: cashText(after.cash, told) })] : []),
      ...(fitting ? cashSinceText(fitting, requester) : []),
      ...(recorded.offers?.lines ?? []),
      ...(recorded.isNew ? [t.made({ name, currency: baseCurrency })] : []),
    ].join('\n'),
    facts: told.facts(),
    found: 1,
    choices: [...(recorded.offers?.choices ?? []), ...choices],
    receipt,
    ...(recorded.offers?.typed !== undefined && { typed: recorded.offers.typed }),
  };
};
