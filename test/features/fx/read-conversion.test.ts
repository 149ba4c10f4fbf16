import { expect, it } from 'vitest';
import { readConversion } from '#src/features/fx/read-conversion.ts';
import { everyRow } from '#test/support/every-row.ts';

everyRow([
  ['', '- - -'],
  ['100 usd krw', '100 USD KRW'],
  ['100 usd to krw', '100 USD KRW'],
  ['100 usd -> krw', '100 USD KRW'],
  ['100usd=krw', '100 USD KRW'],
  ['usd krw', '- USD KRW'],
  ['usd/krw', '- USD KRW'],
  ['USDKRW', '- USD KRW'],
  ['usdkrw 100', '100 USD KRW'],
  ['to krw 100 usd', '100 USD KRW'],
  ['how much is 100 euros in dollars?', '100 EUR USD'],
  ['100 hong kong dollar krw', '100 HKD KRW'],
  ['5K usd krw', '5000 USD KRW'],
  ['1 BTC to USD', '1 BTC USD'],
  ['-5 usd krw', '-5 USD KRW'],
  ['100달러 원', '100 USD KRW'],
  ['원 100달러', '100 USD KRW'],
  ['$100', '100 USD -'],
  ['US$ 1,000.50 원', '1000.5 USD KRW'],
  ['₩50,000 달러로', '50000 KRW USD'],
  ['1만 엔을 원으로', '10000 JPY KRW'],
  ['만원 달러', '10000 KRW USD'],
  ['천원 달러', '1000 KRW USD'],
  ['십만원 엔', '100000 KRW JPY'],
  ['백만 원을 달러로', '1000000 KRW USD'],
  ['1억 2천만 원 달러', '120000000 KRW USD'],
  ['1억 2천만 원을 유로로', '120000000 KRW EUR'],
  ['100유로를 달러로', '100 EUR USD'],
  ['100 홍콩 달러 원', '100 HKD KRW'],
  ['비트코인 0.5개 원', '0.5 BTC KRW'],
  ['엔화 환율', '- JPY -'],
  ['３００달러', '300 USD -'],
  // Won per dollar, as the papers write it.
  ['원달러 환율', '- USD KRW'],
  ['원/달러', '- USD KRW'],
  ['1000원 달러', '1000 KRW USD'],
])('"%s" means %s', (text, expected) => {
  const read = readConversion(text);
  if (read.status !== 'read') throw new Error(read.status);
  expect(`${read.amount?.toFixed() ?? '-'} ${read.from?.code ?? '-'} ${read.to?.code ?? '-'}`).toBe(expected);
});

it.each([
  ['100 xyz krw', { status: 'unknown', word: 'xyz' }],
  ['100달러 원숭이', { status: 'unknown', word: '원숭이' }],
  ['usd krw eur', { status: 'unclear' }],
])('"%s" is not guessed at', (text, expected) => {
  expect(readConversion(text)).toEqual(expected);
});
