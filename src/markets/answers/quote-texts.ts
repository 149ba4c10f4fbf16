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
  nothingNamed: () => 'I recognised no stock, coin or currency in this message.',
  usage: () => 'Which one? Give a name or a ticker, for example `/price AAPL` or `/price 삼성전자`.',
  tooMany: (p: { readonly limit: number }) => `Up to ${counted(p.limit, 'symbol')} at once, please.`,
  symbolUnknown: (p: { readonly query: string }) =>
    `I do not know "${p.query}". Please check the name or give the ticker, for example \`AAPL\` or \`005930\`.`,
  symbolListed: (p: Listed) =>
    `"${p.query}" is not in my list. The price source lists it as ${p.label}, in ${p.currency}. If that is the one, choose it or write \`$${p.symbol}\`.`,
  symbolSuggest: (p: Candidates) => `I do not know "${p.query}". Did you mean ${p.choices}?`,
  futureNotCovered: (p: Candidates) =>
    `I have no prices of "${p.query}". I do have the spot price behind it: ${p.choices}.`,
  symbolAmbiguous: (p: Candidates) => `"${p.query}" could be several: ${p.choices}. Which one do you mean?`,
  noRange: (p: { readonly ranges: string }) =>
    `There is no such range. Please choose one of these: ${p.ranges}.`,
  /** Said if there is no data, by reason. */
  unavailable: {
    down: (p: Named) =>
      `The market data source cannot be reached, so I have nothing on ${p.name}. Please try again in a few minutes.`,
    limited: (p: Named) =>
      `The market data source takes only a few requests a minute at the moment, so I have nothing on ${p.name} yet. Please ask again in a minute.`,
    'no-data': (p: Named) => `The market data source has nothing on ${p.name}.`,
    'not-in-sample': (p: Named) =>
      `${p.name} is not in the sample data. With a connection to the market data source I can look it up.`,
  },
  change: 'from the previous close',
  noChange: 'change not known',
  /** Coins are traded on all days. */
  closes: (p: { readonly count: number; readonly isCoin: boolean }) => counted(p.count, 'daily close'),
  dayRange: 'day range',
  yearRange: '52-week range',
  volume: 'volume',
  session: 'session',
  asOf: 'as of',
  source: 'source',
  sampleSource: 'sample data',
  listedInUs: 'US-listed',
  sampleClose: 'last close',
  points: 'points',
  percentPoints: '%p',
  stale: '⚠️ stale',
  /** In the place of a change that is not known for sure. */
  check: '⚠️ check',
  doubted: (p: Doubted) =>
    `⚠️ Please check: this price does not fit ${[
      ...(p.previousClose === undefined ? [] : [`the previous close of ${p.previousClose}`]),
      ...(p.yearRange === undefined ? [] : [`the 52-week range of ${p.yearRange}`]),
    ].join(
      ' and ',
    )}. It may be a split that is not reported yet, or a wrong price. I show no change until that is clear.`,
  delayed: (p: { readonly minutes: number }) => (p.minutes === 0 ? 'real time' : `delayed ${p.minutes} min`),
  fallback: (p: { readonly source: string; readonly hasHours: boolean }) =>
    `The usual quote service is not answering at the moment, so this price is from ${p.source}.${p.hasHours ? ' Trades outside regular hours are missing.' : ''}`,
  lastKnown: 'This is the last known price. Please ask again in a minute for a newer one.',
  otherPrice: (p: { readonly source: string; readonly price: string; readonly percent: string }) =>
    `⚠️ ${p.source} has ${p.price} for the same minute (${p.percent}). Please check before you rely on either.`,
  extended: { pre: 'pre-market', after: 'after hours' },
  afterClose: 'price of a trade after the regular close',
  sessionStates: {
    pre: 'pre-market',
    open: 'market open',
    after: 'after hours',
    closed: 'market closed',
    unknown: 'session unknown',
  },
  nextrade: {
    pre: 'Nextrade (NXT) is in its pre-market; its prices are not in here',
    after: 'Nextrade (NXT) is in its after-market; its prices are not in here',
  },
};

