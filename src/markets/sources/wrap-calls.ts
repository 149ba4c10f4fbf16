import type { CallKind, MarketSource } from './source.ts';

/** Wraps a request of any kind. */
export type Around = <T>(call: () => Promise<T>, kind: CallKind, signal: AbortSignal) => Promise<T>;

/** The kinds of requests that a source supports. */
export const kindsOf = ({
  getHistory,
  getDays,
  lookUp,
  getNews,
  getFundamentals,
  getEarnings,
}: MarketSource): readonly CallKind[] => [
  'quotes',
  ...(getHistory ? (['history'] as const) : []),
  ...(getDays ? (['days'] as const) : []),
  ...(lookUp ? (['symbol'] as const) : []),
  ...(getNews ? (['news'] as const) : []),
  ...(getFundamentals ? (['fundamentals'] as const) : []),
  ...(getEarnings ? (['earnings'] as const) : []),
];

/** A source whose requests all run through `around`. */
export const wrapCalls = (source: MarketSource, around: Around): MarketSource => {
  const { getQuotes, getHistory, getDays, lookUp } = source;
  const { getNews, getFundamentals, getEarnings } = source;
  return {
    ...source,
    getQuotes: (...args) => around(() => getQuotes(...args), 'quotes', args[1]),
    ...(getHistory && {
      getHistory: (...args: Parameters<typeof getHistory>) =>
        around(() => getHistory(...args), 'history', args[2]),
    }),
    ...(getDays && {
      getDays: (...args: Parameters<typeof getDays>) => around(() => getDays(...args), 'days', args[2]),
    }),
    ...(lookUp && {
      lookUp: (...args: Parameters<typeof lookUp>) => around(() => lookUp(...args), 'symbol', args[1]),
    }),
    ...(getNews && {
      getNews: (...args: Parameters<typeof getNews>) => around(() => getNews(...args), 'news', args[1]),
    }),
    ...(getFundamentals && {
      getFundamentals: (...args: Parameters<typeof getFundamentals>) =>
        around(() => getFundamentals(...args), 'fundamentals', args[1]),
    }),
    ...(getEarnings && {
      getEarnings: (...args: Parameters<typeof getEarnings>) =>
        around(() => getEarnings(...args), 'earnings', args[2]),
    }),
  };
};
