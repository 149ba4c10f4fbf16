import { isMetricId, METRICS, type MetricId } from '#src/kernel/fact-metrics.ts';
import { separatedWords } from '#src/kernel/metrics/metric.ts';
import { ALL_TIME, YEAR_TO_DATE } from './periods.ts';
import { type Hit, Phrases } from './phrases.ts';

/** What a word of an answer says about the numbers beside it. */
export interface Meaning {
  /** The metrics that it names. */
  readonly metrics: readonly MetricId[];
  /** The metrics that it may name: they are possible, but exclude no others. */
  readonly weak?: readonly MetricId[] | undefined;
  /** 1 for "rose", -1 for "fell". */
  readonly direction?: 1 | -1 | undefined;
  /** The span that it names, in days. */
  readonly periodDays?: number | undefined;
  /** The number beside it may be calculated from others: "difference", "compared with". */
  readonly isComparing?: boolean | undefined;
  /** The sentence supposes something. */
  readonly isSupposing?: boolean | undefined;
  /** Values are listed in the order of their names. */
  readonly isRespective?: boolean | undefined;
  /** What it names where bands are spoken of: `Bollinger Bands: upper …, lower …`. */
  readonly ofBands?: MetricId | undefined;
  /** The two numbers beside it are the ends of a range. */
  readonly isRange?: boolean | undefined;
}

export type WordHit = Hit<Meaning>;

/** Words of a value above another, or above zero. Korean verbs are given as stems. */
const UP = `
  상승, 상승했, 상승세, 오른, 올랐, 올라, 오르, 오릅, 오름세, 급등, 폭등, 치솟, 뛰었, 뛰어올, 뛴, 반등, 강세, 강보합,
  증가, 늘어, 늘었, 성장, 높은, 높아, 높습, 높게, 높다, 높고, 높으, 높지만, 위에, 웃도, 웃돌, 웃돕, 상회, 플러스,
  이익, 이익을, 수익을, 평가이익, 평가차익, 벌었,
  up, rose, risen, rise, rises, rising, gained, gain, gains, gaining, climbed, climb, climbs, climbing,
  jumped, jump, jumps, jumping, advanced, advance, advances, advancing, rallied, rally, rallies, rallying,
  surged, surge, surges, surging, soared, soar, soars, soaring, rebounded, rebound, rebounds, rebounding,
  added, adding, increased, increase, increases, increasing, grew, growing, growth, higher, above, profit, gainers, advancers,
  strengthened, strengthening, strengthens, firmed, ↑`;

/** Words of a value below another, or below zero. */
const DOWN = `
  하락, 하락했, 하락세, 하락률, 하락폭, 낙폭, 내린, 내렸, 내려, 내리, 내립, 내림세, 떨어, 빠진, 빠졌, 빠지, 빠질, 밀렸, 밀려,
  밀린, 급락, 폭락, 추락, 미끄러, 주저앉, 곤두박질, 뒷걸음, 약세, 약보합, 감소, 감소율, 줄어, 줄었, 역성장,
  낮은, 낮아, 낮습, 낮게, 낮다, 낮고, 낮으, 낮지만, 아래, 밑도, 밑돌, 밑돕, 하회, 마이너스,
  손실, 평가손실, 잃었, 잃은, 잃고, 역프리미엄, 역프, 모자라, 모자랍, 부족,
  down, fell, fallen, fall, falls, falling, dropped, drop, drops, dropping, dipped, dip, dips, dipping,
  slipped, slip, slips, slipping, slid, slide, slides, sliding, slumped, slump, slumps, slumping,
  sank, sunk, sinks, sinking, shed, shedding, tumbled, tumble, tumbles, tumbling, plunged, plunge, plunges,
  plunging, plummeted, plummets, plummeting, crashed, nosedived, cratered, retreated, retreats, retreating,
  eased, weakened, weakening, weakens, sell-off, selloff, pulled back, gave up, giving up, gave back, giving back, is off, was off,
  declined, decline, declines, declining, decreased, decrease, decreases, decreasing, shrank, lower, below,
  under, lost, losing, loses, loss, losses, losers, decliners, laggards, short, overdrawn, ↓`;

