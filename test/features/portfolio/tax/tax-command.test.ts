import { expect, it } from 'vitest';
import { readPlanArgs } from '#src/features/portfolio/rebalance/read-plan-args.ts';
import { termReport } from '#src/features/portfolio/tax/term-report.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { everyRow } from '#test/support/every-row.ts';
import { openPortfolios } from '../service-support.ts';
import { APPLE, buy, sell } from '../ledger/ledger-entries.ts';

const openTaxed = async () => {
  const at = await openPortfolios();
  at.closes.set('KRW=X', { '2020-01-01': '1000', '2025-06-04': '1100' });
  at.closes.set('USDKRW=X', { '2020-01-01': '1000', '2025-06-04': '1100' });
  at.prices.set('AAPL', { price: '100' });
  at.prices.set('005930.KS', { price: '50000' });
  at.prices.set('KRW=X', { price: '1000' });
  at.prices.set('USDKRW=X', { price: '1000' });
  for (const line of [
    '/portfolio 매수 AAPL 100 100 2025-03-03 --yes',
    '/portfolio 매도 AAPL 60 150 2025-06-02 --yes',
    '/portfolio 배당 AAPL 100 USD 세금 15 2025-05-15 --yes',
    '/portfolio 새로 연금 KRW',
    '/portfolio 매수 AAPL 10 100 2025-03-03 --in=연금 --yes',
    '/portfolio 매도 AAPL 10 50 2025-06-02 --in=연금 --yes',
  ])
    await at.say(line);
  return at;
};

it('reports the tax of a year over all portfolios, with a file of all sales', async () => {
  const at = await openTaxed();
  const { content, media } = await at.say('/portfolio 세금 2025', { chatType: 'direct' });
  // 60 × 150 × 1,100 − 60 × 100 × 1,000 = 3,900,000; 10 × 50 × 1,100 − 10 × 100 × 1,000 = −450,000.
  for (const said of [
    '2025년 세금 요약',
    '양도차익: **+₩3,450,000** (이익 +₩3,900,000 · 손실 -₩450,000), 매도 2건',
    '과세표준: ₩950,000',
    // 22 % of 950,000.
    '예상 세액(22%): **₩209,000** (소득세 20% ₩190,000 · 지방소득세 2% ₩19,000)',
    '확정신고 기간: 2026-05-01 ~ 2026-06-01',
    '배당 · 미국 (USD): $100.00 = ₩100,000, 원천징수 $15.00 = ₩15,000',
    '세무 자문 아님',
  ])
    expect(content).toContain(said);
  expect(media).toMatchObject([{ name: '세금-2025.csv' }]);
  const [head, ...rows] = (at.files.at(-1) ?? '').split('\r\n');
  expect(head).toContain('결제일 환율');
  expect(rows[0]).toContain(
    '애플,AAPL,60,2025-03-03,2025-03-03,2025-06-02,2025-06-04,USD,9000,6000,0,1100,2025-06-04',
  );
  expect(rows.filter((row) => row !== '').map((row) => row.split(',').at(-2))).toEqual([
    '3900000',
    '-450000',
  ]);

  // A named portfolio is reported alone, and `us` reports gains by holding period.
  const pension = await at.say('/portfolio tax 2025 연금');
  expect(pension.content).toContain('-₩450,000');
  expect(pension.content).toContain('연금만 계산했어요');
  const plain = await at.say('/portfolio tax us 2025', { locale: 'en' });
  expect(plain.content).toContain('Short-term (held one year or less): **+₩3,000,000**, 1 lot');
  expect(plain.content).not.toContain('22%');
  expect((await at.say('/portfolio 양도세 2025', { chatType: 'channel' })).media).toBeUndefined();
  for (const [line, said] of [
    ['/portfolio tax 2027', '아직 시작되지 않았어요'],
    ['/portfolio tax 2019', '기록이 없어요'],
    ['/portfolio 양도세 99', '연도를 읽지 못했어요'],
    ['/portfolio 세금 3 USD', '세금: $3.00'],
  ] as const)
    expect((await at.say(line)).content).toContain(said);
});

it('classifies lots by holding period, oldest first, and calls more than a year long-term', () => {
  const entries = [
    buy('2024-02-29', APPLE, '10', '100'),
    buy('2024-06-03', APPLE, '10', '120'),
    sell('2025-02-28', APPLE, '4', '200'),
    sell('2025-03-01', APPLE, '10', '200', { fee: '1' }),
  ];
  const report = atOnce(termReport({ entries, allowsShort: false }, 'USD', 2025));
  if ('refused' in report) throw new Error('refused');
  expect(
    report.sales.map(({ quantity, term, base }) => [quantity, term, base.proceeds, base.gain].join(' ')),
  ).toEqual([
    '4 short 800 400',
    // 1,999 × 6 / 10 = 1,199.40 for the lot of 29 February, 799.60 for the other.
    '6 long 1199.4 599.4',
    '4 short 799.6 319.6',
  ]);
  expect([report.gains.short, report.gains.long].map(String)).toEqual(['719.6', '599.4']);
});

