import type { Locale } from './locale.ts';

/** How a metric is written: an amount of money, a percentage, a plain number, a multiple, a count, a date. */
export type MetricKind = 'money' | 'percent' | 'number' | 'multiple' | 'count' | 'date' | 'text';

interface Metric {
  readonly kind: MetricKind;
  /** True if the value can be negative, so that "up" and "down" say its sign. */
  readonly isSigned?: boolean;
  /** What people call it, the name for display first. One word may name several metrics. */
  readonly words: Readonly<Record<Locale, readonly string[]>>;
}

const metric = (
  kind: MetricKind,
  ko: readonly string[],
  en: readonly string[],
  isSigned = false,
): Metric => ({ kind, words: { ko, en }, ...(isSigned && { isSigned }) });

const KO_CHANGE = ['등락', '변동', '상승', '하락', '오른', '올랐', '올라', '오르', '내린', '내렸', '내려', '떨어', '빠진', '빠졌', '급등', '급락', '반등', '강세', '약세'];
const EN_CHANGE = ['change', 'changed', 'up', 'down', 'rose', 'risen', 'rise', 'fell', 'fallen', 'fall', 'gained', 'gain', 'lost', 'loss', 'dropped', 'drop', 'climbed', 'slipped', 'declined', 'decline', 'jumped', 'advance', 'advanced', 'rallied', 'higher', 'lower', 'move', 'moved', 'return', 'returned', 'gains', 'losses'];