/** Names that contain a word of direction, but do not say which way the value went. */
const NEUTRAL = `
  상승률, 상승폭, 급등락, 등락률, 변동률, 수익률, 성장률, 증가율, 증감률, 최대 낙폭,
  손익, 손익률, 평가손익, 실현손익, 순이익, 영업이익, 당기순이익, 주당순이익,
  이익률, 순이익률, 영업이익률, 매출총이익률, 총이익률, 주가수익비율, 자기자본이익률,
  gain/loss, profit/loss, profit and loss, gains and losses, profit margin,
  growth rate, revenue growth, sales growth, earnings growth, up to, made up, make up, makes up, making up,
  ended up, wound up, upper, lower band, lower bollinger`;

/** Words beside numbers that may be calculated: comparisons, totals, averages, parts, conversions. */
const COMPARING = `
  대비, 보다, 차이, 격차, 차액, 괴리, 괴리율, 폭, 폭은, 변동폭, 앞서, 앞섰, 앞선, 비싼, 비싸, 저렴,
  합은, 합이, 합한, 합해, 합쳐, 합계, 합치면, 합하면, 합산, 총합, 모두 합, 평균, 비율, 비중, 배수, 약분,
  그중, 남은, 남아, 남았, 남습, 남고, 더해, 더하면, 더한, 빼면, 곱하면, 나누면, 합쳐도, 합쳐서, 차지, 모자라, 부족, 여력, 까지는, 주당, 기준, 환산, 환산하면, 환전, 적용, 적용하면, 적용해,
  샀, 사셨, 이시면,
  difference, compared, versus, vs, than, relative, spread, gap, apart, ahead, behind, beat, outperformed,
  more, less, fewer, as much, upside, downside, off its, that of, combined, together, altogether, left over, leaves, remaining, times, implies, implying, implied, pays out, payout, wide, width, sum, plus,
  total, in total, average, mean, ratio, multiple of, share of, of which, of its, of total, of the total,
  of revenue, equivalent, converts, converted, works out`;

/** Measures that no tool gives, though part of their name is one that tools give. They are calculated. */
const NOT_GIVEN = `
  배당성향, 배당 성향, 배당 성장률, 배당 증가율, 총자산이익률, 이익수익률, 현금흐름 마진, 매출총이익, 순현금, 밴드폭, 밴드 폭,
  payout ratio, dividend payout, dividend growth, earnings yield, free cash flow margin, fcf margin, cash flow margin,
  free cash flow yield, fcf yield, ebitda margin, bandwidth, price-to-sales`;

/** Words of a sentence that supposes something. */
const SUPPOSING = `
  만약, 만일, 넘으면, 넘기면, 밑돌면, 내려가면, 올라가면, 되려면, 가려면, 낮추려면, 높이려면, 오르면, 내리면, 떨어지면, 하락하면, 상승하면, 빠지면, 되면, 사면, 팔면, 라면, 다면, 한다면,
  매도하면, 매수하면, 처분하면, 보유하면, 투자하면, 납입하면, 유지하면, 가정하면, 넣으면, 모으면, 굴리면, 늘리면, 줄이면, 맞추면, 옮기면, 낮아지면, 높아지면,
  무너지면, 이탈하면, 돌파하면, 도달하면, 으려면, 하려면,
  가정, 경우를 가정, 시나리오, 예를 들어, 예컨대, 예시,
  if, suppose, supposing, assume, assuming, hypothetically, imagine, scenario, would, were to,
  for example, for instance, e.g., say`;

/** Words beside the two ends of a range: `오늘 70,000~71,500원`. */
const RANGE = `
  범위, 레인지, 구간, 사이, 오늘, 당일, 장중, 일중, 52주,
  range, ranged, between, today, day, 52 weeks, 52-week`;

