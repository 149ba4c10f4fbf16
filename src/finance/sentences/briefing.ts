import type { Said, Topic } from './topics.ts';
import { asking, wordsOf } from './vocabulary.ts';

const PART = '오전|오후|새벽|아침|점심|낮|저녁|밤';
const CLOCK = String.raw`(?:(?:${PART})\s*)?\d{1,2}(?:\s?시(?:\s*(?:\d{1,2}\s*분|반))?|:\d{2}(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?)|정오|자정|noon|midnight`;
const TIME = new RegExp(String.raw`(?<![\p{L}\p{N}:.])(${CLOCK})(?:에|마다)?(?![\p{L}\p{N}:])`, 'iu');

const DAY_EN =
  'mon(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?)?|thu(?:rs?(?:days?)?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?';
const DAY_KO = '[월화수목금토일](?:요일)';
const DAYS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<all>매일|날마다|daily|every\s?day|every (?:morning|evening))|(?<weekdays>평일|주중|(?:on |every )?weekdays?)|(?<weekends>주말|(?:on |every )?weekends?)|(?<some>(?:매주\s?)?(?:${DAY_KO})(?:[\s,·~-]+(?:${DAY_KO}))*|매주\s?[월화수목금토일]{1,7}|월수금|화목|월화수목금|[월화수목금토일](?:[,·~-][월화수목금토일]){1,6}|(?:on |every )?(?:${DAY_EN})(?:(?:[\s,&~-]+|,? and )(?:${DAY_EN}))*))(?:마다|에)?(?![\p{L}\p{N}])`,
  'iu',
);
const daysIn = (text: string): string | undefined => {
  const { all, weekdays, weekends, some } = DAYS.exec(text)?.groups ?? {};
  if (all !== undefined) return 'daily';
  if (weekdays !== undefined) return 'weekdays';
  return weekends === undefined ? some?.replace(/^(?:on|every)\s+/iu, '') : 'weekends';
};

const LATE = /\b(?:evening|afternoon|night)\b/iu;
const BARE_HOUR = /^(?:[1-9]|1[01])(?::\d{2})?$/u;
/** `at 8:30 in the evening` is not in the morning. */
const timeIn = (text: string): string | undefined => {
  const time = TIME.exec(text)?.[1]?.replaceAll(/\s+/gu, ' ');
  return time !== undefined && LATE.test(text) && BARE_HOUR.test(time) ? `${time}pm` : time;
};

const NOUN_KO = String.raw`(?:(?:내|제)\s?)?(?:시장\s?|시황\s?|아침\s?|증시\s?)?브리핑`;
const NOUN_EN = '(?:(?:my|the|an?) )?(?:(?:market|morning|evening|daily) )?briefings?|brief me';
const NOUN = asking(NOUN_KO, NOUN_EN);
const SETS_KO = String.raw`보내\p{L}{0,20}|설정\p{L}{0,20}|예약\p{L}{0,20}|등록\p{L}{0,20}|받\p{L}{0,20}|부탁\p{L}{0,20}|시작\p{L}{0,20}|싶\p{L}{0,20}`;
const SETS_EN = 'send|set(?: up)?|schedule|receive|start|brief me';
const ENDS_KO = String.raw`삭제\p{L}{0,20}|제거\p{L}{0,20}|지워\p{L}{0,20}|지우\p{L}{0,20}|없애\p{L}{0,20}|취소\p{L}{0,20}|해제\p{L}{0,20}|중단\p{L}{0,20}|그만\p{L}{0,20}|꺼\p{L}{0,20}|끄\p{L}{0,20}`;
const ENDS_EN = 'remove|delete|cancel|turn off|stop|end';
const ENDS = asking(ENDS_KO, ENDS_EN);
const ALL_KO = '전부|모두|모든|전체|다';
const ALL = asking(ALL_KO, 'all|every');
const ID = /(?<![\p{L}\p{N}])#([a-z0-9]{3,20})(?![\p{L}\p{N}])/iu;
const LISTS_KO = String.raw`목록|리스트|현황|내역|뭐|몇\s?시\p{L}{0,20}|언제\p{L}{0,20}|있\p{L}{0,20}`;
const LISTS = asking(`${LISTS_KO}|보여|확인`, 'list|show|which|what|when|my');

const isSet = ({ text }: Said): boolean =>
  NOUN.test(text) && !ENDS.test(text) && (TIME.test(text) || !LISTS.test(text));

/** Regular briefings: when, on which days, and about what beside the watchlist. */
export const BRIEFING_TOPICS: readonly Topic[] = [
  {
    tool: 'set_briefing',
    asks: isSet,
    words: new RegExp(
      `${TIME.source}|${DAYS.source}|${wordsOf(`${NOUN_KO}|${SETS_KO}|아침|바로|당장`, `${NOUN_EN}|${SETS_EN}|in the (?:morning|evening|afternoon)|at night|morning|evening`).source}`,
      'giu',
    ),
    names: [0, 10],
    isTimed: ({ text }) => TIME.test(text),
    input: (names, { text }) => ({
      action: 'set',
      time: timeIn(text),
      days: daysIn(text),
      names: names.length > 0 ? names : undefined,
    }),
  },
  {
    tool: 'set_briefing',
    asks: ({ text }) => NOUN.test(text) && ENDS.test(text) && (ALL.test(text) || ID.test(text)),
    words: wordsOf(`${NOUN_KO}|${ENDS_KO}|${ALL_KO}|${ID.source}`, `${NOUN_EN}|${ENDS_EN}|all|every|of`),
    names: [0, 0],
    input: (_names, { text }) => ({ action: 'remove', id: ID.exec(text)?.[1] ?? 'all' }),
  },
  {
    tool: 'set_briefing',
    // Who does not say which one is to end is shown the list, with their ids.
    asks: ({ text }) => NOUN.test(text) && (LISTS.test(text) || ENDS.test(text)),
    words: wordsOf(
      `${NOUN_KO}|${LISTS_KO}|${ENDS_KO}|${SETS_KO}`,
      `${NOUN_EN}|${ENDS_EN}|${SETS_EN}|list|which|when`,
    ),
    names: [0, 0],
    input: () => ({ action: 'list' }),
  },
];