const quotesKo: typeof quotesEn = {
  nothingNamed: () => '이 메시지에서 종목이나 코인, 통화를 찾지 못했습니다.',
  usage: () => '어떤 종목인가요? 이름이나 코드를 적어 주세요. 예: `/price 삼성전자`, `/price AAPL`',
  tooMany: (p) => `한 번에 ${p.limit}개 종목까지 조회할 수 있습니다.`,
  symbolUnknown: (p) =>
    `"${p.query}" 종목을 찾지 못했습니다. 이름을 확인하시거나 코드를 적어 주세요. 예: \`005930\`, \`AAPL\``,
  symbolListed: (p) =>
    `제 종목 목록에는 "${p.query}" 종목이 없습니다. 시세 제공처에는 ${p.label}(${p.currency})로 등록되어 있습니다. 이 종목이 맞으면 선택하시거나 \`$${p.symbol}\`라고 적어 주세요.`,
  symbolSuggest: (p) => `"${p.query}" 종목을 찾지 못했습니다. 혹시 ${p.choices}인가요?`,
  futureNotCovered: (p) =>
    `"${p.query}" 시세는 제공하지 않습니다. 대신 현물인 ${p.choices} 시세는 조회하실 수 있습니다.`,
  symbolAmbiguous: (p) => `"${p.query}"에 해당하는 종목이 여러 개입니다: ${p.choices}. 어느 것인가요?`,
  noRange: (p) => `그런 기간은 없습니다. 다음 중에서 골라 주세요: ${p.ranges}`,
  unavailable: {
    down: (p) =>
      `시세 제공처에 연결할 수 없어 ${p.name} 정보를 가져오지 못했습니다. 몇 분 뒤에 다시 시도해 주세요.`,
    limited: (p) =>
      `시세 제공처가 지금 1분에 몇 건만 조회를 받아 아직 ${p.name} 정보를 가져오지 못했습니다. 1분 뒤에 다시 물어봐 주세요.`,
    'no-data': (p) => `시세 제공처에 ${p.name} 정보가 없습니다.`,
    'not-in-sample': (p) =>
      `${p.name} 정보는 샘플 데이터에 없습니다. 시세 제공처에 연결되면 조회할 수 있습니다.`,
  },
  change: '전일 종가 대비',
  noChange: '등락 알 수 없음',
  closes: (p) => `최근 ${p.count}${p.isCoin ? '일' : '거래일'} 종가`,
  dayRange: '당일',
  yearRange: '52주',
  volume: '거래량',
  session: '장 상태',
  asOf: '기준',
  source: '출처',
  sampleSource: '샘플 데이터',
  listedInUs: '미국 상장',
  sampleClose: '마지막 종가',
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
    )}와 맞지 않습니다. 아직 반영되지 않은 주식 분할·병합이거나 잘못된 시세일 수 있어, 확인될 때까지 등락을 표시하지 않습니다.`,
  delayed: (p) => (p.minutes === 0 ? '실시간' : `${p.minutes}분 지연`),
  fallback: (p) =>
    `평소 쓰는 시세 서비스가 지금 응답하지 않아 ${p.source} 가격을 보여 드립니다.${p.hasHours ? ' 정규장 외 거래는 빠져 있습니다.' : ''}`,
  lastKnown: '마지막으로 확인한 가격입니다. 새 가격은 1분 뒤에 다시 물어봐 주세요.',
  otherPrice: (p) =>
    `⚠️ 같은 시각 ${p.source} 가격은 ${p.price}입니다(${p.percent}). 어느 쪽이든 참고하시기 전에 확인해 주세요.`,
  extended: { pre: '장전', after: '시간외' },
  afterClose: '정규장 종료 후 체결가',
  sessionStates: {
    pre: '장 시작 전',
    open: '장중',
    after: '시간외',
    closed: '장 마감',
    unknown: '장 상태 알 수 없음',
  },
  nextrade: {
    pre: '넥스트레이드(NXT) 프리마켓 거래 중(이 시세에는 반영되지 않음)',
    after: '넥스트레이드(NXT) 애프터마켓 거래 중(이 시세에는 반영되지 않음)',
  },
};

export const quoteTexts = localized({ en: quotesEn, ko: quotesKo });
