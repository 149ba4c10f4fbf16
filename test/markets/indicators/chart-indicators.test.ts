import { describe, expect, it } from 'vitest';
import { readIndicators } from '#src/markets/indicators/chart-indicators.ts';
import { everyRow } from '#test/support/every-row.ts';

const read = (words: readonly string[], locale: 'ko' | 'en' = 'ko'): string => {
  const { indicators, unknown } = readIndicators(words, locale);
  const { averages, hasBollinger, hasRsi, hasMacd } = indicators;
  return [
    ...averages.map(({ kind, period }) => `${kind}${period}`),
    ...(hasBollinger ? ['bollinger'] : []),
    ...(hasRsi ? ['rsi'] : []),
    ...(hasMacd ? ['macd'] : []),
    ...unknown.map((word) => `?${word}`),
  ].join(' ');
};

describe('what is drawn beside prices', () => {
  everyRow([
    { words: [], drawn: 'sma20 sma60' },
    { words: ['rsi'], drawn: 'sma20 sma60 rsi' },
    { words: ['이평'], drawn: 'sma20 sma60' },
    { words: ['ma5,20,60'], drawn: 'sma5 sma20 sma60' },
    { words: ['MA20', 'ema12', 'MACD'], drawn: 'sma20 ema12 macd' },
    { words: ['20일선', '이평120', '볼린저밴드'], drawn: 'sma20 sma120 bollinger' },
    { words: ['bollinger'], drawn: 'bollinger' },
    { words: ['ma20', 'sma20'], drawn: 'sma20' },
    { words: ['ma1', 'ma999', 'vwap'], drawn: 'sma20 sma60 ?ma1 ?ma999 ?vwap' },
    { words: ['ma2,3,4,5,6,7,8'], drawn: 'sma2 sma3 sma4 sma5 sma6' },
  ])('reads $words', ({ words, drawn }) => {
    expect(read(words)).toBe(drawn);
  });

  it('has other usual averages in English', () => {
    expect(read([], 'en')).toBe('sma20 sma50');
  });
});
