import { withoutReadings } from '#src/reading/reading.ts';
import { timesIn } from '#src/reading/times.ts';
import { weekdaysIn } from '#src/reading/weekdays.ts';
import type { Said, Topic } from './topics.ts';
import { asking, ID, wordsOf } from './vocabulary.ts';

/** Moves a time to the afternoon: `at 8:30 in the evening`. */
const LATE = /\b(?:evening|afternoon|night)\b/iu;
const NOON = 12;

const timeIn = (text: string): string | undefined => {
  const [first] = timesIn(text);
  if (!first) return undefined;
  const { time } = first.value;
  const isLate =
    LATE.test(text) && time.hour < NOON && !/[ap]\.?m/iu.test(text.slice(first.start, first.end));
  return (isLate ? time.add({ hours: NOON }) : time).toString({ smallestUnit: 'minute' });
};

const daysIn = (text: string): string | undefined => {
  const [first] = weekdaysIn(withoutReadings(text, timesIn(text)));
  return first && text.slice(first.start, first.end).trim();
};

const withoutSchedule = (text: string): string => {
  const rest = withoutReadings(text, timesIn(text));
  return withoutReadings(rest, weekdaysIn(rest));
};

const isTimed = ({ text }: Said): boolean => timesIn(text).length > 0;

/** A time or days make it a regular briefing. */
const isRegular = (said: Said): boolean => isTimed(said) || daysIn(said.text) !== undefined;
const NOW = /지금|바로|당장|오늘|\b(?:now|immediately|today)\b/iu;

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
const LISTS_KO = String.raw`목록|리스트|현황|내역|뭐|몇\s?시\p{L}{0,20}|언제\p{L}{0,20}|있\p{L}{0,20}`;
const LISTS = asking(`${LISTS_KO}|보여|확인`, 'list|show|which|what|when|my');

const isSet = ({ text }: Said): boolean =>
  NOUN.test(text) && !ENDS.test(text) && (isTimed({ text, range: undefined }) || !LISTS.test(text));

export const BRIEFING_TOPICS: readonly Topic[] = [
  {
    tool: 'set_briefing',
    asks: (said) => NOUN.test(said.text) && NOW.test(said.text) && !ENDS.test(said.text) && !isRegular(said),
    words: wordsOf(
      `${NOUN_KO}|${SETS_KO}|지금|바로|당장|오늘|하나|시황`,
      `${NOUN_EN}|${SETS_EN}|right now|now|immediately|today(?:'s)?|one|market`,
    ),
    names: [0, 10],
    input: (names) => ({ action: 'now', names: names.length > 0 ? names : undefined }),
  },
  {
    tool: 'set_briefing',
    action: 'set',
    asks: isSet,
    without: withoutSchedule,
    words: wordsOf(
      `${NOUN_KO}|${SETS_KO}|아침|바로|당장|마다`,
      `${NOUN_EN}|${SETS_EN}|in the (?:morning|evening|afternoon)|at night|morning|evening|on|every`,
    ),
    names: [0, 10],
    isTimed,
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
    input: (_names, { text }) => ({ action: 'remove', id: ID.exec(text)?.[1] ?? 'all' }),
  },
  {
    tool: 'set_briefing',
    // A single briefing is removed; with several, the answer lists their ids.
    asks: ({ text }) => NOUN.test(text) && ENDS.test(text),
    words: wordsOf(
      `${NOUN_KO}|${LISTS_KO}|${ENDS_KO}|${SETS_KO}|이제`,
      `${NOUN_EN}|${ENDS_EN}|${SETS_EN}|sending|me`,
    ),
    input: () => ({ action: 'remove' }),
  },
  {
    tool: 'set_briefing',
    asks: ({ text }) => NOUN.test(text) && LISTS.test(text) && !ENDS.test(text),
    words: wordsOf(`${NOUN_KO}|${LISTS_KO}|${SETS_KO}`, `${NOUN_EN}|${SETS_EN}|list|which|when`),
    input: () => ({ action: 'list' }),
  },
];
