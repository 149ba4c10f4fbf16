import { describe, expect, it } from 'vitest';
import { amountsIn, readAmount } from '#src/reading/amounts.ts';
import { expectRows } from './amount-rows.ts';

describe('amountsIn reads a single amount', () => {
  it('with the currency before, after and on both sides', () => {
    expectRows(`
$100 → 100 money/USD
$ 100 → 100 money/USD
$1,234.56 → 1234.56 money/USD
100$ → 100 money/USD
100 $ → 100 money/USD
US$100 → 100 money/USD
USD 100 → 100 money/USD
USD100 → 100 money/USD
usd 100 → 100 money/USD
100 USD → 100 money/USD
100usd → 100 money/USD
100 dollars → 100 money/USD
100 dollar → 100 money/USD
100 bucks → 100 money/USD
100 US dollars → 100 money/USD
100달러 → 100 money/USD
100 달러 → 100 money/USD
100불 → 100 money/USD
100 미국 달러 → 100 money/USD
$100 USD → 100 money/USD
$100달러 → 100 money/USD
$100 CAD → 100 money/CAD
C$20 → 20 money/CAD
A$5 → 5 money/AUD
S$12 → 12 money/SGD
HK$100 → 100 money/HKD
NT$500 → 500 money/TWD
₩71,000 → 71000 money/KRW
₩ 71,000 → 71000 money/KRW
￦71,000 → 71000 money/KRW
71,000₩ → 71000 money/KRW
₩71,000원 → 71000 money/KRW
KRW 71,000 → 71000 money/KRW
71,000 KRW → 71000 money/KRW
71000 won → 71000 money/KRW
71000원 → 71000 money/KRW
71000 원 → 71000 money/KRW
€100 → 100 money/EUR
100€ → 100 money/EUR
100 euros → 100 money/EUR
100유로 → 100 money/EUR
EUR 99.99 → 99.99 money/EUR
£99.99 → 99.99 money/GBP
99 pounds → 99 money/GBP
100 파운드 → 100 money/GBP
¥1000 → 1000 money/JPY
￥1000 → 1000 money/JPY
100엔 → 100 money/JPY
1000 엔 → 1000 money/JPY
1000円 → 1000 money/JPY
500 yen → 500 money/JPY
JPY 1,000 → 1000 money/JPY
500위안 → 500 money/CNY
500 위안 → 500 money/CNY
500元 → 500 money/CNY
500 yuan → 500 money/CNY
300 rmb → 300 money/CNY
100홍콩달러 → 100 money/HKD
100 홍콩 달러 → 100 money/HKD
100 hong kong dollars → 100 money/HKD
100 HKD → 100 money/HKD
5만 대만 달러 → 50000 money/TWD
100 싱가폴 달러 → 100 money/SGD
100 호주 달러 → 100 money/AUD
50 스위스 프랑 → 50 money/CHF
100 swiss francs → 100 money/CHF
50만동 → 500000 money/VND
50만 동 → 500000 money/VND
₫500000 → 500000 money/VND
1000바트 → 1000 money/THB
3천 루피 → 3000 money/INR
₹500 → 500 money/INR
100 TRY → 100 money/TRY
10만 루피아 → 100000 money/IDR
0.1 BTC → 0.1 coin/BTC
0.1btc → 0.1 coin/BTC
0.1비트 → 0.1 coin/BTC
0.5 비트코인 → 0.5 coin/BTC
2 ETH → 2 coin/ETH
3 이더리움 → 3 coin/ETH
0.5이더 → 0.5 coin/ETH
100 XRP → 100 coin/XRP
250 리플 → 250 coin/XRP
1000 USDT → 1000 coin/USDT
10 SOL → 10 coin/SOL
5000 도지 → 5000 coin/DOGE
₩100 달러 → 100 money/KRW!
€5 USD → 5 money/EUR!
`);
  });

  it('in percent, multiples, points and shares', () => {
    expectRows(`
5% → 5 percent
5 % → 5 percent
５％ → 5 percent
0.25% → 0.25 percent
5퍼센트 → 5 percent
5 퍼센트 → 5 percent
5퍼 → 5 percent
5프로 → 5 percent
5 프로 → 5 percent
5 percent → 5 percent
5 per cent → 5 percent
5pct → 5 percent
5 pct → 5 percent
-5% → -5 percent signed
−5% → -5 percent signed
+5% → 5 percent signed
+ 5% → 5 percent signed
0.5%p → 0.5 points
0.5 %p → 0.5 points
0.5%포인트 → 0.5 points
0.5퍼센트포인트 → 0.5 points
50포인트 → 50 points
50 points → 50 points
50pts → 50 points
2 percentage points → 2 points
25bp → 25 basis-points
25bps → 25 basis-points
25 bp → 25 basis-points
25베이시스포인트 → 25 basis-points
25 basis points → 25 basis-points
3배 → 3 times
1.5배 → 1.5 times
3x → 3 times
3 times → 3 times
2.5× → 2.5 times
10주 → 10 pieces
10 주 → 10 pieces
1,000주 → 1000 pieces
0.5주 → 0.5 pieces
10개 → 10 pieces
3 개 → 3 pieces
100좌 → 100 pieces
5계약 → 5 pieces
10코인 → 10 pieces
10 shares → 10 pieces
1 share → 1 pieces
10shares → 10 pieces
100 shs → 100 pieces
5 coins → 5 pieces
3 contracts → 3 pieces
2 units → 2 pieces
-10 → -10 none signed
+10 → 10 none signed
-$5 → -5 money/USD signed
$-5 → -5 money/USD signed
-₩5,000 → -5000 money/KRW signed
-5,000원 → -5000 money/KRW signed
- 5000원 → -5000 money/KRW signed
`);
  });

  it('with its basis and certainty', () => {
    expectRows(`
71만원어치 → 710000 money/KRW/total
71만원 어치 → 710000 money/KRW/total
50만원치 → 500000 money/KRW/total
총 71만원 → 710000 money/KRW/total
총 710,000원 → 710000 money/KRW/total
총액 71만원 → 710000 money/KRW/total
합계 71만원 → 710000 money/KRW/total
다 해서 71만원 → 710000 money/KRW/total
모두 합쳐 71만원 → 710000 money/KRW/total
$500 total → 500 money/USD/total
$500 in total → 500 money/USD/total
total $500 → 500 money/USD/total
total of $500 → 500 money/USD/total
a total of $500 → 500 money/USD/total
$500 altogether → 500 money/USD/total
$500 worth → 500 money/USD/total
주당 71,000원 → 71000 money/KRW/each
1주당 71,000원 → 71000 money/KRW/each
한 주당 71,000원 → 71000 money/KRW/each
한 주에 71,000원 → 71000 money/KRW/each
개당 5천원 → 5000 money/KRW/each
71,000원씩 → 71000 money/KRW/each
평단 7만1천 → 71000 none/each
평단 71000원 → 71000 money/KRW/each
평단가 71000원 → 71000 money/KRW/each
평단은 71000원 → 71000 money/KRW/each
매입평단 7만1천원 → 71000 money/KRW/each
평균 단가 71,000 → 71000 none/each
매수 평균가 71,000 → 71000 none/each
avg 350 → 350 none/each
avg. $350 → 350 money/USD/each
average cost $350 → 350 money/USD/each
average price of 350 → 350 none/each
$350 each → 350 money/USD/each
$350 apiece → 350 money/USD/each
$350 per share → 350 money/USD/each
$350/share → 350 money/USD/each
$350 a share → 350 money/USD/each
350달러/주 → 350 money/USD/each
@ 180 → 180 none/each
@180 → 180 none/each
@ $180.5 → 180.5 money/USD/each
약 200달러 → 200 money/USD~
약 3만원 → 30000 money/KRW~
대략 3만원 → 30000 money/KRW~
거의 100달러 → 100 money/USD~
한 3만원 → 30000 money/KRW~
3만원쯤 → 30000 money/KRW~
3만원 쯤 → 30000 money/KRW~
3만원 정도 → 30000 money/KRW~
3만원가량 → 30000 money/KRW~
3만원 내외 → 30000 money/KRW~
3만원 남짓 → 30000 money/KRW~
7만원대 → 70000 money/KRW~
7만원대에 → 70000 money/KRW~
~3만원 → 30000 money/KRW~
about $200 → 200 money/USD~
around 200 → 200 none~
approx. 50 shares → 50 pieces~
roughly 5% → 5 percent~
nearly $1k → 1000 money/USD~
$200 or so → 200 money/USD~
200ish → 200 none~
10주쯤 → 10 pieces~
5% 정도 → 5 percent~
100엔쯤 → 100 money/JPY~
0.1 BTC 정도 → 0.1 coin/BTC~
`);
  });

  it('with alternatives if it is ambiguous', () => {
    expectRows(`
1억 3천원 → 130000000 money/KRW or 100003000
1억3천원 → 130000000 money/KRW or 100003000
1억 5000 → 150000000 none or 100005000
1억 5000원 → 150000000 money/KRW or 100005000
1억 500 → 105000000 none or 100000500
2억5 → 250000000 none or 200000005
1조5 → 1500000000000 none or 1000000000005
1만5 → 15000 none or 10005
7만2에 → 72000 none or 70002
7만2원 → 70002 money/KRW or 72000
칠만이 달러 → 70002 money/USD or 72000
6만50 → 60050 none
6만500 → 60500 none
3m → 3000000 none or 3
3M → 3000000 none or 3
1억 5 → 100000000 none, 5 none
`);
  });

  it('only if there is a well-formed number', () => {
    expectRows(`
1,5 →
1,23 →
1,23,456 →
1.234,50 →
1.234.567 →
1.2.3 →
12,34.5 →
1'234 →
1_000 →
몇만원 →
몇 백만원 →
수백만원 →
수천 달러 →
10여만원 →
100여 주 →
십몇만원 →
이만 갈게 →
천만에요 →
조만간 살게 →
만약 오르면 →
그만 →
구조 개편 →
사실 →
오만하다 →
백만 명 →
50 cents →
50센트 →
 →
원 →
$ →
- →
. →
, →
주 →
NOW →
`);
  });
});

/** `text → value` of the whole text; nothing behind the arrow where the text as a whole is no amount. */
const WHOLE = `
71,000원 → 71000
$180.5 → 180.5
(12.50) → -12.5
(₩1,000) → -1000
( 500 ) → -500
500- → -500
1,000원- → -1000
-5 → -5
 71000  → 71000
71,000원에 →
71,000원 정도 →
10주 5원 →
₩100 달러 →
(-5) →
-5- →
(5 →
1,5 →
005930 →
0000A0 →
3M 10 →
5만원 주세요 →
`;

describe('readAmount', () => {
  it('reads the whole text or nothing, including accounting forms', () => {
    const rows = WHOLE.split('\n').filter((row) => row !== '');
    const texts = rows.map((row) => row.slice(0, row.indexOf('→') - 1));
    expect(
      texts.map((text) => `${text} → ${readAmount(text)?.value.value.toFixed() ?? ''}`.trimEnd()),
    ).toEqual(rows.map((row) => row.trimEnd()));
  });

  it('rejects a very long cell quickly', () => {
    expect(readAmount('9'.repeat(100_000))).toBeNull();
    expect(amountsIn('9'.repeat(100_000))).toEqual([]);
  });
});
