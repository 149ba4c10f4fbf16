import { counted, localized } from '#src/kernel/locale.ts';

interface Named {
  readonly name: string;
}

interface Names {
  readonly names: string;
}

interface Count {
  readonly count: number;
}

/** Messages about news, fundamentals, earnings dates and the market overview, in both languages. */
const marketNewsEn = {
  news: {
    title: () => '**Market news**',
    titleOf: (p: Named) => `**News: ${p.name}**`,
    justNow: () => 'just now',
    none: () => 'No market headlines at the moment. Please try again later.',
    noneOf: (p: Named) => `No headlines about ${p.name}.`,
    down: () => 'The news source cannot be reached at the moment. Please try again in a few minutes.',
    sample: () => 'The sample data has no headlines on that.',
    sampleFooter: () => 'Sample headlines, not real news.',
  },
  fundamentals: {
    title: (p: Named) => `**Key figures: ${p.name}**`,
    groups: {
      valuation: 'Valuation',
      perShare: 'Per share and dividend',
      business: 'Business',
      company: 'Company',
    },
    metrics: {
      marketCap: 'Market cap',
      peTrailing: 'P/E (trailing)',
      peForward: 'P/E (forward)',
      priceToBook: 'P/B',
      epsTrailing: 'EPS (trailing)',
      epsForward: 'EPS (forward)',
      dividendYield: 'Dividend yield',
      dividendRate: 'Annual dividend',
      exDividendDate: 'Ex-dividend date',
      revenue: 'Revenue (TTM)',
      revenueGrowth: 'Revenue growth (last quarter, yoy)',
      grossMargin: 'Gross margin (TTM)',
      operatingMargin: 'Operating margin (TTM)',
      profitMargin: 'Net margin (TTM)',
      returnOnEquity: 'ROE (TTM)',
      debtToEquity: 'Debt to equity (last quarter)',
      freeCashFlow: 'Free cash flow (TTM)',
      beta: 'Beta',
      sharesOutstanding: 'Shares outstanding',
      sector: 'Sector',
      industry: 'Industry',
    },
    /** The figures that were asked for. */
    noFigure: (p: Named & { readonly labels: string }) => `No figure for ${p.name}: ${p.labels}.`,
    multiple: (p: { readonly number: string }) => `${p.number}x`,
    shares: (p: { readonly number: string }) => `${p.number} shares`,
    /** Said about instruments that are not companies. */
    notCompany: {
      etf: (p: Named) =>
        `${p.name} is an ETF, not a company, so it has no key figures such as P/E or EPS. Its price is at \`/price\`.`,
      crypto: (p: Named) =>
        `${p.name} is a coin, not a company, so it has no key figures such as P/E or EPS. Its price is at \`/price\`.`,
      fx: (p: Named) =>
        `${p.name} is an exchange rate, so it has no key figures of a company. Its price is at \`/price\`.`,
      index: (p: Named) =>
        `${p.name} is an index, not a company, so I have no key figures for it. Its level is at \`/price\`.`,
      rate: (p: Named) =>
        `${p.name} is an interest rate, so it has no key figures of a company. Its level is at \`/price\`.`,
      commodity: (p: Named) =>
        `${p.name} is a commodity, so it has no key figures of a company. Its price is at \`/price\`.`,
    },
    sample: (p: Named) => `The sample data has no key figures of ${p.name}.`,
    /** Keyed by the source's name of the sector. */
    sectors: {
      'Basic Materials': 'Basic Materials',
      'Communication Services': 'Communication Services',
      'Consumer Cyclical': 'Consumer Cyclical',
      'Consumer Defensive': 'Consumer Defensive',
      Energy: 'Energy',
      'Financial Services': 'Financial Services',
      Healthcare: 'Healthcare',
      Industrials: 'Industrials',
      'Real Estate': 'Real Estate',
      Technology: 'Technology',
      Utilities: 'Utilities',
    } as Readonly<Record<string, string>>,
  },
  earnings: {
    title: () => '**Earnings dates**',
    titleOfBiggest: (p: Count) => `**Next earnings: ${counted(p.count, 'big company', 'big companies')}**`,
    past: () => 'Already past, no later date known:',
    date: 'Date',
    company: 'Company',
    eps: 'EPS estimate',
    estimated: '(estimated)',
    allEstimated: 'All dates are estimates.',
    noneOf: (p: Names) => `No earnings date is known for ${p.names}.`,
    unasked: (p: Names) =>
      `The market data source cannot be reached, so I do not know about ${p.names}. Please try again in a few minutes.`,
    noneOfBiggest: () => 'No coming earnings dates are known at the moment. Please try again later.',
    notCompanies: (p: Names) => `Only companies report earnings: ${p.names}.`,
    down: () =>
      'The market data source cannot be reached, so I have no earnings dates. Please try again in a few minutes.',
    sample: () => 'The sample data has no earnings dates of that.',
    tooMany: (p: { readonly limit: number }) =>
      `Up to ${counted(p.limit, 'company', 'companies')} at once, please.`,
  },
  overview: {
    marketsTitle: () => 'Markets at a glance',
    /** The currency is undefined for a mixed list. */
    cryptoTitle: (p: { readonly currency: string | undefined }): string =>
      p.currency === 'KRW' ? 'Coins in won' : p.currency === 'USD' ? 'Coins in US dollars' : 'Coins',
    name: 'Name',
    coin: 'Coin',
    level: 'Level',
    price: 'Price',
    change: 'Change',
    percent: '%',
    /** Short names for tables on phones. */
    short: {
      '^KS11': 'KOSPI',
      '^KQ11': 'KOSDAQ',
      '^GSPC': 'S&P 500',
      '^IXIC': 'NASDAQ',
      '^DJI': 'Dow Jones',
      '^VIX': 'VIX',
      'USDKRW=X': 'USD/KRW',
      'BTC-USD': 'Bitcoin',
      '^TNX': 'US 10Y',
    } as Readonly<Record<string, string>>,
    openNow: (p: Names) => `Trading now: ${p.names}`,
    asOf: 'As of',
    stale: '⚠️ stale',
    delayed: (p: { readonly minutes: number }) => `up to ${p.minutes} min delayed`,
    footer: (p: { readonly zone: string; readonly sources: string; readonly delayMinutes: number }) =>
      `Change from the previous close · times in ${p.zone} · source: ${p.sources}${p.delayMinutes > 0 ? ` (up to ${p.delayMinutes} min delayed)` : ''}`,
    missing: {
      down: (p: Names) =>
        `Left out, because the market data source cannot be reached: ${p.names}. Please try again in a few minutes.`,
      limited: (p: Names) =>
        `Left out, because the market data source takes only a few requests a minute now: ${p.names}. Please ask again in a minute.`,
      'no-data': (p: Names) => `The market data source has nothing on ${p.names}.`,
      'not-in-sample': (p: Names) => `Not in the sample data: ${p.names}.`,
    },
    notCoins: (p: Names) => `Not a coin: ${p.names}. \`/price\` shows other prices.`,
    premium: (p: {
      readonly percent: string;
      readonly krw: string;
      readonly usd: string;
      readonly rate: string;
      readonly rateAsOf: string;
    }) =>
      `Kimchi premium (BTC): ${p.percent} = ${p.krw} ÷ (${p.usd} × ${p.rate}) − 1; exchange rate as of ${p.rateAsOf}`,
    tooMany: (p: { readonly limit: number }) => `Up to ${counted(p.limit, 'coin')} at once, please.`,
  },
  /** Shown while a tool runs. */
  progress: {
    news: () => 'Reading the market news…',
    newsOf: (p: Named) => `Looking for news about ${p.name}…`,
    fundamentals: (p: Named) => `Looking up the key figures of ${p.name}…`,
    earnings: () => 'Looking up earnings dates…',
    markets: () => 'Looking at the markets…',
    crypto: () => 'Looking at coin prices…',
  },
};

