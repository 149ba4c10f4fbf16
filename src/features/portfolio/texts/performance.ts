import { counted, localized } from '#src/kernel/locale.ts';

interface Days {
  readonly needs: number;
  readonly has: number;
}

interface Named {
  readonly name: string;
}

interface Valued {
  readonly value: string;
}

/** Messages about the return and risk of a portfolio. None of them gives advice. */
const performanceEn = {
  title: (p: Named & { readonly range: string }) => `**Portfolio ${p.name} · ${p.range}**`,
  worth: (p: Valued & { readonly contributed: string }) => `Value ${p.value} · paid in ${p.contributed}`,
  sections: { returns: 'Return', risk: 'Risk', structure: 'Structure' },

  twr: 'TWR',
  annual: (p: Valued) => `${p.value} a year`,
  xirr: 'XIRR a year',
  volatility: 'Volatility',
  sharpe: 'Sharpe',
  sortino: 'Sortino',
  drawdown: 'Deepest fall',
  drawdownDates: (p: { readonly peak: string; readonly trough: string }) => `${p.peak} → ${p.trough}`,
  recovered: (p: { readonly date: string }) => `recovered ${p.date}`,
  notRecovered: 'not recovered',
  noDrawdown: 'none',
  beta: () => 'Beta',
  correlation: 'correlation',
  valueAtRisk: 'VaR (95%, 1 day)',
  valueAtRiskMeaning: (p: Valued & { readonly amount: string }) => `${p.value} (${p.amount})`,
  concentration: 'Spread',
  largest: (p: Named & Valued) => `largest ${p.name} ${p.value}`,
  topFive: (p: Valued) => `top five ${p.value}`,
  spread: (p: { readonly effective: string; readonly count: number }) =>
    `${counted(p.count, 'holding')}, like ${p.effective} equal ones`,
  currencies: 'By currency',
  sectors: 'By sector',
  correlated: 'Move together',
  pair: (p: { readonly one: string; readonly other: string; readonly value: string }) =>
    `${p.one} and ${p.other} ${p.value}`,
  classes: {
    etf: 'ETFs',
    crypto: 'coins',
    commodity: 'commodities',
    fx: 'currencies',
    index: 'indices',
    rate: 'rates',
    unknown: 'sector not known',
  },

  /** The figures of a young portfolio that need more days. */
  comesLater: (p: Days) =>
    `More figures come after ${counted(p.needs, 'trading day')}; so far there are ${p.has}.`,
  noFigure: {
    'no-movement': 'nothing moved',
    'no-downside': 'no day below the risk-free rate',
    'no-rate': 'no such rate',
    'several-rates': 'several such rates',
    'negative-value': 'no meaningful figure: the portfolio was worth less than zero on some days',
    'index-not-covered': 'no data of the index for all of these days',
  },

  riskFree: (p: Valued) => `risk-free ${p.value}`,
  youngPrices: (p: { readonly date: string }) =>
    `Prices of something that is held begin on ${p.date}, so does this.`,
  broughtIn: (p: { readonly names: string }) => `Counted from the day of entry: ${p.names}`,
  noPrices: (p: { readonly names: string }) =>
    `⚠️ No price history, left out of all figures, also of what was paid in: ${p.names}`,
  noRates: (p: { readonly names: string; readonly currency: string }) =>
    `⚠️ No exchange rates to ${p.currency}, left out of all figures, also of what was paid in: ${p.names}`,
  partial: '⚠️ Some entries have no exchange rate of their day: what was paid in leaves them out.',
  noCapital:
    '⚠️ On some days short sales or debt were larger than the holdings, so there is no capital to measure a return on. To see returns, record the cash that covers them, with its date: `/portfolio deposit`.',
  noBenchmark: (p: Named) => `⚠️ No data of ${p.name} right now: there is no beta.`,
  more: (p: { readonly count: number }) => `${p.count} more`,
  notDrawn: 'The picture could not be drawn this time.',

  nothingRecorded: (p: Named) =>
    `Nothing is recorded in ${p.name} yet. Begin with \`/portfolio add AAPL 10 190.5\`, and I can analyse it.`,
  nothingInRange: (p: Named & { readonly range: string }) =>
    `Nothing was held in ${p.name} within this range (${p.range}). Please choose a longer one.`,
  nothingPriced: (p: { readonly names: string }) =>
    `There are no prices or exchange rates right now for what is held (${p.names}), so nothing can be worked out. Please try again later.`,
  brokenLedger: (p: Named) =>
    `The entries of ${p.name} do not fit together, so nothing can be worked out. Please look through \`/portfolio history\`.`,

  chartSubtitle: (p: { readonly from: string; readonly to: string }) =>
    `${p.from} – ${p.to} · value, and what was paid in, net`,
  chartChange: (p: Valued) => `TWR ${p.value}`,
  analysing: 'Analysing your portfolio…',
};

