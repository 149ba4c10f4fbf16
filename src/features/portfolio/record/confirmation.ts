import { codeFor, type SymbolSearch } from '#src/kernel/market/finance.ts';
import type { NewTransaction, PortfolioRecord, Trade } from '#src/kernel/market/ledger.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { writeDate } from '#src/kernel/time.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { ratioText } from '#src/markets/answers/split-ratio.ts';
import { quantityText, writtenMoneyText, exactPriceText } from '#src/markets/answers/money-text.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import type { HeldSplit } from '../corporate-actions/held-actions.ts';
import { splitParams } from '../corporate-actions/offers.ts';
import { type AmountField, isNear, isTrade, type Anomaly, splitFactor } from '../checks/anomalies.ts';
import { likelyText, anomalyText } from '../checks/anomaly-text.ts';
import { isBlank, readEntryNumber } from '../entries/entry-problems.ts';
import { writtenMoment } from '../entries/entry-time.ts';
import type { Fitting } from './evaluate-entry.ts';
import type { EntryTerms } from './terms.ts';
import { rateText } from '../rates/rate-text.ts';
import { recordCommand } from '../entries/instrument.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { entryText, movedText } from '../entries/entry-text.ts';

const EACH_DECIMALS = 8;

interface UnusualEntry extends Pick<Fitting, 'entry' | 'anomalies'> {
  readonly request: RecordRequest;
  readonly name: PortfolioRecord['name'];
  readonly baseCurrency: Currency;
  readonly now: Timestamp;
  readonly terms: EntryTerms;
}

const knownPrice = (anomalies: readonly Anomaly[]): Decimal | undefined => {
  for (const anomaly of anomalies) {
    if (!('reference' in anomaly) || anomaly.kind === 'after-split') continue;
    const { reference } = anomaly;
    return reference.kind === 'price' ? reference.price : reference.high;
  }
  return undefined;
};

/** Other readings that fit the last price: quantity and price swapped, or a total taken for a price and vice versa. */
const otherTrades = ({ entry, request, anomalies }: UnusualEntry): readonly Trade[] => {
  const last = knownPrice(anomalies);
  if (!isTrade(entry) || !last) return [];
  const { quantity, price } = entry;
  const total = readEntryNumber(request.total ?? '')?.value;
  const each = price.dividedBy(quantity).toDecimalPlaces(EACH_DECIMALS);
  const isEven = each.times(quantity).equals(price) && !quantity.equals(1);
  return [
    { ...entry, quantity: price, price: quantity },
    ...(total ? [{ ...entry, price: total }] : isEven ? [{ ...entry, price: each }] : []),
  ].filter((other) => isNear(other.price, last));
};

/** A trade with another quantity and price, for a label and for a command. */
const otherTrade = ({ instrument, quantity, price }: Trade, { locale }: Requester) => ({
  texts: {
    quantity: quantityText(quantity, instrument, locale),
    price: exactPriceText(price, instrument, locale),
  },
  changed: { quantity: quantity.toFixed(), price: price.toFixed() },
});

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
  const isDated = !isBlank(request.date);
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
          rate: isBlank(request.toAmount) ? undefined : request.rate,
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

/** Offers the entries that the person may have meant. The value passed to `commandOf` says whether one is checked again. */
const choicesOf = (
  anomaly: Anomaly,
  { entry, anomalies }: UnusualEntry,
  commandOf: ReturnType<typeof commandsFor>,
  requester: Requester,
): readonly Choice[] => {
  const { locale } = requester;
  const t = portfolioTexts(locale);
  const isOnly = anomalies.length === 1;
  const splitLabel = (split: HeldSplit): string =>
    corporateActionTexts(locale).recordSplit(splitParams(split, { audience: requester }));
  const onDay = (date: Temporal.PlainDate): Choice => ({
    label: t.recordOn({ date: writeDate(date, locale) }),
    command: commandOf({ date: date.toString(), ...momentOn(date, entry, requester) }, !isOnly),
  });
  switch (anomaly.kind) {
    case 'missing-split':
      return [{ label: splitLabel(anomaly.split), command: anomaly.command }];
    case 'other-ratio': {
      const changed = { ratio: ratioText(anomaly.split.ratio), date: anomaly.split.date.toString() };
      return [{ label: splitLabel(anomaly.split), command: commandOf(changed, false) }];
    }
    case 'after-split': {
      if (!isTrade(entry)) return [];
      const factor = splitFactor(anomaly.splits);
      const quantity = entry.quantity.dividedBy(factor).toDecimalPlaces(EACH_DECIMALS);
      // Offered only without rounding: one share more or less would be a different trade.
      if (!quantity.times(factor).equals(entry.quantity)) return [];
      const then = { ...entry, quantity, price: entry.price.times(factor) };
      const { texts, changed } = otherTrade(then, requester);
      const label = corporateActionTexts(locale).recordThen(texts);
      return [{ label, command: commandOf(changed, !isOnly) }];
    }
    case 'far-rate': {
      if (!anomaly.likely || entry.kind !== 'fx') return [];
      const { amount, toAmount } = anomaly.likely;
      const changed = { amount: amount.toFixed(), toAmount: toAmount.toFixed(), rate: undefined };
      return [{ label: likelyText(anomaly, entry, requester), command: commandOf(changed, false) }];
    }
    case 'far-typed-rate': {
      const rate = rateText(entry.currency, anomaly.to, anomaly.market.rate, locale);
      return [{ label: t.recordRated({ rate }), command: commandOf({ rate: undefined }, !isOnly) }];
    }
    case 'other-amount':
      return anomaly.others.map((other) => {
        const { money, changed } = otherAmount(entry, anomaly.field, other);
        const label = t.recordConverted({ price: writtenMoneyText(...money, locale) });
        return { label, command: commandOf(changed, isOnly) };
      });
    case 'closed-day':
      return anomaly.nearest.map(onDay);
    case 'other-day':
      return anomaly.others.map(onDay);
    case 'early-day':
    case 'closed-hour':
    case 'out-of-range':
    case 'far-price':
    case 'other-money':
    case 'far-file-rate':
    case 'duplicate':
    case 'never-held':
    case 'known-split':
      return [];
  }
  return anomaly satisfies never;
};

