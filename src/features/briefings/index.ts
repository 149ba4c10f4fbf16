import { z } from 'zod';
import { action, defineAbility, hasFlag, names, option, type TypedWords } from '#src/features/ability.ts';
import type { AlertPlace } from '#src/kernel/people/alerts.ts';
import type { BriefingService, SetBriefingRequest } from '#src/kernel/people/briefings.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { datesIn, SOME_DAY } from '#src/reading/dates.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { type Reading, withoutReadings } from '#src/reading/reading.ts';
import { readTime, timesIn } from '#src/reading/times.ts';
import { weekdaysIn } from '#src/reading/weekdays.ts';
import { briefingTexts } from './texts.ts';

const MAX_NAMES = 10;
const MAX_WORDS = 60;

const said = (description: string) => () => z.string().max(MAX_WORDS).optional().describe(description);

interface Deps {
  readonly briefings: BriefingService;
}

/** Fills the options from `8:30 평일 AAPL`. A time may have several words (`오후 6시`). */
const fill = (words: readonly string[]): Readonly<Record<string, string>> => {
  const typed = words.join(' ');
  const [first] = timesIn(typed);
  const time = typed.slice(0, first?.start === 0 ? first.end : (words[0]?.length ?? 0));
  const [days = '', ...names] = typed.slice(time.length).trim().split(' ');
  return { time, days, names: names.join(' ') };
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

const placeIn = (flags: CommandFlags): AlertPlace | undefined =>
  flags.has('dm') ? 'direct' : flags.has('here') ? 'here' : undefined;

/** Reads `22:00 mon,wed,fri AAPL NVDA`, in any order. */
const readRequest = function* ({ words, flags, symbols }: TypedWords): Steps<Required<SetBriefingRequest>> {
  const typed = words.join(' ').replaceAll(/\s+/gu, ' ');
  const time = timesIn(typed)[0] ?? bareTimeIn(typed);
  const untimed = time ? withoutReadings(typed, [time]) : typed;
  const days = daysAmong(untimed);
  const left = days ? withoutReadings(untimed, [days]) : untimed;
  const notHere = left.replaceAll(HERE, ' ');
  const bare = notHere.replaceAll(DIRECT_WORDS, ' ');
  const rest = bare.split(/\s+/u).filter(Boolean);
  const said = bare !== notHere ? 'direct' : notHere !== left ? 'here' : undefined;
  return {
    // Without a time, the service quotes the word that was probably meant as one.
    time: wordsAt(typed, time) ?? (/^\d/u.test(typed) ? (words[0] ?? '') : ''),
    days: wordsAt(typed, days)?.replace(/,$/u, ''),
    names: yield* namesIn(rest, symbols, MAX_NAMES),
    place: placeIn(flags) ?? said,
  };
};

const NAMES = {
  input: () =>
    z
      .array(nameInput())
      .max(MAX_NAMES)
      .optional()
      .describe('For now and set: what to tell of beside the watchlist, e.g. ["삼성전자", "AAPL"]'),
  option: option('names', '종목', {
    ko: '함께 볼 종목 (쉼표로 여러 개)',
    en: 'symbols to include, separated by commas',
    suggest: 'symbol',
  }),
  read: names(MAX_NAMES),
};

export const briefings = defineAbility({
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
  concern: 'own',
  actions: {
    set: action({
      nameKo: '예약',
      description: { ko: '정한 시각에 받습니다', en: 'one at a set time' },
      words: 'set add 설정 추가 예약',
      wordsBehind: '설정 추가 예약',
      typed: '',
      fills: fill,
      effect: 'record',
      input: {
        time: {
          input: said('To set one: e.g. "08:30", "8:30pm", "아침 8시 반"'),
          option: option('time', '시각', {
            ko: '예: 8:30, 오후 3시 반',
            en: 'for example 08:30 or 8:30pm, in your time zone',
            isRequired: true,
          }),
        },
        days: {
          input: said('To set one: "weekdays", "daily", "mon,wed,fri", "평일"; leave out for weekdays'),
          option: option('days', '요일', {
            ko: '평일, 매일, 월,수,금 (비우면 평일)',
            en: 'weekdays, daily or mon,wed,fri; weekdays if empty',
          }),
        },
        names: NAMES,
        place: {
          option: {
            name: 'here',
            nameKo: '여기',
            description: {
              ko: '다이렉트 메시지 대신 이 채널로 보냅니다 (모두가 봅니다)',
              en: 'here, where others see it, instead of a direct message',
            },
            type: 'flag',
          },
          read: ({ flags }) => placeIn(flags),
        },
      },
      read: readRequest,
      run: ({ time = '', ...request }, { briefings }: Deps, who, signal) =>
        briefings.set({ time, ...request }, who, signal),
    }),
    now: action({
      nameKo: '지금',
      description: { ko: '지금 바로 받습니다', en: 'one right now' },
      words: 'now 지금 바로',
      input: { names: NAMES },
      run: ({ names }, { briefings }: Deps, who, signal) => briefings.now({ names }, who, signal),
    }),
    list: action({
      nameKo: '목록',
      description: { ko: '내 브리핑 목록', en: 'lists yours' },
      words: 'list show 목록 보기',
      run: (_input, { briefings }: Deps, who, signal) => briefings.list({}, who, signal),
    }),
    remove: action({
      name: 'delete',
      nameKo: '삭제',
      description: { ko: '브리핑을 삭제합니다', en: 'deletes one' },
      words: 'delete remove cancel stop 삭제 취소 해제',
      wordsBehind: 'delete remove cancel 삭제 취소 해제 지워',
      effect: 'destroy',
      input: {
        id: {
          input: said('To remove one: its ID, or "all"'),
          option: option('briefing', '브리핑', {
            ko: '목록에서 고르거나 ID를 적습니다',
            en: 'pick it from the list, or give its ID',
            isRequired: true,
            suggest: 'briefing',
          }),
          read: ({ words }) => words.join(' '),
        },
        isSure: { read: hasFlag('yes', '확인') },
        page: { read: ({ flags }) => (flags.has('page') ? 1 : undefined) },
      },
      run: ({ id = '', ...how }, { briefings }: Deps, who, signal) =>
        briefings.remove({ which: id, ...how }, who, signal),
    }),
  },
  unnamed: (words) => (words.length === 0 ? 'list' : 'set'),
  tool: {
    name: 'set_briefing',
    description: [
      'Give, set, list or delete briefings for the user: a message at a time of day with market sessions, indices,',
      'currencies, their watchlist, what moved their portfolio, and headlines. Use action="set" only when the user asks',
      'to be told regularly ("매일 아침 8시 반에 브리핑해 줘", "brief me every weekday at 7"); for one message at one time',
      'use notify, and for a price that is reached use set_alert. action="now" gives one right away. Pass time and days in the words of the user; the time',
      'is in their own time zone, and the result says which, with the first time: repeat it. When the user',
      'gave no time, ask for it instead of choosing one. action="remove" needs the ID, which action="list" shows; "all"',
      'deletes nothing, but tells the user how they do that themselves.',
    ],
    actions: ['now', 'set', 'list', 'remove'],
    progress: (key, locale) => briefingTexts(locale).progress[key](),
  },
});
