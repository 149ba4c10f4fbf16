import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition, CommandOption, Subcommand } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { datesIn, SOME_DAY } from '#src/reading/dates.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { type Reading, withoutReadings } from '#src/reading/reading.ts';
import { readTime, timesIn } from '#src/reading/times.ts';
import { weekdaysIn } from '#src/reading/weekdays.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import {
  type BriefingService,
  requesterOfMessage,
  type SetBriefingRequest,
} from '#src/kernel/account-services.ts';
import { askedVerb, verbs } from '#src/reading/asked-verb.ts';
import { accountResult } from '#src/markets/answers/command-result.ts';

export interface BriefingDeps {
  readonly briefings: BriefingService;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

const MAX_NAMES = 10;
const DIRECT = 'dm';

type Action = 'list' | 'now' | 'delete' | 'set';

const FIRST = verbs<Action>({
  list: 'list show 목록 보기',
  now: 'now 지금 바로',
  delete: 'delete remove cancel stop 삭제 취소 해제',
  set: 'set add 설정 추가 예약',
});
const LAST = verbs<Action>({
  delete: 'delete remove cancel 삭제 취소 해제 지워',
  set: '설정 추가 예약',
});

const NAMES: CommandOption = {
  name: 'names',
  nameKo: '종목',
  description: { ko: '함께 볼 종목 (쉼표로 여러 개)', en: 'symbols to include, separated by commas' },
  type: 'text',
  suggest: 'symbol',
};

/** Fills the options from `8:30 평일 AAPL`. A time may have several words (`오후 6시`). */
const fill = (words: readonly string[]): Readonly<Record<string, string>> => {
  const typed = words.join(' ');
  const [first] = timesIn(typed);
  const time = typed.slice(0, first?.start === 0 ? first.end : (words[0]?.length ?? 0));
  const [days = '', ...names] = typed.slice(time.length).trim().split(' ');
  return { time, days, names: names.join(' ') };
};

const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'set',
    nameKo: '예약',
    description: { ko: '정한 시각에 받습니다', en: 'one at a set time' },
    typed: '',
    fills: fill,
    options: [
      {
        name: 'time',
        nameKo: '시각',
        description: { ko: '예: 8:30, 오후 3시 반', en: 'for example 08:30 or 8:30pm, in your time zone' },
        type: 'text',
        isRequired: true,
      },
      {
        name: 'days',
        nameKo: '요일',
        description: {
          ko: '평일, 매일, 월,수,금 (비우면 평일)',
          en: 'weekdays, daily or mon,wed,fri; weekdays if empty',
        },
        type: 'text',
      },
      NAMES,
      {
        name: DIRECT,
        nameKo: '다이렉트메시지',
        description: { ko: '이곳이 아니라 나에게만 보냅니다', en: 'to me alone, not here' },
        type: 'flag',
      },
    ],
  },
  {
    name: 'now',
    nameKo: '지금',
    description: { ko: '지금 바로 받습니다', en: 'one right now' },
    options: [NAMES],
  },
  { name: 'list', nameKo: '목록', description: { ko: '내 브리핑 목록', en: 'lists yours' } },
  {
    name: 'delete',
    nameKo: '삭제',
    description: { ko: '브리핑을 삭제합니다', en: 'deletes one' },
    options: [
      {
        name: 'briefing',
        nameKo: '브리핑',
        description: { ko: '목록에서 고르거나 ID를 적습니다', en: 'pick it from the list, or give its ID' },
        type: 'text',
        isRequired: true,
        suggest: 'briefing',
      },
    ],
  },
];

export const briefingDefinition: CommandDefinition = {
  name: 'briefing',
  aliases: ['브리핑', 'brief'],
  description: {
    ko: '정한 시각에 시장과 관심 종목, 뉴스를 보내 드립니다',
    en: 'markets and news at a set time',
  },
  usage: { ko: '/briefing 8:30 평일', en: '/briefing 08:30 weekdays' },
  examples: {
    ko: [
      ['/briefing 8:30 평일', '평일 8시 30분에 받기'],
      ['/briefing 오후 6시 월,수,금', '정한 요일에 받기'],
      ['/briefing 지금', '지금 바로 받기'],
      ['/briefing', '내 브리핑 목록'],
      ['/briefing 삭제 ID', '삭제'],
    ],
    en: [
      ['/briefing 08:30 weekdays', 'on weekdays at that time'],
      ['/briefing 6pm mon,wed,fri', 'on certain days'],
      ['/briefing now', 'one right now'],
      ['/briefing', 'lists yours'],
      ['/briefing delete ID', 'deletes one'],
    ],
  },
  category: 'finance',
  isPrivate: true,
  subcommands: SUBCOMMANDS,
  subcommandOf: (words, named) => named ?? (words.length === 0 ? 'list' : 'set'),
};