/** The closed list of metrics that facts can have. `day`, `period` and `parameter` of a fact say which of them. */
export const METRICS = {
  // Quotes
  price: metric('money', ['현재가', '가격', '주가', '시세', '거래', '호가'], ['price', 'trading', 'trades', 'quoted', 'quote', 'currently at', 'stands at', 'priced', 'share price', 'stock price']),
  previousClose: metric('money', ['전일 종가', '전날 종가', '전 거래일 종가', '직전 종가'], ['previous close', "yesterday's close", 'prior close', 'last close', 'prev. close', 'prev close']),
  dayLow: metric('money', ['장중 저가', '당일 저가', '오늘 저가', '일중 저가', '저가', '최저', '저점'], ['day low', "day's low", 'intraday low', 'session low', 'low of the day', 'low']),
  dayHigh: metric('money', ['장중 고가', '당일 고가', '오늘 고가', '일중 고가', '고가', '최고', '고점'], ['day high', "day's high", 'intraday high', 'session high', 'high of the day', 'high']),
  yearLow: metric('money', ['52주 최저', '52주 저점', '52주 신저가', '52주 저가', '52주 최저가', '연중 최저', '최저', '저점', '최저가'], ['52-week low', '52 week low', 'year low', 'yearly low', '1-year low', 'one-year low', 'low']),
  yearHigh: metric('money', ['52주 최고', '52주 고점', '52주 신고가', '52주 고가', '52주 최고가', '연중 최고', '최고', '고점', '최고가'], ['52-week high', '52 week high', 'year high', 'yearly high', '1-year high', 'one-year high', 'high']),
  change: metric('money', ['전일 대비', '등락폭', '변동폭', ...KO_CHANGE], ['change', ...EN_CHANGE], true),
  changePercent: metric('percent', ['등락률', '변동률', '상승률', '하락률', '수익률', '전일 대비', ...KO_CHANGE], ['percent change', 'daily change', 'performance', ...EN_CHANGE], true),
  volume: metric('count', ['거래량'], ['volume', 'shares traded', 'traded volume', 'turnover']),
  priceElsewhere: metric('money', ['다른 출처'], ['another source']),
  preMarketPrice: metric('money', ['프리마켓', '장전', '개장 전', '시간외'], ['pre-market', 'premarket', 'before the open']),
  afterHoursPrice: metric('money', ['애프터마켓', '장후', '시간외', '장 마감 후'], ['after-hours', 'after hours', 'extended hours', 'post-market']),
  // History
  close: metric('money', ['종가', '마감', '가격', '주가'], ['close', 'closed', 'closing price', 'closing', 'finished', 'ended', 'settled', 'price']),
  priceDayBefore: metric('money', ['24시간 전'], ['24 hours before', '24 hours ago']),
  lastYearClose: metric('money', ['전년 말 종가', '작년 말 종가', '지난해 말 종가', '연초'], ["last year's close", 'year-end close', 'last close of']),
  periodHigh: metric('money', ['최고', '고점', '최고가', '고가'], ['high', 'peak', 'highest', 'period high']),
  periodLow: metric('money', ['최저', '저점', '최저가', '저가'], ['low', 'trough', 'lowest', 'bottom', 'period low']),
  periodHighDay: metric('date', ['고점 날짜', '최고'], ['high']),
  periodLowDay: metric('date', ['저점 날짜', '최저'], ['low']),
  averageVolume: metric('count', ['평균 거래량', '거래량'], ['average volume', 'avg volume', 'volume']),
  volatility: metric('percent', ['변동성', '연환산 변동성'], ['volatility', 'annualised volatility', 'annualized volatility']),
  maxDrawdown: metric('percent', ['최대 낙폭', '최대낙폭', 'MDD', '낙폭'], ['maximum drawdown', 'max drawdown', 'drawdown', 'MDD'], true),
  yearPosition: metric('percent', ['52주 범위 내 위치', '52주 범위', '위치'], ['52-week range', 'position', 'of its range']),
  correlation: metric('number', ['상관계수', '상관'], ['correlation', 'correlated']),
  // Company figures
  marketCap: metric('money', ['시가총액', '시총'], ['market cap', 'market capitalisation', 'market capitalization', 'market value', 'valued at', 'worth']),
  peTrailing: metric('multiple', ['PER', '주가수익비율', 'P/E'], ['P/E', 'PE', 'price-to-earnings', 'P/E ratio', 'trailing P/E', 'PER', 'earnings multiple', 'times earnings']),
  peForward: metric('multiple', ['선행 PER', '예상 PER', 'PER', '12개월 선행'], ['forward P/E', 'forward PE', 'forward', 'P/E', 'PE', 'times earnings']),
  priceToBook: metric('multiple', ['PBR', '주가순자산비율', 'P/B'], ['P/B', 'PB', 'price-to-book', 'book value', 'PBR', 'times book']),
  epsTrailing: metric('money', ['EPS', '주당순이익'], ['EPS', 'earnings per share', 'trailing EPS'], true),
  epsForward: metric('money', ['예상 EPS', '선행 EPS', 'EPS'], ['forward EPS', 'expected EPS', 'EPS'], true),
  epsEstimate: metric('money', ['EPS 추정치', 'EPS 예상', '예상 EPS', 'EPS', '컨센서스', '추정'], ['EPS estimate', 'estimated EPS', 'expected EPS', 'consensus', 'EPS'], true),
  dividendYield: metric('percent', ['배당수익률', '배당률', '시가배당률', '배당'], ['dividend yield', 'yield', 'yields', 'yielding']),
  dividendRate: metric('money', ['주당 배당금', '연간 배당금', '배당금', '배당'], ['annual dividend', 'dividend per share', 'dividend rate', 'dividend', 'dividends']),
  exDividendDate: metric('date', ['배당락일', '배당락'], ['ex-dividend date', 'ex-dividend']),
  revenue: metric('money', ['매출액', '매출'], ['revenue', 'revenues', 'sales']),
  revenueGrowth: metric('percent', ['매출 성장률', '매출 증가율', '매출성장률', '매출증가율', '성장률', '성장', '증가', '감소'], ['revenue growth', 'sales growth', 'growth', 'grew', 'growing', 'shrank'], true),
  grossMargin: metric('percent', ['매출총이익률', '총이익률', '총마진', '마진'], ['gross margin', 'margin']),
  operatingMargin: metric('percent', ['영업이익률', '영업마진', '마진'], ['operating margin', 'margin'], true),
  profitMargin: metric('percent', ['순이익률', '순마진', '마진'], ['profit margin', 'net margin', 'margin'], true),
  returnOnEquity: metric('percent', ['ROE', '자기자본이익률'], ['ROE', 'return on equity'], true),
  debtToEquity: metric('percent', ['부채비율', '부채'], ['debt-to-equity', 'debt to equity', 'leverage', 'D/E']),
  freeCashFlow: metric('money', ['잉여현금흐름', 'FCF', '현금흐름'], ['free cash flow', 'FCF', 'cash flow'], true),
  beta: metric('number', ['베타'], ['beta']),
  sharesOutstanding: metric('count', ['발행주식수', '발행 주식 수', '상장주식수', '상장 주식 수', '총주식수'], ['shares outstanding', 'outstanding shares', 'outstanding', 'share count']),
  industry: metric('text', ['산업', '업종'], ['industry']),
  sector: metric('text', ['업종', '섹터'], ['sector', 'industry']),
  earningsDay: metric('date', ['실적 발표일', '실적 발표', '실적발표', '실적'], ['earnings date', 'earnings', 'reports', 'report date']),
  earningsLastDay: metric('date', ['실적 발표일', '실적 발표', '실적발표'], ['earnings date', 'earnings', 'reports', 'report date']),
  // Indicators
  sma: metric('money', ['이동평균선', '이동평균', '이평선', '일선', 'SMA', 'MA'], ['SMA', 'simple moving average', 'moving average', 'MA', 'day average']),
  ema: metric('money', ['지수이동평균', 'EMA'], ['EMA', 'exponential moving average']),
  distanceFromSma: metric('percent', ['이격도', '이격', '이동평균', '이평선', '일선', '위', '아래'], ['above', 'below', 'from the', 'distance', 'SMA', 'moving average'], true),
  distanceFromEma: metric('percent', ['이격도', '이격', '지수이동평균', 'EMA', '위', '아래'], ['above', 'below', 'from the', 'distance', 'EMA'], true),
  rsi: metric('number', ['RSI', '상대강도지수'], ['RSI', 'relative strength index']),
  macd: metric('number', ['MACD'], ['MACD'], true),
  macdSignal: metric('number', ['시그널', '신호선', 'MACD 시그널'], ['signal', 'signal line'], true),
  macdHistogram: metric('number', ['히스토그램', 'MACD 히스토그램'], ['histogram'], true),
  bollingerUpper: metric('money', ['볼린저 밴드 상단', '볼린저 상단', '상단', '상단선', '밴드 상단'], ['upper band', 'upper Bollinger', 'upper', 'Bollinger']),
  bollingerMiddle: metric('money', ['볼린저 중심선', '중심선', '밴드 중심', '중간선'], ['middle band', 'middle', 'mid band', 'Bollinger']),
  bollingerLower: metric('money', ['볼린저 밴드 하단', '볼린저 하단', '하단', '하단선', '밴드 하단'], ['lower band', 'lower Bollinger', 'lower', 'Bollinger']),
  atr: metric('money', ['ATR', '평균 진폭', '평균진폭'], ['ATR', 'average true range']),
  atrPercent: metric('percent', ['ATR', '평균 진폭', '종가의'], ['ATR', 'average true range', 'of the price', 'of the close']),
  fromYearHigh: metric('percent', ['52주 최고가 대비', '52주 고점 대비', '고점 대비', '최고가 대비'], ['below the 52-week high', 'from the 52-week high', 'from its high', 'off the high', 'below its high'], true),
  fromYearLow: metric('percent', ['52주 최저가 대비', '52주 저점 대비', '저점 대비', '최저가 대비'], ['above the 52-week low', 'from the 52-week low', 'from its low', 'off the low', 'above its low'], true),
  pointOfControlLow: metric('money', ['매물대', '최다 거래', '거래가 가장 많은'], ['point of control', 'most traded', 'volume profile']),
  pointOfControlHigh: metric('money', ['매물대', '최다 거래', '거래가 가장 많은'], ['point of control', 'most traded', 'volume profile']),
  valueAreaLow: metric('money', ['밸류 에어리어', '가치 영역', '매물대'], ['value area']),
  valueAreaHigh: metric('money', ['밸류 에어리어', '가치 영역', '매물대'], ['value area']),
  volumeMultiple: metric('multiple', ['평소 거래량', '거래량', '평균의'], ['times the usual volume', 'usual volume', 'volume']),
  // Rates and conversions
  exchangeRate: metric('money', ['환율', '현재가', '시세'], ['exchange rate', 'rate', 'FX rate', 'price']),
  converted: metric('money', ['환산', '약', '환전'], ['converts to', 'converted', 'equals', 'is about', 'worth', 'equivalent']),
  kimchiPremium: metric('percent', ['김치 프리미엄', '김프', '프리미엄'], ['kimchi premium', 'premium'], true),
  calculation: metric('number', ['계산 결과', '계산'], ['result', 'calculated']),
  // Portfolio
  quantity: metric('count', ['보유 수량', '수량', '보유'], ['quantity', 'holding', 'hold', 'holds', 'shares', 'own', 'units']),
  averageCost: metric('money', ['평균 매입가', '평균 단가', '평균단가', '평단', '매입 단가', '매입단가', '평균 매수가'], ['average cost', 'average price', 'avg cost', 'cost basis per share', 'bought at']),
  cost: metric('money', ['매입 금액', '매입금액', '투자 원금', '원금', '매수 금액', '취득가'], ['cost basis', 'cost', 'invested', 'paid']),
  marketValue: metric('money', ['평가금액', '평가액', '평가 금액'], ['market value', 'value', 'worth', 'valued']),
  marketValueBase: metric('money', ['평가금액', '평가액', '평가 금액', '원화 환산'], ['market value', 'value', 'worth', 'valued']),
  unrealisedGain: metric('money', ['평가손익', '평가 손익', '평가이익', '평가손실', '미실현 손익', '손익', '수익', '이익', '손실'], ['unrealised gain', 'unrealized gain', 'unrealised', 'unrealized', 'gain', 'loss', 'profit', 'up', 'down', 'P&L', 'P/L'], true),
  unrealisedGainPercent: metric('percent', ['수익률', '평가손익률', '평가수익률', '손익률', '평가손익', '손익', '수익', '손실'], ['unrealised', 'unrealized', 'gain', 'loss', 'return', 'profit', 'up', 'down', 'P&L', 'P/L'], true),
  unrealisedGainBase: metric('money', ['평가손익', '평가 손익', '원화 환산', '손익', '수익', '이익', '손실'], ['unrealised gain', 'unrealized gain', 'unrealised', 'unrealized', 'gain', 'loss', 'profit', 'P&L', 'P/L'], true),
  unrealisedGainBasePercent: metric('percent', ['수익률', '평가손익률', '원화 기준', '손익률', '손익'], ['unrealised', 'unrealized', 'gain', 'loss', 'return', 'profit', 'P&L', 'P/L'], true),
  unrealisedFromPrice: metric('money', ['주가 손익', '가격 손익', '주가 변동', '가격 변동'], ['from price', 'from the price', 'price effect', 'price gain'], true),
  unrealisedFromFx: metric('money', ['환차손익', '환차익', '환차손', '환율 손익', '환율 변동'], ['from FX', 'from the currency', 'currency effect', 'FX effect', 'currency gain', 'FX gain'], true),
  dayChange: metric('money', ['일일 손익', '오늘 손익', '당일 손익', '하루', '오늘', '전일 대비', ...KO_CHANGE], ['day change', 'today', 'on the day', ...EN_CHANGE], true),
  dayChangePercent: metric('percent', ['일일 수익률', '오늘 수익률', '하루', '오늘', '전일 대비', ...KO_CHANGE], ['day change', 'today', 'on the day', ...EN_CHANGE], true),
  totalValue: metric('money', ['총 평가금액', '총평가금액', '총액', '총 자산', '총자산', '합계', '평가금액', '전체'], ['total value', 'total', 'portfolio value', 'worth', 'value', 'altogether']),
  holdingsValue: metric('money', ['보유 종목', '보유 주식', '주식 평가', '종목 평가', '평가금액'], ['holdings', 'securities', 'invested value', 'stocks']),
  cashValue: metric('money', ['현금', '예수금'], ['cash']),
  realisedGain: metric('money', ['실현손익', '실현 손익', '실현이익', '실현손실', '확정 손익', '양도차익', '매매차익'], ['realised gain', 'realized gain', 'realised', 'realized'], true),
  realisedFromPrice: metric('money', ['주가 손익', '가격 손익', '실현손익'], ['from price', 'price effect', 'realised', 'realized'], true),
  realisedFromFx: metric('money', ['환차손익', '환차익', '환차손', '환율'], ['from FX', 'currency effect', 'FX effect', 'realised', 'realized'], true),
  dividends: metric('money', ['배당금', '배당 수익', '배당'], ['dividends', 'dividend income']),
  interest: metric('money', ['이자'], ['interest']),
  cashFxGain: metric('money', ['현금 환차손익', '환차손익', '환차익', '환차손'], ['currency gain on cash', 'FX gain on cash', 'cash'], true),
  contributed: metric('money', ['투자 원금', '납입', '입금', '원금'], ['contributed', 'net contributions', 'deposited', 'invested']),
  timeWeightedReturn: metric('percent', ['시간가중수익률', '시간가중 수익률', 'TWR', '수익률'], ['time-weighted return', 'TWR', 'return', 'returned'], true),
  timeWeightedReturnAnnual: metric('percent', ['연환산 수익률', '연환산', '연평균'], ['annualised return', 'annualized return', 'annualised', 'annualized', 'a year'], true),
  moneyWeightedReturn: metric('percent', ['금액가중수익률', '내부수익률', 'XIRR', 'IRR'], ['money-weighted return', 'XIRR', 'IRR', 'internal rate of return'], true),
  sharpe: metric('number', ['샤프 지수', '샤프지수', '샤프 비율', '샤프비율', '샤프'], ['Sharpe ratio', 'Sharpe'], true),
  sortino: metric('number', ['소르티노 지수', '소르티노 비율', '소르티노'], ['Sortino ratio', 'Sortino'], true),
  drawdownPeakDay: metric('date', ['고점'], ['peak']),
  drawdownTroughDay: metric('date', ['저점'], ['trough']),
  drawdownRecoveryDay: metric('date', ['회복'], ['recovered', 'recovery']),
  valueAtRiskPercent: metric('percent', ['VaR', '최대 예상 손실', '예상 손실'], ['VaR', 'value at risk']),
  valueAtRiskAmount: metric('money', ['VaR', '최대 예상 손실', '예상 손실'], ['VaR', 'value at risk']),
  riskFreeRate: metric('percent', ['무위험 수익률', '무위험 이자율', '무위험'], ['risk-free rate', 'risk-free']),
  benchmarkChange: metric('percent', ['벤치마크', '지수', '코스피', 'S&P 500', ...KO_CHANGE], ['benchmark', 'index', ...EN_CHANGE], true),
  largestShare: metric('percent', ['최대 비중', '가장 큰 비중', '비중'], ['largest position', 'largest holding', 'largest', 'weight']),
  topFiveShare: metric('percent', ['상위 5', '상위 5개', '상위 5종목', '비중'], ['top five', 'top 5']),
  herfindahl: metric('number', ['허핀달', '집중도', 'HHI'], ['Herfindahl', 'HHI', 'concentration']),
  effectiveHoldings: metric('number', ['실효 종목 수', '유효 종목 수'], ['effective number', 'effective holdings']),
  holdingCount: metric('count', ['종목 수', '종목'], ['holdings', 'positions', 'stocks']),
  returnCount: metric('count', ['일간 수익률', '거래일'], ['daily returns', 'trading days', 'days']),
  currencyShare: metric('percent', ['통화 비중', '통화', '비중'], ['currency', 'exposure', 'share', 'weight']),
  sectorShare: metric('percent', ['업종 비중', '섹터 비중', '업종', '섹터', '비중'], ['sector', 'share', 'weight', 'exposure']),
  weight: metric('percent', ['비중'], ['weight', 'share', 'allocation']),
  targetWeight: metric('percent', ['목표 비중', '목표', '비중'], ['target weight', 'target', 'weight']),
  tradeQuantity: metric('count', ['매수', '매도', '수량'], ['buy', 'sell', 'shares'], true),
  tradeAmount: metric('money', ['매수', '매도', '금액'], ['buy', 'sell', 'amount'], true),
  cashAfter: metric('money', ['남는 현금', '현금'], ['cash left', 'cash after', 'cash']),
  analysedFrom: metric('date', ['분석 기간', '부터'], ['from', 'since']),
  analysedTo: metric('date', ['분석 기간', '까지'], ['to', 'until']),
  entryCount: metric('count', ['거래 내역', '내역', '기록', '건'], ['entries', 'transactions', 'trades']),
  entryNumber: metric('count', ['번호', '기록'], ['number', 'entry', 'no.']),
  rowCount: metric('count', ['행', '건'], ['rows', 'entries']),
  splitRatio: metric('multiple', ['액면분할', '주식분할', '분할', '병합'], ['split', 'reverse split']),
  dividendPerShare: metric('money', ['주당 배당금', '배당금', '배당'], ['dividend per share', 'dividend']),
  // Taxes
  taxableGain: metric('money', ['해외주식 양도차익', '양도차익', '양도소득', '매매차익', '이익', '손실'], ['foreign share gain', 'capital gain', 'gain', 'gains', 'loss'], true),
  taxDeduction: metric('money', ['기본공제', '공제'], ['deduction', 'allowance', 'exemption']),
  taxBase: metric('money', ['과세표준', '과세 대상', '과표'], ['taxable', 'tax base']),
  incomeTax: metric('money', ['양도소득세', '소득세'], ['income tax', 'capital gains tax']),
  localTax: metric('money', ['지방소득세', '지방세'], ['local tax', 'local income tax']),
  estimatedTax: metric('money', ['예상 세금', '예상 세액', '납부할 세액', '세금', '세액', '양도세'], ['estimated tax', 'tax due', 'tax', 'total tax']),
  transactionTax: metric('money', ['증권거래세', '거래세'], ['transaction tax']),
  financialIncome: metric('money', ['금융소득', '배당과 이자', '배당·이자', '배당 및 이자'], ['dividends and interest', 'financial income']),
  // Alerts
  alertPrice: metric('money', ['목표가', '알림 가격', '알림', '도달', '이상', '이하'], ['target', 'alert', 'alert price', 'reaches', 'above', 'below']),
  alertChangePercent: metric('percent', ['알림', ...KO_CHANGE], ['alert', ...EN_CHANGE], true),
  alertBasePrice: metric('money', ['기준가', '기준 가격'], ['base price', 'reference price']),
  alertRsi: metric('number', ['RSI'], ['RSI']),
  alertDays: metric('count', ['일'], ['days', 'day']),
  alertVolumeMultiple: metric('multiple', ['거래량', '평소'], ['volume', 'usual']),
  // Market hours
  marketState: metric('text', ['장 상태', '개장', '휴장'], ['open', 'closed', 'state']),
  marketTime: metric('text', ['개장', '마감', '폐장'], ['opens', 'closes']),
  marketDay: metric('text', ['거래일', '휴장일'], ['trading day', 'holiday']),
  headline: metric('text', ['뉴스', '기사'], ['headline', 'news']),
  /** A number of a plugin, or of an older version: `label` says what it is. */
  other: metric('number', [], []),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricId = keyof typeof METRICS;

export const isMetricId = (name: string): name is MetricId => Object.hasOwn(METRICS, name);

/** Undefined for metrics of older versions, which stored transcripts contain. */
export const metricNamed = (name: string): Metric | undefined => (isMetricId(name) ? METRICS[name] : undefined);
