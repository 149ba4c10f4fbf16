import { expect, it } from 'vitest';
import { previewAnswer } from '#src/finance/portfolio/import/preview.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openPortfolios } from '../desk-support.ts';

const { signal } = new AbortController();
const HEAD = 'date,kind,symbol,quantity,price,currency,fee,tax';

const open = async () => {
  const all = await openPortfolios();
  const preview = previewAnswer({
    ...all.deps,
    readMedia: async () => new Uint8Array(),
    writeExport: async () => 'x',
    logger: recordingLogger().logger,
  });
  const paste = (rows: readonly string[]) =>
    preview({ text: [HEAD, ...rows].join('\n'), files: [] }, all.askerOf('mina', 'en'), signal);
  return { ...all, paste };
};

it('an import marks rows of a closed day and of a price that nobody paid, and still takes them', async () => {
  const { closes, paste } = await open();
  closes.set('005930.KS', { '2026-11-10': '70000', '2026-11-11': '71000' });
  const { content, choices } = await paste([
    '2026-11-10,buy,005930,1,70000,KRW,0,0',
    '2026-11-11,buy,005930,1,710000,KRW,0,0',
    '2026-11-08,buy,005930,1,70000,KRW,0,0',
    '2026-11-12,deposit,,,1000,KRW,0,0',
  ]);
  expect(content).toContain('Lines to look at: 2.');
  expect(content).toMatch(/- Line 3: The price ₩710,000 is outside that day's trading range, ₩71,000/);
  expect(content).toMatch(/- Line 4: Sun 2026-11-08 is a weekend, and the Korean market was closed\./);
  expect(choices?.[0]?.label).toContain('Record');
});

it('many rows take one look-up for each instrument', async () => {
  const { closes, paste, asked } = await open();
  closes.set('AAPL', { '2026-11-10': '50' });
  closes.set('005930.KS', { '2026-11-10': '70000' });
  closes.set('USDKRW=X', { '2026-11-02': '1400' });
  const rows = Array.from({ length: 600 }, (_, index) =>
    index % 2 === 0
      ? `2026-11-10,buy,AAPL,${index + 1},200,USD,0,0`
      : `2026-11-10,buy,005930,${index + 1},70000,KRW,0,0`,
  );
  const plain = await paste(rows);
  expect(plain.content).toContain('Lines to look at: 300.');
  expect(plain.content).toContain('… and 290 more');
  expect(asked.filter((each) => !each.startsWith('USDKRW')).toSorted()).toEqual([
    '005930.KS 2026',
    'AAPL 2026',
  ]);
});
