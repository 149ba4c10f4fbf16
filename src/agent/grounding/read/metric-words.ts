import { isMetricId, METRICS, type MetricId } from '#src/kernel/market/fact-metrics.ts';
import { isOfOneThing } from '#src/kernel/market/metric-sorts.ts';
import { separatedWords } from '#src/kernel/market/metrics/metric.ts';
import { type Hit, Phrases } from '#src/reading/phrases.ts';

/** What a word of an answer says about the number beside it. */
export interface Meaning {
  /** The one metric that it names. */
  readonly metric?: MetricId;
  /** 1 for "rose", -1 for "fell". */
  readonly direction?: 1 | -1;
}

export type WordHit = Hit<Meaning>;

/** Everyday words of statements, which the names of the metrics do not have. */
const SAID: readonly (readonly [metric: MetricId, words: string])[] = [
  ['close', 'closed at, finished at, finished the day at, ended at, settled at, 종가, 마감가'],
  [
    'price',
    'last price, stands at, trading at, trades at, priced at, is at, currently at, now at, 지금, 현재',
  ],
  ['changePercent', '전일 대비, 전일비, 전날보다, 등락률'],
];

const UP = `
  상승, 상승했, 오른, 올랐, 올라, 급등, 뛰었, 뛴, 반등, 강세, 플러스,
  up, rose, risen, gained, climbed, jumped, advanced, rallied, surged, soared, added, higher`;
const DOWN = `
  하락, 하락했, 내린, 내렸, 내려, 떨어, 빠진, 빠졌, 밀렸, 급락, 폭락, 약세, 마이너스,
  down, fell, fallen, dropped, slipped, slid, sank, shed, tumbled, plunged, declined, lost, lower, gave up, giving up, gives up`;
/** Words that contain one of direction and say none. */
const NEUTRAL =
  'ended up, made up, makes up, add up, adds up, up to, sum up, follow up, set up, look up, up from, down from';

const HANGUL = /[가-힣]/u;

/** Korean phrases are also written without their spaces. */
const formsOf = (word: string): readonly string[] =>
  HANGUL.test(word) && word.includes(' ') ? [word, word.replaceAll(' ', '')] : [word];

const allMeanings = (): Map<string, Meaning> => {
  const metricsOf = new Map<string, Set<MetricId>>();
  for (const [id, { words }] of Object.entries(METRICS))
    if (isMetricId(id))
      for (const word of [...words.ko, ...words.en].flatMap(formsOf))
        metricsOf.getOrInsertComputed(word.toLowerCase(), () => new Set()).add(id);
  const meanings = new Map<string, Meaning>();
  // A word that names several metrics names none plainly; it only hides the shorter ones in it.
  for (const [word, metrics] of metricsOf) {
    const [metric] = metrics;
    meanings.set(word, metric && metrics.size === 1 && isOfOneThing(metric) ? { metric } : {});
  }
  for (const [metric, words] of SAID)
    for (const word of separatedWords(words).flatMap(formsOf)) meanings.set(word, { metric });
  for (const word of separatedWords(UP)) meanings.set(word, { direction: 1 });
  for (const word of separatedWords(DOWN)) meanings.set(word, { direction: -1 });
  for (const word of separatedWords(NEUTRAL)) meanings.set(word, {});
  return meanings;
};

let phrases: Phrases<Meaning> | undefined;

/** The telling words of a text in lower case. The index is made when the first answer is checked. */
export const wordsIn = (lowered: string): readonly WordHit[] => {
  phrases ??= new Phrases(allMeanings());
  return phrases.in(lowered);
};
