import { expect, it } from 'vitest';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';

it('plans whole lots in Tokyo, and says for Hong Kong that the broker knows them', async () => {
  const { say, prices, closes } = await openPortfolios();
  prices.set('7203.T', { price: '2800' });
  prices.set('0700.HK', { price: '600' });
  for (const [pair, rate] of Object.entries({ 'JPYKRW=X': '9.2', 'HKDKRW=X': '180' })) {
    prices.set(pair, { price: rate });
    closes.set(pair, { '2026-11-02': rate });
  }
  await say('/portfolio 입금 1000만원 2026-11-02');
  // 4,000,000 won are 155 shares of Toyota, and 37 of Tencent.
  const { content } = await say('/portfolio 리밸런싱 7203.T 40 0700.HK 40 현금 20');
  expect(content).toMatch(/매수 도요타[^\n]* 200주/u);
  expect(content).toContain('도쿄는 100주 단위로 거래해요: 도요타 (도쿄)');
  expect(content).toContain(
    '홍콩은 종목마다 매매 단위가 달라요. 증권사에서 확인해 그 배수로 맞춰 주세요: 텐센트',
  );
});
