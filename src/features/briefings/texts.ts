import { counted, localized } from '#src/kernel/locale.ts';

interface Names {
  readonly names: string;
}

interface Typed {
  readonly typed: string;
}

interface Limit {
  readonly limit: number;
}

interface Schedule {
  readonly days: string;
  readonly time: string;
  readonly zone: string;
}

interface Saved extends Schedule {
  readonly place: string;
  readonly next: string;
  readonly id: string;
}

const briefingsEn = {
  /** The parts of a briefing. */
  title: (p: { readonly date: string }) => `**Briefing · ${p.date}**`,
  countries: { KRX: 'Korea', NYSE: 'US' },
  markets: () => 'Markets',
  named: () => 'What you asked for',
  watchlist: () => 'Watchlist',
  movers: () => '**Your portfolio**',
  news: () => '**News**',
  moreWatched: (p: { readonly count: number }) => `${p.count} more: \`/watch\``,
  moversTotal: (p: { readonly total: string; readonly origin: string }) => `Day: ${p.total} (${p.origin})`,
  moversUnpriced: (p: Names) => `Not counted: ${p.names}`,
  /** For parts that are missing. */
  quotesFailed: () => 'Prices are missing: the market data source did not answer in time.',
  watchlistFailed: () => 'Your watchlist is missing: it could not be read just now. `/watch` shows it.',
  moversFailed: () => 'Your portfolio is missing: it could not be valued just now. `/portfolio` shows it.',
  newsFailed: () => 'News is missing: the news source cannot be reached. `/news` tries again.',
  newsNone: () => 'No headlines at the moment.',
  /** Replaces a briefing without any data. */
  down: () =>
    'Your briefing has no data this time: the market data source cannot be reached. `/briefing now` tries again.',

  /** Answers about setting briefings. */
  weekdays: 'weekdays',
  daily: 'every day',
  weekends: 'weekends',
  here: () => 'here',
  direct: () => 'by DM',
  elsewhere: (p: { readonly channel: string }) => `in another chat (${p.channel})`,
  set: (p: Saved) => `📰 Briefing set: ${p.days} at ${p.time} ${p.place}, first ${p.next}.`,
  setRepeated: (p: Saved) => `📰 Already set: ${p.days} at ${p.time} ${p.place}, next ${p.next}.`,
  inGroup: () => 'Everyone here sees it: markets and news, nothing of yours.',
  inDirect: () => 'With your watchlist and holdings.',
  inDirectOnWeekdays: () => 'With your watchlist and holdings, not on holidays.',
  toEveryone: () => 'Everyone here',
  toMe: () => 'Only me',
  withNames: (p: Names) => `Also: ${p.names}.`,
  noDirect: () =>
    'I cannot open a direct chat with you here, so I set nothing. Please write to me directly, or leave out `dm`.',
  listTitle: () => '**Your briefings**',
  howToDelete: () => 'Delete: `/briefing delete ID`',
  listed: (p: Saved & Names) =>
    `- \`${p.id}\` · ${p.days} ${p.time} (${p.zone}) · ${p.place}${p.names === '' ? '' : ` · ${p.names}`} · next: ${p.next}`,
  none: () => 'You have no briefings. Set one, for example `/briefing 08:30 weekdays`.',
  full: (p: Limit) =>
    `You have ${counted(p.limit, 'briefing')}, which is the maximum. Delete one first: \`/briefing list\`.`,
  badTime: (p: Typed) =>
    p.typed === ''
      ? 'When? Please give a time, for example `/briefing 08:30 weekdays`.'
      : `"${p.typed}" is no time of day. Please write it like \`08:30\` or \`8:30pm\`, for example \`/briefing 08:30 weekdays\`.`,
  badDays: (p: Typed) =>
    `I cannot read "${p.typed}" as days. Please write \`weekdays\`, \`daily\` or names such as \`mon,wed,fri\`.`,
  notOnce: () =>
    'A briefing comes regularly, not only once, so I set nothing. Write on which days, for example `/briefing 8:00 daily`, or get one right now with `/briefing now`.',
  tooManyNames: (p: Limit) =>
    `Up to ${counted(p.limit, 'name')} in a briefing, please. The others fit on your \`/watch\` list.`,
  removed: (p: { readonly id: string; readonly days: string; readonly time: string }) =>
    `Deleted: the briefing ${p.days} at ${p.time}.`,
  removedAll: (p: { readonly count: number }) => `Deleted: ${counted(p.count, 'briefing')}.`,
  unknown: (p: Typed) => `You have no briefing "${p.typed}". \`/briefing list\` shows those you have.`,
  confirmRemoveAll: (p: { readonly count: number }) =>
    `This deletes ${p.count === 1 ? 'your one briefing' : `all ${p.count} of your briefings`} and cannot be undone.`,
  removeAll: () => 'Yes, delete all',
  keep: () => 'No, keep them',
  which: () => 'Which one should go?',
  deleteIt: (p: { readonly id: string; readonly days: string; readonly time: string }) =>
    `Delete ${p.id} (${p.days} ${p.time})`,
  progress: {
    now: () => 'Putting a briefing together…',
    set: () => 'Setting up a briefing…',
    list: () => 'Looking up your briefings…',
    remove: () => 'Deleting a briefing…',
  },
};

