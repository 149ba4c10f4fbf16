import { describe, expect, it } from 'vitest';
import { recordAnswer } from '#src/features/portfolio/record/record.ts';
import { openPortfolios } from '../service-support.ts';

const { signal } = new AbortController();

const open = async () => {
  const all = await openPortfolios();
  all.closes.set('USDKRW=X', { '2026-11-02': '1400' });
  all.prices.set('005930.KS', { price: '80000' });
  all.prices.set('AAPL', { price: '210' });
  all.prices.set('BTC-USD', { price: '96000' });
  all.prices.set('BTC-KRW', { price: '140000000' });
  const tradesOf = async (who = 'mina') =>
    (await all.ledgerOf(who)).map((entry) =>
      entry.kind === 'buy' || entry.kind === 'sell'
        ? `${entry.kind} ${entry.instrument.symbol} ${entry.quantity.toFixed()} × ${entry.price.toFixed()}`
        : entry.kind,
    );
  return { ...all, tradesOf };
};

describe('a price that is far from the last one', () => {
  it('is asked about before it is recorded, with what would be recorded and what may have been meant', async () => {
    const { say, tradesOf } = await open();
    const asked = await say('/portfolio 매수 AAPL 200 10 어제');
    expect(asked.content).toContain('최근 시세는 $210.00');
    expect(asked.content).toContain('이대로 기록할까요? 매수: 애플 (AAPL) 200주 × $10.00 = $2,000.00');
    expect(asked.choices).toEqual([
      {
        label: '10주 × $200.00',
        command: '/portfolio add AAPL 10 200 --date=2026-11-12 --yes',
        answers: 'pick',
        effect: 'ends',
      },
      {
        label: '그대로 기록',
        command: '/portfolio add AAPL 200 10 --date=2026-11-12 --yes',
        answers: 'pick',
        effect: 'ends',
      },
    ]);
    expect(await tradesOf()).toEqual([]);
    await say(asked.choices?.[0]?.command ?? '');
    await say(asked.choices?.[1]?.command ?? '');
    expect(await tradesOf()).toEqual(['buy AAPL 10 × 200', 'buy AAPL 200 × 10']);
  });

  it('is taken where it is of another year, or nobody knows the last one', async () => {
    const { say, tradesOf, prices } = await open();
    await say('/portfolio add AAPL 1 5 2025-11-05');
    prices.delete('AAPL');
    await say('/portfolio add AAPL 1 7');
    expect(await tradesOf()).toEqual(['buy AAPL 1 × 5', 'buy AAPL 1 × 7']);
  });

  it('may be a total that was a price', async () => {
    const { say } = await open();
    const { choices } = await say('/portfolio add AAPL 10 for $200', { locale: 'en' });
    expect(choices?.map(({ label }) => label)).toEqual(['10 at $200.00', 'Record as it is']);
  });
});