const ONCE = /(?<!\S)(?:once|한 ?번만?)(?!\S)/iu;
const HERE = /(?<!\S)(?:here|여기(?:에|서|에서)?|이곳(?:에|에서)?)(?!\S)/giu;
const DIRECT_WORDS = /(?<!\S)(?:dms?|디엠(?:으로)?|(?:다이렉트|개인)메시지(?:로)?)(?!\S)/giu;

/** `8.30`, `830`, `at 8`. They come last, because stock codes can look like the last two. */
const BARE_TIMES = [
  /(?<!\S)(?:at )?\d{1,2}\.\d{2}에?(?!\S)/giu,
  /(?<!\S)(?:(?:at )?\d{3,4}(?: ?[ap]\.?m\.?)?|at \d{1,2})에?(?!\S)/giu,
];

type Place = Pick<Reading<unknown>, 'start' | 'end'>;

/** Used only if the text has no clear time. */
const bareTimeIn = (text: string): Place | undefined =>
  BARE_TIMES.flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ 0: phrase, index }) => ({ start: index, end: index + phrase.length }))
    .find(({ start, end }) => readTime(text.slice(start, end), { allowsCompact: true }));

/** The days of the week, or else a single date, which the service then refuses. */
const daysAmong = (text: string): Place | undefined => {
  const once = ONCE.exec(text);
  return (
    weekdaysIn(text)[0] ??
    datesIn(text, SOME_DAY, { looks: 'ahead' })[0] ??
    (once ? { start: once.index, end: once.index + once[0].length } : undefined)
  );
};

const wordsAt = (text: string, place: Place | undefined): string | undefined =>
  place && text.slice(place.start, place.end).trim();

/** Reads `22:00 mon,wed,fri AAPL NVDA`, in any order. */
const readRequest = function* (
  words: readonly string[],
  isFlagged: boolean,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Steps<SetBriefingRequest> {
  const typed = words.join(' ').replaceAll(/\s+/gu, ' ');
  const time = timesIn(typed)[0] ?? bareTimeIn(typed);
  const untimed = time ? withoutReadings(typed, [time]) : typed;
  const days = daysAmong(untimed);
  const left = (days ? withoutReadings(untimed, [days]) : untimed).replaceAll(HERE, ' ');
  const rest = left.replaceAll(DIRECT_WORDS, ' ').split(/\s+/u).filter(Boolean);
  return {
    // Without a time, the service quotes the word that was probably meant as one.
    time: wordsAt(typed, time) ?? (/^\d/u.test(typed) ? (words[0] ?? '') : ''),
    days: wordsAt(typed, days)?.replace(/,$/u, ''),
    names: yield* namesIn(rest, symbols, MAX_NAMES),
    isToDirect: isFlagged || left.length !== left.replaceAll(DIRECT_WORDS, '').length,
  };
};

export const briefing = ({ briefings, symbols }: BriefingDeps): Command => ({
  definition: briefingDefinition,
  execute: async (args, ctx, signal, flags) => {
    const requester = requesterOfMessage(ctx);
    const answer = async (): Promise<MarketAnswer> => {
      const usual = args.length === 0 ? ('list' as const) : ('set' as const);
      const { action, words } = askedVerb(args, FIRST, LAST) ?? { action: usual, words: args };
      if (action === 'list') return briefings.list({}, requester, signal);
      if (action === 'delete') {
        const isSure = flags?.has('yes') === true || flags?.has('확인') === true;
        const page = flags?.has('page') ? 1 : undefined;
        return briefings.remove({ which: words.join(' '), isSure, page }, requester, signal);
      }
      if (action === 'now') {
        const names = await byTime(namesIn(words, symbols, MAX_NAMES), signal);
        return briefings.now({ names }, requester, signal);
      }
      const request = await byTime(readRequest(words, flags?.has(DIRECT) === true, symbols), signal);
      return briefings.set(request, requester, signal);
    };
    return accountResult(await answer(), ctx);
  },
});
