import { createRandom } from '#src/markets/sources/sample/random.ts';
import * as company from './claims-company.ts';
import * as derived from './claims-derived.ts';
import * as history from './claims-history.ts';
import * as own from './claims-own.ts';
import * as quote from './claims-quote.ts';
import type { Collected } from './collect-facts.ts';
import type { Draft, Part } from './draft.ts';
import { isValue } from './draft.ts';
import * as layouts from './layouts.ts';
import { type Planted, plantedIn } from './plant.ts';
import { Chances, type Session, sessionOf } from './session.ts';
import { type Claim, Writer } from './writer.ts';

/** Groups of statements, and how often each is tried. */
const GROUPS: readonly (readonly [group: string, weight: number, claims: readonly Claim[]])[] = [
  ['price', 3, [quote.price]],
  ['change', 3, [quote.change]],
  ['range', 2, [quote.range]],
  ['volume', 1, [quote.volume]],
  ['named quote figure', 2, [quote.named]],
  ['paragraph', 3, [quote.paragraph]],
  ['size of a company', 2, [company.size]],
  ['multiples', 2, [company.multiple, company.valuation]],
  ['fundamentals', 2, [company.figure, company.growth]],
  ['indicators', 3, [company.average, company.distance, company.oscillator, company.bands]],
  ['close of a day', 5, [history.close, history.closes]],
  ['period', 3, [history.extremes, history.performance]],
  ['risk', 2, [history.risk, history.correlation]],
  ['currency', 2, [own.conversion]],
  ['portfolio', 4, [own.holding, own.gain, own.total]],
  ['calculation', 1, [own.calculation]],
  [
    'derived',
    8,
    [derived.difference, derived.ratio, derived.mean, derived.between, derived.inWon, derived.aboveLow],
  ],
  ['table', 3, [layouts.companyTable, layouts.metricTable, layouts.bareTable]],
  ['bullets', 2, [layouts.bullets, layouts.ranking]],
  ['respectively', 2, [layouts.respectively, layouts.contrast]],
];

const WEIGHTED = GROUPS.flatMap(([group, weight, claims]) =>
  Array.from({ length: weight }, () => ({ group, claims })),
);

const SESSION_ANSWERS = 25;

/** What stands around the numbers. */
const OPENINGS = {
  ko: ['', '', '', '확인했습니다.\n\n', '요청하신 내용을 정리해 드릴게요.\n\n', '네, 조회한 결과입니다.\n'],
  en: ['', '', '', 'Sure, here is what I found.\n\n', 'Here you go:\n', 'I looked it up. '],
};
const ENDINGS = {
  ko: [
    '',
    '',
    '',
    '\n\n더 궁금한 점이 있으면 말씀해 주세요.',
    '\n\n※ 투자 판단의 책임은 본인에게 있습니다.',
    '\n\n(출처: 샘플 데이터)',
  ],
  en: [
    '',
    '',
    '',
    '\n\nLet me know if you need more.',
    '\n\nThis is not investment advice.',
    '\n\n(Source: sample data)',
  ],
};

export interface Generated {
  readonly session: Session;
  readonly draft: Draft;
  readonly planted: readonly Planted[];
}

const draftOf = (writer: Writer): Draft | undefined => {
  const { chances, locale } = writer;
  const { group, claims } = chances.pick(WEIGHTED);
  const parts = chances.pick(claims)(writer);
  if (!parts?.some(isValue)) return undefined;
  const around: readonly Part[] = [chances.pick(OPENINGS[locale]), ...parts, chances.pick(ENDINGS[locale])];
  return { group, parts: around };
};

/** Right answers about the facts, each with several versions that are wrong. The same for the same seed. */
export function* generate(
  collected: Collected,
  { seed, answers }: { readonly seed: string; readonly answers: number },
): Generator<Generated> {
  const chances = new Chances(createRandom(seed));
  let session = sessionOf(collected, chances);
  for (let made = 0; made < answers;) {
    const draft = draftOf(new Writer(chances.pick(['ko', 'en'] as const), chances, session));
    if (!draft) {
      // A conversation without these facts.
      if (chances.happens(0.05)) session = sessionOf(collected, chances);
      continue;
    }
    made += 1;
    yield { session, draft, planted: plantedIn(draft, session, chances) };
    if (made % SESSION_ANSWERS === 0) session = sessionOf(collected, chances);
  }
}
