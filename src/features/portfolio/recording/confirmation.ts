import { codeFor, type Quote, type SymbolSearch } from '#src/kernel/finance.ts';
import type { NewTransaction, Trade } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/message.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest, Requester } from '#src/kernel/account-services.ts';
import { writeDate } from '#src/kernel/moment.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { ratioText } from '#src/markets/answers/split-ratio.ts';
import { shownQuantityText, writtenMoneyText, writtenPriceText } from '#src/markets/answers/money-text.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { corporateActionMessages } from '../messages/actions.ts';
import { splitParams } from '../corporate-actions/offers.ts';
import { type AmountField, isNear, isTrade, type Anomaly, splitFactor } from '../checks/anomalies.ts';
import { likelyText, anomalyText } from '../checks/anomaly-text.ts';
import { readEntryNumber } from './entry-problems.ts';
import { type Moved, writtenMoment } from './entry-time.ts';
import { rateFact, rateText } from '../rates/rate-text.ts';
import { recordCommand } from './instrument.ts';
import { entryText, movedText } from './entry-text.ts';

const EACH_DECIMALS = 8;

/** Other readings that fit the last price: quantity and price swapped, or a total taken for a price and vice versa. */
const otherTrades = (
  trade: Trade,
  request: RecordRequest,
  last: Decimal,
): readonly Pick<Trade, 'quantity' | 'price'>[] => {
  const { quantity, price } = trade;
  const total = readEntryNumber(request.total ?? '')?.value;
  const each = price.dividedBy(quantity).toDecimalPlaces(EACH_DECIMALS);
  const isEven = each.times(quantity).equals(price) && !quantity.equals(1);
  return [
    { quantity: price, price: quantity },
    ...(total ? [{ quantity, price: total }] : isEven ? [{ quantity, price: each }] : []),
  ].filter((other) => isNear(other.price, last));
};

const knownPrice = (anomalies: readonly Anomaly[]): Decimal | undefined => {
  for (const anomaly of anomalies) {
    if (!('reference' in anomaly) || anomaly.kind === 'after-split') continue;
    const { reference } = anomaly;
    return reference.kind === 'price' ? reference.price : reference.high;
  }
  return undefined;
};

interface UnusualEntry {
  readonly entry: NewTransaction;
  readonly request: RecordRequest;
  /** Never empty. */
  readonly anomalies: readonly Anomaly[];
  readonly baseCurrency: Currency;
  readonly quote: Quote | undefined;
  readonly moved?: Moved | undefined;
}

/** The day, with the time of the trade if it has one, as the requester writes it. */
const momentOn = (
  date: Temporal.PlainDate,
  entry: NewTransaction,
  requester: Requester,
): Pick<RecordRequest, 'date' | 'time'> | undefined =>
  isTrade(entry) && entry.time ? writtenMoment(entry.instrument, date, entry.time, requester) : undefined;

/** Builds commands from the request as typed, with a code for the name and computed values for what was left out. */
const commandsFor = (
  { entry, request }: UnusualEntry,
  requester: Requester,
  symbols: Pick<SymbolSearch, 'resolve'>,
) => {
  const code = 'instrument' in entry ? codeFor(entry.instrument, symbols) : '';
  const isDated = (request.date ?? '').trim() !== '';
  const isPortion = isTrade(entry) && readEntryNumber(request.quantity ?? '') === null;
  const typed: RecordRequest = isTrade(entry)
    ? {
        ...request,
        quantity: isPortion ? request.quantity : entry.quantity.toFixed(),
        price: entry.price.toFixed(),
        total: undefined,
        date: isDated ? entry.date.toString() : undefined,
        ...momentOn(entry.date, entry, requester),
      }
    : entry.kind === 'fx'
      ? {
          ...request,
          amount: entry.amount.toFixed(),
          currency: entry.currency,
          toAmount: entry.toAmount.toFixed(),
          toCurrency: entry.toCurrency,
          rate: (request.toAmount ?? '').trim() === '' ? undefined : request.rate,
        }
      : request;
  return (changed: Partial<RecordRequest>, isSure: boolean): string =>
    recordCommand({ ...typed, ...changed, isSure }, code);
};

/** The entry with another reading of one of its amounts. */
const otherAmount = (
  entry: NewTransaction,
  field: AmountField,
  value: Decimal,
): { readonly money: readonly [Decimal, Currency]; readonly changed: Partial<RecordRequest> } => {
  const typed = value.toFixed();
  if (field === 'total')
    return { money: [value, entry.currency], changed: { price: undefined, total: typed } };
  if (field === 'price') return { money: [value, entry.currency], changed: { price: typed } };
  if (field === 'toAmount' && entry.kind === 'fx')
    return { money: [value, entry.toCurrency], changed: { toAmount: typed, toCurrency: entry.toCurrency } };
  return { money: [value, entry.currency], changed: { amount: typed, currency: entry.currency } };
};

