import { expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { chartAnswer } from '#src/features/charting/chart.ts';
import { compareAnswer } from '#src/features/compare/compare.ts';
import { historyAnswer } from '#src/features/history/history.ts';
import { indicatorsAnswer } from '#src/features/indicators/indicators.ts';
import type { History } from '#src/markets/sources/source.ts';
import { recordingLogger } from '#test/support/context.ts';
import { APPLE } from '#test/support/instruments.ts';
import { EN, historyOf, KO, marketOf, never, weekend } from './analysis-support.ts';

const YEN: Instrument = {
  symbol: 'JPYKRW=X',
  ticker: 'JPY/KRW',
  name: { ko: '일본 엔/원 (1엔)', en: 'Japanese yen / Korean won (1 yen)' },
  exchange: 'FX',
  assetClass: 'fx',
  currency: 'KRW',
  priceDecimals: 4,
};
const closes = Array.from({ length: 60 }, (_, day) => 9.4 + day / 1_000);

it('tells and draws the yen for a hundred in Korean and for one in English, as facts always for one', async () => {
  const all = [
    historyOf(YEN, closes),
    historyOf(YEN, closes, { range: '2y' }),
    historyOf(YEN, closes, { range: '1mo' }),
    historyOf(
      APPLE,
      closes.map((close) => close * 20),
    ),
  ];
  const drawn: (readonly History[])[] = [];
  const paint = async (...histories: readonly History[]): Promise<MediaAttachment> => {
    drawn.push(histories);
    return { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'file:///a.png' };
  };
  const deps = {
    market: marketOf(all),
    symbols: {
      resolve: (query: string) => ({ status: 'found', instrument: query === 'AAPL' ? APPLE : YEN }) as const,
    },
    clock: weekend,
    logger: recordingLogger().logger,
    charts: {
      candles: (history: History, { earlier }: { readonly earlier?: History | undefined }) =>
        paint(history, ...(earlier ? [earlier] : [])),
      comparison: (histories: readonly History[]) => paint(...histories),
    },
  };
  const day = Temporal.PlainDate.from('2026-11-13');
  const range = '1y';
  const chart = { range, indicators: [] } as const;
  const both = ['JPYKRW=X', 'AAPL'];
  const ask = (audience: Audience) =>
    Promise.all([
      historyAnswer(deps)({ query: 'JPYKRW=X', range }, audience, never()),
      historyAnswer(deps)({ query: 'JPYKRW=X', range, days: { first: day, last: day } }, audience, never()),
      indicatorsAnswer(deps)({ query: 'JPYKRW=X' }, audience, never()),
      chartAnswer(deps)({ ...chart, queries: ['JPYKRW=X'] }, audience, never()),
      chartAnswer(deps)({ ...chart, queries: both }, audience, never()),
      compareAnswer(deps)({ queries: both, range, isDrawn: true }, audience, never()),
    ]);
  const korean = await ask(KO);
  for (const { content } of korean) {
    expect(content).toContain('일본 엔/원 (100엔)');
    expect(content).toMatch(/₩945\.90?/u);
    expect(content).not.toMatch(/(?:₩|\| )9\.\d|1엔\)/u);
  }
  const lasts = drawn.flat().flatMap(({ instrument, bars }) => {
    const close = bars.at(-1)?.close;
    return instrument.symbol === YEN.symbol && close ? [close.toFixed()] : [];
  });
  expect(lasts).toEqual(lasts.map(() => '945.9'));
  expect(lasts).toHaveLength(4);
  const english = await ask(EN);
  for (const [index, { content, facts }] of english.entries()) {
    expect(content).toContain('₩9.4590');
    // What a model may repeat has no unit of a hundred.
    expect(korean[index]?.facts).toEqual(expect.arrayContaining([...facts]));
  }
});
