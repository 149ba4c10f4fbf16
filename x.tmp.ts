import { readIntent } from './src/finance/sentences/read-intent.ts';
import { readEntryText } from './src/language/entries.ts';
import { createSymbolSearch } from './src/finance/symbols/symbols.ts';
const symbols=createSymbolSearch(); const today=Temporal.PlainDate.from('2026-11-13');
console.log(readEntryText('sell','5 shares of Apple for $190 each yesterday',symbols));
for (const s of `sold 5 shares of Apple for $190 each yesterday
비트코인 0.1개 1억 3천에 샀어
비트코인 0.01개 1억 4천 5백만원에 샀어
지난주 금요일에 애플 5주 180달러에 매수했어
삼성전자 5주 매도
삼성전자 5주 7만2천원 매도
bought 5 apple at 180 last friday
i have 20 msft at avg 350
카카오 100주 평단 4만2천원 보유중
배당금 5만원 받았어
삼성전자 배당금 5만원 받았어
received a dividend of $12 from Apple
got $12 dividends from AAPL yesterday
100만원 입금했어
계좌에 백만원 넣었어
deposited $1,000
100만원을 730달러로 환전했어
sold 3 tesla at 1.2k
bought 10 AAPL @ 1,234.5
어제 삼전 10주 71000원에 샀어
엔비디아 3주 180불에 줍줍
삼성전자 10주 샀어
테슬라 다 팔았어
테슬라 2주 400불에 손절함
AAPL 10주 180달러에 샀는데 지금 얼마야?
코스피 10주 2500에 샀어
현대차 20주 있어
I own 3 shares of Nvidia at an average of $120
하이닉스 2주 61만5천에 추매했어
bought 0.5 eth at 3200
비트 0.05개 1억 4천에 매수함
got 10 shares of AMD at 150 today
우리집에 사과 3개 있어
I have 2 apples
친구가 삼성전자 10주 71000원에 샀어
삼성전자 10주 주당 7만1천원에 총 71만원에 샀어
11월 3일에 카카오 50주 4만원에 샀음`.split('\n')) console.log(s,'→',JSON.stringify(readIntent(s,symbols,{today})));
