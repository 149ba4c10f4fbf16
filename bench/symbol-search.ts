import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { MARKET_QUERIES } from '#test/markets/symbols/market-queries.ts';
import { SYMBOL_QUERIES } from '#test/markets/symbols/symbol-queries.ts';
import { median } from './statistics.ts';

const ROUNDS = 25;
/** What is in no index, and costs most: everything is looked at. */
const MISSES = ['날씨', '내일 비가 올까요', 'what is the weather', 'xqzzt', 'aaaa', '가나다라마바사'];

const show = (value: number): string => value.toFixed(2);

/** Garbage of what was measured before would count, too. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const usedMb = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};

/** The middle of several runs for each query: the worst of these is a slow query, not a busy machine. */
const timesOf = (queries: readonly string[], ask: (query: string) => unknown): readonly number[] =>
  queries.map((query) =>
    median(
      Array.from({ length: ROUNDS }, () => {
        const startedAt = performance.now();
        ask(query);
        return performance.now() - startedAt;
      }),
    ),
  );

const summary = (times: readonly number[]): string =>
  `median ${show(median(times))} ms, worst ${show(Math.max(...times))} ms`;

/** What the index of symbols costs: to load, to keep, and a look-up (names, mistakes and misses). */
export const benchSymbolSearch = (): void => {
  const queries = [...[...SYMBOL_QUERIES, ...MARKET_QUERIES].map(({ query }) => query), ...MISSES];
  const before = usedMb();
  const symbols = createSymbolSearch();
  const startedAt = performance.now();
  symbols.resolve('AAPL');
  const loadMs = performance.now() - startedAt;
  const resolving = timesOf(queries, symbols.resolve);
  const suggesting = timesOf(queries, (query) => symbols.suggest(query, 25));
  console.log(
    `symbol search: ${show(usedMb() - before)} MB (bar 5), first use ${show(loadMs)} ms; a look-up ${summary(resolving)} (bar: median 1, n=${queries.length}); a suggestion ${summary(suggesting)}`,
  );
};
