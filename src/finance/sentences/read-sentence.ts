import type { SymbolSearch } from '#src/core/finance.ts';
import type { ReadSentence, SentenceCall } from '#src/core/sentence.ts';
import { lookUpByTime } from '#src/infra/look-ups-by-time.ts';
import { readIntent } from './read-intent.ts';

/** What the newest call that names something was about: `1년 차트` goes on with it. */
const lastNames = (calls: readonly SentenceCall[]): readonly string[] => {
  const names = calls.map(({ input: { symbols, symbol } }) =>
    [symbols, symbol].flat().filter((name) => typeof name === 'string'),
  );
  return names.findLast((each) => each.length > 0) ?? [];
};

export const createReadSentence =
  (symbols: SymbolSearch): ReadSentence =>
  async ({ text, today, calls }, signal) => {
    const before = { last: lastNames(calls), today };
    const intent = await lookUpByTime(symbols, (known) => readIntent(text, known, before), signal);
    if (intent.kind !== 'call') return { calls: [], talk: intent.kind };
    return { calls: [{ tool: intent.tool, input: intent.input }] };
  };
