import { describe, it } from 'vitest';
import { expectRows } from './amount-rows.ts';

describe('amountsIn reads amounts in sentences', () => {
  it('with attached particles, endings and verbs', () => {
    expectRows(`
71,000원에 → 71000 money/KRW
71000원까지만 → 71000 money/KRW
71000에 샀어 → 71000 none
10주를 → 10 pieces
10주씩을 → 10 pieces
10주샀어 → 10 pieces
10주만 → 10 pieces
8만원이상 → 80000 money/KRW
8만 이상 → 80000 none
8만넘으면 → 80000 none
8만 넘으면 → 80000 none
8만가면 → 80000 none
8만 가면 → 80000 none
8만원이 되면 → 80000 money/KRW
8만원으로 → 80000 money/KRW
20만원이지? → 200000 money/KRW
20만원이라던데 → 200000 money/KRW
20만 원이죠? → 200000 money/KRW
20만원입니까 → 200000 money/KRW
201,300원이잖아 → 201300 money/KRW
15만원대야? → 150000 money/KRW
20만원인 주식 → 200000 money/KRW
200달러인거지 → 200 money/USD
30배라던데 → 30 times
7만원선 → 70000 money/KRW
5만원짜리 → 50000 money/KRW
100달러에서 → 100 money/USD
100달러였어 → 100 money/USD
5%나 올랐어 → 5 percent
5프로 올라서 → 5 percent
3배로 → 3 times
3배가 → 3 times
RSI 30일 때 → 30 none
RSI가 70이면 → 70 none
71000일때 → 71000 none
오백 넘으면 → 500 none
백만원만 → 1000000 money/KRW
천만원을 → 10000000 money/KRW
50만원인데 → 500000 money/KRW
3만원이에요 → 30000 money/KRW
1억이야 → 100000000 none
1억을 → 100000000 none
`);
  });

  it('in Korean', () => {
    expectRows(`
삼성전자 10주 71000원에 샀어 → 10 pieces, 71000 money/KRW
삼성전자 10주 71,000원에 매수 → 10 pieces, 71000 money/KRW
삼전 열 주 7만1천에 샀음 → 10 pieces, 71000 none
카카오 100주 평단 4만2천원 보유중 → 100 pieces, 42000 money/KRW/each
비트코인 0.1개 1억 3천에 샀어 → 0.1 pieces, 130000000 none
비트코인 0.01개 1억 4천 5백만원에 샀어 → 0.01 pieces, 145000000 money/KRW
비트 0.05개 총 700만원 → 0.05 pieces, 7000000 money/KRW/total
이더 2개 평단 450만 → 2 pieces, 4500000 none/each
네이버 5주 팔았어 61만5천에 → 5 pieces, 615000 none
삼백만원 입금했어 → 3000000 money/KRW
배당금 3만 5000원 들어왔어 → 35000 money/KRW
테슬라 3주 주당 250달러 → 3 pieces, 250 money/USD/each
애플 2주를 190.5달러에 매수했고 수수료 1.2달러 → 2 pieces, 190.5 money/USD, 1.2 money/USD
엔비디아 100만원어치 샀어 → 1000000 money/KRW/total
삼성전자 8만원 넘으면 알려줘 → 80000 money/KRW
하이닉스 -5% 되면 알려줘 → -5 percent signed
거래량 3배 → 3 times
코스피 2,800 돌파하면 → 2800 none
코스피 50포인트 하락 → 50 points
금리 25bp 인상 → 25 basis-points
100만원을 달러로 → 1000000 money/KRW
엔화 5만엔 환전 → 50000 money/JPY
1만 엔을 원으로 → 10000 money/JPY
월급 350만원 중에 50만원씩 투자 → 3500000 money/KRW, 500000 money/KRW/each
두 주 더 샀어 → 2 pieces
스무 주 팔았어 → 20 pieces
수익률 12.5%, 손실 3% → 12.5 percent, 3 percent
한 5% 정도 올랐네 → 5 percent~
현대차 5주(주당 21만원) 매수 → 5 pieces, 210000 money/KRW/each
삼성전자,10주,71000원 → 10 pieces, 71000 money/KRW
삼성전자 10주/71000원 → 10 pieces, 71000 money/KRW
5주 매수, 3주 매도 → 5 pieces, 3 pieces
5만원에서 7만원 사이 → 50000 money/KRW, 70000 money/KRW
10~20% → 10 percent, 20 percent
5~10만원 → 50000 money/KRW, 100000 money/KRW
9000~1만원 → 9000 money/KRW, 10000 money/KRW
10-20주 → 10 pieces, 20 pieces
`);
  });

  it('in English', () => {
    expectRows(`
i have 20 msft at avg 350 → 20 none, 350 none/each
bought five shares at $1.2k → 5 pieces, 1200 money/USD
bought 10 AAPL @ 180 → 10 none, 180 none/each
bought 10 shares of AAPL at $180.50 each → 10 pieces, 180.5 money/USD/each
sold 3 TSLA for $750 total → 3 none, 750 money/USD/total
I own 100 shares, avg cost $42 → 100 pieces, 42 money/USD/each
deposit $5,000 → 5000 money/USD
withdraw 1.5k usd → 1500 money/USD
0.25 BTC at 68k → 0.25 coin/BTC, 68000 none
alert me when NVDA drops 5% → 5 percent
AAPL above 200 → 200 none
volume over 3x → 3 times
buy 10 x 71000 → 10 none, 71000 none
half a million won in dollars → 500000 money/KRW
twenty shares of Apple → 20 pieces
a hundred bucks → 100 money/USD
market cap of 3.5 trillion dollars → 3500000000000 money/USD
$3.59T market cap → 3590000000000 money/USD
up +1.2% today → 1.2 percent signed
down -3.4% → -3.4 percent signed
100 EUR to KRW → 100 money/EUR
1200000 KRW 800 USD → 1200000 money/KRW, 800 money/USD
10 $1905 → 10 none, 1905 money/USD
$100 €90 → 100 money/USD, 90 money/EUR
fed hikes 25 bps → 25 basis-points
yield at 4.25% → 4.25 percent
$5-10 → 5 money/USD, 10 money/USD
it cost me $1,299.99. → 1299.99 money/USD
paid 500, got 20 back → 500 none, 20 none
one of them →
I have one question →
two more things →
give it a try →
1 try → 1 none
see 2 links → 2 none
`);
  });

  it('but not in names, codes, versions, addresses, dates and spans', () => {
    expectRows(`
KODEX 200 → 200 none
KODEX 200 주가 → 200 none
S&P 500 → 500 none
S&P500 →
RSI 30 → 30 none
1.5,2.5,3.5 → 1.5 none, 2.5 none, 3.5 none
P/E 15 → 15 none
MA20 →
20MA →
5G →
3D →
1Q26 →
3Q25 실적 →
FY2026 →
7-Eleven →
COVID-19 →
F-35 →
v1.2 →
v2.10.3 →
192.168.0.1 →
010-1234-5678 →
02-123-4567 →
110-123-456789 →
123-45-67890 →
1-800-555-0199 →
+82-10-1234-5678 →
https://example.com/123?id=45 →
www.example.com/100원 →
http://localhost:3000/10 →
005930 →
005930 10주 → 10 pieces
0000A0 →
0050 →
005930.KS →
373220.KS →
9988.HK →
한화 10주 → 10 pieces
한화 100주 매수 → 100 pieces
10 한화 → 10 none
10 한화에어로스페이스 → 10 none
만도 10주 → 10 pieces
HL만도 →
이천 쌀 →
두산 5주 → 5 pieces
두산 주가 →
구글 얼마 →
사조 10주 → 10 pieces
사조산업 →
사조 주가 →
오리온 주가 →
일진 주가 →
일진전기 →
육일씨엔에스 →
칠성 주가 →
롯데칠성 →
팔도 →
동원산업 3주 → 3 pieces
10 동원산업 → 10 none
10 원익 → 10 none
원익IPS 5주 → 5 pieces
10 엔비디아 → 10 none
10 엔씨소프트 → 10 none
엔씨 2주 → 2 pieces
10 불스원 → 10 none
10 유로메탈 → 10 none
삼천리 →
삼천당제약 →
이마트 →
오뚜기 →
하나금융 주가 →
하나 주가 →
한국전력 →
세아베스틸 →
네이버 →
다섯손가락 →
백산 →
천일고속 →
조이시티 →
조선주 →
억울해 →
천천히 →
만만해 →
백화점 →
일동제약 →
만기 →
8만전자 →
십만전자 →
5천안 →
1조각 →
3 조선 → 3 none
10년물 →
10년물 금리 4.2% → 4.2 percent
3년 →
5일선 →
20일 이평선 →
2차전지 →
2차 전지 →
4차산업 →
24시간 →
3시간 전 →
52주 신고가 →
52주 최고가 →
3주 전 →
2주 동안 →
2주일 →
3개월 →
5개년 →
10개사 →
3명 →
5건 →
1위 →
3번 →
1호 →
5층 →
3월 →
15일 →
3시 →
30분 →
2026년 3월 15일 →
3분기 →
2026-03-15 →
2026/03/15 →
2026.03.15 →
12:30 →
3pm →
10:05:33 →
10 days →
3 years →
52-week high →
10-year →
5 minutes ago →
2 weeks →
1st →
2nd place →
3rd →
10th →
6mo →
1h →
5y →
20-day average →
3-for-1 split →
2:1 →
배당 5 배당 → 5 none
5 프로젝트 → 5 none
100 프로그램 → 100 none
#5 →
@user123 →
user_12 →
`);
  });
});
