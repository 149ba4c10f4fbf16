import { z } from 'zod';
import { action, defineAbility, flag, option, type TypedWords } from '#src/features/ability.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Uses } from '#src/platform/services.ts';
import { isAllOf } from '#src/reading/asked-verb.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { watchlistTexts } from './texts.ts';

/** The limit of a watchlist. */
const MAX_NAMES = 50;
const MAX_WORDS = 300;

type Deps = Uses<'watchlist.show' | 'watchlist.add' | 'watchlist.remove' | 'watchlist.clear'>;

/** Removes a particle that is not part of the name: `카카오를 빼줘`. */
const withoutParticle = (word: string, symbols: Pick<SymbolSearch, 'resolve'>): string => {
  const bare = word.replace(/[을를은는도]$/u, '');
  const isKnown = (name: string): boolean => symbols.resolve(name).status !== 'unknown';
  return bare !== '' && !isKnown(word) && isKnown(bare) ? bare : word;
};

const namesOf = function* ({ words, symbols }: TypedWords): Steps<readonly string[]> {
  const bare: string[] = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    bare.push(withoutParticle(word, symbols));
    yield;
  }
  return yield* namesIn(bare, symbols, MAX_NAMES);
};

const named = (suggest: 'symbol' | 'watched') => ({
  input: () =>
    z
      .array(nameInput())
      .max(MAX_NAMES)
      .default([])
      .describe('What to add or remove, e.g. ["삼성전자", "AAPL", "BTC"]; leave out to show the list'),
  option: option('names', '종목', {
    ko: '종목명, 코드, 코인, 환율 (쉼표로 여러 개)',
    en: 'names or codes of stocks, coins or currencies, separated by commas',
    isRequired: true,
    suggest,
  }),
  read: namesOf,
});

export const watchlist = defineAbility({
  name: 'watch',
  aliases: ['관심', '관심종목', 'watchlist'],
  description: { ko: '내 관심 종목의 시세를 한 번에 보고, 추가하고 뺍니다', en: 'your watchlist' },
  usage: { ko: '/watch 삼성전자 AAPL BTC', en: '/watch AAPL TSLA BTC' },
  examples: {
    ko: [
      ['/watch', '관심 종목의 시세'],
      ['/watch 삼성전자 AAPL BTC', '추가'],
      ['/watch 빼기 AAPL', '빼기'],
      ['/watch 비우기', '모두 빼기'],
    ],
    en: [
      ['/watch', 'the prices of your watchlist'],
      ['/watch AAPL TSLA BTC', 'adds them'],
      ['/watch remove AAPL', 'removes one'],
      ['/watch clear', 'removes all'],
    ],
  },
  concern: 'own',
  actions: {
    show: action({
      nameKo: '보기',
      description: { ko: '관심 종목의 시세를 봅니다', en: 'the prices of your watchlist' },
      words: 'show list 목록 보기',
      run: (_input, { watchlist }: Deps, who, signal) => watchlist.show({}, who, signal),
    }),
    add: action({
      nameKo: '추가',
      description: { ko: '관심 종목에 추가합니다', en: 'adds to your watchlist' },
      words: 'add 추가 등록 +',
      wordsBehind: 'add 추가 등록 넣어 담아',
      effect: 'record',
      input: { names: named('symbol') },
      run: ({ names }, { watchlist }: Deps, who, signal) => watchlist.add({ names }, who, signal),
    }),
    remove: action({
      nameKo: '빼기',
      description: { ko: '관심 종목에서 뺍니다', en: 'removes from your watchlist' },
      words: 'remove delete rm 삭제 제거 해제 빼기 빼 지워 -',
      // Codes of companies, such as RM, may stand at the end.
      wordsBehind: 'remove delete 삭제 제거 해제 빼기 빼 지워 지우기 없애',
      effect: 'destroy',
      input: { names: named('watched') },
      run: ({ names }, { watchlist }: Deps, who, signal) => watchlist.remove({ names }, who, signal),
    }),
    clear: action({
      nameKo: '비우기',
      description: { ko: '관심 종목을 모두 비웁니다', en: 'removes all of them' },
      words: 'clear empty 비우기 비워 초기화',
      effect: 'destroy',
      input: { isSure: flag('yes', '확인', { ko: '정말 모두 비웁니다', en: 'really remove all of them' }) },
      run: ({ isSure }, { watchlist }: Deps, who, signal) =>
        watchlist.clear({ isSure: isSure === true }, who, signal),
    }),
  },
  unnamed: (words) => (words.length === 0 ? 'show' : 'add'),
  meant: (asked) =>
    asked.action === 'remove' && isAllOf(asked.words) ? { action: 'clear', words: [] } : asked,
  tool: {
    name: 'manage_watchlist',
    description: [
      'Show or change the watchlist of the user: what they keep an eye on without owning it (관심 종목). action="show"',
      'gives the current price of everything on it in one call: use it whenever the user asks about their',
      'watchlist, and for briefings. action="add" and action="remove" take names as the user wrote them, in Korean or',
      'English, or tickers; only call them when the user asks to have something added or removed. When a name fits',
      'several companies the result says so; ask the user then instead of choosing. It cannot empty the whole list: the',
      'user does that with /watch clear. Prices carry their source and as-of time: repeat them.',
    ],
    isExternal: true,
    actions: ['show', 'add', 'remove'],
    usual: 'show',
    progress: (key, locale) => watchlistTexts(locale).progress[key](),
  },
});

export type { WatchlistStore } from './store.ts';