const briefingsKo: typeof briefingsEn = {
  title: (p) => `**브리핑 · ${p.date}**`,
  countries: { KRX: '한국', NYSE: '미국' },
  markets: () => '시장',
  named: () => '지정 종목',
  watchlist: () => '관심 종목',
  movers: () => '**내 포트폴리오**',
  news: () => '**뉴스**',
  moreWatched: (p) => `외 ${p.count}개: \`/watch\``,
  moversTotal: (p) => `당일: ${p.total} (${p.origin})`,
  moversUnpriced: (p) => `시세나 환율이 없어 합계에서 뺀 종목: ${p.names}`,
  quotesFailed: () => '시세가 빠졌어요. 시세 제공처가 제때 응답하지 않았어요.',
  watchlistFailed: () => '관심 종목을 읽지 못했어요. `/watch`로 확인해 주세요.',
  moversFailed: () => '포트폴리오를 계산하지 못했어요. `/portfolio`로 확인해 주세요.',
  newsFailed: () => '뉴스를 가져오지 못했어요. 나중에 `/news`로 확인해 주세요.',
  newsNone: () => '지금은 뉴스가 없어요.',
  down: () => '시세 제공처에 연결되지 않아 이번 브리핑은 비어 있어요. 나중에 `/briefing now`로 받아 보세요.',

  weekdays: '평일',
  daily: '매일',
  weekends: '주말',
  here: () => '여기로',
  direct: () => 'DM으로',
  elsewhere: (p) => `다른 대화방(${p.channel})으로`,
  set: (p) => `📰 ${p.days} ${p.time}에 ${p.place} 브리핑을 보낼게요. 첫 회: ${p.next}`,
  setRepeated: (p) => `📰 이미 예약된 브리핑이에요: ${p.days} ${p.time}, ${p.place}. 다음: ${p.next}`,
  inGroup: () => '채널 모두에게 보여요. 시장과 뉴스만 담아요.',
  inDirect: () => '관심 종목과 보유 종목도 담아요.',
  inDirectOnWeekdays: () => '관심 종목과 보유 종목도 담고, 휴장일은 쉬어요.',
  toEveryone: () => '모두에게',
  toMe: () => '나에게만',
  withNames: (p) => `함께 볼 종목: ${p.names}`,
  noDirect: () =>
    '여기서는 다이렉트 메시지를 보낼 수 없어 예약하지 않았습니다. 저에게 다이렉트 메시지를 먼저 보내 주시거나 `dm` 없이 다시 시도해 주세요.',
  listTitle: () => '**내 브리핑**',
  howToDelete: () => '삭제: `/briefing delete ID`',
  listed: (p) =>
    `- \`${p.id}\` · ${p.days} ${p.time} (${p.zone}) · ${p.place}${p.names === '' ? '' : ` · ${p.names}`} · 다음: ${p.next}`,
  none: () => '예약된 브리핑이 없어요. `/briefing 8:30 평일`처럼 예약해 보세요.',
  full: (p) =>
    `브리핑은 ${p.limit}개까지 예약할 수 있습니다. \`/briefing list\`에서 하나를 삭제한 뒤 다시 시도해 주세요.`,
  badTime: (p) =>
    p.typed === ''
      ? '몇 시에 보내 드릴까요? `/briefing 8:30 평일`처럼 시각을 적어 주세요.'
      : `"${p.typed}": 시각으로 읽을 수 없습니다. \`8:30\`이나 \`오후 3시 반\`처럼 적어 주세요. 예: \`/briefing 8:30 평일\``,
  badDays: (p) =>
    `"${p.typed}": 요일로 읽을 수 없습니다. \`평일\`, \`매일\`이나 \`월,수,금\`처럼 적어 주세요.`,
  notOnce: () =>
    '브리핑은 한 번만이 아니라 정기적으로 보내 드리는 것이라 예약하지 않았습니다. `/briefing 8:00 매일`처럼 요일을 적어 주시거나, 지금 바로 받으시려면 `/briefing now`를 보내 주세요.',
  tooManyNames: (p) =>
    `브리핑에는 ${p.limit}개 종목까지 넣을 수 있습니다. 나머지는 \`/watch\` 관심 종목에 담아 주세요.`,
  removed: (p) => `브리핑을 삭제했어요: ${p.days} ${p.time}`,
  removedAll: (p) => `브리핑 ${p.count}개를 삭제했어요.`,
  unknown: (p) => `"${p.typed}" 브리핑이 없습니다. \`/briefing list\`로 목록을 확인해 주세요.`,
  confirmRemoveAll: (p) => `브리핑 ${p.count}개를 모두 삭제할까요? 되돌릴 수 없어요.`,
  removeAll: () => '네, 모두 삭제할게요',
  keep: () => '아니요, 그대로 둘게요',
  which: () => '어느 브리핑을 삭제할까요?',
  deleteIt: (p) => `${p.id} 삭제 (${p.days} ${p.time})`,
  progress: {
    now: () => '브리핑 작성 중…',
    set: () => '브리핑 예약 중…',
    list: () => '브리핑 조회 중…',
    remove: () => '브리핑 삭제 중…',
  },
};

export const briefingTexts = localized({ en: briefingsEn, ko: briefingsKo });
