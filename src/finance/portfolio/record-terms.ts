import type { Instrument, Quote, SymbolSearch } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';
import type { NewTransaction } from '#src/core/ledger.ts';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import type { Currency, Decimal } from '#src/core/money.ts';
import type { Asker, RecordRequest } from '#src/core/personal-desk.ts';
import type { PortfolioStore } from '#src/storage/portfolios.ts';
import { instrumentLabel } from '../answers/quote-text.ts';
import { missedAnswer, resolveNames } from '../answers/resolve-names.ts';
import type { Market } from '../market/source.ts';
import { entryProblemText } from './entries/entry-problems.ts';
import { lastPrice, SAMPLE_PRICE_NOTE } from './entries/last-price.ts';
import { markNote } from './entries/mark-note.ts';
import { isHoldable, readEntry } from './entries/read-entry.ts';
import { readEntryNumber } from './entries/read-entry-number.ts';
import { Exact } from './ledger/exact.ts';
import type { PickedPortfolio } from './pick-portfolio.ts';
import { doubtAnswer, isNear, isRecent } from './record-doubt.ts';
import {
  coinIn,
  isOfInstrument,
  isPairNamed,
  MAX_COMMAND,
  namedCurrency,
  recordCommand,
} from './record-instrument.ts';
import { portionOf } from './record-portion.ts';
import { refusedAnswer } from './refused-answer.ts';

