import { counted, localized } from '#src/kernel/locale.ts';

interface Named {
  readonly name: string;
}

interface Listed {
  readonly query: string;
  readonly label: string;
  readonly symbol: string;
  readonly currency: string;
}

interface Candidates {
  readonly query: string;
  readonly choices: string;
}

interface Doubted {
  readonly previousClose?: string;
  readonly yearRange?: string;
}

/** Messages of names and quotes, in both languages. */
const quotesEn = {
  nothingNamed: () => 'I found no stock, coin or currency in this message.',
  usage: () => 'Which one? Give a name or a ticker, for example `/price AAPL` or `/price 삼성전자`.',
  tooMany: (p: { readonly limit: number }) => `Up to ${counted(p.limit, 'symbol')} at once, please.`,
  symbolUnknown: (p: { readonly query: string }) =>
    `I don't know "${p.query}". Check the name, or give a ticker such as \`AAPL\` or \`005930\`.`,
  symbolListed: (p: Listed) =>
    `"${p.query}" isn't in my list. The price source has ${p.label}, in ${p.currency}. If you mean that one, choose it or write \`$${p.symbol}\`.`,
  symbolSuggest: (p: Candidates) => `I don't know "${p.query}". Did you mean ${p.choices}?`,
  futureNotCovered: (p: Candidates) =>
    `I have no prices for "${p.query}", only the spot price behind it: ${p.choices}.`,
  symbolAmbiguous: (p: Candidates) => `"${p.query}" could be several: ${p.choices}. Which one?`,
  noRange: (p: { readonly ranges: string }) =>
    `There is no such range. Please choose one of these: ${p.ranges}.`,
  /** Said if there is no data, by reason. */
  unavailable: {
    down: (p: Named) =>
      `The market data source cannot be reached, so I have nothing on ${p.name}. Please try again in a few minutes.`,
    limited: (p: Named) =>
      `The market data source takes only a few requests a minute at the moment, so I have nothing on ${p.name} yet. Please ask again in a minute.`,
    'no-data': (p: Named) => `The market data source has nothing on ${p.name}.`,
    'not-in-sample': (p: Named) => `${p.name} is not in the sample data.`,
  },
  noChange: 'change not known',
  /** Coins are traded on all days. */
  closes: (p: { readonly count: number; readonly isCoin: boolean }) => counted(p.count, 'daily close'),
  dayRange: 'day',
  yearRange: '52 weeks',
  volume: 'volume',
  asOf: 'as of',
  source: 'source',
  sampleSource: 'sample data',
  sample: 'sample',
  listedInUs: 'US-listed',
  closeOf: (p: { readonly day: string }) => `${p.day} close`,
  points: 'points',
  percentPoints: '%p',
  stale: '⚠️ stale',
  /** In the place of a change that is not known for sure. */
  check: '⚠️ check',
  doubted: (p: Doubted) =>
    `⚠️ Please check: this price does not fit ${[
      ...(p.previousClose === undefined ? [] : [`the previous close of ${p.previousClose}`]),
      ...(p.yearRange === undefined ? [] : [`the 52-week range of ${p.yearRange}`]),
    ].join(' and ')}. It may be an unreported split or a wrong price, so I show no change.`,
  delayed: (p: { readonly minutes: number }) => (p.minutes === 0 ? 'real time' : `delayed ${p.minutes} min`),
  fallback: (p: { readonly source: string; readonly hasHours: boolean }) =>
    `The usual source is not answering, so this is from ${p.source}${p.hasHours ? ', without trades outside regular hours' : ''}.`,
  lastKnown: 'The last known price. Ask again in a minute for a newer one.',
  otherPrice: (p: { readonly source: string; readonly price: string; readonly percent: string }) =>
    `⚠️ ${p.source} has ${p.price} at the same time (${p.percent}). Check before you rely on either.`,
  extended: { pre: 'pre-market', after: 'after hours' },
  afterClose: 'traded after the close',
  sessionStates: {
    pre: 'pre-market',
    open: 'market open',
    after: 'after hours',
    closed: 'market closed',
    unknown: 'session unknown',
  },
  nextrade: {
    pre: 'NXT pre-market not included',
    after: 'NXT after-market not included',
  },
};

