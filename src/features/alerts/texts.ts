import { counted, localized } from '#src/kernel/locale.ts';
import { alertEventsEn, alertEventsKo } from './event-texts.ts';
import { alertConditionsEn, alertConditionsKo } from './condition-texts.ts';

/** From when on the person is told of a new alert, and what follows if its condition is met already. */
interface Telling {
  /** One of `where`. */
  readonly where: string;
  /** The opening of a market that is closed now. */
  readonly from: string | undefined;
  readonly soNow: 'fires' | 'firesLater' | 'notCounted' | 'waits' | undefined;
}

const tellsEn = ({ where, from, soNow }: Telling): string => {
  const when = from === undefined ? '' : ` ${from}`;
  if (soNow === 'fires') return `Already true: expect it ${where} at the next check.`;
  if (soNow === 'firesLater') return `Already true: if it stays, expect it ${where}${when}.`;
  if (soNow === 'waits') return `Already true: I’ll tell you ${where} the next time.`;
  const extended = soNow === 'notCounted' ? 'True already, but only outside regular hours. ' : '';
  return `${extended}I’ll tell you ${where}${from === undefined ? '' : ` from ${from}`}.`;
};

const tellsKo = ({ where, from, soNow }: Telling): string => {
  const later = from === undefined ? '' : `${from}부터 `;
  if (soNow === 'fires') return `이미 조건에 맞아요. 다음 확인 때 ${where} 알려 드릴게요.`;
  if (soNow === 'firesLater') return `이미 조건에 맞아요. 그대로면 ${later}${where} 알려 드릴게요.`;
  if (soNow === 'waits') return `이미 조건에 맞아요. 다음번에 ${where} 알려 드릴게요.`;
  const extended = soNow === 'notCounted' ? '시간외 시세로만 조건에 맞아요. ' : '';
  return `${extended}${later}${where} 알려 드릴게요.`;
};

interface Named {
  readonly name: string;
}