export interface TermsDeps {
  readonly store: Pick<PortfolioStore, 'transactions'>;
  readonly market: Pick<Market, 'getQuotes'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** Where the entry is to go, and when it is said. */
interface TermsContext {
  readonly picked: PickedPortfolio;
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
}

export interface EntryTerms {
  /** Of a sale of `portion` its quantity is not known yet. */
  readonly entry: NewTransaction;
  /** Of what is held: to be found out when it is recorded. */
  readonly portion: Decimal | undefined;
  /** Where its price was taken from, if it was not given. */
  readonly quote: Quote | undefined;
}

type Answered = { readonly answer: MarketAnswer };

/** What one piece cost, as far as it can be said before anything is checked. */
const typedPrice = ({ price, total, quantity }: RecordRequest): Decimal | undefined => {
  const [each, all, pieces] = [price, total, quantity].map((typed) => readEntryNumber(typed ?? '')?.value);
  if (each) return each;
  return all && pieces?.greaterThan(0) ? new Exact(all).dividedBy(pieces) : undefined;
};

/**
 * Of a coin without a currency: the pair that was traded before, else that in the portfolio's own money; but another
 * one where only its last price is near the given one.
 */
const coinMeant = async (
  instrument: Instrument,
  request: RecordRequest,
  { picked, baseCurrency }: TermsContext,
  { store, symbols, market }: TermsDeps,
  signal: AbortSignal,
): Promise<Instrument> => {
  if (instrument.assetClass !== 'crypto' || isPairNamed(request, instrument)) return instrument;
  const named = namedCurrency(request);
  if (named !== undefined) return coinIn(instrument, named, symbols);
  const entries =
    picked.status === 'ok' ? await store.transactions(picked.ownerId, picked.portfolio.id, signal) : [];
  const traded = entries.findLast(
    (entry) => 'instrument' in entry && !entry.isReversed && entry.instrument.ticker === instrument.ticker,
  );
  const before = traded && 'instrument' in traded ? traded.instrument : undefined;
  const usual = before?.assetClass === 'crypto' ? before : coinIn(instrument, baseCurrency, symbols);
  const price = typedPrice(request);
  if (!price) return usual;
  const others = ['KRW', 'USD'].map((currency) => coinIn(instrument, currency, symbols));
  const pairs = [usual, instrument, ...others].filter(
    ({ symbol }, index, all) => all.findIndex((each) => each.symbol === symbol) === index,
  );
  const quotes = await market.getQuotes(pairs, signal);
  const near = pairs.find((pair, index) => {
    const result = quotes[index];
    return (
      result?.status === 'ok' &&
      result.quote.instrument.currency === pair.currency &&
      isNear(price, result.quote.price)
    );
  });
  return near ?? usual;
};

const resolve = async (
  request: RecordRequest,
  context: TermsContext,
  locale: Asker['locale'],
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<{ readonly instrument: Instrument | undefined } | Answered> => {
  const name = request.name?.trim() ?? '';
  if (!isOfInstrument(request.kind) || name === '') return { instrument: undefined };
  const found = resolveNames([name], deps.symbols, locale, (code) => recordCommand(request, code));
  const [instrument] = found.instruments;
  if (instrument) return { instrument: await coinMeant(instrument, request, context, deps, signal) };
  const choices = found.choices.filter(({ command }) => command.length <= MAX_COMMAND);
  return { answer: missedAnswer({ ...found, choices }) };
};

const isGiven = (typed: string | undefined): boolean => (typed ?? '').trim() !== '';

/** A trade of today without a price is one at the last price. For an earlier day there is nothing to take. */
const withPrice = async (
  request: RecordRequest,
  instrument: Instrument | undefined,
  today: Temporal.PlainDate,
  asker: Asker,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<{ readonly request: RecordRequest; readonly quote?: Quote } | Answered> => {
  const isTrade = request.kind === 'buy' || request.kind === 'sell';
  const isPriced = isGiven(request.price) || isGiven(request.total);
  if (!isTrade || isPriced || !instrument || !isHoldable(instrument)) return { request };
  const words = texts(asker.locale).portfolio;
  // Whatever else is wrong with it is said before anybody is asked for a price.
  const context = { instrument, baseCurrency: instrument.currency, today, clientId: asker.requestId };
  const trial = readEntry({ ...request, price: '1', rate: undefined }, context);
  if (trial.status === 'problem') return { request: { ...request, price: '1' } };
  if (!trial.entry.date.equals(today))
    return { answer: refusedAnswer(words.priceOfDay({ date: trial.entry.date.toString() })) };
  const quote = await lastPrice(instrument, deps, signal);
  if (!quote || quote.instrument.currency !== instrument.currency)
    return { answer: refusedAnswer(words.noQuote({ name: instrumentLabel(instrument, asker.locale) })) };
  const note = quote.isSample ? markNote(request.note, SAMPLE_PRICE_NOTE) : request.note;
  return { request: { ...request, price: quote.price.toFixed(), note }, quote };
};

/** From a request to the entry that it asks for, its rate aside; or what is to be said instead. */
export const entryTermsOf = async (
  asked: RecordRequest,
  context: TermsContext,
  asker: Asker,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<EntryTerms | Answered> => {
  const { locale, requestId: clientId } = asker;
  const { baseCurrency, today } = context;
  const resolved = await resolve(asked, context, locale, deps, signal);
  if ('answer' in resolved) return resolved;
  const { instrument } = resolved;
  const portion = asked.kind === 'sell' ? portionOf(asked.quantity) : undefined;
  // Of how many a total would be is not known yet.
  if (portion && isGiven(asked.total))
    return {
      answer: refusedAnswer(entryProblemText({ kind: 'missing', field: 'price', of: 'sell' }, locale)),
    };
  const request = portion ? { ...asked, quantity: '1' } : asked;
  const priced = await withPrice(request, instrument, today, asker, deps, signal);
  if ('answer' in priced) return priced;
  const read = readEntry(priced.request, { instrument, baseCurrency, today, clientId });
  if (read.status === 'problem') return { answer: refusedAnswer(entryProblemText(read.problem, locale)) };
  const { entry } = read;
  const isTrade = entry.kind === 'buy' || entry.kind === 'sell';
  if (isTrade && !priced.quote && !asked.isSure && isRecent(entry.date, today)) {
    const quote = await lastPrice(entry.instrument, deps, signal);
    const answer = quote && doubtAnswer(entry, asked, quote, asker, deps.symbols);
    if (answer) return { answer };
  }
  return { entry, portion, quote: priced.quote };
};