const RESPECTIVE = '각각, 순서대로, 차례로, respectively, in that order';

/** Words that name a span of time, and its days. */
const PERIODS: readonly (readonly [words: string, periodDays: number])[] = [
  [
    `올해, 올 들어, 연초 이후, 연초 대비, 연초부터, 연초 이래,
    ytd, year to date, year-to-date, so far this year, this year, since january`,
    YEAR_TO_DATE,
  ],
  ['매수 이후, 매입 이후, since purchase, since you bought', ALL_TIME],
  ['상장 이후, 상장 이래, 전체 기간, 역대, all time, all-time, since listing', ALL_TIME],
  [
    `오늘, 금일, 당일, 하루, 하루 만에, 일간, 장중, 일중, 전일, 전일 대비, 전일보다, 어제보다,
    전날보다, 전날 대비, 전 거래일, 전 거래일 대비,
    day range, day's range, daily range, intraday range, session range,
    today, daily, on the day, for the day, day change, intraday, in the session,
    from yesterday, from the previous close, from the prior close`,
    1,
  ],
  [
    `일주일, 한 주, 이번 주, 지난주, 주간,
    a week, this week, past week, last week, over the week, for the week, weekly, one week, one-week,
    five days, five trading days`,
    7,
  ],
  [
    '한 달, 이번 달, 지난달, 월간, a month, this month, past month, last month, over the month, monthly, one month, one-month',
    30,
  ],
  ['분기, a quarter, this quarter, past quarter, three months, 3 months', 91],
  ['반년, half a year, six months, past six months', 182],
  [
    `한 해, 일 년, 1년, 52주, 연간, 지난해, 작년,
    one year, one-year, past year, last year, over the year, a year ago, twelve months`,
    365,
  ],
];

/** Words that name a pair of values: the lower and the higher end. */
const RANGES: readonly (readonly [words: string, metrics: readonly MetricId[]])[] = [
  [
    '52주 범위, 52주 변동, 52주 레인지, 52주 밴드, 52-week range, 52 week range, yearly range, year range',
    ['yearLow', 'yearHigh', 'periodLow', 'periodHigh', 'yearPosition'],
  ],
  [
    `일중 범위, 장중 범위, 당일 범위, 일일 범위, 일중 변동, 장중 변동,
    day range, day's range, daily range, intraday range, trading range, session range`,
    ['dayLow', 'dayHigh'],
  ],
  [
    '볼린저 밴드, 볼린저, bollinger bands, bollinger band',
    ['bollingerLower', 'bollingerMiddle', 'bollingerUpper'],
  ],
];

/**
 * What the words of a metric also name. A close is also what a quote after the session says, and a price what
 * the last close says.
 */
const ALSO: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  price: ['close', 'exchangeRate', 'converted'],
  close: ['price'],
  previousClose: ['close'],
  lastYearClose: ['close'],
  yearHigh: ['periodHigh'],
  yearLow: ['periodLow'],
  dayChange: ['change'],
  dayChangePercent: ['changePercent'],
  exchangeRate: ['price', 'close'],
  marketValue: ['totalValue', 'holdingsValue', 'marketCap'],
  totalValue: ['marketValue'],
  change: ['dayChange'],
  changePercent: ['dayChangePercent'],
  quantity: ['tradeQuantity'],
  largestShare: ['weight'],
  weight: ['largestShare', 'currencyShare', 'sectorShare', 'targetWeight'],
  converted: ['calculation'],
  bollingerUpper: ['valueAreaHigh', 'pointOfControlHigh'],
  bollingerLower: ['valueAreaLow', 'pointOfControlLow'],
};

/** The bands, where a sentence is about them. */
const BANDS: readonly (readonly [words: string, metric: MetricId])[] = [
  ['upper, upside, 상단', 'bollingerUpper'],
  ['middle, mid, 중간, 중단, 중심', 'bollingerMiddle'],
  ['lower, 하단', 'bollingerLower'],
];