const alertsEn = {
  usage: () =>
    [
      'What should I wait for? For example:',
      '`/alert AAPL > 200` · `/alert 삼성전자 8만원 이상` · `/alert NVDA -3%` · `/alert BTC rsi < 30`',
      '`/alert NVDA golden cross` · `/alert AAPL 52w high` · `/alert AAPL volume 3x` · `/alert AAPL news recall`',
      'Add `repeat`, `cooldown 2h`, `expires 30d`, `extended` or `here`. `/alerts` lists yours.',
    ].join('\n'),
  range: (p: Named & { readonly low: string; readonly high: string }) =>
    `An alert waits for one level, and a range has two. Please set both: \`/alert ${p.name} below ${p.low}\` and \`/alert ${p.name} above ${p.high}\`.`,
  unclear: (p: Named) =>
    `I could not read what to wait for with "${p.name}". Write it like \`/alert AAPL > 200\`, \`/alert AAPL -3%\` or \`/alert AAPL rsi < 30\`.`,
  offer: (p: Named) => `When shall I tell you about ${p.name}?`,
  /** For a form, and for a terminal, which has none. */
  other: {
    label: 'Another level',
    title: 'Set an alert',
    submit: 'Set',
    field: 'When, such as 350, -12% or RSI 30',
    typed: (p: { readonly name: string }) =>
      `Add when, such as \`/alert ${p.name} 350\` or \`/alert ${p.name} -12%\`.`,
  },
  offers: {
    fromNow: (p: { readonly change: string }) => `${p.change} from now`,
    day: '3% in a day',
    news: 'News',
  },
  problems: {
    price: () =>
      'That is no price I can wait for. Give one above zero and below a trillion, such as `> 200`.',
    rate: () => 'For a rate give a level between -100 and 100, such as `> 4.5`.',
    percent: () =>
      'That is no change I can wait for. Give a percentage above 0 and up to 1000 (a fall: below 100), such as `5%` or `-3%`.',
    percentSide: () => 'Does it have to rise or to fall? Write `+5%` or `-5%`, or `5%` for both.',
    rsi: () =>
      'An RSI lies between 0 and 100, over 2 to 100 days. Write it like `rsi < 30` or `rsi(9) > 70`.',
    averages: () => 'Averages can have 1 to 200 days, and two different ones. Write it like `ma20 > ma60`.',
    volume: () =>
      'Give the volume as a multiple of the usual one, above 1 and up to 1000, such as `volume 3x`.',
    keyword: () => 'The words to look for in headlines can have up to 50 characters. Please shorten them.',
    direction: () =>
      'I have no price for it right now, so I cannot tell which side to wait for. Write `> 200` or `< 200`.',
    basePrice: () =>
      'I have no price for it right now to measure from. Please try again in a few minutes, or leave out "from now".',
    currency: (p: { readonly given: string; readonly wanted: string; readonly name: string }) =>
      `${p.name} is priced in ${p.wanted}, not in ${p.given}. Please give the price in ${p.wanted}.`,
    cooldown: () => 'A cooldown lasts from 1 minute to 30 days. Write it like `cooldown 2h`.',
    expiry: () =>
      'That is no time in the next two years at which it could end. Write `expires 30d` or `until 2026-12-31`.',
    span: (p: { readonly typed: string }) =>
      `"${p.typed}" is not a time I can snooze for: 1 minute to a year. Write it like \`/alert snooze AAPL 1h\`, \`2 days\` or \`until Friday\`.`,
    tooLong: () => 'That is too long for one alert. Write it like `/alert AAPL > 200`.',
  },
  noHistory: (p: Named) =>
    `There is not enough price history for ${p.name} to tell, so I did not set the alert.`,
  noVolume: (p: Named) => `There is no volume data for ${p.name}, so I did not set the alert.`,
  noNews: (p: Named) => `Not set: the sample has no new headlines about ${p.name}. Price alerts work.`,
  farOff: (p: { readonly what: string; readonly price: string | undefined }) =>
    `Not set yet: ${p.what} is far from the price${p.price === undefined ? '' : ` (${p.price})`}. Is that what you mean?`,
  setAnyway: 'Set it anyway',
  full: (p: { readonly limit: number }) =>
    `You have ${counted(p.limit, 'active alert')}, which is the maximum. Please delete one first: \`/alerts\`.`,
  endsTooSoon: (p: { readonly opens: string }) =>
    `This alert would end before its market opens again (${p.opens}), so it could never ring and I did not set it. Please give a later day, for example \`until Friday\` or \`for 3 days\`.`,
  noDirectChat: () =>
    'I cannot write to you in private on this platform. Please set it with `here`, or in a private chat.',

  set: (p: { readonly what: string }) => `🔔 Alert set: ${p.what}`,
  already: (p: { readonly what: string }) => `🔔 Set already: ${p.what}`,
  where: {
    here: 'here',
    direct: 'by DM',
    channel: 'here ⚠️ where others read it',
    elsewhere: 'where you first set it',
  },
  tells: tellsEn,
  once: 'once',
  repeating: (p: { readonly cooldown: string }) => `repeating, at most every ${p.cooldown}`,
  minutes: (p: { readonly minutes: number }) =>
    p.minutes % 1_440 === 0
      ? `${p.minutes / 1_440} d`
      : p.minutes % 60 === 0
        ? `${p.minutes / 60} h`
        : `${p.minutes} min`,
  expires: (p: { readonly at: string }) => `until ${p.at}`,
  extendedHours: 'extended hours too',
  rang: (p: { readonly times: number }) => `rang ${counted(p.times, 'time')} so far`,
  snoozed: (p: { readonly at: string }) => `snoozed until ${p.at}`,
  ringHere: 'Ring in this channel',
  ringDirect: 'Ring in direct messages',
  now: (p: { readonly value: string }) => `now ${p.value}`,
  noPrice: 'There is no price for it right now; I keep checking.',

  listTitle: (p: { readonly count: number; readonly limit: number }) =>
    `🔔 Your alerts: ${p.count} of ${p.limit}`,
  listEmpty: () => 'You have no alerts. Set one with `/alert AAPL > 200`.',
  listId: (p: { readonly id: string }) => `ID ${p.id}`,
  listHow: () => 'Delete `/alert delete ID` · snooze `/alert snooze ID 1h`',
  deleteChoice: (p: { readonly what: string }) => `Delete ${p.what}`,
  removed: (p: { readonly what: string }) => `Deleted: ${p.what}`,
  removedAll: (p: { readonly count: number }) =>
    p.count === 1 ? 'Deleted your alert.' : `Deleted all of your ${p.count} alerts.`,
  confirmRemoveAll: (p: { readonly count: number }) =>
    `This deletes ${p.count === 1 ? 'your one alert' : `all ${p.count} of your alerts`} and cannot be undone.`,
  removeAll: 'Yes, delete all',
  keep: 'No, keep them',
  whichOne: (p: Named) => `There are several alerts on ${p.name}. Which one?`,
  notFound: (p: Named) => `You have no alert "${p.name}". \`/alerts\` lists yours with their IDs.`,
  whichMissing: () => 'Which one? Give its ID, for example `/alert delete k3m7pq`. `/alerts` lists yours.',
  whichToSnooze: () =>
    'Which one, and for how long? For example `/alert snooze k3m7pq 1h`, `/alert snooze AAPL until Friday` or `/alert snooze all 1d`. `/alerts` lists yours.',
  snoozedNow: (p: { readonly what: string; readonly at: string }) => `💤 Snoozed: ${p.what}, until ${p.at}.`,
  snoozedAll: (p: { readonly count: number; readonly at: string }) =>
    `💤 Snoozed: all ${p.count} of your alerts, until ${p.at}.`,

  moreHeadlines: (p: { readonly count: number; readonly ticker: string }) =>
    `${p.count} more: \`/news ${p.ticker}\``,
  firedNoPrice: 'Its price could not be looked up right now.',
  firedHow: (p: { readonly id: string }) =>
    `Snooze it with \`/alert snooze ${p.id} 1h\`, delete it with \`/alert delete ${p.id}\`.`,
  firedId: (p: { readonly id: string }) => `Alert \`${p.id}\``,
  chart: 'Chart',
  snoozeHour: 'Snooze 1 h',
  snoozeDay: 'Snooze 1 day',
  delete: 'Delete',

  conditions: alertConditionsEn,
  events: alertEventsEn,
  values: {
    average: (p: { readonly days: number; readonly value: string }) => `${p.days}-day ${p.value}`,
    times: (p: { readonly value: string }) => `${p.value} times`,
  },
  progress: {
    setting: (p: Named) => `Setting an alert on ${p.name}…`,
    listing: () => 'Looking up your alerts…',
    removing: () => 'Deleting an alert…',
  },
};