describe('what a trade says', () => {
  it('has the price that a total comes to, and says so', async () => {
    const { say, tradesOf } = await open();
    const { content } = await say('/portfolio 매수 삼성전자 10주 총 71만원');
    expect(content).toContain('₩710,000 ÷ 10주 = 단가 ₩71,000');
    expect((await say('/portfolio 매수 삼성전자 3주 총 20만원')).content).toContain('나누어떨어지지 않아요');
    expect((await say('/portfolio 매수 삼성전자 10만원어치')).content).toContain('수량이 없어요');
    expect(await tradesOf()).toEqual(['buy 005930.KS 10 × 71000']);
  });

  it('is of the pair whose last price is near, where no money is named', async () => {
    const { say, tradesOf } = await open();
    await say('/portfolio 매수 BTC 0.01 95000');
    await say('/portfolio 매수 BTC 0.01 1억5천');
    expect(await tradesOf()).toEqual(['buy BTC-USD 0.01 × 95000', 'buy BTC-KRW 0.01 × 150000000']);
  });

  it('sells a part of what is held, and buys what the money pays for at a price', async () => {
    const { say, ledgerOf } = await open();
    const told = async (line: string): Promise<string> => (await say(`/portfolio ${line}`)).content;
    await say('/portfolio add TSLA 3.5 240 2026-11-02 --yes');
    expect(await told('sell ½ of TSLA at 260 2026-11-03 --yes')).toContain('1.75주 × $260.00');
    await say('/portfolio add NVDA 3 180 2026-11-02 --yes');
    expect(await told('매도 엔비디아 3분의 1 190달러 2026-11-03 --yes')).toContain('1주 × $190.00');
    expect(await told('sell 50% of NVDA at 190 2026-11-03 --yes')).toContain('1주 × $190.00');
    expect(await told('sell a third of NVDA at 190 2026-11-03 --yes')).toContain('0.33333333주 × $190.00');
    expect(await told('sell ½ share of NVDA at 190 2026-11-03 --yes')).toContain('0.5주 × $190.00');
    const paid = await told('add $580 of AAPL at 290 2026-11-03 --yes');
    expect(paid).toContain('2주 × $290.00');
    expect(paid).not.toContain('총액을 수량으로 나눈');
    expect(await told('매수 애플 500달러어치 290달러에 2026-11-03 --yes')).toContain(
      '1.72413793주 × $290.00',
    );
    expect(await told('매수 삼성전자 50만원어치 7만원에 2026-11-03 --yes')).toContain('약 7.1428571주');
    expect(await told('매수 삼성전자 49만원어치 7만원에 2026-11-03 --yes')).toContain('7주 × ₩70,000');
    expect(await told('매수 애플 50만원어치 290 2026-11-03 --yes')).toContain('수량');
    const quantities = (await ledgerOf('mina')).map((entry) =>
      'quantity' in entry ? entry.quantity?.toFixed() : '',
    );
    expect(quantities).toEqual(['3.5', '1.75', '3', '1', '1', '0.33333333', '0.5', '2', '1.72413793', '7']);
  });

  it('sells all or half of what is held on that day, to the last piece', async () => {
    const { say, tradesOf } = await open();
    expect((await say('/portfolio 매도 AAPL 전량')).content).toContain('매도할 수 없어요');
    await say('/portfolio 매수 AAPL 5.5 200 11/2');
    await say('/portfolio 매수 삼성전자 10 70000 11/2');
    const half = await say('/portfolio sell half AAPL at 200');
    expect(half.content).toContain('2.75주 × $200.00');
    await say('/portfolio AAPL 다 팔았어');
    // With the tax of all ten.
    expect((await say('/portfolio 삼성전자 전량 80000원에 매도')).content).toContain('세금 ₩1,600');
    expect((await say('/portfolio sell AAPL all')).content).toContain('매도할 수 없어요');
    expect((await say('/portfolio sell 삼성전자 all for 80만원')).content).toContain('단가가 없어요');
    expect(await tradesOf()).toEqual([
      'buy AAPL 5.5 × 200',
      'buy 005930.KS 10 × 70000',
      'sell AAPL 2.75 × 200',
      'sell AAPL 2.75 × 210',
      'sell 005930.KS 10 × 80000',
    ]);
  });

  it('says which way a split goes, and why one of the day of the purchase finds nothing', async () => {
    const { say } = await open();
    await say('/portfolio 매수 AAPL 20 200 11/2');
    expect((await say('/portfolio 병합 AAPL 10:1 11/3')).content).toContain('10주 → 1주');
    expect((await say('/portfolio split AAPL 3:2 11/4')).content).toContain('2주 → 3주');
    expect((await say('/portfolio 분할 AAPL 1대5 11/5')).content).toContain('1주 → 5주');
    await say('/portfolio 매수 삼성전자 1 70000 11/2');
    expect((await say('/portfolio 분할 삼성전자 1:5 11/2')).content).toContain('그날의 거래보다 먼저');
  });

  it('asks what was received in an exchange', async () => {
    const { say } = await open();
    expect((await say('/portfolio 환전 100만원 달러')).content).toContain('받은 금액이 없어요');
  });

  it('asks for the price instead of recording one of sample data', async () => {
    const { deps, requesterOf, ledgerOf } = await open();
    const market: typeof deps.market = {
      ...deps.market,
      getQuotes: async (...asked) =>
        (await deps.market.getQuotes(...asked)).map((result) =>
          result.status === 'ok' ? { ...result, quote: { ...result.quote, isSample: true } } : result,
        ),
    };
    const request = { kind: 'buy', name: 'AAPL', quantity: '1' } as const;
    const { content } = await recordAnswer({ ...deps, market })(request, requesterOf('mina'), signal);
    expect(content).toContain('샘플이라 쓰지 않아요');
    expect(await ledgerOf('mina')).toEqual([]);
  });
});

describe('the history', () => {
  it('is of one instrument where it is named, and knows where it ends', async () => {
    const { say } = await open();
    for (let pieces = 1; pieces <= 9; pieces += 1) {
      await say(`/portfolio 매수 AAPL ${pieces} 200 10/1`);
      await say(`/portfolio 매수 삼성전자 ${pieces} 70000 10/1`);
    }
    const { content } = await say('/portfolio 내역 삼성전자');
    expect(content).toContain('기록 9건');
    expect(content).not.toContain('AAPL');
    expect((await say('/portfolio 내역 테슬라')).content).toContain('기록이 없어요');
    expect((await say('/portfolio history 2')).content).toContain('2/2페이지');
    expect((await say('/portfolio history 3')).content).toContain('3페이지는 없고 2페이지까지 있어요');
  });

  it('opens by the name alone, as a portfolio does', async () => {
    const { say } = await open();
    await say('/portfolio new AAPL');
    await say('/portfolio 매수 삼성전자 1 70000 --in=AAPL');
    expect((await say('/portfolio aapl')).content).toContain('**포트폴리오 AAPL**');
    expect((await say('/portfolio 삼성전자')).content).toContain('기록 1건');
    expect((await say('/portfolio dance')).content).toContain('`출금`');
  });
});
