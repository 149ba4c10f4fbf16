import type { Instrument, Quote } from '#src/kernel/finance.ts';
import type { Market } from '#src/markets/sources/source.ts';

/** The last quote, for a trade whose price was not given; undefined where there is none. */
export const lastPrice = async (
  instrument: Instrument,
  { market }: { readonly market: Pick<Market, 'getQuotes'> },
  signal: AbortSignal,
): Promise<Quote | undefined> => {
  const [result] = await market.getQuotes([instrument], signal);
  return result?.status === 'ok' && result.quote.price.greaterThan(0) ? result.quote : undefined;
};
