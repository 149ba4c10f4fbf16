import { expect, it } from 'vitest';
import { confirmImportAnswer } from '#src/features/portfolio/import/confirm.ts';
import { previewAnswer } from '#src/features/portfolio/import/preview.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openPortfolios } from '../service-support.ts';

const { signal } = new AbortController();
const HEAD = 'date,kind,symbol,quantity,price,currency,fee,tax';

const open = async () => {
  const all = await openPortfolios();
  const preview = previewAnswer({
    ...all.deps,
    readMedia: async () => new Uint8Array(),
    readPicture: async () => ({ status: 'no-model' }),
    writeExport: async () => 'x',
    logger: recordingLogger().logger,
  });
  const paste = (rows: readonly string[], head = HEAD) =>
    preview({ text: [head, ...rows].join('\n'), files: [] }, all.requesterOf('mina', 'en'), signal);
  /** Presses the first button. */
  const record = async ({ choices }: Awaited<ReturnType<typeof paste>>): Promise<void> => {
    const [code = '', which] = choices?.[0]?.command.split(' ').slice(-2) ?? [];
    await confirmImportAnswer(all.deps)(
      { code, which: which === 'valid' ? which : 'all' },
      all.requesterOf('mina', 'en'),
      signal,
    );
  };
  return { ...all, paste, record };
};

it('an import flags closed days and impossible prices, and still records the rows', async () => {
  const { closes, paste } = await open();
  closes.set('005930.KS', { '2026-11-10': '70000', '2026-11-11': '71000' });
  const { content, choices } = await paste([
    '2026-11-10,buy,005930,1,70000,KRW,0,0',
    '2026-11-11,buy,005930,1,710000,KRW,0,0',
    '2026-11-08,buy,005930,1,70000,KRW,0,0',
    '2026-11-12,deposit,,,1000,KRW,0,0',
  ]);
  expect(content).toContain('Lines to check: 2*');
  expect(content).toMatch(/- Line 3: The price ₩710,000 is outside that day's trading range, ₩71,000/);
  expect(content).toMatch(/- Line 4: Sun 2026-11-08: weekend, the Korean market was closed\./);
  expect(choices?.[0]?.label).toContain('Record');
});

it('an import names and refuses lines of before 1970, and offers the others', async () => {
  const { paste, record, ledgerOf } = await open();
  const answer = await paste([
    '1926-03-12,buy,005930,1,70000,KRW,0,0',
    '1969-12-31,deposit,,,1000,KRW,0,0',
    '1970-01-05,buy,005930,1,70000,KRW,0,0',
  ]);
  expect(answer.content).toContain('- Line 2: “1926-03-12” is before 1970; check the year.');
  expect(answer.content).toContain('- Line 3: “1969-12-31” is before 1970; check the year.');
  await record(answer);
  expect((await ledgerOf('mina')).map(({ date }) => date.toString())).toEqual(['1970-01-05']);
});

it('an import of many rows looks up each instrument once', async () => {
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
  expect(plain.content).toContain('Lines to check: 300*');
  expect(plain.content).toContain('… and 290 more');
  expect(asked.filter((each) => !each.startsWith('USDKRW')).toSorted()).toEqual([
    '005930.KS 2026',
    'AAPL 2026',
  ]);
});

it('an import flags only rates and exchanges that are far from the rate of their day', async () => {
  const { closes, paste, asked, say } = await open();
  await say('/portfolio new main KRW');
  closes.set('USDKRW=X', { '2026-11-02': '1320' });
  closes.set('AAPL', { '2026-11-02': '200' });
  const head =
    'number,date,kind,symbol,quantity,price,amount,currency,to_amount,to_currency,rate,base_currency,to_rate';
  const { content, choices } = await paste(
    [
      '1,2026-11-09,deposit,,,,5000000,KRW,,,,,',
      '2,2026-11-10,buy,AAPL,1,200,,USD,,,13.2,KRW,',
      '3,2026-11-10,buy,AAPL,2,200,,USD,,,1310,KRW,',
      '4,2026-11-10,buy,AAPL,3,200,,USD,,,,,',
      '5,2026-11-11,deposit,,,,5000,USD,,,132000,KRW,',
      '6,2026-11-11,fx,,,,1320000,KRW,100,USD,,,',
      '7,2026-11-12,fx,,,,132000,KRW,100,USD,,,',
    ],
    head,
  );
  expect(content).toContain('Lines to check: 3*');
  expect(content).toContain(
    "- Line 3: The file says 1 USD = ₩13.2, but that day's rate was 1 USD = ₩1,320 (2026-11-10 · source: hand).",
  );
  expect(content).toContain(
    "- Line 6: The file says 1 USD = ₩132,000, but that day's rate was 1 USD = ₩1,320",
  );
  expect(content).toContain(
    '- Line 7: These amounts come to 1 USD = ₩13,200, but the market rate was 1 USD = ₩1,320',
  );
  expect(choices?.[0]?.label).toContain('7');
  expect(asked.filter((each) => each.startsWith('USDKRW'))).toEqual(['USDKRW=X 2026']);
});

const twoDividends = (opening: number): readonly string[] => [
  `2026-11-10,배당금,삼성전자,,,361,${opening + 361}`,
  `2026-11-11,배당금,삼성전자,,,361,${opening + 722}`,
];

it('an import offers no opening deposit that no line of the file explains', async () => {
  const { paste, say } = await open();
  await say('/portfolio new main KRW');
  const head = '거래일자,거래구분,종목명,수량,단가,거래금액,예수금';
  expect((await paste(twoDividends(300_000), head)).content).toContain('`/portfolio deposit 300000 KRW`');
  const { content } = await paste(twoDividends(400_000_000), head);
  expect(content).not.toContain('/portfolio deposit');
  expect(content).toContain('Cash matches');
});

it('an import stops at a currency in a column that it does not understand', async () => {
  const { paste, say } = await open();
  await say('/portfolio new main USD');
  const { content, choices } = await paste(
    ['2026-11-10,buy,AAPL,1,200,EUR', '2026-11-11,buy,AAPL,2,200,USD', '2026-11-12,buy,AAPL,3,200,'],
    'date,kind,symbol,quantity,price,Client currency',
  );
  expect(content).toContain('- Line 2: I do not know what the column “Client currency: EUR” is about');
  expect(choices?.[0]?.label).toBe('Record the valid ones (2)');
});

const bought = (time: string): string => `2026-11-12T${time},buy,AAPL,2,270,USD,0,0`;

it('an import of one entry says so in the singular, and recognises its moment in another zone', async () => {
  const { paste, record, ledgerOf } = await open();
  const before = await paste([bought('00:45:00Z')]);
  expect(before.content).toContain('The entry:');
  expect(before.typed).toContain('To record it, send');
  expect(before.choices?.[0]?.label).toBe('Record it');
  await record(before);
  expect((await paste([bought('00:45:00Z')])).choices).toBeUndefined();
  // A trade at another time is new.
  expect((await paste([bought('00:45:00Z'), bought('15:00:00Z')])).choices?.[0]?.label).toBe('Record it');
  expect((await ledgerOf('mina')).map(({ date, time }) => `${date.toString()} ${time?.toString()}`)).toEqual([
    '2026-11-11 19:45:00',
  ]);
});
