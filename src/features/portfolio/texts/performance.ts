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
  title: (p: Named & { readonly range: string }) => `**Portfolio ${p.name} · analysis · ${p.range}**`,
  period: (p: {
    readonly from: string;
    readonly to: string;
    readonly returns: number;
    readonly currency: string;
  }) => `${p.from} – ${p.to} · ${counted(p.returns, 'daily return')} · in ${p.currency}`,
  worth: (p: Valued & { readonly contributed: string }) => `Value ${p.value} · paid in, net ${p.contributed}`,
  sections: { returns: 'Return', risk: 'Risk', structure: 'Structure' },

  twr: 'Time-weighted return (TWR)',
  annual: (p: Valued) => `${p.value} a year`,
  xirr: 'Money-weighted return (XIRR, a year)',
  benchmarkChange: (p: Named) => `${p.name}, same time, without dividends`,
  volatility: 'Volatility (annualised)',
  sharpe: 'Sharpe ratio',
  sortino: 'Sortino ratio',
  drawdown: 'Maximum drawdown',
  drawdownDates: (p: { readonly peak: string; readonly trough: string }) => `${p.peak} → ${p.trough}`,
  recovered: (p: { readonly date: string }) => `recovered ${p.date}`,
  notRecovered: 'not recovered yet',
  noDrawdown: 'none: it never fell below an earlier high',
  beta: (p: Named) => `Beta to ${p.name}`,
  correlation: 'correlation',
  valueAtRisk: 'Value at risk (95%, 1 day, historical)',
  valueAtRiskMeaning: (p: Valued & { readonly amount: string }) =>
    `${p.value} (${p.amount}): on 1 day in 20 the loss was this or more`,
  noValueAtRisk: '0%: on fewer than 1 day in 20 anything was lost',
  concentration: 'Concentration',
  largest: (p: Named & Valued) => `largest ${p.name} ${p.value}`,
  topFive: (p: Valued) => `top five ${p.value}`,
  herfindahl: (p: Valued & { readonly effective: string; readonly count: number }) =>
    `Herfindahl ${p.value}${p.count === 1 ? '' : ` (like ${p.effective} equal holdings; there are ${p.count})`}`,
  currencies: 'By currency',
  sectors: 'By sector',
  correlated: 'Move together the most',
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

  notEnough: (p: Days) => `not enough data: needs ${counted(p.needs, 'day')}, has ${counted(p.has, 'day')}`,
  noFigure: {
    'no-movement': 'cannot be told: nothing moved',
    'no-downside': 'cannot be told: no day was below the risk-free rate',
    'no-rate': 'cannot be told: the money paid in and out has no such rate',
    'several-rates': 'cannot be told: the money paid in and out has several such rates',
    'negative-value': 'no meaningful figure: the portfolio was worth less than zero on some days',
    'index-not-covered': 'no data of the index for all of these days',
  },

  riskFree: (p: Valued) => `Sharpe and Sortino use a risk-free rate of ${p.value} a year.`,
  basis:
    'Returns are daily and in the currency of the portfolio; risk is that of the portfolio as it was day by day. Correlations of holdings are in their own currencies.',
  youngPrices: (p: { readonly date: string }) =>
    `Prices of something that is held begin on ${p.date}, so does this.`,
  broughtIn: (p: { readonly names: string }) =>
    `Counted from the day they were entered, at that day's market value: ${p.names}. The gain before that is in \`/portfolio\`.`,
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
  notAdvice: 'These figures sum up the past; they do not tell the future.',

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
  title: (p) => `**포트폴리오 ${p.name} · 분석 · ${p.range}**`,
  period: (p) => `${p.from} – ${p.to} · 일간 수익률 ${p.returns}개 · ${p.currency} 기준`,
  worth: (p) => `평가금액 ${p.value} · 순입금액 ${p.contributed}`,
  sections: { returns: '수익', risk: '위험', structure: '구성' },

  twr: '시간가중수익률(TWR)',
  annual: (p) => `연 환산 ${p.value}`,
  xirr: '금액가중수익률(XIRR, 연)',
  benchmarkChange: (p) => `같은 기간 ${p.name}(배당 제외)`,
  volatility: '변동성(연 환산)',
  sharpe: '샤프 비율',
  sortino: '소르티노 비율',
  drawdown: '최대 낙폭',
  drawdownDates: (p) => `${p.peak} → ${p.trough}`,
  recovered: (p) => `${p.date} 회복`,
  notRecovered: '아직 회복하지 못함',
  noDrawdown: '없음(이전 고점 아래로 내려간 적이 없습니다)',
  beta: (p) => `${p.name} 대비 베타`,
  correlation: '상관계수',
  valueAtRisk: 'VaR(95%, 1일, 역사적)',
  valueAtRiskMeaning: (p) => `${p.value} (${p.amount}): 20일 중 하루꼴로 이 이상 손실이 있었습니다`,
  noValueAtRisk: '0%: 손실이 난 날이 20일 중 하루보다 적었습니다',
  concentration: '집중도',
  largest: (p) => `최대 비중 ${p.name} ${p.value}`,
  topFive: (p) => `상위 5종목 ${p.value}`,
  herfindahl: (p) =>
    `허핀달 지수 ${p.value}${p.count === 1 ? '' : ` (같은 비중 ${p.effective}종목과 같음, 실제 ${p.count}종목)`}`,
  currencies: '통화별',
  sectors: '업종별',
  correlated: '가장 함께 움직인 종목',
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

  notEnough: (p) => `데이터 부족: ${p.needs}일이 필요하지만 ${p.has}일뿐입니다`,
  noFigure: {
    'no-movement': '계산할 수 없습니다(변동이 없었습니다)',
    'no-downside': '계산할 수 없습니다(무위험 수익률을 밑돈 날이 없습니다)',
    'no-rate': '계산할 수 없습니다(입출금에 맞는 수익률이 없습니다)',
    'several-rates': '계산할 수 없습니다(입출금에 맞는 수익률이 여러 개입니다)',
    'negative-value': '의미 있는 값이 없습니다(평가금액이 0보다 작은 날이 있습니다)',
    'index-not-covered': '이 기간 전체의 지수 데이터가 없습니다',
  },

  riskFree: (p) => `샤프 비율과 소르티노 비율에는 무위험 수익률 연 ${p.value}를 적용했습니다.`,
  basis:
    '수익률은 포트폴리오 통화 기준의 일간 수익률이며, 위험 지표는 그날그날 실제로 보유한 구성에 대한 값입니다. 종목 간 상관계수는 각 종목의 통화 기준입니다.',
  youngPrices: (p) => `보유 종목 중 시세가 ${p.date}부터 있는 종목이 있어 그날부터 계산했습니다.`,
  broughtIn: (p) =>
    `${p.names}: 기록한 날의 시세부터 계산했습니다. 그 전까지의 손익은 \`/portfolio\`에 있습니다.`,
  noPrices: (p) => `⚠️ 과거 시세가 없어 순입금액을 포함한 모든 수치에서 제외했습니다: ${p.names}`,
  noRates: (p) => `⚠️ ${p.currency} 환율이 없어 순입금액을 포함한 모든 수치에서 제외했습니다: ${p.names}`,
  partial: '⚠️ 당일 환율이 없는 기록이 있어 순입금액에서 제외했습니다.',
  noCapital:
    '⚠️ 공매도나 빚이 보유 자산보다 큰 날이 있어 수익률의 기준이 되는 자본이 없습니다. 실제로 넣어 두신 현금을 `/portfolio 입금`으로 날짜와 함께 기록하시면 수익률을 볼 수 있습니다.',
  noBenchmark: (p) => `⚠️ 지금은 ${p.name} 데이터가 없어 베타를 계산하지 못했습니다.`,
  more: (p) => `외 ${p.count}개`,
  notDrawn: '이번에는 그림을 그리지 못했습니다.',
  notAdvice: '이 수치는 과거를 요약한 값이며 앞으로를 알려 주지는 않습니다.',

  nothingRecorded: (p) =>
    `${p.name}에 아직 기록이 없습니다. \`/portfolio add 삼성전자 10 71000\`처럼 먼저 기록해 주시면 분석해 드립니다.`,
  nothingInRange: (p) =>
    `이 기간(${p.range})에는 ${p.name}에 보유한 것이 없습니다. 더 긴 기간을 선택해 주세요.`,
  nothingPriced: (p) =>
    `지금은 보유 종목(${p.names})의 시세나 환율이 없어 계산할 수 없습니다. 잠시 후 다시 시도해 주세요.`,
  brokenLedger: (p) =>
    `${p.name}의 기록이 서로 맞지 않아 계산할 수 없습니다. \`/portfolio history\`에서 기록을 확인해 주세요.`,

  chartSubtitle: (p) => `${p.from} – ${p.to} · 평가금액과 순입금액`,
  chartChange: (p) => `TWR ${p.value}`,
  analysing: '포트폴리오 분석 중…',
};

export const performanceTexts = localized({ en: performanceEn, ko: performanceKo });