const marketNewsKo: typeof marketNewsEn = {
  news: {
    title: () => '**시장 뉴스**',
    titleOf: (p) => `**${p.name} 뉴스**`,
    justNow: () => '방금 전',
    none: () => '지금은 시장 뉴스가 없어요. 나중에 다시 물어봐 주세요.',
    noneOf: (p) => `${p.name} 뉴스가 없어요.`,
    down: () => '지금은 뉴스 제공처에 연결할 수 없어요. 몇 분 뒤에 다시 물어봐 주세요.',
    sample: () => '샘플 데이터에는 그 종목의 뉴스가 없어요.',
    sampleFooter: () => '샘플 헤드라인이라 실제 소식이 아니에요.',
  },
  fundamentals: {
    title: (p) => `**${p.name} 주요 지표**`,
    groups: {
      valuation: '가치 평가',
      perShare: '주당 지표와 배당',
      business: '실적과 재무',
      company: '기업 정보',
    },
    metrics: {
      marketCap: '시가총액',
      peTrailing: 'PER (최근 12개월)',
      peForward: 'PER (예상)',
      priceToBook: 'PBR',
      epsTrailing: 'EPS (최근 12개월)',
      epsForward: 'EPS (예상)',
      dividendYield: '배당수익률',
      dividendRate: '연간 주당배당금',
      exDividendDate: '배당락일',
      revenue: '매출 (최근 12개월)',
      revenueGrowth: '매출 성장률 (최근 분기, 전년 동기 대비)',
      grossMargin: '매출총이익률 (최근 12개월)',
      operatingMargin: '영업이익률 (최근 12개월)',
      profitMargin: '순이익률 (최근 12개월)',
      returnOnEquity: 'ROE (최근 12개월)',
      debtToEquity: '부채비율 (차입금/자본, 최근 분기)',
      freeCashFlow: '잉여현금흐름 (최근 12개월)',
      beta: '베타',
      sharesOutstanding: '발행주식수',
      sector: '섹터',
      industry: '업종',
    },
    noFigure: (p) => `${p.name} 자료가 없어요: ${p.labels}`,
    multiple: (p) => `${p.number}배`,
    shares: (p) => `${p.number}주`,
    notCompany: {
      etf: (p) => `${p.name}, ETF라서 PER, EPS 같은 기업 지표가 없어요. 시세는 \`/price\`로 볼 수 있어요.`,
      crypto: (p) =>
        `${p.name}, 코인이라서 PER, EPS 같은 기업 지표가 없어요. 시세는 \`/price\`로 볼 수 있어요.`,
      fx: (p) => `${p.name}, 환율이라서 기업 지표가 없어요. 시세는 \`/price\`로 볼 수 있어요.`,
      index: (p) => `${p.name}, 지수라서 기업 지표가 없어요. 지수는 \`/price\`로 볼 수 있어요.`,
      rate: (p) => `${p.name}, 금리라서 기업 지표가 없어요. 금리는 \`/price\`로 볼 수 있어요.`,
      commodity: (p) => `${p.name}, 원자재라서 기업 지표가 없어요. 시세는 \`/price\`로 볼 수 있어요.`,
    },
    sample: (p) => `샘플 데이터에는 ${p.name} 지표가 없어요.`,
    sectors: {
      'Basic Materials': '소재',
      'Communication Services': '커뮤니케이션 서비스',
      'Consumer Cyclical': '경기소비재',
      'Consumer Defensive': '필수소비재',
      Energy: '에너지',
      'Financial Services': '금융',
      Healthcare: '헬스케어',
      Industrials: '산업재',
      'Real Estate': '부동산',
      Technology: '기술',
      Utilities: '유틸리티',
    },
  },
  earnings: {
    title: () => '**실적 발표 일정**',
    titleOfBiggest: (p) => `**주요 기업 ${p.count}곳 실적 발표 일정**`,
    past: () => '이미 지났고, 다음 일정은 아직 몰라요:',
    date: '날짜',
    company: '기업',
    eps: 'EPS 예상',
    estimated: '(추정)',
    allEstimated: '모두 추정 일정이에요.',
    noneOf: (p) => `알려진 실적 발표 일정이 없어요: ${p.names}`,
    unasked: (p) =>
      `시세 제공처에 연결할 수 없어서 확인하지 못했어요: ${p.names}. 몇 분 뒤에 다시 물어봐 주세요.`,
    noneOfBiggest: () => '지금은 알려진 실적 발표 일정이 없어요. 나중에 다시 물어봐 주세요.',
    notCompanies: (p) => `실적을 발표하는 기업이 아니에요: ${p.names}`,
    down: () =>
      '시세 제공처에 연결할 수 없어서 실적 일정을 가져오지 못했어요. 몇 분 뒤에 다시 물어봐 주세요.',
    sample: () => '샘플 데이터에는 그 종목의 실적 일정이 없어요.',
    tooMany: (p) => `한 번에 ${p.limit}개 기업까지 볼 수 있어요.`,
  },
  overview: {
    marketsTitle: () => '시장 현황',
    cryptoTitle: (p) =>
      p.currency === 'KRW' ? '코인 시세 (원화)' : p.currency === 'USD' ? '코인 시세 (달러)' : '코인 시세',
    name: '항목',
    coin: '코인',
    level: '현재',
    price: '가격',
    change: '등락',
    percent: '%',
    short: {
      '^KS11': '코스피',
      '^KQ11': '코스닥',
      '^GSPC': 'S&P 500 지수',
      '^IXIC': '나스닥',
      '^DJI': '다우존스',
      '^VIX': 'VIX 지수',
      'USDKRW=X': '달러/원',
      'BTC-USD': '비트코인',
      '^TNX': '미 국채 10년',
    },
    openNow: (p) => `지금 거래 중: ${p.names}`,
    asOf: '기준',
    stale: '⚠️ 오래됨',
    delayed: (p) => `최대 ${p.minutes}분 지연`,
    footer: (p) =>
      `등락은 전일 종가 대비 · 시각은 ${p.zone} · 출처: ${p.sources}${p.delayMinutes > 0 ? ` (최대 ${p.delayMinutes}분 지연)` : ''}`,
    missing: {
      down: (p) => `시세 제공처에 연결할 수 없어서 빠졌어요: ${p.names}. 몇 분 뒤에 다시 물어봐 주세요.`,
      limited: (p) =>
        `시세 제공처가 지금 1분에 몇 건만 받아서 빠졌어요: ${p.names}. 1분 뒤에 다시 물어봐 주세요.`,
      'no-data': (p) => `시세 제공처에 없어요: ${p.names}`,
      'not-in-sample': (p) => `샘플 데이터에 없어요: ${p.names}`,
    },
    notCoins: (p) => `코인이 아니에요: ${p.names}. 다른 시세는 \`/price\`로 볼 수 있어요.`,
    premium: (p) =>
      `김치 프리미엄 (BTC): ${p.percent} = ${p.krw} ÷ (${p.usd} × ${p.rate}) − 1, 환율 기준 ${p.rateAsOf}`,
    tooMany: (p) => `한 번에 ${p.limit}개 코인까지 볼 수 있어요.`,
  },
  progress: {
    news: () => '시장 뉴스 확인 중…',
    newsOf: (p) => `${p.name} 뉴스 확인 중…`,
    fundamentals: (p) => `${p.name} 주요 지표 조회 중…`,
    earnings: () => '실적 발표 일정 조회 중…',
    markets: () => '시장 현황 조회 중…',
    crypto: () => '코인 시세 조회 중…',
  },
};

export const marketTexts = localized({ en: marketNewsEn, ko: marketNewsKo });
