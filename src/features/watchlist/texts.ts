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
  empty: () => 'Your watchlist is empty. Add something: `/watch AAPL TSLA BTC`',
  added: (p: Names) => `⭐ Added ${p.names}.`,
  already: (p: Names) => `Already on it: ${p.names}.`,
  undo: () => 'Undo',
  show: () => 'Show list',
  full: (p: Count & Limit) =>
    `Not added: a watchlist holds ${counted(p.limit, 'name')} and yours has ${p.count}. Make room with \`/watch remove NAME\`.`,
  removed: (p: Names) => `Removed ${p.names} from your watchlist.`,
  notOnIt: (p: Names) => `Not on your watchlist: ${p.names}. \`/watch\` shows what is.`,
  several: (p: Names & { readonly query: string }) =>
    `"${p.query}" fits several on your watchlist: ${p.names}. Which one should go?`,
  confirmClear: (p: Count) => `Take all ${instrumentsEn(p.count)} off your watchlist? This cannot be undone.`,
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
  empty: () => '관심 종목이 비어 있어요. `/watch 삼성전자 AAPL BTC`처럼 추가해 주세요.',
  added: (p) => `⭐ 관심 종목에 추가했어요: ${p.names}`,
  already: (p) => `이미 들어 있어요: ${p.names}`,
  undo: () => '되돌리기',
  show: () => '목록 보기',
  full: (p) =>
    `관심 종목은 ${p.limit}개까지예요. 지금 ${p.count}개라 추가하지 않았어요. \`/watch remove 종목\`으로 자리를 비워 주세요.`,
  removed: (p) => `관심 종목에서 뺐어요: ${p.names}`,
  notOnIt: (p) => `관심 종목에 없어요: ${p.names}. 목록은 \`/watch\`에 있어요.`,
  several: (p) => `관심 종목 중 "${p.query}"에 맞는 것이 여러 개예요: ${p.names}. 어느 것을 뺄까요?`,
  confirmClear: (p) => `관심 종목 ${p.count}개를 모두 지울까요? 되돌릴 수 없어요.`,
  clearAll: () => '네, 비울게요',
  keep: () => '아니요, 그대로 둘게요',
  cleared: (p) => `관심 종목을 비웠어요. (${p.count}개)`,
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
