import type { Instrument } from '#src/core/finance.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { marketError } from '../errors.ts';
import { readAs } from './read-wire.ts';
import { type EARNINGS_FIELDS, namedWire, type QUOTE_FIELDS, quoteListWire } from './wire.ts';
import type { YahooClient } from './yahoo-client.ts';

type QuoteField = (typeof QUOTE_FIELDS)[number] | (typeof EARNINGS_FIELDS)[number];

/** A value, a problem, or neither: Yahoo has none of it. */
export interface Read<T> {
  readonly value?: T;
  readonly problem?: string;
}

interface Wanted<T> {
  readonly what: string;
  readonly fields: readonly QuoteField[];
  readonly read: (instrument: Instrument, raw: unknown) => Read<T>;
}

/** One request has so many symbols at most. */
const BATCH = 50;

const inBatches = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

/** Asked for `USDKRW=X`, Yahoo answers with that name or, as it likes, with `KRW=X`. */
const symbolKey = (symbol: string): string => symbol.toUpperCase().replace(/^USD(?=[A-Z]{3}=X$)/u, '');

/**
 * Reads fields of many quotes. What Yahoo does not know is left out; what cannot be read is too, and logged: that is
 * a fault of the one symbol, however many were asked for with it. Throws where the answer is of nobody.
 */
export const createQuoteReader = (client: YahooClient, logger: FinClawLogger) => {
  const ask = async (
    instruments: readonly Instrument[],
    fields: readonly QuoteField[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const symbols = instruments.map(({ symbol }) => symbol);
    const query = { symbols: symbols.join(','), fields: fields.join(',') };
    const json = await client.ask({ path: '/v7/finance/quote', query, needsSession: true }, signal);
    return readAs(quoteListWire, json, 'list of quotes').quoteResponse.result;
  };

  return async <T extends object>(
    instruments: readonly Instrument[],
    { what, fields, read }: Wanted<T>,
    signal: AbortSignal,
  ): Promise<readonly T[]> => {
    const lists = await Promise.all(inBatches(instruments).map((batch) => ask(batch, fields, signal)));
    const listed = lists.flat();
    const named = listed.flatMap((raw) => namedWire.safeParse(raw).data ?? []);
    const bySymbol = new Map(named.map((raw) => [symbolKey(raw.symbol), raw]));
    const found = instruments.flatMap((instrument): readonly T[] => {
      const raw = bySymbol.get(symbolKey(instrument.symbol));
      const { value, problem } = raw ? read(instrument, raw) : {};
      if (problem !== undefined) {
        logger.warn(`Yahoo Finance sent an odd ${what}: it is left out`, {
          symbol: instrument.symbol,
          problem,
        });
      }
      return value ? [value] : [];
    });
    if (found.length === 0 && named.length < listed.length)
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent no ${what} that makes sense`);
    return found;
  };
};