/** Words that allow a metric without ruling out others. */
const WEAK: readonly (readonly [words: string, metrics: readonly MetricId[]])[] = [
  ['평균, average, averages', ['averageCost', 'sma', 'averageVolume', 'distanceFromSma', 'distanceFromEma']],
  ['전일, 전날, 어제, yesterday, prior', ['previousClose']],
  ['from', ['previousClose', 'lastYearClose']],
  [
    '사서, 사셔서, 사셨, 샀, 매수하셨, 매입하셨, 매수했, 매입했, 매수한, 매입한, 매수해, 매입해',
    ['averageCost', 'quantity'],
  ],
  [
    '매수 이후, 매입 이후, 매수 후, since purchase, since you bought',
    ['unrealisedGain', 'unrealisedGainBase', 'unrealisedGainPercent', 'unrealisedGainBasePercent'],
  ],
  ['작년, 지난해, 작년 말, 지난해 말, 전년 말, last year', ['lastYearClose']],
  [
    '찍었, 찍고, 찍은, 까지, touched, touching, hit, bottomed, peaked, 바닥, 정점',
    [
      'dayLow',
      'dayHigh',
      'periodLow',
      'periodHigh',
      'yearLow',
      'yearHigh',
      'pointOfControlLow',
      'pointOfControlHigh',
      'valueAreaLow',
      'valueAreaHigh',
    ],
  ],
];

/** What a percentage with "up" or "down" can be besides, where the answer is about what a person holds. */
export const PERCENT_GAINS: readonly MetricId[] = [
  'unrealisedGainPercent',
  'unrealisedGainBasePercent',
  'timeWeightedReturn',
];

/** The ends of a range of prices. */
export const LOW_ENDS: readonly MetricId[] = [
  'dayLow',
  'yearLow',
  'periodLow',
  'pointOfControlLow',
  'valueAreaLow',
  'bollingerLower',
];
export const HIGH_ENDS: readonly MetricId[] = [
  'dayHigh',
  'yearHigh',
  'periodHigh',
  'pointOfControlHigh',
  'valueAreaHigh',
  'bollingerUpper',
];

/** What an amount with "up" or "down" can be. */
export const MONEY_MOVES: readonly MetricId[] = [
  'change',
  'dayChange',
  'unrealisedGain',
  'unrealisedGainBase',
  'realisedGain',
];

/** What a percentage with "up" or "down" can be. */
export const PERCENT_MOVES: readonly MetricId[] = [
  'changePercent',
  'dayChangePercent',
  'benchmarkChange',
  'alertChangePercent',
  'kimchiPremium',
];

const HANGUL = /[가-힣]/u;

/** Korean phrases are also written without their spaces. */
const formsOf = (word: string): readonly string[] =>
  HANGUL.test(word) && word.includes(' ') ? [word, word.replaceAll(' ', '')] : [word];

/** Adds a meaning to words. What they mean already stays. */
const addTo = (meanings: Map<string, Meaning>, words: readonly string[], more: Partial<Meaning>): void => {
  for (const word of words) {
    for (const form of formsOf(word)) {
      const known = meanings.get(form) ?? { metrics: [] };
      const metrics = [...new Set([...known.metrics, ...(more.metrics ?? [])])];
      meanings.set(form, { ...known, ...more, metrics });
    }
  }
};

/** Shorter words are part of too many others. */
const MIN_PHRASE = 2;

/** The ends of a phrase that are phrases themselves: `gain` of `unrealized gain`, `손익` of `평가손익`. */
const innerPhrases = (phrase: string): readonly string[] => {
  const parts: string[] = [];
  for (let start = 1; start <= phrase.length - MIN_PHRASE; start += 1)
    if (HANGUL.test(phrase) || phrase.charAt(start - 1) === ' ') parts.push(phrase.slice(start));
  return parts;
};

/**
 * `unrealized gain` also names what `gain` does in another unit, because the longer phrase hides the
 * shorter one.
 */