const alertsKo: typeof alertsEn = {
  usage: () =>
    [
      '어떤 조건을 기다릴까요? 예:',
      '`/alert 삼성전자 8만원 이상` · `/alert AAPL > 200` · `/alert 삼성전자 5%` · `/alert 비트코인 10% 하락`',
      '`/alert 삼성전자 RSI 70 이상` · `/alert NVDA 골든크로스` · `/alert 테슬라 52주 신저가` · `/alert 삼성전자 거래량 3배` · `/alert 삼성전자 뉴스 유상증자`',
      '`반복`, `쿨다운 2시간`, `만료 30일`, `시간외`, `여기`를 덧붙일 수 있습니다. 목록은 `/alerts`로 봅니다.',
    ].join('\n'),
  range: (p) =>
    `알림은 한 가지 가격을 기다리는데 범위에는 두 가지가 있습니다. 두 개를 따로 걸어 주세요: \`/alert ${p.name} ${p.low} 이하\`, \`/alert ${p.name} ${p.high} 이상\``,
  unclear: (p) =>
    `"${p.name}"에서 기다릴 조건을 읽지 못했습니다. \`/alert 삼성전자 8만원 이상\`, \`/alert AAPL -3%\`, \`/alert AAPL rsi < 30\`처럼 적어 주세요.`,
  offer: (p) => `${p.name}, 언제 알려 드릴까요?`,
  other: {
    label: '직접 입력',
    title: '알림 설정',
    submit: '설정',
    field: '조건 (예: 350, -12%, RSI 30)',
    typed: (p) => `조건을 붙여 적어 주세요. 예: \`/alert ${p.name} 350\`, \`/alert ${p.name} -12%\``,
  },
  offers: { fromNow: (p) => `지금부터 ${p.change}`, day: '하루 3%', news: '뉴스' },
  problems: {
    price: () =>
      '기다릴 수 있는 가격이 아닙니다. 0보다 크고 1조보다 작은 가격을 적어 주세요. 예: `8만원 이상`',
    rate: () => '금리는 -100과 100 사이의 수준으로 적어 주세요. 예: `> 4.5`',
    percent: () =>
      '기다릴 수 있는 등락률이 아닙니다. 0보다 크고 1000 이하인 값(하락은 100 미만)을 적어 주세요. 예: `5%`, `-3%`',
    percentSide: () =>
      '상승인가요, 하락인가요? `+5%` 또는 `-5%`로 적어 주세요. 양쪽 모두이면 `5%`로 적으면 됩니다.',
    rsi: () =>
      'RSI는 0과 100 사이이고 기간은 2일에서 100일까지입니다. `rsi < 30`, `rsi(9) > 70`처럼 적어 주세요.',
    averages: () => '이동평균은 1일에서 200일까지, 서로 다른 두 기간이어야 합니다. 예: `ma20 > ma60`',
    volume: () =>
      '거래량은 평소의 몇 배인지로 적어 주세요. 1보다 크고 1000 이하여야 합니다. 예: `거래량 3배`',
    keyword: () => '뉴스 검색어는 50자까지입니다. 더 짧게 적어 주세요.',
    direction: () =>
      '지금 시세를 알 수 없어 어느 쪽에서 기다릴지 정할 수 없습니다. `8만원 이상` 또는 `8만원 이하`로 적어 주세요.',
    basePrice: () =>
      '지금 시세를 알 수 없어 기준 가격을 정하지 못했습니다. 몇 분 뒤에 다시 시도하시거나 "지금부터"를 빼고 적어 주세요.',
    currency: (p) =>
      `${p.name}의 가격은 ${p.given}가 아니라 ${p.wanted}로 매겨집니다. ${p.wanted} 가격으로 적어 주세요.`,
    cooldown: () => '쿨다운은 1분에서 30일까지입니다. `쿨다운 2시간`처럼 적어 주세요.',
    expiry: () => '앞으로 2년 안의 만료 시점이 아닙니다. `만료 30일` 또는 `2026-12-31까지`처럼 적어 주세요.',
    span: (p) =>
      `"${p.typed}": 미룰 기간으로 읽을 수 없습니다. 1분에서 1년까지 \`/alert snooze 삼성전자 1시간\`, \`내일까지\`, \`금요일까지\`처럼 적어 주세요.`,
    tooLong: () => '알림 하나로는 너무 깁니다. `/alert 삼성전자 8만원 이상`처럼 적어 주세요.',
  },
  noHistory: (p) => `${p.name}의 과거 시세가 부족해 판단할 수 없으므로 알림을 설정하지 않았습니다.`,
  noVolume: (p) => `${p.name}의 거래량 자료가 없어 판단할 수 없으므로 알림을 설정하지 않았습니다.`,
  noNews: (p) => `샘플에는 새 뉴스가 없어 ${p.name} 뉴스 알림을 설정하지 않았어요. 가격 알림은 쓸 수 있어요.`,
  farOff: (p) =>
    `아직 설정하지 않았어요. 현재가${p.price === undefined ? '' : `(${p.price})`}와 차이가 커요: ${p.what}. 맞나요?`,
  setAnyway: '이대로 설정',
  full: (p) =>
    `활성 알림이 최대치인 ${p.limit}개입니다. \`/alerts\`에서 하나를 삭제한 뒤 다시 설정해 주세요.`,
  endsTooSoon: (p) =>
    `다음 개장(${p.opens}) 전에 끝나는 알림이라 울릴 수 없어 설정하지 않았습니다. \`금요일까지\`, \`3일 동안\`처럼 더 늦은 날짜를 알려 주세요.`,
  noDirectChat: () =>
    '이 플랫폼에서는 다이렉트 메시지를 보낼 수 없습니다. `여기`를 붙여 설정하시거나 다이렉트 메시지에서 설정해 주세요.',

  set: (p) => `🔔 알림을 설정했어요: ${p.what}`,
  already: (p) => `🔔 이미 설정된 알림이에요: ${p.what}`,
  where: {
    here: '여기로',
    direct: 'DM으로',
    channel: '모두가 보는 이 채널로',
    elsewhere: '전에 설정하신 곳으로',
  },
  tells: tellsKo,
  once: '한 번만',
  repeating: (p) => `반복 (최소 간격 ${p.cooldown})`,
  minutes: (p) =>
    p.minutes % 1_440 === 0
      ? `${p.minutes / 1_440}일`
      : p.minutes % 60 === 0
        ? `${p.minutes / 60}시간`
        : `${p.minutes}분`,
  expires: (p) => `${p.at}까지`,
  extendedHours: '시간외 포함',
  rang: (p) => `지금까지 ${p.times}번 울림`,
  snoozed: (p) => `${p.at}까지 미룸`,
  ringHere: '이 채널에서 받기',
  ringDirect: 'DM으로 받기',
  now: (p) => `지금 값 ${p.value}`,
  noPrice: '지금은 시세를 알 수 없지만 계속 확인할게요.',

  listTitle: (p) => `🔔 내 알림: ${p.limit}개 중 ${p.count}개`,
  listEmpty: () => '알림이 없어요. `/alert 삼성전자 8만원 이상`처럼 설정해 보세요.',
  listId: (p) => `알림 ID ${p.id}`,
  listHow: () => '삭제 `/alert delete ID` · 미루기 `/alert snooze ID 1h`',
  deleteChoice: (p) => `${p.what} 삭제`,
  removed: (p) => `삭제했어요: ${p.what}`,
  removedAll: (p) => `알림 ${p.count}개를 모두 삭제했어요.`,
  confirmRemoveAll: (p) => `알림 ${p.count}개를 모두 삭제할까요? 되돌릴 수 없어요.`,
  removeAll: '네, 모두 삭제할게요',
  keep: '아니요, 그대로 둘게요',
  whichOne: (p) => `${p.name} 알림이 여러 개예요. 어느 것인가요?`,
  notFound: (p) => `"${p.name}" 알림이 없어요. 목록은 \`/alerts\`에 있어요.`,
  whichMissing: () =>
    '어느 알림인가요? `/alert delete k3m7pq`처럼 ID를 적어 주세요. 목록은 `/alerts`로 봅니다.',
  whichToSnooze: () =>
    '어느 알림을 얼마나 미룰까요? `/alert snooze k3m7pq 1시간`, `/alert snooze 삼성전자 내일까지`, `/alert snooze 모두 1일`처럼 적어 주세요. 목록은 `/alerts`로 봅니다.',
  snoozedNow: (p) => `💤 ${p.at}까지 미뤘어요: ${p.what}`,
  snoozedAll: (p) => `💤 알림 ${p.count}개를 모두 ${p.at}까지 미뤘어요.`,

  moreHeadlines: (p) => `외 ${p.count}건: \`/news ${p.ticker}\``,
  firedNoPrice: '지금은 시세를 조회하지 못했습니다.',
  firedHow: (p) =>
    `미루시려면 \`/alert snooze ${p.id} 1h\`, 삭제하시려면 \`/alert delete ${p.id}\`라고 보내 주세요.`,
  firedId: (p) => `알림 \`${p.id}\``,
  chart: '차트',
  snoozeHour: '1시간 미루기',
  snoozeDay: '하루 미루기',
  delete: '삭제',

  conditions: alertConditionsKo,
  events: alertEventsKo,
  values: {
    average: (p) => `${p.days}일선 ${p.value}`,
    times: (p) => `${p.value}배`,
  },
  progress: {
    setting: (p) => `${p.name} 알림 설정 중…`,
    listing: () => '내 알림 조회 중…',
    removing: () => '알림 삭제 중…',
  },
};

export const alertTexts = localized({ en: alertsEn, ko: alertsKo });
