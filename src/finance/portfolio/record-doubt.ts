import type { Quote, SymbolSearch } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';
import { codeFor } from '#src/core/instrument-code.ts';
import type { Trade } from '#src/core/ledger.ts';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import type { Choice } from '#src/core/message.ts';
import type { Decimal } from '#src/core/money.ts';
import type { Asker, RecordRequest } from '#src/core/personal-desk.ts';
import { quoteFacts } from '../answers/quote-facts.ts';
import { formatPrice, instrumentLabel, originText } from '../answers/quote-text.ts';
import { exactPriceText, quantityText } from './money-text.ts';
import { readEntryNumber } from './entries/read-entry-number.ts';
import { MAX_COMMAND, recordCommand } from './record-instrument.ts';
import { coreText } from './record-text.ts';

/** What a price may be off the last one by before somebody is asked. */
const FAR = 5;
const RECENT_DAYS = 7;

export const isNear = (price: Decimal, last: Decimal): boolean =>
  price.lessThanOrEqualTo(last.times(FAR)) && price.times(FAR).greaterThanOrEqualTo(last);

/** Of what was traded longer ago the last price says nothing. */
export const isRecent = (date: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  date.until(today, { largestUnit: 'days' }).days <= RECENT_DAYS;

const EACH_DECIMALS = 8;

/** What may have been meant instead, where that fits the last price: the two turned round, a total as a price or the other way. */
const otherTrades = (
  trade: Trade,
  request: RecordRequest,
  last: Decimal,
): readonly Pick<Trade, 'quantity' | 'price'>[] => {
  const { quantity, price } = trade;
  const total = readEntryNumber(request.total ?? '')?.value;
  const each = price.dividedBy(quantity).toDecimalPlaces(EACH_DECIMALS);
  const isEven = each.times(quantity).equals(price);
  return [
    { quantity: price, price: quantity },
    ...(total ? [{ quantity, price: total }] : isEven ? [{ quantity, price: each }] : []),
  ].filter((other) => isNear(other.price, last));
};

/**
 * Before a price is recorded that is far from the last one: what would be recorded, and what to press. Undefined where
 * nothing is strange about it.
 */
export const doubtAnswer = (
  trade: Trade,
  request: RecordRequest,
  quote: Quote,
  asker: Asker,
  symbols: Pick<SymbolSearch, 'resolve'>,
): MarketAnswer | undefined => {
  const { instrument, price } = trade;
  if (quote.instrument.currency !== instrument.currency || isNear(price, quote.price)) return undefined;
  const { locale } = asker;
  const words = texts(locale).portfolio;
  const name = instrumentLabel(instrument, locale);
  const date = (request.date ?? '').trim() === '' ? undefined : trade.date.toString();
  const commandOf = (quantity: string, each: Decimal): string => {
    const typed = { ...request, quantity, price: each.toFixed(), total: undefined, date };
    return `${recordCommand(typed, codeFor(instrument, symbols))} --yes`;
  };
  const others = otherTrades(trade, request, quote.price).map((other): Choice => ({
    label: words.recordOther({
      quantity: quantityText(other.quantity, instrument, locale),
      price: exactPriceText(other.price, instrument, locale),
    }),
    command: commandOf(other.quantity.toFixed(), other.price),
  }));
  const isPortion = readEntryNumber(request.quantity ?? '') === null;
  const asGiven = isPortion ? (request.quantity ?? '') : trade.quantity.toFixed();
  const anyway = commandOf(asGiven, price);
  const choices = [...others, { label: words.recordAnyway, command: anyway }].filter(
    ({ command }) => command.length <= MAX_COMMAND,
  );
  return {
    content: [
      words.farPrice({
        name,
        price: exactPriceText(price, instrument, locale),
        last: formatPrice(quote.price, instrument, locale),
        origin: originText(quote, asker),
      }),
      ...(isPortion ? [] : [words.wouldBe({ entry: coreText(trade, locale, () => name) })]),
      ...(others.length > 0
        ? [words.maybeMeant({ trades: others.map(({ label }) => label).join(', ') })]
        : []),
      words.farPriceHint({ command: anyway }),
    ].join('\n'),
    facts: quoteFacts(quote),
    found: 0,
    ...(choices.length > 0 && { choices }),
  };
};