const performanceKo: typeof performanceEn = {
  title: (p) => `**포트폴리오 ${p.name} · ${p.range}**`,
  worth: (p) => `평가금액 ${p.value} · 순입금액 ${p.contributed}`,
  sections: { returns: '수익', risk: '위험', structure: '구성' },

  twr: '수익률(TWR)',
  annual: (p) => `연 환산 ${p.value}`,
  xirr: '연수익률(XIRR)',
  volatility: '변동성',
  sharpe: '샤프',
  sortino: '소르티노',
  drawdown: '최대 낙폭',
  drawdownDates: (p) => `${p.peak} → ${p.trough}`,
  recovered: (p) => `${p.date} 회복`,
  notRecovered: '회복 전',
  noDrawdown: '없음',
  beta: () => '베타',
  correlation: '상관계수',
  valueAtRisk: 'VaR(95%, 1일)',
  valueAtRiskMeaning: (p) => `${p.value} (${p.amount})`,
  concentration: '쏠림',
  largest: (p) => `최대 비중 ${p.name} ${p.value}`,
  topFive: (p) => `상위 5종목 ${p.value}`,
  spread: (p) => `${p.count}종목이지만 ${p.effective}종목 수준`,
  currencies: '통화별',
  sectors: '업종별',
  correlated: '함께 움직임',
  pair: (p) => `${p.one}·${p.other} ${p.value}`,
  classes: {
    etf: 'ETF',
    crypto: '코인',
    commodity: '원자재',
    fx: '통화',
    index: '지수',
    rate: '금리',
    unknown: '업종 정보 없음',
  },

  comesLater: (p) => `다음 지표는 거래일 ${p.needs}일이 쌓이면 보여 드려요. (지금 ${p.has}일)`,
  noFigure: {
    'no-movement': '변동 없음',
    'no-downside': '무위험 수익률을 밑돈 날 없음',
    'no-rate': '계산 불가',
    'several-rates': '계산 불가(값이 여러 개)',
    'negative-value': '계산 불가(평가금액이 0보다 작은 날이 있음)',
    'index-not-covered': '지수 자료 부족',
  },

  riskFree: (p) => `무위험 ${p.value}`,
  youngPrices: (p) => `보유 종목 중 시세가 ${p.date}부터 있는 종목이 있어 그날부터 계산했어요.`,
  broughtIn: (p) => `기록한 날부터 계산: ${p.names}`,
  noPrices: (p) => `⚠️ 과거 시세가 없어 순입금액을 포함한 모든 수치에서 제외했어요: ${p.names}`,
  noRates: (p) => `⚠️ ${p.currency} 환율이 없어 순입금액을 포함한 모든 수치에서 제외했어요: ${p.names}`,
  partial: '⚠️ 당일 환율이 없는 기록이 있어 순입금액에서 제외했어요.',
  noCapital:
    '⚠️ 공매도나 빚이 보유 자산보다 큰 날이 있어 수익률의 기준이 되는 자본이 없어요. 실제로 넣어 두신 현금을 `/portfolio 입금`으로 날짜와 함께 기록하면 수익률을 볼 수 있어요.',
  noBenchmark: (p) => `⚠️ 지금은 ${p.name} 데이터가 없어 베타를 계산하지 못했어요.`,
  more: (p) => `외 ${p.count}개`,
  notDrawn: '이번에는 그림을 그리지 못했어요.',

  nothingRecorded: (p) =>
    `${p.name}에 아직 기록이 없어요. \`/portfolio add 삼성전자 10 71000\`처럼 먼저 기록해 주시면 분석해 드려요.`,
  nothingInRange: (p) =>
    `이 기간(${p.range})에는 ${p.name}에 보유한 것이 없어요. 더 긴 기간을 선택해 주세요.`,
  nothingPriced: (p) =>
    `지금은 보유 종목(${p.names})의 시세나 환율이 없어 계산할 수 없어요. 잠시 후 다시 시도해 주세요.`,
  brokenLedger: (p) =>
    `${p.name}의 기록이 서로 맞지 않아 계산할 수 없어요. \`/portfolio history\`에서 기록을 확인해 주세요.`,

  chartSubtitle: (p) => `${p.from} – ${p.to} · 평가금액과 순입금액`,
  chartChange: (p) => `TWR ${p.value}`,
  analysing: '포트폴리오 분석 중…',
};

export const performanceTexts = localized({ en: performanceEn, ko: performanceKo });