/** Asks before an unusual entry is recorded: the anomalies, the entry, and what to press or send. */
export const confirmationAnswer = (
  unusual: UnusualEntry,
  requester: Requester,
  symbols: Pick<SymbolSearch, 'resolve'>,
): MarketAnswer => {
  const { entry, request, anomalies, baseCurrency, quote } = unusual;
  const { locale } = requester;
  const t = portfolioMessages(locale);
  const commandOf = commandsFor(unusual, requester, symbols);
  const last = knownPrice(anomalies);
  const others =
    isTrade(entry) && last
      ? otherTrades(entry, request, last).map((other): Choice => ({
          label: t.recordOther({
            quantity: shownQuantityText(other.quantity, entry.instrument, locale),
            price: writtenPriceText(other.price, entry.instrument, locale),
          }),
          command: commandOf({ quantity: other.quantity.toFixed(), price: other.price.toFixed() }, true),
        }))
      : [];
  const thens = anomalies.flatMap((anomaly): readonly Choice[] => {
    if (anomaly.kind !== 'after-split' || !isTrade(entry)) return [];
    const factor = splitFactor(anomaly.splits);
    const quantity = entry.quantity.dividedBy(factor).toDecimalPlaces(EACH_DECIMALS);
    const price = entry.price.times(factor);
    // Offered only without rounding: one share more or less would be a different trade.
    if (!quantity.times(factor).equals(entry.quantity)) return [];
    return [
      {
        label: corporateActionMessages(locale).recordThen({
          quantity: shownQuantityText(quantity, entry.instrument, locale),
          price: writtenPriceText(price, entry.instrument, locale),
        }),
        command: commandOf({ quantity: quantity.toFixed(), price: price.toFixed() }, anomalies.length > 1),
      },
    ];
  });
  // Another day may have other anomalies, so it is checked again unless this is the only one.
  const days = anomalies.flatMap((anomaly) =>
    anomaly.kind === 'closed-day' ? anomaly.nearest : anomaly.kind === 'other-day' ? anomaly.others : [],
  );
  const otherDays = days.map((date): Choice => ({
    label: t.recordOn({ date: writeDate(date, locale) }),
    command: commandOf({ date: date.toString(), ...momentOn(date, entry, requester) }, anomalies.length > 1),
  }));
  const readings = anomalies.flatMap((anomaly) =>
    anomaly.kind === 'other-amount'
      ? anomaly.others.map((other) => otherAmount(entry, anomaly.field, other))
      : [],
  );
  const otherReadings = readings.map(({ money, changed }): Choice => ({
    label: t.recordConverted({ price: writtenMoneyText(...money, locale) }),
    command: commandOf(changed, anomalies.length === 1),
  }));
  const exchanges = anomalies.flatMap((anomaly): readonly Choice[] => {
    if (anomaly.kind !== 'far-rate' || !anomaly.likely || entry.kind !== 'fx') return [];
    const { amount, toAmount } = anomaly.likely;
    const changed = { amount: amount.toFixed(), toAmount: toAmount.toFixed(), rate: undefined };
    return [{ label: likelyText(anomaly, entry, requester), command: commandOf(changed, false) }];
  });
  const marketRates = anomalies.flatMap((anomaly): readonly Choice[] => {
    if (anomaly.kind !== 'far-typed-rate') return [];
    const rate = rateText(entry.currency, anomaly.to, anomaly.market.rate, locale);
    return [
      { label: t.recordRated({ rate }), command: commandOf({ rate: undefined }, anomalies.length > 1) },
    ];
  });
  const rates = anomalies.flatMap((anomaly) => {
    if (anomaly.kind === 'far-typed-rate') return [rateFact(entry.currency, anomaly.to, anomaly.market)];
    return anomaly.kind === 'far-rate' && entry.kind === 'fx'
      ? [rateFact(entry.currency, entry.toCurrency, anomaly.market)]
      : [];
  });
  const missing = anomalies.filter((anomaly) => anomaly.kind === 'missing-split');
  const isMixed = missing.some(({ split }) => split.status === 'mixed');
  const first = isMixed ? [] : missing;
  const splits = anomalies.flatMap((anomaly): readonly Choice[] => {
    if (anomaly.kind === 'other-ratio') {
      const changed = { ratio: ratioText(anomaly.split.ratio), date: anomaly.split.date.toString() };
      const label = corporateActionMessages(locale).recordSplit(
        splitParams(anomaly.split, { audience: requester }),
      );
      return [{ label, command: commandOf(changed, false) }];
    }
    if (anomaly.kind !== 'missing-split' || !first.includes(anomaly)) return [];
    const label = corporateActionMessages(locale).recordSplit(
      splitParams(anomaly.split, { audience: requester }),
    );
    return [{ label, command: anomaly.command }];
  });
  const splitFirst = corporateActionMessages(locale).splitFirst({
    commands: first.map(({ command }) => `\`${command}\``).join(', '),
    trade: commandOf({}, false),
  });
  const anyway = commandOf({}, true);
  // With other readings on offer, a typed yes is ambiguous, so only a position in the list is accepted.
  const hasOthers = [splits, thens, others, exchanges, marketRates, otherReadings, otherDays].some(
    (each) => each.length > 0,
  );
  const choices = [
    ...splits,
    ...thens,
    ...others,
    ...exchanges,
    ...marketRates,
    ...otherReadings,
    ...otherDays,
    { label: t.recordAnyway, command: anyway },
  ]
    .filter(({ command }) => command.length <= MAX_PRESSED_CHARS)
    .map((choice): Choice => ({ ...choice, answers: hasOthers ? 'pick' : 'yes' }));
  const hint = t.recordAnywayHint({ command: anyway });
  const isPressable = choices.some(({ command }) => command === anyway);
  return {
    content: [
      t.notYet,
      ...anomalies.map((anomaly) => `⚠️ ${anomalyText(anomaly, entry, requester)}`),
      ...(first.length > 0 ? [splitFirst] : []),
      t.wouldBe({ entry: entryText(entry, baseCurrency, locale) }),
      ...movedText(entry, unusual.moved, locale),
      ...(others.length > 0 ? [t.maybeMeant({ trades: others.map(({ label }) => label).join(', ') })] : []),
      ...(isPressable ? [] : [hint]),
    ].join('\n'),
    facts: [...(quote ? quoteFacts(quote) : []), ...rates],
    found: 0,
    ...(isPressable && { typed: hint }),
    ...(choices.length > 0 && { choices }),
  };
};