const quotesKo: typeof quotesEn = {
  nothingNamed: () => '이 메시지에는 종목이나 코인, 통화가 없어요.',
  usage: () => '어떤 종목인가요? 이름이나 코드를 적어 주세요. 예: `/price 삼성전자`, `/price AAPL`',
  tooMany: (p) => `한 번에 ${p.limit}개까지 볼 수 있어요.`,
  symbolUnknown: (p) =>
    `"${p.query}" 종목을 찾지 못했어요. 이름을 확인하거나 코드로 적어 주세요. 예: \`005930\`, \`AAPL\``,
  symbolListed: (p) =>
    `"${p.query}" 종목은 제 목록에 없지만 시세 제공처에 ${p.label}(${p.currency}) 종목이 있어요. 맞으면 선택하거나 \`$${p.symbol}\`라고 적어 주세요.`,
  symbolSuggest: (p) => `"${p.query}" 종목을 찾지 못했어요. 혹시 ${p.choices}인가요?`,
  futureNotCovered: (p) => `"${p.query}" 시세는 없어요. 대신 현물인 ${p.choices} 시세는 볼 수 있어요.`,
  symbolAmbiguous: (p) => `"${p.query}", 여러 개가 있어요: ${p.choices}. 어느 것인가요?`,
  noRange: (p) => `그런 기간은 없어요. 이 중에서 골라 주세요: ${p.ranges}`,
  unavailable: {
    down: (p) =>
      `시세 제공처에 연결할 수 없어서 ${p.name} 정보를 가져오지 못했어요. 몇 분 뒤에 다시 물어봐 주세요.`,
    limited: (p) =>
      `시세 제공처가 지금 1분에 몇 건만 받아서 ${p.name} 정보를 아직 가져오지 못했어요. 1분 뒤에 다시 물어봐 주세요.`,
    'no-data': (p) => `시세 제공처에 ${p.name} 정보가 없어요.`,
    'not-in-sample': (p) => `${p.name}, 샘플 데이터에는 없어요.`,
  },
  noChange: '등락 알 수 없음',
  closes: (p) => `최근 ${p.count}${p.isCoin ? '일' : '거래일'} 종가`,
  dayRange: '당일',
  yearRange: '52주',
  volume: '거래량',
  asOf: '기준',
  source: '출처',
  sampleSource: '샘플 데이터',
  sample: '샘플',
  listedInUs: '미국 상장',
  closeOf: (p) => `${p.day} 종가`,
  points: '포인트',
  percentPoints: '%p',
  stale: '⚠️ 오래된 시세',
  check: '⚠️ 확인 필요',
  doubted: (p) =>
    `⚠️ 확인 필요: 현재가가 ${[
      ...(p.previousClose === undefined ? [] : [`전일 종가(${p.previousClose})`]),
      ...(p.yearRange === undefined ? [] : [`52주 범위(${p.yearRange})`]),
    ].join(
      ', ',
    )}와 맞지 않아요. 아직 반영되지 않은 분할·병합이거나 잘못된 시세일 수 있어서 등락은 빼고 보여 드려요.`,
  delayed: (p) => (p.minutes === 0 ? '실시간' : `${p.minutes}분 지연`),
  fallback: (p) =>
    `평소 쓰는 시세 서비스가 응답하지 않아 ${p.source} 가격을 보여 드려요${p.hasHours ? '(정규장 외 거래 제외)' : ''}.`,
  lastKnown: '마지막으로 확인한 가격이에요. 새 가격은 1분 뒤에 다시 물어봐 주세요.',
  otherPrice: (p) =>
    `⚠️ 같은 시각 ${p.source} 가격: ${p.price} (${p.percent}). 어느 쪽이 맞는지 확인해 보세요.`,
  extended: { pre: '장전', after: '시간외' },
  afterClose: '장 마감 후 체결가',
  sessionStates: {
    pre: '장 시작 전',
    open: '장중',
    after: '시간외',
    closed: '장 마감',
    unknown: '장 상태 알 수 없음',
  },
  nextrade: {
    pre: 'NXT 프리마켓 시세 미포함',
    after: 'NXT 애프터마켓 시세 미포함',
  },
};

export const quoteTexts = localized({ en: quotesEn, ko: quotesKo });
