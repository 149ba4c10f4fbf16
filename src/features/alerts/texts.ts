import { counted, localized } from '#src/kernel/locale.ts';
import { alertEventsEn, alertEventsKo } from './event-texts.ts';
import { alertConditionsEn, alertConditionsKo } from './condition-texts.ts';

/** How often alerts are checked: `once a minute`, `every 90 seconds`; `10초`, `1분 30초`. */
interface Interval {
  readonly everySeconds: number;
}

const intervalEn = ({ everySeconds }: Interval): string => {
  const [minutes, seconds] = [Math.floor(everySeconds / 60), everySeconds % 60];
  if (everySeconds === 3_600) return 'once an hour';
  if (everySeconds === 60) return 'once a minute';
  if (everySeconds === 1) return 'once a second';
  if (!(everySeconds >= 120)) return `every ${everySeconds} seconds`;
  return seconds === 0
    ? `every ${minutes} minutes`
    : `every ${minutes} minutes and ${counted(seconds, 'second')}`;
};

const intervalKo = ({ everySeconds }: Interval): string => {
  if (everySeconds === 3_600) return '1시간';
  if (!(everySeconds >= 60)) return `${everySeconds}초`;
  const [minutes, seconds] = [Math.floor(everySeconds / 60), everySeconds % 60];
  return seconds === 0 ? `${minutes}분` : `${minutes}분 ${seconds}초`;
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
  offer: (p: Named) =>
    `When should I notify you about ${p.name}? For a price, write it like \`/alert AAPL > 200\`.`,
  offers: { rise: '+5% from now', fall: '-5% from now', day: '3% in a day', news: 'News' },
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
  noNews: (p: Named) =>
    `Sample headlines never change, so I did not set the alert on news about ${p.name}. It can be set once the bot is connected to the market data source; alerts on prices work already.`,
  farOff: (p: { readonly what: string }) =>
    `That is very far from the current price, so I have not set it yet: ${p.what}. If it is a slip, set it again with the right number.`,
  setAnyway: 'Set it anyway',
  full: (p: { readonly limit: number }) =>
    `You have ${counted(p.limit, 'active alert')}, which is the maximum. Please delete one first: \`/alerts\`.`,
  endsTooSoon: (p: { readonly opens: string }) =>
    `This alert would end before its market opens again (${p.opens}), so it could never ring and I did not set it. Please give a later day, for example \`until Friday\` or \`for 3 days\`.`,
  noDirectChat: () =>
    'I cannot write to you in private on this platform. Please set it with `here`, or in a private chat.',

  set: (p: { readonly id: string }) => `🔔 Alert \`${p.id}\` is set.`,
  already: (p: { readonly id: string }) =>
    `🔔 You already have this alert: \`${p.id}\`. I set no second one.`,
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
  inDirect: 'It rings in your direct messages. To have it ring in this channel, set it again with `here`.',
  inHere: 'It rings here.',
  inChannel:
    '⚠️ It rings in this channel, where others read it. To have it as a direct message, set it again with `dm`.',
  inElsewhere: 'It rings where you set it before. To have it ring here, set it again with `here`.',
  ringHere: 'Ring in this channel',
  ringDirect: 'Ring in direct messages',
  soNow: {
    fires: 'This is already the case: I will tell you at the next check.',
    firesLater:
      'By the last price this is already the case: I will tell you at the next check if it still is.',
    notCounted: 'The price outside of regular hours meets this already, but does not count for this alert.',
    waits: 'This is already the case: I will tell you the next time it comes true again.',
  },
  now: (p: { readonly what: string; readonly value: string }) => `${p.what} is now ${p.value}.`,
  watched: {
    open: (p: Interval) => `I check about ${intervalEn(p)} while the market is open.`,
    always: (p: Interval) => `I check about ${intervalEn(p)}, day and night.`,
    news: (p: Interval) => `I check for new headlines about ${intervalEn(p)}, day and night.`,
    closed: (p: { readonly at: string }) => `The market is closed now. I check again from ${p.at}.`,
    outside: (p: { readonly at: string }) =>
      `Regular trading is over for now, and extended hours count only with \`extended\`. I check again from ${p.at}.`,
    unknown: () => 'I have no trading calendar for it, so I check whenever there is a new price.',
    pastCalendar: 'The market is closed now, and the next opening is beyond my calendar.',
  },
  noPrice: 'There is no price for it right now; I keep checking.',

  listTitle: (p: { readonly count: number; readonly limit: number }) =>
    `🔔 Your alerts: ${p.count} of ${p.limit}`,
  listEmpty: () => 'You have no alerts. Set one with `/alert AAPL > 200`.',
  listId: (p: { readonly id: string }) => `ID ${p.id}`,
  listHow: () => 'Delete with `/alert delete ID`, pause with `/alert snooze ID 1h`.',
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
  snoozedNow: (p: { readonly what: string; readonly at: string }) =>
    `💤 Snoozed until ${p.at}: ${p.what}. After that it is active again.`,
  snoozedAll: (p: { readonly count: number; readonly at: string }) =>
    `💤 Snoozed until ${p.at}: all ${p.count} of your alerts. After that they are active again.`,

  moreHeadlines: (p: { readonly count: number; readonly ticker: string }) =>
    `${p.count} more: \`/news ${p.ticker}\``,
  firedNoPrice: 'Its price could not be looked up right now.',
  firedHow: (p: { readonly id: string }) =>
    `Snooze it with \`/alert snooze ${p.id} 1h\`, delete it with \`/alert delete ${p.id}\`.`,
  firedId: (p: { readonly id: string }) => `Alert \`${p.id}\``,
  snoozeHour: 'Snooze 1 h',
  snoozeDay: 'Snooze 1 day',
  delete: 'Delete',

  conditions: alertConditionsEn,
  events: alertEventsEn,
  values: {
    rsi: (p: { readonly period: number }) => `RSI(${p.period})`,
    average: (p: { readonly days: number }) => `the ${p.days}-day average`,
    volume: 'volume of the day against the average of 20 trading days',
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
  offer: (p) => `${p.name}: 언제 알려 드릴까요? 가격은 \`/alert 삼성전자 8만원 이상\`처럼 적어 주세요.`,
  offers: { rise: '지금부터 +5%', fall: '지금부터 -5%', day: '하루 3%', news: '뉴스' },
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
  noNews: (p) =>
    `샘플 헤드라인은 새로 올라오지 않아 ${p.name} 뉴스 알림을 설정하지 않았습니다. 시세 제공처에 연결되면 설정할 수 있고, 가격 알림은 지금도 쓸 수 있습니다.`,
  farOff: (p) =>
    `현재가와 차이가 매우 커서 아직 설정하지 않았습니다: ${p.what}. 잘못 적으셨다면 숫자를 고쳐 다시 설정해 주세요.`,
  setAnyway: '이대로 설정',
  full: (p) =>
    `활성 알림이 최대치인 ${p.limit}개입니다. \`/alerts\`에서 하나를 삭제한 뒤 다시 설정해 주세요.`,
  endsTooSoon: (p) =>
    `다음 개장(${p.opens}) 전에 끝나는 알림이라 울릴 수 없어 설정하지 않았습니다. \`금요일까지\`, \`3일 동안\`처럼 더 늦은 날짜를 알려 주세요.`,
  noDirectChat: () =>
    '이 플랫폼에서는 다이렉트 메시지를 보낼 수 없습니다. `여기`를 붙여 설정하시거나 다이렉트 메시지에서 설정해 주세요.',

  set: (p) => `🔔 알림을 설정했습니다. (ID: \`${p.id}\`)`,
  already: (p) => `🔔 같은 알림이 이미 있어 새로 설정하지 않았습니다. (ID: \`${p.id}\`)`,
  once: '한 번',
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
  inDirect: '다이렉트 메시지로 알려 드립니다. 이 채널에서 받으시려면 `여기`를 붙여 다시 설정해 주세요.',
  inHere: '이 대화로 알려 드립니다.',
  inChannel:
    '⚠️ 다른 사람도 보는 이 채널에서 알려 드립니다. 다이렉트 메시지로 받으시려면 `dm`을 붙여 다시 설정해 주세요.',
  inElsewhere: '전에 설정하신 곳에서 알려 드립니다. 여기서 받으시려면 `여기`를 붙여 다시 설정해 주세요.',
  ringHere: '이 채널에서 받기',
  ringDirect: '다이렉트 메시지로 받기',
  soNow: {
    fires: '이미 조건을 만족합니다. 다음 확인 때 바로 알려 드립니다.',
    firesLater: '마지막 시세로는 이미 조건을 만족합니다. 다음 확인 때에도 그대로이면 바로 알려 드립니다.',
    notCounted: '시간외 시세는 이미 조건을 만족하지만, 이 알림은 정규장 시세만 봅니다.',
    waits: '이미 조건을 만족합니다. 조건에서 벗어났다가 다시 만족할 때 알려 드립니다.',
  },
  now: (p) => `현재 ${p.what}: ${p.value}`,
  watched: {
    open: (p) => `장이 열려 있는 동안 약 ${intervalKo(p)}마다 확인합니다.`,
    always: (p) => `밤낮없이 약 ${intervalKo(p)}마다 확인합니다.`,
    news: (p) => `밤낮없이 약 ${intervalKo(p)}마다 새 뉴스를 확인합니다.`,
    closed: (p) => `지금은 장이 닫혀 있습니다. ${p.at}부터 다시 확인합니다.`,
    outside: (p) =>
      `정규장이 끝났고, 시간외 시세는 \`시간외\`를 붙인 알림에만 쓰입니다. ${p.at}부터 다시 확인합니다.`,
    unknown: () => '거래 시간 정보가 없는 종목이라 새로운 시세가 있을 때마다 확인합니다.',
    pastCalendar: '지금은 장이 닫혀 있고, 다음 개장일은 달력 자료에 없습니다.',
  },
  noPrice: '지금은 시세를 알 수 없습니다. 계속 확인하겠습니다.',

  listTitle: (p) => `🔔 내 알림: ${p.limit}개 중 ${p.count}개`,
  listEmpty: () => '설정한 알림이 없습니다. `/alert 삼성전자 8만원 이상`처럼 설정해 보세요.',
  listId: (p) => `알림 ID ${p.id}`,
  listHow: () => '삭제는 `/alert delete ID`, 미루기는 `/alert snooze ID 1h`입니다.',
  deleteChoice: (p) => `${p.what} 삭제`,
  removed: (p) => `삭제했습니다: ${p.what}`,
  removedAll: (p) => `알림 ${p.count}개를 모두 삭제했습니다.`,
  confirmRemoveAll: (p) => `알림 ${p.count}개를 모두 삭제하며 되돌릴 수 없습니다.`,
  removeAll: '네, 모두 삭제합니다',
  keep: '아니요, 그대로 둡니다',
  whichOne: (p) => `${p.name} 알림이 여러 개입니다. 어느 것인가요?`,
  notFound: (p) => `"${p.name}" 알림이 없습니다. \`/alerts\`에서 ID를 확인해 주세요.`,
  whichMissing: () =>
    '어느 알림인가요? `/alert delete k3m7pq`처럼 ID를 적어 주세요. 목록은 `/alerts`로 봅니다.',
  whichToSnooze: () =>
    '어느 알림을 얼마나 미룰까요? `/alert snooze k3m7pq 1시간`, `/alert snooze 삼성전자 내일까지`, `/alert snooze 모두 1일`처럼 적어 주세요. 목록은 `/alerts`로 봅니다.',
  snoozedNow: (p) => `💤 ${p.at}까지 미룹니다: ${p.what}. 그 뒤에 다시 확인합니다.`,
  snoozedAll: (p) => `💤 알림 ${p.count}개를 모두 ${p.at}까지 미룹니다. 그 뒤에 다시 확인합니다.`,

  moreHeadlines: (p) => `외 ${p.count}건: \`/news ${p.ticker}\``,
  firedNoPrice: '지금은 시세를 조회하지 못했습니다.',
  firedHow: (p) =>
    `미루시려면 \`/alert snooze ${p.id} 1h\`, 삭제하시려면 \`/alert delete ${p.id}\`라고 보내 주세요.`,
  firedId: (p) => `알림 \`${p.id}\``,
  snoozeHour: '1시간 미루기',
  snoozeDay: '하루 미루기',
  delete: '삭제',

  conditions: alertConditionsKo,
  events: alertEventsKo,
  values: {
    rsi: (p) => `${p.period}일 RSI`,
    average: (p) => `${p.days}일 이동평균`,
    volume: '20거래일 평균 대비 당일 거래량',
    times: (p) => `${p.value}배`,
  },
  progress: {
    setting: (p) => `${p.name} 알림 설정 중…`,
    listing: () => '내 알림 조회 중…',
    removing: () => '알림 삭제 중…',
  },
};

export const alertTexts = localized({ en: alertsEn, ko: alertsKo });
