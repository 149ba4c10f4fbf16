import type { CallKind, MarketSource } from './source.ts';

/** Something around every request of a source, whatever it asks for. */
export type Around = <T>(call: () => Promise<T>, kind: CallKind, signal: AbortSignal) => Promise<T>;

/** Those that this source can be asked for. */
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

/** The same source with `around` around each of its requests. */
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