const addInner = (meanings: Map<string, Meaning>): void => {
  const more = new Map<string, readonly MetricId[]>();
  for (const [phrase, { metrics }] of meanings) {
    const kinds = new Set(metrics.map((id) => METRICS[id].kind));
    const inner = innerPhrases(phrase).flatMap((part) => meanings.get(part)?.metrics ?? []);
    const others = inner.filter((id) => !kinds.has(METRICS[id].kind));
    if (others.length > 0) more.set(phrase, others);
  }
  for (const [phrase, metrics] of more) addTo(meanings, [phrase], { metrics });
};

/** `above its low` also says "above". */
const addDirections = (meanings: Map<string, Meaning>): void => {
  for (const [phrase, meaning] of meanings) {
    const [first = ''] = phrase.split(' ');
    const direction = first === phrase ? undefined : meanings.get(first)?.direction;
    if (direction !== undefined && meaning.direction === undefined && !NEUTRAL.includes(phrase))
      meanings.set(phrase, { ...meaning, direction });
  }
};

const allMeanings = (): Map<string, Meaning> => {
  const meanings = new Map<string, Meaning>();
  for (const [id, { words }] of Object.entries(METRICS)) {
    if (!isMetricId(id)) continue;
    const metrics = [id, ...(ALSO[id] ?? [])];
    const named = [...words.ko, ...words.en].map((word) => word.toLowerCase());
    addTo(meanings, named, { metrics });
  }
  for (const [words, metrics] of RANGES) addTo(meanings, separatedWords(words), { metrics, isRange: true });
  for (const [words, ofBands] of BANDS) addTo(meanings, separatedWords(words), { ofBands });
  for (const [words, weak] of WEAK) addTo(meanings, separatedWords(words), { weak });
  addTo(meanings, separatedWords(UP), { direction: 1 });
  addTo(meanings, separatedWords(DOWN), { direction: -1 });
  for (const word of separatedWords(NEUTRAL)) {
    const { direction: _, ...rest } = meanings.get(word) ?? { metrics: [] };
    meanings.set(word, rest);
  }
  for (const [words, periodDays] of PERIODS) addTo(meanings, separatedWords(words), { periodDays });
  addTo(meanings, separatedWords(COMPARING), { isComparing: true });
  addTo(meanings, separatedWords(NOT_GIVEN), { isComparing: true });
  addTo(meanings, separatedWords(RANGE), { isRange: true });
  addTo(meanings, separatedWords(SUPPOSING), { isSupposing: true });
  addTo(meanings, separatedWords(RESPECTIVE), { isRespective: true });
  addInner(meanings);
  addDirections(meanings);
  return meanings;
};

let phrases: Phrases<Meaning> | undefined;

/** How far behind the name of the bands their ends are named. */
const BAND_REACH = 120;

const inBands = (words: readonly WordHit[]): readonly WordHit[] => {
  if (!words.some(({ value }) => value.ofBands !== undefined)) return words;
  let bands = -Infinity;
  return words.map((word) => {
    if (word.value.metrics.includes('bollingerMiddle')) bands = word.end;
    const { ofBands } = word.value;
    return ofBands === undefined || word.start - bands > BAND_REACH
      ? word
      : { ...word, value: complete({ metrics: [ofBands] }) };
  });
};

/** With all fields, because objects of one shape are read faster, and each number reads those of its sentence. */
const complete = (meaning: Meaning): Meaning => ({
  metrics: meaning.metrics,
  weak: meaning.weak,
  direction: meaning.direction,
  periodDays: meaning.periodDays,
  isComparing: meaning.isComparing,
  isSupposing: meaning.isSupposing,
  isRespective: meaning.isRespective,
  ofBands: meaning.ofBands,
  isRange: meaning.isRange,
});

/** The telling words of a text in lower case. The index is made when the first answer is checked. */
export const wordsIn = (lowered: string): readonly WordHit[] => {
  phrases ??= new Phrases(
    [...allMeanings()].map(([word, meaning]) => [word.toLowerCase(), complete(meaning)]),
  );
  return inBands(phrases.in(lowered));
};