/** Asks before an unusual entry is recorded: the anomalies, the entry, and what to press or send. */
export const confirmationAnswer = (
  unusual: UnusualEntry,
  requester: Requester,
  symbols: Pick<SymbolSearch, 'resolve'>,
): MarketAnswer => {
  const { entry, anomalies, baseCurrency, terms } = unusual;
  const { locale } = requester;
  const t = portfolioTexts(locale);
  const commandOf = commandsFor(unusual, requester, symbols);
  const missing = anomalies.filter((anomaly) => anomaly.kind === 'missing-split');
  const isMixed = missing.some(({ split }) => split.status === 'mixed');
  const splitsFirst = isMixed ? [] : missing;
  const offered = (...kinds: readonly Anomaly['kind'][]): readonly Choice[] =>
    anomalies
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((anomaly) => choicesOf(anomaly, unusual, commandOf, requester));
  const others = otherTrades(unusual);
  const trades = others.map((trade): Choice => {
    const { texts, changed } = otherTrade(trade, requester);
    return { label: t.recordOther(texts), command: commandOf(changed, true) };
  });
  const alternatives = [
    ...(isMixed ? offered('other-ratio') : offered('other-ratio', 'missing-split')),
    ...offered('after-split'),
    ...trades,
    ...offered('far-rate'),
    ...offered('far-typed-rate'),
    ...offered('other-amount'),
    ...offered('closed-day', 'other-day'),
  ];
  const isSplit = ({ command }: Pick<Choice, 'command'>): boolean =>
    splitsFirst.some((split) => split.command === command);
  const anyway = commandOf({}, true);
  // With other readings on offer, a typed yes is ambiguous, so only a position in the list is accepted.
  const answers = alternatives.length > 0 ? 'pick' : 'yes';
  const choices = [...alternatives, { label: t.recordAnyway, command: anyway }]
    .filter(({ command }) => command.length <= MAX_PRESSED_CHARS)
    // Whoever records a missing split first records the trade afterwards.
    .map((choice): Choice => ({
      ...choice,
      answers,
      ...(isSplit(choice) ? {} : { effect: 'ends' as const }),
    }));
  const hint = t.recordAnywayHint({ command: anyway });
  const isPressable = choices.some(({ command }) => command === anyway);
  const splitFirst = corporateActionTexts(locale).splitFirst({
    commands: splitsFirst.map(({ command }) => `\`${command}\``).join(', '),
    trade: commandOf({}, false),
  });
  const meant = trades.map(({ label }) => label).join(', ');
  const told = portfolioTold({ portfolio: unusual, now: unusual.now, isSample: false }, locale);
  // A price that was looked up and told nothing unusual stands nowhere in the question.
  const isShown = anomalies.some(({ kind }) => kind === 'far-price' || kind === 'other-money');
  if (isShown && terms.last) told.add(quoteFacts(terms.last));
  for (const trade of others) entryText(trade, baseCurrency, told);
  return {
    content: [
      t.notYet,
      ...anomalies.map((anomaly) => `⚠️ ${anomalyText(anomaly, entry, told, requester)}`),
      ...(splitsFirst.length > 0 ? [splitFirst] : []),
      t.wouldBe({ entry: entryText(entry, baseCurrency, told) }),
      ...movedText(entry, terms.moved, locale),
      ...(trades.length > 0 ? [t.maybeMeant({ trades: meant })] : []),
      ...(isPressable ? [] : [hint]),
    ].join('\n'),
    facts: told.facts(),
    found: 0,
    ...(isPressable && { typed: hint }),
    ...(choices.length > 0 && { choices }),
  };
};
