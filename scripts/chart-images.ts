import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import { performanceTexts } from '#src/features/portfolio/texts/performance.ts';
import { portfolioTexts } from '#src/features/portfolio/texts/portfolio.ts';
import { createCharts } from '#src/markets/charts/charts.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { History } from '#src/markets/sources/source.ts';
import { originText } from '#src/markets/answers/quote-text.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';

// Draws the charts of the documentation from the sample market, so that they are the same on every machine and day.

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images');
const KOREAN: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };
/** A rate for these pictures only. */
const WON_PER_DOLLAR = 1_463;
const PHONE_WIDTH = 390;
const ENGLISH: Audience = { locale: 'en', timeZone: 'America/New_York' };

const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-charts-'));
const { signal } = new AbortController();
const symbols = createSymbolSearch();
const source = createSampleSource(systemClock);
const logger = createLogger({
  level: 'warn',
  pretty: true,
  secrets: [],
  write: (line) => process.stderr.write(line),
});
const charts = createCharts({
  files: createSentFiles({ dataDir, clock: systemClock }),
  clock: systemClock,
  logger,
});

const historyOf = async (name: string, range: HistoryRange): Promise<History> => {
  const match = symbols.resolve(name);
  if (match.status !== 'found') throw new Error(`${name} is ${match.status}`);
  const history = await source.getHistory?.(match.instrument, range, signal);
  if (!history) throw new Error(`${name} is not in the sample`);
  return history;
};

const save = async (name: string, picture: Promise<MediaAttachment>): Promise<void> => {
  const { url, altText, sizeBytes } = await picture;
  await copyFile(fileURLToPath(url), join(IMAGES, name));
  console.log(`${name} (${Math.round((sizeBytes ?? 0) / 1_024)} KB): ${altText}`);
};

/** A chart as a phone shows it: scaled to the width of its screen. */
const saveForPhone = async (name: string, of: string): Promise<void> => {
  const chart = await loadImage(join(IMAGES, of));
  const canvas = createCanvas(PHONE_WIDTH, Math.round((chart.height * PHONE_WIDTH) / chart.width));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(chart, 0, 0, canvas.width, canvas.height);
  await writeFile(join(IMAGES, name), await canvas.encode('png'));
};

try {
  const [samsung, nvidia, tesla] = await Promise.all(
    ['005930', 'NVDA', 'TSLA'].map(async (name) => ({
      shown: await historyOf(name, '6mo'),
      earlier: await historyOf(name, '1y'),
    })),
  );
  if (!samsung || !nvidia || !tesla) throw new Error('The sample lacks one');
  await save(
    'chart-candles-ko-light.png',
    charts.candles(samsung.shown, { earlier: samsung.earlier }, KOREAN, signal),
  );
  await save(
    'chart-candles-en-dark.png',
    charts.candles(nvidia.shown, { earlier: nvidia.earlier, theme: 'dark' }, ENGLISH, signal),
  );
  await save(
    'chart-candles-ko-dark.png',
    charts.candles(samsung.shown, { earlier: samsung.earlier, theme: 'dark' }, KOREAN, signal),
  );
  await save(
    'chart-candles-en-light.png',
    charts.candles(nvidia.shown, { earlier: nvidia.earlier }, ENGLISH, signal),
  );
  for (const kind of ['ko-light', 'ko-dark', 'en-light', 'en-dark']) {
    await saveForPhone(`phone-chart-${kind}.png`, `chart-candles-${kind}.png`);
  }
  await save(
    'chart-indicators-en.png',
    charts.candles(
      tesla.shown,
      { earlier: tesla.earlier, indicators: ['bollinger', 'rsi', 'macd'] },
      ENGLISH,
      signal,
    ),
  );
  const compared = await Promise.all(['005930', '000660', 'NVDA'].map((name) => historyOf(name, '6mo')));
  await save('chart-compare-ko.png', charts.comparison(compared, {}, KOREAN, signal));

  const [, , held] = compared;
  if (!held) throw new Error('The sample lacks one');
  const closes = compared.map(({ instrument, bars }) => ({
    label: `${instrument.name.ko} (${instrument.ticker})`,
    value: new Decimal(bars.at(-1)?.close ?? 0).times(
      instrument.currency === 'KRW' ? 10 : WON_PER_DOLLAR * 3,
    ),
  }));
  const parts = [...closes, { label: '현금 (KRW)', value: new Decimal(450_000) }];
  await save(
    'portfolio-allocation-ko.png',
    charts.allocation(
      {
        title: portfolioTexts('ko').cardTitle({ name: '기본' }),
        currency: 'KRW',
        total: parts.reduce((sum, { value }) => sum.plus(value), new Decimal(0)),
        parts,
        origin: originText(held, KOREAN),
        isSample: true,
      },
      KOREAN,
      signal,
    ),
  );
  const points = held.bars.map(({ at, close }, day) => {
    const pieces = day < held.bars.length / 2 ? 10 : 15;
    const paid = new Decimal(held.bars[0]?.close ?? 0).times(10);
    const added = new Decimal(held.bars[Math.ceil(held.bars.length / 2)]?.close ?? 0).times(5);
    return {
      date: at.toZonedDateTimeISO(held.timeZone).toPlainDate(),
      value: close.times(pieces).toNumber(),
      contributed: (pieces === 10 ? paid : paid.plus(added)).toNumber(),
    };
  });
  const [from, to] = [points[0]?.date, points.at(-1)?.date];
  if (!from || !to) throw new Error('The sample has no days');
  await save(
    'portfolio-value-en.png',
    charts.valueOverTime(
      {
        title: portfolioTexts('en').cardTitle({ name: 'main' }),
        subtitle: performanceTexts('en').chartSubtitle({ from: from.toString(), to: to.toString() }),
        currency: 'USD',
        points,
        headline: moneyText(new Decimal(points.at(-1)?.value ?? 0), 'USD', 'en'),
        origin: originText(held, ENGLISH),
        isSample: true,
      },
      ENGLISH,
      signal,
    ),
  );
} finally {
  await charts.stop();
  await rm(dataDir, { recursive: true, force: true });
}