it('writes an average cost into the file with limited decimals', async () => {
  const at = await openTaxed();
  await at.say('/portfolio 매수 TSLA 2 101 2025-03-03 --yes');
  await at.say('/portfolio 매수 TSLA 1 100 2025-03-03 --yes');
  await at.say('/portfolio 매도 TSLA 1 150 2025-06-02 --yes');
  await at.say('/portfolio 세금 2025', { chatType: 'direct' });
  expect(at.files.at(-1)).toContain(
    'TSLA,1,2025-03-03,2025-03-03,2025-06-02,2025-06-04,USD,150,100.66666667,0,',
  );
});

it('says that sales without a rate are in no sum, instead of saying that nothing was sold', async () => {
  const at = await openPortfolios();
  await at.say('/portfolio 매수 AAPL 2 100 2025-03-03 --yes');
  await at.say('/portfolio 매도 AAPL 1 150 2025-06-02 --yes');
  const { content } = await at.say('/portfolio 세금 2025');
  expect(content).toContain('해외주식 매도 1건은 아직 환율을 몰라 계산하지 못했어요');
  expect(content).not.toContain('매도한 해외주식이 없어요');
  expect((await at.say('/portfolio 세금 2025 us')).content).not.toContain('합계: ');
});

it('proposes whole shares towards weights, stores them, and records nothing', async () => {
  const at = await openTaxed();
  await at.say('/portfolio 새로 테스트 KRW');
  const typed = (words: string) => at.say(`/portfolio ${words} --in=테스트`);
  await typed('입금 1000만원');
  const before = await at.ledgerOf('mina', '테스트');
  const asked = await typed('리밸런싱 AAPL 40 삼성전자 30');
  expect(asked.content).toContain('합이 70%예요');
  const { content } = await typed('리밸런싱 AAPL 40 삼성전자 30 현금 30');
  for (const said of [
    '매수 애플 (AAPL) 40주 · $4,000.00 (₩4,000,000)',
    '매수 삼성전자 (005930) 60주 · ₩3,000,000',
    '현금: ₩10,000,000 → **₩3,000,000**',
    '계산만 했어요',
  ])
    expect(content).toContain(said);
  expect((await typed('리밸런싱')).content).toContain('목표 비중을 알려 주세요');
  expect((await typed('목표 AAPL 60% 삼전 40%')).content).toContain('애플 (AAPL) 60%, 삼성전자 (005930) 40%');
  const money = await typed('리밸런싱 새 돈 100만원');
  // 11,000,000: 6,600,000 and 4,400,000 are missing; 60 % of a million is six shares at 100,000, the rest eight.
  for (const said of [
    '매수만 계산했어요',
    '매수 애플 (AAPL) 6주',
    '매수 삼성전자 (005930) 8주',
    '새 돈 중 남는 금액: **₩0**',
  ])
    expect(money.content).toContain(said);
  expect((await typed('목표')).content).toContain('애플 (AAPL) 60%');
  expect((await typed('목표 삭제')).content).toContain('지웠어요');
  expect((await typed('리밸런싱 없는회사이름 100')).content).toContain('없는회사이름');
  expect(await at.ledgerOf('mina', '테스트')).toEqual(before);
});

it('means the held pair of a coin in weights, entries and the history, unless another is named', async () => {
  const at = await openTaxed();
  at.prices.set('BTC-KRW', { price: '100000000' });
  at.prices.set('BTC-USD', { price: '100000' });
  await at.say('/portfolio 새로 coins USD');
  const typed = async (words: string) => (await at.say(`/portfolio ${words} --in=coins`)).content;
  await typed('매수 비트코인 0.1 1억원 2026-11-02 --yes');
  await typed('매수 BTC-USD 0.1 100000 2026-11-03 --yes');
  await typed('매도 BTC-USD 0.1 100000 2026-11-04 --yes');
  expect(await typed('매도 비트코인 0.02 --yes')).toContain('비트코인 (원화)');
  const plan = await typed('리밸런싱 비트코인 50 현금 50');
  expect(plan).toContain('매도 비트코인 (원화)');
  expect(plan).not.toContain('매수');
  expect(await typed('목표 AAPL 50 비트코인 50')).toContain('비트코인 (원화) (BTC/KRW) 50%');
  expect(await typed('목표 AAPL 50 BTC-USD 50')).toContain('비트코인 (BTC) 50%');
  expect(await typed('내역 비트코인')).toContain('#1');
  // A portfolio that never traded the coin uses its own currency.
  expect((await at.say('/portfolio 목표 비트코인 100 --in=연금')).content).toContain('BTC/KRW');
});

