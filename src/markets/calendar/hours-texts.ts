import { counted, localized } from '#src/kernel/locale.ts';
import type { SessionState } from '#src/kernel/market/finance.ts';

interface Span {
  readonly first: string;
  readonly last: string;
}

/** A duration in whole minutes. */
interface Wait {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

const waitEn = ({ days, hours, minutes }: Wait): string =>
  days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;

const waitKo = ({ days, hours, minutes }: Wait): string =>
  days > 0 ? `${days}일 ${hours}시간` : hours > 0 ? `${hours}시간 ${minutes}분` : `${minutes}분`;

const isShort = ({ days, hours, minutes }: Wait): boolean => days + hours + minutes === 0;

const statesEn: Record<SessionState, string> = {
  pre: 'pre-market',
  open: 'open',
  after: 'after hours',
  closed: 'closed',
  unknown: 'not known',
};

const statesKo: Record<SessionState, string> = {
  pre: '장전 거래 중',
  open: '거래 중',
  after: '시간외 거래 중',
  closed: '장 닫힘',
  unknown: '알 수 없음',
};

const changesEn: Record<SessionState, string> = {
  pre: 'pre-market begins',
  open: 'opens',
  after: 'regular trading ends, after hours begin',
  closed: 'closes',
  unknown: 'not known',
};

const changesKo: Record<SessionState, string> = {
  pre: '장전 거래 시작',
  open: '개장',
  after: '시간외 거래 시작',
  closed: '마감',
  unknown: '알 수 없음',
};

/** The unit `1` means a plain number. */
const unitEn = (unit: string): string => (unit === '1' ? 'a plain number' : unit);
const unitKo = (unit: string): string => (unit === '1' ? '단위 없는 수' : unit);

/** Messages about trading hours, conversions and calculations, in both languages. */
const hoursEn = {
  markets: {
    KRX: 'Korea (KRX: KOSPI, KOSDAQ)',
    NXT: 'Korea, Nextrade (NXT)',
    NYSE: 'United States (NYSE, Nasdaq)',
    TSE: 'Japan (Tokyo)',
    HKEX: 'Hong Kong (HKEX)',
    LSE: 'United Kingdom (London)',
    fx: 'Currencies (FX)',
    crypto: 'Crypto',
  },
  /** For a short answer about one market. */
  shortMarkets: {
    KRX: 'the Korean market',
    NXT: 'Nextrade',
    NYSE: 'the US market',
    TSE: 'the Tokyo market',
    HKEX: 'the Hong Kong market',
    LSE: 'the London market',
    fx: 'the currency market',
    crypto: 'the coin market',
  },
  now: {
    pre: 'is in pre-market trading',
    open: 'is open now',
    after: 'is in after-hours trading',
    closed: 'is closed now',
    unknown: 'has hours that I do not know',
  },
  on: {
    open: (p: { readonly day: string }) => `is open on ${p.day}`,
    closed: (p: { readonly day: string }) => `is closed on ${p.day}`,
    unknown: (p: { readonly day: string }) => `has no known hours on ${p.day}`,
  },
  always: 'is open around the clock, every day',
  answer: {
    yes: (p: { readonly name: string; readonly said: string }) => `Yes, ${p.name} ${p.said}.`,
    no: (p: { readonly name: string; readonly said: string }) => `No, ${p.name} ${p.said}.`,
    none: (p: { readonly name: string; readonly said: string }) =>
      `${p.name.charAt(0).toUpperCase()}${p.name.slice(1)} ${p.said}.`,
  },
  weekend: 'weekend',
  expected: 'expected',
  opens: (p: { readonly at: string; readonly wait: string }) => `Opens ${p.at} (${p.wait})`,
  closes: (p: { readonly at: string; readonly wait: string }) => `Closes ${p.at} (${p.wait})`,
  checkNotice: 'For the rest of its hours, check the exchange.',
  states: statesEn,
  changes: changesEn,
  phases: { pre: 'pre-market', open: 'regular', after: 'after hours' },
  today: (p: { readonly date: string }) => `Today (${p.date})`,
  closedWeekend: 'closed for the weekend',
  closedHoliday: (p: { readonly name: string }) => `closed: ${p.name}`,
  special: (p: { readonly note: string }) => `Note: ${p.note}`,
  yourTime: 'your time',
  next: (p: { readonly change: string; readonly at: string; readonly wait: string }) =>
    `Next: ${p.change} ${p.at}, ${p.wait}`,
  wait: (p: Wait) => (isShort(p) ? 'in less than a minute' : `in ${waitEn(p)}`),
  nextUnknown: 'Next change: not known, it lies past the calendar.',
  coming: (p: { readonly days: string }) => `Coming up: ${p.days}`,
  alwaysOpen: 'Around the clock, every day.',
  fxWeek: (p: { readonly from: string; readonly to: string }) => `Open ${p.from} – ${p.to}.`,
  fxDay: {
    open: 'open all day',
    until: (p: { readonly time: string }) => `open until ${p.time}`,
    from: (p: { readonly time: string }) => `opens at ${p.time}`,
  },
  bankHolidays: 'Bank holidays are not counted.',
  source: (p: { readonly date: string }) => `Exchange calendar as of ${p.date}`,
  sourceWeek: 'The usual trading week',
  outsideData: (p: Span) => `the calendar only covers ${p.first} to ${p.last}, so this date is not known`,
  noCalendar: (p: { readonly market: string }) => `there is no calendar of ${p.market}`,
  notYetOpen: (p: { readonly market: string; readonly since: string }) =>
    `${p.market} did not trade before ${p.since}`,
  nxtNote: 'Nextrade trades some Korean shares and no funds. Prices: KRX.',
  preUnclear: () => 'the pre-market hours of this day are not known',
  afterUnclear: () => 'the after-market hours of this day are not known',
  tradedHere: (p: { readonly name: string }) => `${p.name} trades here:`,
  unknownMarket: (p: { readonly typed: string }) =>
    `I have no hours for "${p.typed}". I know Korea (\`krx\`, \`nxt\`), the US (\`us\`), currencies (\`fx\`) and coins (\`crypto\`).`,
  badDate: (p: { readonly typed: string }) =>
    `"${p.typed}" is no date. Please write it like \`2026-11-19\`, \`today\` or \`tomorrow\`.`,
  lookingUp: (p: { readonly market: string }) =>
    p.market === '' ? 'Checking trading hours…' : `Checking trading hours of ${p.market}…`,
  fx: {
    cross: (p: { readonly over: string; readonly rate: string }) => `${p.rate} over ${p.over}`,
    unknownCurrency: (p: { readonly typed: string }) =>
      `I do not know the currency "${p.typed}". Please give a code or a name, for example \`/fx 100 usd krw\`.`,
    badAmount: (p: { readonly typed: string }) =>
      `"${p.typed}" is no amount. Please give a positive number, for example \`/fx 1,500 usd krw\`.`,
    unclear: () => 'Please give one amount and two currencies, for example `/fx 100 usd krw`.',
    same: (p: { readonly name: string }) =>
      `Both are ${p.name}. Please name a second currency, for example \`/fx 100 usd krw\`.`,
    converting: (p: { readonly from: string; readonly to: string }) => `Converting ${p.from} to ${p.to}…`,
  },
  calculate: {
    calculating: 'Calculating…',
    problems: {
      empty: () => 'There is nothing to calculate.',
      tooLong: (p: { readonly limit: number }) =>
        `The expression is too long: at most ${counted(p.limit, 'character')}. Please split it up.`,
      tooDeep: () => 'The expression has too many brackets inside each other. Please split it up.',
      unreadable: (p: { readonly near: string }) =>
        p.near === '' ? 'The expression ends too early.' : `The expression cannot be read at \`${p.near}\`.`,
      ambiguousComma: (p: { readonly text: string }) =>
        `\`${p.text}\` inside a function could be one number or several: write thousands without commas there, and a blank after each comma between arguments.`,
      unknownWord: (p: { readonly word: string }) =>
        `\`${p.word}\` is neither a function nor a currency. Functions: sqrt, abs, min, max, round, ln, log10, exp, pct.`,
      wrongCount: (p: { readonly name: string; readonly usage: string }) =>
        `\`${p.name}\` was given the wrong number of values. It is used like \`${p.usage}\`.`,
      differentUnits: (p: { readonly left: string; readonly right: string }) =>
        `${unitEn(p.left)} and ${unitEn(p.right)} cannot be added or compared. Convert one of them first.`,
      plainNeeded: (p: { readonly unit: string }) =>
        `A number without a unit is needed here, not an amount in ${p.unit}.`,
      percentFirst: () =>
        'A number cannot be added to a percentage. Write `100 + 5%` for five percent more, or `5% of 100`.',
      dividedByZero: () => 'A division by zero has no result.',
      noResult: (p: { readonly name: string }) => `\`${p.name}\` has no result for this value.`,
      outOfRange: () => 'A number in this calculation becomes too large or too small.',
    },
  },
};

const hoursKo: typeof hoursEn = {
  markets: {
    KRX: '한국 (KRX: 코스피, 코스닥)',
    NXT: '한국 대체거래소 (넥스트레이드, NXT)',
    NYSE: '미국 (뉴욕증권거래소, 나스닥)',
    TSE: '일본 (도쿄)',
    HKEX: '홍콩 (HKEX)',
    LSE: '영국 (런던)',
    fx: '외환 (FX)',
    crypto: '암호화폐',
  },
  shortMarkets: {
    KRX: '한국 주식시장',
    NXT: '넥스트레이드 시장',
    NYSE: '미국 주식시장',
    TSE: '일본 주식시장',
    HKEX: '홍콩 주식시장',
    LSE: '영국 주식시장',
    fx: '외환시장',
    crypto: '코인 시장',
  },
  now: {
    pre: '지금 장전 거래 중이에요',
    open: '지금 열려 있어요',
    after: '지금 시간외 거래 중이에요',
    closed: '지금 닫혀 있어요',
    unknown: '시간을 알 수 없어요',
  },
  on: {
    open: (p) => `${p.day}에 열려요`,
    closed: (p) => `${p.day}에 쉬어요`,
    unknown: (p) => `${p.day} 시간을 알 수 없어요`,
  },
  always: '연중무휴 24시간 열려 있어요',
  answer: {
    yes: (p) => `네, ${p.name}은 ${p.said}.`,
    no: (p) => `아니요, ${p.name}은 ${p.said}.`,
    none: (p) => `${p.name}은 ${p.said}.`,
  },
  weekend: '주말',
  expected: '예정',
  opens: (p) => `${p.at} 개장 (${p.wait})`,
  closes: (p) => `${p.at} 마감 (${p.wait})`,
  checkNotice: '시간외는 거래소 공지를 확인해 주세요.',
  states: statesKo,
  changes: changesKo,
  phases: { pre: '장전', open: '정규장', after: '시간외' },
  today: (p) => `오늘 ${p.date}`,
  closedWeekend: '주말 휴장',
  closedHoliday: (p) => `휴장: ${p.name}`,
  special: (p) => `참고: ${p.note}`,
  yourTime: '내 시간대',
  next: (p) => `다음: ${p.at} ${p.change}, ${p.wait}`,
  wait: (p) => (isShort(p) ? '1분 이내' : `${waitKo(p)} 뒤`),
  nextUnknown: '다음 변경 시각은 달력 범위 밖이라 알 수 없어요.',
  coming: (p) => `다가오는 일정: ${p.days}`,
  alwaysOpen: '연중무휴 24시간 거래돼요.',
  fxWeek: (p) => `${p.from}부터 ${p.to}까지 거래돼요.`,
  fxDay: {
    open: '종일 거래',
    until: (p) => `${p.time}까지 거래`,
    from: (p) => `${p.time}부터 거래`,
  },
  bankHolidays: '은행 휴일은 반영하지 않았어요.',
  source: (p) => `거래소 달력 (${p.date} 기준)`,
  sourceWeek: '통상 거래 주간',
  outsideData: (p) => `달력은 ${p.first}부터 ${p.last}까지만 있어 이 날짜는 알 수 없습니다`,
  noCalendar: (p) => `${p.market} 달력이 없습니다`,
  notYetOpen: (p) => `${p.market} 거래는 ${p.since}에 시작됐습니다`,
  nxtNote: '넥스트레이드는 일부 국내 주식만 거래되고 ETF는 없어요. 시세는 KRX 기준이에요.',
  preUnclear: () => '이날의 장전 거래 시간은 알 수 없습니다',
  afterUnclear: () => '이날의 시간외(애프터마켓) 거래 시간은 알 수 없습니다',
  tradedHere: (p) => `${p.name} 거래 시장이에요.`,
  unknownMarket: (p) =>
    `"${p.typed}" 시장의 거래 시간은 몰라요. 한국(\`krx\`, \`nxt\`), 미국(\`us\`), 외환(\`fx\`), 암호화폐(\`crypto\`)는 알려 드릴 수 있어요.`,
  badDate: (p) => `날짜로 읽을 수 없어요: "${p.typed}". \`2026-11-19\`, \`오늘\`, \`내일\`처럼 적어 주세요.`,
  lookingUp: (p) => (p.market === '' ? '거래 시간 확인 중…' : `${p.market} 거래 시간 확인 중…`),
  fx: {
    cross: (p) => `${p.rate}(${p.over} 경유)`,
    unknownCurrency: (p) =>
      `"${p.typed}" 통화를 찾지 못했습니다. 통화 코드나 이름을 적어 주세요. 예: \`/fx 100달러 원\``,
    badAmount: (p) =>
      `금액으로 읽을 수 없습니다: "${p.typed}". 0보다 큰 수를 적어 주세요. 예: \`/fx 1,500달러 원\``,
    unclear: () => '금액 하나와 통화 두 개를 적어 주세요. 예: `/fx 100달러 원`',
    same: (p) => `두 통화가 모두 ${p.name}입니다. 다른 통화를 하나 더 적어 주세요. 예: \`/fx 100달러 원\``,
    converting: (p) => `${p.from} → ${p.to} 환산 중…`,
  },
  calculate: {
    calculating: '계산 중…',
    problems: {
      empty: () => '계산할 식이 없습니다.',
      tooLong: (p) => `식이 너무 깁니다. ${p.limit}자까지 계산할 수 있으니 나누어 적어 주세요.`,
      tooDeep: () => '괄호가 너무 깊습니다. 식을 나누어 적어 주세요.',
      unreadable: (p) =>
        p.near === '' ? '식이 끝나지 않았습니다.' : `식의 \`${p.near}\` 부분을 읽을 수 없습니다.`,
      ambiguousComma: (p) =>
        `함수 안의 \`${p.text}\` 부분이 한 수인지 여러 수인지 알 수 없습니다. 함수 안에서는 천 단위 쉼표를 빼고, 값 사이의 쉼표 뒤에 빈칸을 넣어 주세요.`,
      unknownWord: (p) =>
        `함수도 통화도 아닙니다: \`${p.word}\`. 쓸 수 있는 함수: sqrt, abs, min, max, round, ln, log10, exp, pct`,
      wrongCount: (p) => `\`${p.name}\` 함수의 값 개수가 맞지 않습니다. \`${p.usage}\`처럼 적어 주세요.`,
      differentUnits: (p) =>
        `단위가 달라 더하거나 비교할 수 없습니다: ${unitKo(p.left)}, ${unitKo(p.right)}. 먼저 한쪽을 환산해 주세요.`,
      plainNeeded: (p) => `여기에는 ${p.unit} 금액이 아니라 단위 없는 수가 필요합니다.`,
      percentFirst: () =>
        '퍼센트에 수를 더할 수 없습니다. 5퍼센트를 더하려면 `100 + 5%`, 5퍼센트를 구하려면 `5% of 100`처럼 적어 주세요.',
      dividedByZero: () => '0으로 나눌 수 없습니다.',
      noResult: (p) => `이 값에는 \`${p.name}\` 결과가 없습니다.`,
      outOfRange: () => '계산 중에 수가 너무 커지거나 작아집니다.',
    },
  },
};

export const hoursTexts = localized({ en: hoursEn, ko: hoursKo });
