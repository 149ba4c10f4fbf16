import { describe, it } from 'vitest';
import { expectRows } from './amount-rows.ts';

describe('amountsIn reads a number written in', () => {
  it('digits', () => {
    expectRows(`
5 → 5 none
0 → 0 none
0.5 → 0.5 none
샀다.500원 → 500 money/KRW
샀다.1,500원에 → 1500 money/KRW
.5 → 0.5 none
12 → 12 none
100 → 100 none
1234.50 → 1234.5 none
71,000 → 71000 none
1,234,567 → 1234567 none
1,234.5 → 1234.5 none
10,180 → 10180 none
1e5 → 100000 none
2.5e-3 → 0.0025 none
１２３ → 123 none
１，２３４．５ → 1234.5 none
７１，０００원 → 71000 money/KRW
￦５０００ → 5000 money/KRW
99999999999999999999 → 99999999999999999999 none
0.00000001 → 0.00000001 none
`);
  });

  it('Korean scales in every mixture', () => {
    expectRows(`
3천 → 3000 none
5백 → 500 none
7만 → 70000 none
7만원 → 70000 money/KRW
7 만원 → 70000 money/KRW
7만 원 → 70000 money/KRW
1억 → 100000000 none
1억원 → 100000000 money/KRW
1조 → 1000000000000 none
2경 → 20000000000000000 none
7만1천 → 71000 none
7만 1천 → 71000 none
7만1천원 → 71000 money/KRW
7만 1천 원 → 71000 money/KRW
7만1천5백원 → 71500 money/KRW
7만1500원 → 71500 money/KRW
7만 1,500원 → 71500 money/KRW
8만1200원 → 81200 money/KRW
61만5천 → 615000 none
61만 5천원 → 615000 money/KRW
2천3백만 → 23000000 none
2천 3백만원 → 23000000 money/KRW
2,300만원 → 23000000 money/KRW
2천300만원 → 23000000 money/KRW
1억 3천 → 130000000 none
1억3천 → 130000000 none
1억 3천만 → 130000000 none
1억 3천만원 → 130000000 money/KRW
1억 3000만 → 130000000 none
1억3,000만원 → 130000000 money/KRW
1억 4천 5백만원 → 145000000 money/KRW
1억4천5백만원 → 145000000 money/KRW
1억 4천5백 → 145000000 none
1억 4500만 → 145000000 none
1억 2345만 6789원 → 123456789 money/KRW
1.5억 → 150000000 none
1.5억원 → 150000000 money/KRW
0.7억 → 70000000 none
2.35만 → 23500 none
1조 2,000억 → 1200000000000 none
1조2천억원 → 1200000000000 money/KRW
1조 2천억 → 1200000000000 none
1조 2천 → 1200000000000 none
1.2조원 → 1200000000000 money/KRW
3조 5천억 달러 → 3500000000000 money/USD
30만 → 300000 none
30만원 → 300000 money/KRW
3십만원 → 300000 money/KRW
5백만원 → 5000000 money/KRW
5백만 → 5000000 none
5천만원 → 50000000 money/KRW
3천5백원 → 3500 money/KRW
3천 5백원 → 3500 money/KRW
3천500원 → 3500 money/KRW
만5천원 → 15000 money/KRW
5만천원 → 51000 money/KRW
5만 천원 → 51000 money/KRW
10만5백원 → 100500 money/KRW
100만 → 1000000 none
천5백원 → 1500 money/KRW
백5십만원 → 1500000 money/KRW
12억 7천만 → 1270000000 none
12억 7,350만원 → 1273500000 money/KRW
1만2천3백4십5원 → 12345 money/KRW
1천만 달러 → 10000000 money/USD
5만 달러 → 50000 money/USD
2만5천달러 → 25000 money/USD
1만 엔 → 10000 money/JPY
15만주 → 150000 pieces
1만5천주 → 15000 pieces
`);
  });

  it('Korean number words', () => {
    expectRows(`
삼백만원 → 3000000 money/KRW
삼백만 원 → 3000000 money/KRW
삼백만 → 3000000 none
오만원 → 50000 money/KRW
오만 원 → 50000 money/KRW
만원 → 10000 money/KRW
만 원 → 10000 money/KRW
천원 → 1000 money/KRW
백원 → 100 money/KRW
천만원 → 10000000 money/KRW
백만 달러 → 1000000 money/USD
일억 → 100000000 none
일억 삼천만원 → 130000000 money/KRW
일억삼천 → 130000000 none
칠만이천원 → 72000 money/KRW
칠만 이천원 → 72000 money/KRW
칠만천오백원 → 71500 money/KRW
이십오만원 → 250000 money/KRW
백이십만원 → 1200000 money/KRW
천오백원 → 1500 money/KRW
삼천오백 → 3500 none
이만오천삼백육십원 → 25360 money/KRW
이조 오천억원 → 2500000000000 money/KRW
십만원 → 100000 money/KRW
십 주 → 10 pieces
오십 주 → 50 pieces
백 주 → 100 pieces
백이십오주 → 125 pieces
삼십개 → 30 pieces
이십 퍼센트 → 20 percent
십오 프로 → 15 percent
오 프로 → 5 percent
삼 퍼센트 → 3 percent
열 주 → 10 pieces
열주 → 10 pieces
한 주 → 1 pieces
두 주 → 2 pieces
세 개 → 3 pieces
네 주 → 4 pieces
석 주 → 3 pieces
다섯 주 → 5 pieces
여섯 주 → 6 pieces
일곱 개 → 7 pieces
여덟 주 → 8 pieces
아홉 주 → 9 pieces
열두 주 → 12 pieces
열다섯 주 → 15 pieces
스무 주 → 20 pieces
스물다섯 개 → 25 pieces
서른세 주 → 33 pieces
마흔 주 → 40 pieces
쉰다섯 주 → 55 pieces
예순여섯 개 → 66 pieces
아흔아홉 주 → 99 pieces
두 배 → 2 times
세배 → 3 times
`);
  });

  it('English scales and number words', () => {
    expectRows(`
5k → 5000 none
1.2k → 1200 none
$5k → 5000 money/USD
$1.5M → 1500000 money/USD
$1.5m → 1500000 money/USD
$2bn → 2000000000 money/USD
€2bn → 2000000000 money/EUR
$2b → 2000000000 money/USD
$3T → 3000000000000 money/USD
$1.2tn → 1200000000000 money/USD
1.5 million → 1500000 none
1.5 mil → 1500000 none
2mil → 2000000 none
1.5 million dollars → 1500000 money/USD
2.5 million won → 2500000 money/KRW
3 billion → 3000000000 none
10 thousand → 10000 none
5 hundred → 500 none
10 grand → 10000 none
2 trillion won → 2000000000000 money/KRW
five → 5 none
five shares → 5 pieces
twenty-five shares → 25 pieces
twenty five shares → 25 pieces
one hundred shares → 100 pieces
a hundred shares → 100 pieces
two hundred and fifty dollars → 250 money/USD
two hundred thousand → 200000 none
three hundred twenty-one thousand four hundred → 321400 none
a million → 1000000 none
a million dollars → 1000000 money/USD
half a million → 500000 none
half a million won → 500000 money/KRW
one million two hundred thousand → 1200000 none
one point five million → 1500000 none
zero point two five percent → 0.25 percent
nineteen hundred dollars → 1900 money/USD
five five →
a dozen shares → 12 pieces
two dozen shares → 24 pieces
ten percent → 10 percent
five percent → 5 percent
ten bucks → 10 money/USD
nineteen dollars → 19 money/USD
ninety-nine units → 99 pieces
a share →
an apple →
`);
  });
});
