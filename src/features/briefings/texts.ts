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
  session: (p: { readonly market: string; readonly state: string; readonly day: string }) =>
    `- ${p.market}: ${p.state} now · today ${p.day}`,
  markets: () => 'Markets',
  named: () => 'What you asked for',
  watchlist: () => 'Your watchlist, biggest moves first',
  movers: () => '**What moved your portfolio**',
  news: () => '**News**',
  moreWatched: (p: { readonly count: number }) => `${p.count} more on your watchlist: \`/watch\``,
  moversTotal: (p: { readonly total: string; readonly origin: string }) =>
    `Together since the previous close: ${p.total} (${p.origin})`,
  moversUnpriced: (p: Names) => `Not counted, because a price or rate is missing: ${p.names}`,
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
  direct: () => 'in our direct chat',
  elsewhere: (p: { readonly channel: string }) => `in another chat (${p.channel})`,
  set: (p: Saved) =>
    `Done: a briefing ${p.place}, ${p.days} at ${p.time} (${p.zone}). The first one: ${p.next}. Its ID is \`${p.id}\`.`,
  setRepeated: (p: Saved) =>
    `You already have this briefing, so I set no second one: ${p.place}, ${p.days} at ${p.time} (${p.zone}). The next one: ${p.next}. Its ID is \`${p.id}\`.`,
  holidays: () => 'Weekdays on which neither Korea nor the United States trades are left out.',
  inGroup: () =>
    'Everyone here will see it, so it contains nothing personal. To get it for yourself, set it again with `dm`.',
  inDirect: () => 'Your watchlist and what moved your portfolio are in it.',
  withNames: (p: Names) => `Also in it: ${p.names}.`,
  noDirect: () =>
    'I cannot open a direct chat with you here, so I set nothing. Please write to me directly, or leave out `dm`.',
  listTitle: () => '**Your briefings**',
  howToDelete: () => 'Delete one with `/briefing delete ID`.',
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
    `Deleted: the briefing \`${p.id}\` (${p.days} at ${p.time}).`,
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
  session: (p) => `- ${p.market}: 현재 ${p.state} · 오늘 ${p.day}`,
  markets: () => '시장',
  named: () => '지정 종목',
  watchlist: () => '관심 종목 (등락률 큰 순)',
  movers: () => '**내 포트폴리오를 움직인 종목**',
  news: () => '**뉴스**',
  moreWatched: (p) => `그 밖의 관심 종목 ${p.count}개: \`/watch\``,
  moversTotal: (p) => `전일 종가 대비 합계: ${p.total} (${p.origin})`,
  moversUnpriced: (p) => `시세나 환율이 없어 합계에서 뺀 종목: ${p.names}`,
  quotesFailed: () => '시세가 빠졌습니다. 시세 제공처가 제때 응답하지 않았습니다.',
  watchlistFailed: () => '관심 종목이 빠졌습니다. 지금은 읽지 못했으니 `/watch`로 확인해 주세요.',
  moversFailed: () => '포트폴리오가 빠졌습니다. 지금은 평가하지 못했으니 `/portfolio`로 확인해 주세요.',
  newsFailed: () => '뉴스가 빠졌습니다. 뉴스 제공처에 연결할 수 없으니 나중에 `/news`로 확인해 주세요.',
  newsNone: () => '지금은 뉴스가 없습니다.',
  down: () =>
    '시세 제공처에 연결할 수 없어 이번 브리핑에는 자료가 없습니다. 나중에 `/briefing now`로 다시 받아 보실 수 있습니다.',

  weekdays: '평일',
  daily: '매일',
  weekends: '주말',
  here: () => '이곳',
  direct: () => '다이렉트 메시지',
  elsewhere: (p) => `다른 대화방 (${p.channel})`,
  set: (p) =>
    `브리핑을 예약했습니다: ${p.days} ${p.time} (${p.zone}), 받는 곳은 ${p.place}입니다. 첫 브리핑은 ${p.next}입니다. ID: \`${p.id}\``,
  setRepeated: (p) =>
    `같은 브리핑이 이미 있어 새로 예약하지 않았습니다: ${p.days} ${p.time} (${p.zone}), 받는 곳은 ${p.place}입니다. 다음 브리핑은 ${p.next}입니다. ID: \`${p.id}\``,
  holidays: () => '한국과 미국 증시가 모두 쉬는 평일에는 보내지 않습니다.',
  inGroup: () =>
    '이곳의 모두가 보게 되므로 개인 정보는 넣지 않습니다. `dm`을 붙여 다시 예약하시면 본인에게만 보내 드립니다.',
  inDirect: () => '관심 종목과 포트폴리오를 움직인 종목도 함께 보내 드립니다.',
  withNames: (p) => `함께 넣을 종목: ${p.names}`,
  noDirect: () =>
    '여기서는 다이렉트 메시지를 보낼 수 없어 예약하지 않았습니다. 저에게 다이렉트 메시지를 먼저 보내 주시거나 `dm` 없이 다시 시도해 주세요.',
  listTitle: () => '**내 브리핑**',
  howToDelete: () => '삭제하시려면 `/briefing delete ID`를 입력해 주세요.',
  listed: (p) =>
    `- \`${p.id}\` · ${p.days} ${p.time} (${p.zone}) · ${p.place}${p.names === '' ? '' : ` · ${p.names}`} · 다음: ${p.next}`,
  none: () => '예약된 브리핑이 없습니다. `/briefing 8:30 평일`처럼 예약해 주세요.',
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
  removed: (p) => `브리핑을 삭제했습니다: \`${p.id}\` (${p.days} ${p.time})`,
  removedAll: (p) => `브리핑 ${p.count}개를 삭제했습니다.`,
  unknown: (p) => `"${p.typed}" 브리핑이 없습니다. \`/briefing list\`로 목록을 확인해 주세요.`,
  confirmRemoveAll: (p) => `브리핑 ${p.count}개를 모두 삭제하며 되돌릴 수 없습니다.`,
  removeAll: () => '네, 모두 삭제합니다',
  keep: () => '아니요, 그대로 둡니다',
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