everyRow([
  ['AAPL 40 삼성전자 30 현금 30', ['AAPL 40', '삼성전자 30', '현금 30'], {}],
  ['40% AAPL, 60% MSFT', ['AAPL 40', 'MSFT 60'], {}],
  ['KODEX 200 30 현금 70', ['KODEX 200 30', '현금 70'], {}],
  ['엔비디아 50 비트코인 30 현금 20', ['엔비디아 50', '비트코인 30', '현금 20'], {}],
  ['NVDA 50 BTC 30 이더리움 20', ['NVDA 50', 'BTC 30', '이더리움 20'], {}],
  ['S&P 500 50 BTC/KRW 30 원화 20', ['S&P 500 50', 'BTC/KRW 30', '원화 20'], {}],
  ['BTC 50 애플 50 새 돈 100만 원화', ['BTC 50', '애플 50'], { newMoney: '1000000 KRW' }],
  ['VOO:60 BND:40 +1000000', ['VOO 60', 'BND 40'], { newMoney: '1000000' }],
  ['애플 50 현금 50 ±5% 수수료 0.1%', ['애플 50', '현금 50'], { band: '5', feePercent: '0.1' }],
  ['with $500 of new money', [], { newMoney: '500 USD' }],
  ['새 돈 100만원 매도 포함', [], { newMoney: '1000000 KRW', canSell: true }],
  ['AAPL', [], { leftOver: 'AAPL' }],
])('reads the weights of “%s”', (typed, targets, more) => {
  const read = readPlanArgs(typed);
  expect(read.targets.map(({ name, percent }) => [name, percent].join(' '))).toEqual(targets);
  const { newMoney, band, feePercent, canSell, leftOver } = read;
  expect({
    ...(newMoney && { newMoney: [newMoney.amount, newMoney.currency].join(' ').trim() }),
    ...(band && { band: band.toFixed() }),
    ...(feePercent && { feePercent: feePercent.toFixed() }),
    ...(canSell && { canSell }),
    ...(leftOver !== undefined && { leftOver }),
  }).toEqual(more);
});

it('leaves an ISA and a pension account out of every sum, and asks about names that look like one', async () => {
  const at = await openPortfolios();
  const say = (body: string, locale: 'ko' | 'en' = 'ko') => at.say(body, { locale, chatType: 'direct' });
  for (const line of [
    '/portfolio 새로 일반 KRW',
    '/portfolio 매수 삼성전자 100주 50,000원 2025-01-06 --yes',
    '/portfolio 배당 삼성전자 15,000,000원 세금 2,310,000 2025-05-15 --yes',
    '/portfolio 새로 내ISA KRW',
    '/portfolio 매수 삼성전자 100주 50,000원 2025-01-06 --in=내ISA --yes',
    '/portfolio 배당 삼성전자 6,000,000원 2025-05-15 --in=내ISA --yes',
  ])
    await say(line);
  // 15,000,000 + 6,000,000.
  const before = await say('/portfolio 세금 2025');
  expect(before.content).toContain('금융소득 합계: **₩21,000,000**. 2,000만 원을 넘어');
  expect(before.content).toContain('내ISA 포트폴리오가 ISA나 연금계좌라면 표시해 주세요');
  const choice = before.choices?.find(({ label }) => label === '내ISA: ISA로 표시');
  expect((await say(choice?.command ?? '')).content).toContain('ISA로 표시했어요');

  const after = await say('/portfolio 세금 2025');
  expect(after.content).toContain('금융소득 합계: **₩15,000,000**. 연 2,000만 원을 넘으면');
  expect(after.content).toMatch(/따로 과세되어 제외한 계좌.*: 내ISA \(ISA\)/u);
  expect((await say('/portfolio tax 2025 내ISA', 'en')).content).toContain('Left out, as an ISA');
  expect((await say('/portfolio 목록')).content).toContain('**내ISA** · KRW · 평균단가법 · ISA');
  expect((await say('/portfolio 계좌 연금 --in=내ISA')).content).toContain('연금계좌로 표시했어요');
  await say('/portfolio 계좌 일반 --in=내ISA');
  expect((await say('/portfolio 세금 2025')).content).toContain('**₩21,000,000**');
  expect((await say('/portfolio 계좌 적금')).content).toContain('`/portfolio 계좌 isa`');
  expect((await say('/portfolio 새로 IRP KRW')).choices).toMatchObject([
    { label: 'IRP: 연금계좌로 표시', command: '/portfolio account pension --in=IRP' },
  ]);
});
