import { type Metric, metric } from './metric.ts';

/** Metrics of what a person holds, how it did, and what was recorded. */
export const PORTFOLIO_METRICS = {
  // Positions
  quantity: metric('count', '보유 수량, 수량, 보유', 'quantity, holding'),
  averageCost: metric(
    'money',
    '평균 매입가, 평균 단가, 평단, 평단가, 매입 단가, 평균 매수가',
    'average cost, average costs, average price, avg cost, cost basis per share, bought at',
  ),
  cost: metric(
    'money',
    '매입 금액, 총 매입 금액, 매입가 합계, 투자 원금, 원금, 매수 금액, 취득가',
    'cost basis, total cost, cost, costs, invested, paid, put in',
  ),
  marketValue: metric(
    'money',
    '평가금액, 평가액, 평가 금액',
    'market value, market values, value, values, worth',
  ),
  marketValueBase: metric(
    'money',
    '환산 평가금액, 평가금액, 평가액, 평가 금액',
    'converted market value, market value, value, worth',
  ),
  unrealisedGain: metric(
    'money',
    '평가손익, 평가 손익, 평가이익, 평가손실, 미실현 손익, 손익, 수익, 이익, 손실',
    'unrealised gain, unrealized gain, unrealised, unrealized, gain, loss, profit, P&L, P/L',
    'signed',
  ),
  unrealisedGainPercent: metric(
    'percent',
    '수익률, 평가손익률, 평가수익률, 손익률, 평가손익, 손익, 수익, 손실',
    'return, unrealised, unrealized, gain, loss, profit, P&L, P/L',
    'signed',
  ),
  unrealisedGainBase: metric(
    'money',
    '환산 평가손익, 평가손익, 평가 손익, 손익, 수익, 이익, 손실',
    'converted unrealised gain, unrealised gain, unrealized gain, unrealised, unrealized, gain, loss, profit, P&L, P/L',
    'signed',
  ),
  unrealisedGainBasePercent: metric(
    'percent',
    '환산 수익률, 수익률, 평가손익률, 원화 기준, 손익률, 손익, 수익, 손실',
    'converted return, return, unrealised, unrealized, gain, loss, profit, P&L, P/L',
    'signed',
  ),
  unrealisedFromPrice: metric(
    'money',
    '주가 손익, 가격 손익, 주가 변동, 가격 변동, 주가 상승분, 주가 상승',
    'price gain, from price, from the price, price effect, from prices',
    'signed',
  ),
  unrealisedFromFx: metric(
    'money',
    '환차손익, 환차익, 환차손, 환율 손익, 환율 변동',
    'currency gain, from exchange rate, from FX, from the currency, currency effect, FX effect, FX gain',
    'signed',
  ),
  dayChange: metric(
    'money',
    '일일 손익, 일간 손익, 오늘 손익, 당일 손익, 하루 손익, 전일 대비, 전일비, 전일 종가 대비',
    'day change, day changes, since the previous close',
    'signed',
  ),
  dayChangePercent: metric(
    'percent',
    '일일 수익률, 오늘 수익률, 일간 손익, 일일 손익, 오늘 손익, 하루 손익, 전일 대비, 전일비, 전일 종가 대비',
    'day change, day changes, since the previous close',
    'signed',
  ),

  // Totals
  totalValue: metric(
    'money',
    '총 평가금액, 총액, 총 자산, 합계, 평가금액',
    'total value, total, portfolio value, value',
  ),
  holdingsValue: metric(
    'money',
    '보유 주식 평가금액, 보유 주식, 주식 평가, 종목 평가, 평가금액',
    'invested value',
  ),
  cashValue: metric('money', '현금 합계, 현금, 예수금', 'total cash, cash'),
  cashBalance: metric('money', '현금 잔고, 현금, 예수금, 잔고', 'cash balance, cash, balance', 'signed'),
  holdingCount: metric('count', '종목 수, 종목', 'positions'),
  fees: metric('money', '수수료', 'fees, fee, commission, commissions'),
  taxes: metric('money', '세금, 제세금, 증권거래세', 'taxes, tax, taxes paid'),
  realisedGain: metric(
    'money',
    '실현손익, 실현 손익, 실현이익, 실현손실, 확정 손익, 양도차익, 매매차익',
    'realised gain, realized gain, realised, realized',
    'signed',
  ),
  realisedFromPrice: metric(
    'money',
    '실현된 주가 손익, 주가 손익, 가격 손익, 가격 변동, 실현손익',
    'price effect, from price, realised, realized',
    'signed',
  ),
  realisedFromFx: metric(
    'money',
    '실현된 환차손익, 환차손익, 환차익, 환차손, 환율 변동, 환율',
    'currency effect, from exchange rate, from FX, FX effect, realised, realized',
    'signed',
  ),
  dividends: metric('money', '배당금, 배당 수익, 배당', 'dividends, dividend income, dividend'),
  interest: metric('money', '이자', 'interest'),
  cashFxGain: metric(
    'money',
    '현금 환차손익, 환차손익, 환차익, 환차손',
    'currency gain on cash, FX gain on cash, exchange gain on cash',
    'signed',
  ),
  contributed: metric(
    'money',
    '투자 원금, 납입, 입금, 원금',
    'contributed, net contributions, deposited, invested, paid in',
  ),

  // Performance and risk
  analysedFrom: metric('date', '분석 시작일, 분석 기간', 'analysed from'),
  analysedTo: metric('date', '분석 종료일, 분석 기간', 'analysed to'),
  returnCount: metric('count', '일간 수익률 수, 일간 수익률', 'number of daily returns, daily returns'),
  timeWeightedReturn: metric(
    'percent',
    '시간가중수익률, 시간가중 수익률, TWR, 수익률',
    'time-weighted return, TWR, return, returned, time-weighted',
    'signed',
  ),
  timeWeightedReturnAnnual: metric(
    'percent',
    '연환산 수익률, 연환산, 연평균',
    'annualised return, annualized return, annualised, annualized',
    'signed',
  ),
  moneyWeightedReturn: metric(
    'percent',
    '금액가중수익률, 내부수익률, XIRR, IRR',
    'money-weighted return, XIRR, IRR, internal rate of return, money-weighted',
    'signed',
  ),
  benchmarkChange: metric(
    'percent',
    '벤치마크, 같은 기간',
    'benchmark, same period, returned, return',
    'signed',
  ),
  riskFreeRate: metric('percent', '무위험 수익률, 무위험 이자율, 무위험', 'risk-free rate, risk-free'),
  sharpe: metric('number', '샤프 지수, 샤프 비율, 샤프', 'Sharpe ratio, Sharpe', 'signed'),
  sortino: metric('number', '소르티노 지수, 소르티노 비율, 소르티노', 'Sortino ratio, Sortino', 'signed'),
  drawdownPeakDay: metric('date', '낙폭 시작일, 고점', 'date of the peak, peak'),
  drawdownTroughDay: metric('date', '낙폭 저점일, 저점', 'date of the trough, trough'),
  drawdownRecoveryDay: metric('date', '회복일, 회복', 'recovery date, recovered, recovery'),
  valueAtRiskPercent: metric('percent', 'VaR, 최대 예상 손실, 예상 손실', 'VaR, value at risk'),
  valueAtRiskAmount: metric('money', 'VaR, 최대 예상 손실, 예상 손실', 'VaR, value at risk'),

  // Shares of the portfolio
  weight: metric(
    'percent',
    '비중',
    `weight, weights, share, allocation, allocations, make up, makes up, account for, accounts for,
      of the portfolio, of your portfolio`,
  ),
  targetWeight: metric(
    'percent',
    '목표 비중, 목표, 비중',
    'target weight, target weights, target, targets, weight',
  ),
  weightGap: metric(
    'percent',
    '목표와의 차이, 목표 대비, 차이, 초과, 부족',
    'off target, from target, off by, difference, overweight, underweight',
    'signed',
  ),
  currencyShare: metric(
    'percent',
    '통화 비중, 통화별, 비중, 노출',
    'currency share, by currency, share, weight, exposure',
  ),
  sectorShare: metric(
    'percent',
    '업종 비중, 섹터 비중, 업종별, 비중',
    'sector share, by sector, share, weight',
  ),
  largestShare: metric(
    'percent',
    '최대 비중, 가장 큰 비중, 비중',
    'largest position, largest holding, largest, weight',
  ),
  topFiveShare: metric('percent', '상위 5종목, 상위 5, 상위 5개, 비중', 'top five, top 5'),
  herfindahl: metric(
    'number',
    '허핀달 지수, 허핀달, 집중도, HHI',
    'Herfindahl index, Herfindahl, HHI, concentration',
  ),
  effectiveHoldings: metric(
    'number',
    '실효 종목 수, 유효 종목 수, 같은 비중',
    'effective holdings, effective number, equally weighted, equal holdings',
  ),

  // Recorded entries
  entryCount: metric('count', '거래 내역, 내역', 'entries, transactions, trades'),
  entryNumber: metric('count', '거래 번호', 'entry number, entry'),
  rowCount: metric('count', '읽은 행 수', 'rows, entries'),
  tradeQuantity: metric(
    'count',
    '거래 수량, 매수, 매도',
    'trade quantity, buy, sell, bought, sold',
    'signed',
  ),
  tradeAmount: metric('money', '거래 금액, 매수, 매도', 'trade amount, buy, sell, bought, sold', 'signed'),
  tradePrice: metric(
    'money',
    '체결가, 매수가, 매도가, 매수 단가, 매도 단가, 단가, 주당',
    'trade price, bought at, sold at, bought, sold, per share, each, price',
  ),
  cashMove: metric(
    'money',
    '입출금, 입금, 출금, 환전',
    'cash movement, deposit, deposited, withdrawal, withdrew, exchanged',
  ),
  cashAfter: metric(
    'money',
    '남는 현금, 남는 금액, 현금',
    'cash left, cash after, left of the new money, cash',
  ),
  splitRatio: metric('multiple', '액면분할, 주식분할, 분할, 병합', 'split, reverse split'),
  dividendPerShare: metric('money', '주당 배당금, 배당금, 배당', 'dividend per share, dividend'),
} as const satisfies Readonly<Record<string, Metric>>;
