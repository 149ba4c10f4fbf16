import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition, CommandOption } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { requesterOfMessage, type WatchlistService } from '#src/kernel/account-services.ts';
import { type AskedVerb, askedVerb, isAllOf, verbs } from './parse-subcommand.ts';
import { accountResult } from './account-result.ts';

/** The limit of a watchlist. */
const MAX_NAMES = 50;
const MAX_WORDS = 300;
const YES = 'yes';

type Action = 'show' | 'add' | 'remove' | 'clear';

const FIRST = verbs<Action>({
  show: 'show list 목록 보기',
  add: 'add 추가 등록 +',
  remove: 'remove delete rm 삭제 제거 해제 빼기 빼 지워 -',
  clear: 'clear empty 비우기 비워 초기화',
});
/** Verbs at the end leave out codes of companies, such as RM. */
const LAST = verbs<Action>({
  add: 'add 추가 등록 넣어 담아',
  remove: 'remove delete 삭제 제거 해제 빼기 빼 지워 지우기 없애',
});

const NAMES: CommandOption = {
  name: 'names',
  nameKo: '종목',
  description: {
    ko: '종목명, 코드, 코인, 환율 (쉼표로 여러 개)',
    en: 'names or codes of stocks, coins or currencies, separated by commas',
  },
  type: 'text',
  isRequired: true,
  suggest: 'symbol',
};

export const watchDefinition: CommandDefinition = {
  name: 'watch',
  aliases: ['관심', '관심종목', 'watchlist'],
  description: {
    ko: '내 관심 종목의 시세를 한 번에 보고, 추가하고 뺍니다',
    en: 'your watchlist',
  },
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
  category: 'finance',
  isPrivate: true,
  subcommands: [
    {
      name: 'show',
      nameKo: '보기',
      description: { ko: '관심 종목의 시세를 봅니다', en: 'the prices of your watchlist' },
    },
    {
      name: 'add',
      nameKo: '추가',
      description: { ko: '관심 종목에 추가합니다', en: 'adds to your watchlist' },
      options: [NAMES],
    },
    {
      name: 'remove',
      nameKo: '빼기',
      description: { ko: '관심 종목에서 뺍니다', en: 'removes from your watchlist' },
      options: [{ ...NAMES, suggest: 'watched' }],
    },
    {
      name: 'clear',
      nameKo: '비우기',
      description: { ko: '관심 종목을 모두 비웁니다', en: 'removes all of them' },
      options: [
        {
          name: YES,
          nameKo: '확인',
          description: { ko: '정말 모두 비웁니다', en: 'really remove all of them' },
          type: 'flag',
        },
      ],
    },
  ],
  subcommandOf: (words, named) => named ?? (words.length === 0 ? 'show' : 'add'),
};

/** Removes a particle that is not part of the name: `카카오를 빼줘`. */
const withoutParticle = (word: string, symbols: Pick<SymbolSearch, 'resolve'>): string => {
  const bare = word.replace(/[을를은는도]$/u, '');
  const isKnown = (name: string): boolean => symbols.resolve(name).status !== 'unknown';
  return bare !== '' && !isKnown(word) && isKnown(bare) ? bare : word;
};

const namesOf = function* (
  words: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
): Steps<readonly string[]> {
  const bare: string[] = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    bare.push(withoutParticle(word, symbols));
    yield;
  }
  return yield* namesIn(bare, symbols, MAX_NAMES);
};

/** Names without a verb are added: `/watch AAPL`. */
const actionOf = (args: readonly string[]): AskedVerb<Action> => {
  const asked = askedVerb(args, FIRST, LAST) ?? {
    action: args.length === 0 ? ('show' as const) : ('add' as const),
    words: args,
  };
  return asked.action === 'remove' && isAllOf(asked.words) ? { action: 'clear', words: [] } : asked;
};

interface WatchDeps {
  readonly watchlist: WatchlistService;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

export const watch = ({ watchlist, symbols }: WatchDeps): Command => ({
  definition: watchDefinition,
  execute: async (args, ctx, signal, flags) => {
    const requester = requesterOfMessage(ctx);
    const answer = async ({ action, words }: AskedVerb<Action>): Promise<MarketAnswer> => {
      if (action === 'show') return watchlist.show({}, requester, signal);
      if (action === 'clear') return watchlist.clear({ isSure: flags?.has(YES) === true }, requester, signal);
      const names = await byTime(namesOf(words, symbols), signal);
      return watchlist[action]({ names }, requester, signal);
    };
    return accountResult(await answer(actionOf(args)), ctx);
  },
});
