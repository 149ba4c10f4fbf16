import { counted, localized } from '#src/kernel/locale.ts';

interface Names {
  readonly names: string;
}

interface Count {
  readonly count: number;
}

interface Limit {
  readonly limit: number;
}

const instrumentsEn = (count: number): string => counted(count, 'name');

const watchlistEn = {
  title: (p: Count) => `Your watchlist (${instrumentsEn(p.count)})`,
  empty: () => 'Your watchlist is empty. Put something on it, for example `/watch 삼성전자 AAPL BTC`.',
  added: (p: Names) => `Added to your watchlist: ${p.names}.`,
  already: (p: Names) => `Already on it: ${p.names}.`,
  count: (p: Count & Limit) =>
    `${p.count} of ${counted(p.limit, 'place is', 'places are')} taken. \`/watch\` shows all prices.`,
  full: (p: Count & Limit) =>
    `A watchlist has room for ${counted(p.limit, 'name')} and yours has ${p.count}, so I added none of these. Make room with \`/watch remove NAME\`.`,
  removed: (p: Names) => `Removed from your watchlist: ${p.names}.`,
  notOnIt: (p: Names) => `Not on your watchlist: ${p.names}. \`/watch\` shows what is.`,
  several: (p: Names & { readonly query: string }) =>
    `"${p.query}" fits several on your watchlist: ${p.names}. Which one should go?`,
  confirmClear: (p: Count) =>
    `This takes all ${instrumentsEn(p.count)} off your watchlist and cannot be undone.`,
  clearAll: () => 'Yes, empty it',
  keep: () => 'No, keep it',
  cleared: (p: Count) => `Your watchlist is empty now: ${instrumentsEn(p.count)} removed.`,
  whichAdd: () => 'What should go on it? Name one or several, for example `/watch add 삼성전자 AAPL BTC`.',
  whichRemove: () => 'What should go? Name one or several, for example `/watch remove AAPL`.',
  tooMany: (p: Limit) => `Up to ${counted(p.limit, 'name')} at once, please.`,
  progress: {
    show: () => 'Looking up your watchlist…',
    add: () => 'Adding to your watchlist…',
    remove: () => 'Removing from your watchlist…',
  },
};

const watchlistKo: typeof watchlistEn = {
  title: (p) => `내 관심 종목 (${p.count}종목)`,
  empty: () => '관심 종목이 비어 있습니다. `/watch 삼성전자 AAPL BTC`처럼 추가해 주세요.',
  added: (p) => `관심 종목에 추가했습니다: ${p.names}`,
  already: (p) => `이미 들어 있습니다: ${p.names}`,
  count: (p) => `${p.limit}종목 중 ${p.count}종목을 담았습니다. \`/watch\`로 시세를 한 번에 볼 수 있습니다.`,
  full: (p) =>
    `관심 종목은 ${p.limit}개까지 담을 수 있는데 이미 ${p.count}개가 있어 아무것도 추가하지 않았습니다. \`/watch remove 종목\`으로 자리를 비워 주세요.`,
  removed: (p) => `관심 종목에서 뺐습니다: ${p.names}`,
  notOnIt: (p) => `관심 종목에 없습니다: ${p.names}. \`/watch\`로 목록을 확인해 주세요.`,
  several: (p) => `관심 종목 중 "${p.query}"에 해당하는 것이 여러 개입니다: ${p.names}. 어느 것을 뺄까요?`,
  confirmClear: (p) => `관심 종목 ${p.count}개를 모두 지우며 되돌릴 수 없습니다.`,
  clearAll: () => '네, 비웁니다',
  keep: () => '아니요, 그대로 둡니다',
  cleared: (p) => `관심 종목을 비웠습니다. ${p.count}개를 지웠습니다.`,
  whichAdd: () => '무엇을 추가할까요? `/watch add 삼성전자 AAPL BTC`처럼 이름을 적어 주세요.',
  whichRemove: () => '무엇을 뺄까요? `/watch remove AAPL`처럼 이름을 적어 주세요.',
  tooMany: (p) => `한 번에 ${p.limit}개까지 적어 주세요.`,
  progress: {
    show: () => '관심 종목 조회 중…',
    add: () => '관심 종목에 추가하는 중…',
    remove: () => '관심 종목에서 빼는 중…',
  },
};

export const watchlistTexts = localized({ en: watchlistEn, ko: watchlistKo });
