import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Evidence } from '../facts/evidence.ts';
import type { FactNumber, Pool } from '../facts/pool.ts';
import { mayBeSame } from '../facts/units.ts';
import {
  isoOf,
  lineFinder,
  type NameHit,
  namesAt,
  placeOf,
  type ReadAnswer,
  within,
} from '../read/answer.ts';
import { significantDigits } from '../read/figures.ts';
import type { TextRange } from '../read/layout.ts';
import { type WordHit, wordsIn } from '../read/metric-words.ts';
import type { Judged } from './judge.ts';
import type { AnswerQuestion } from './verdict.ts';
import { isIn } from './written.ts';

/** What else the name of a metric says. */
const ALSO: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  price: ['exchangeRate', 'converted', 'preMarketPrice', 'afterHoursPrice', 'alertPrice'],
  close: ['price', 'afterHoursPrice'],
  previousClose: ['price'],
  exchangeRate: ['price', 'converted'],
  yearHigh: ['periodHigh'],
  yearLow: ['periodLow'],
  changePercent: ['dayChangePercent', 'benchmarkChange'],
  peTrailing: ['peForward'],
  epsTrailing: ['epsForward', 'epsEstimate'],
};
/** Metrics of which the last close says as much. */
const OF_NOW: ReadonlySet<MetricId> = new Set<MetricId>(['price', 'close', 'previousClose', 'exchangeRate']);

/** Words of a clause that supposes, compares or tells the past: it says nothing plainly of now. */
const NOT_PLAIN =
  /만약|가정|[가-힣]면\s|목표|알림|보다|전망|예상|컨센서스|평균|당시|작년|지난|어제|전날|전일|전고점|매수|매도|샀|팔았|배당락|환산|에서|까지|시가총액|원화|\bif\b|would|could|target|alert|than|versus|\bvs\b|average|\bwas\b|were|ago|last (?:week|month|year)|yesterday|prior|previous|from|forecast|forward|expect|estimate|bought|sold|paid|implies|worth|convert|high|low|opened|per \d/iu;
const ATTRIBUTED =
  /에 따르면|기사|보도|뉴스|공시|문서|파일|페이지|자료|보고서|according to|report|article|headline|page|file|document|\bsa(?:ys?|id)\b|post|claim|quoted|you (?:shared|sent|pasted|forwarded)|첨부|전달|보내 ?주신/iu;
/** Only a particle or a verb stands between a metric and its number. */
const BETWEEN =
  /^\s?(?:\([^()\d]{0,20}\)\s?)?(?:은|는|이|가|도|의|을|를|:|：|=|\||-|–|—|is|are|at|of|stands|sits|now|currently|about|around|약|현재|지금|\s){0,6}[₩$€£¥+▲▼-]?\s?$/iu;
const MAX_BETWEEN = 24;
/** `EPS가 0.85달러 늘 것`: the number is a change. */
const CHANGE_AFTER =
  /^\s?(?:\([^()]{0,20}\)\s?)?\)?(?:가량|정도|만큼)?\s?(?:늘|줄|더|높|낮|올[랐라]|오른|내[렸려린]|상승|하락|차이|웃|밑|빠|떨|밀[렸려린]|뛰|뛴|급[등락]|반등|off|up|down|gain|loss|lost|more|less|higher|lower|above|below|over|under)/iu;
const AS_OF_AFTER = /^\s?(?:기준|as of)/iu;
const AS_OF_BEFORE = /(?:as of|as at)\s+(?:the close (?:of|on)\s+)?$/iu;
const LOOK = 24;
const TELLING_DIGITS = 3;
/** `1.30%`: a percentage with so many decimals is hardly another one by chance. */
const FINE = -2;
/** A particle and a space may stand between a number and its direction. */
const BESIDE_AFTER = 4;
const BESIDE_BEFORE = 8;
/** `원화가 7.58원 올라`: a currency rises where its rate falls. */
const PAYERS: Readonly<Record<string, RegExp>> = {
  KRW: /원화|\bwon\b/iu,
  JPY: /엔화|\byen\b/iu,
  USD: /달러화|\bdollar\b/iu,
  EUR: /유로화|\beuro\b/iu,
};
const PAYER = /(?<payer>[A-Z]{3})(?:=X)?$/u;

const isOfPayer = ({ entity }: FactNumber, before: string): boolean =>
  PAYERS[PAYER.exec(entity)?.groups?.['payer'] ?? '']?.test(before) ?? false;

/** `하락폭은 1.2%p 줄었다`, `a loss of 5% narrowed`. */
const NOT_A_MOVE = /축소|줄|narrow|recover|회복|만회|need|야\s|면\s/iu;

/** `평단이 내려갔고 현금은 1,200원`: the verb before belongs to another statement. */
const ENDS_CLAUSE = /(?:고|며|면서|지만|는데|아서|어서|으나)[\s,]/u;

interface Clause extends TextRange {
  readonly judged: Judged;
  readonly answer: ReadAnswer;
  readonly words: readonly WordHit[];
  /** Whom the number is about. */
  readonly subject: string | undefined;
}

/** Finds plain statements about one thing of one subject, of which a fact says otherwise. */
export const questionsIn = (
  answer: ReadAnswer,
  all: readonly Judged[],
  pool: Pool,
  evidence: Evidence,
): readonly AnswerQuestion[] => {
  if (pool.facts.length === 0) return [];
  const words = wordsIn(answer.lowered);
  const asked = all.flatMap((judged, nth): readonly AnswerQuestion[] => {
    const { figure, place, result } = judged;
    if (result?.verdict === 'exempt' || result?.quotedFrom === 'person') return [];
    if (isInFormula(answer, figure)) return [];
    const { start, end } = place.cell ?? {
      start: Math.max(place.sentence.start, all[nth - 1]?.figure.end ?? 0),
      end: Math.min(place.sentence.end, all[nth + 1]?.figure.start ?? place.sentence.end),
    };
    const subject = subjectOf(answer, judged, pool.byEntity.size === 1) ?? subjectOfFacts(answer, judged);
    const clause: Clause = { start, end, judged, answer, words, subject };
    const { facts, kind } =
      valueQuestion(clause, pool) ??
      subjectQuestion(clause, pool) ??
      directionQuestion(clause) ??
      NO_QUESTION;
    return facts.length === 0
      ? []
      : [{ start: figure.start, end: figure.end, text: '', kind, facts: facts.map(({ known }) => known) }];
  });
  return [...asked, ...dayQuestions(answer, pool, evidence)].toSorted((a, b) => a.start - b.start);
};

/** Between two names of one list. */
const IS_JOINED = /^(?:\([^)]{0,30}\))?(?:와|과|랑)? ?(?:,|·|&|및|and)? ?(?:and )?$/iu;

interface Found {
  readonly kind: AnswerQuestion['kind'];
  readonly facts: readonly FactNumber[];
}

const NO_QUESTION: Found = { kind: 'value', facts: [] };

const only = (hits: readonly NameHit[]): string | undefined => {
  const named = new Set(hits.flatMap(({ value }) => value));
  return named.size === 1 ? [...named][0] : undefined;
};

/** `A and B`, `A보다`: the number may be of either. */
const IS_OTHER = /^(?:\([^)]{0,30}\))?\s?(?:보다|대비|와|과|랑|및|,|·|\/|&|and|or|vs)/iu;

/** The name before the number, if it stands in the same sentence or introduces its line. `isOnly`: the facts are of nobody else. */
const subjectOf = (
  { names, text, figures }: ReadAnswer,
  { place, figure }: Judged,
  isOnly: boolean,
): string | undefined => {
  const { line, sentence, column } = place;
  if (line.row) {
    const [label] = line.row.cells;
    const inRow = label ? within(names, label.start, label.end) : [];
    const inColumn = column ? within(names, column.start, column.end) : [];
    return inRow.length > 0 && inColumn.length > 0 ? undefined : only(inRow.length > 0 ? inRow : inColumn);
  }
  const before = within(names, sentence.start, figure.start).filter(({ end }) => end <= figure.start);
  const last = before.at(-1);
  if (last) {
    if (IS_OTHER.test(text.slice(last.end, last.end + LOOK))) return undefined;
    // `Apple and Tesla closed at … and …`.
    const other = before.at(-2);
    if (other && IS_JOINED.test(text.slice(other.end, last.start))) return undefined;
    const behind = within(names, figure.end, sentence.end)[0];
    const next = within(figures, figure.end, sentence.end)[0]?.start ?? sentence.end;
    // `41.70% for Apple`, `1.2% 오른 애플`: the name behind the number may be its own.
    if (behind && behind.start < next && behind.start - figure.end < MAX_BETWEEN) return undefined;
    // Behind another number, a name that nobody knows may follow.
    const isFirst = within(figures, last.end, figure.start).length === 0;
    return isFirst || isOnly ? only([last]) : undefined;
  }
  if (within(names, sentence.start, sentence.end).length > 0) return undefined;
  const above = line.parent && within(names, line.parent.start, line.parent.end);
  return above && line.sentences.length === 1 ? only(above) : undefined;
};

/** Where no name stands beside it: the only subject that has the number. */
const subjectOfFacts = ({ names }: ReadAnswer, { place, known }: Judged): string | undefined => {
  const { start, end } = place.sentence;
  const entities = new Set(known.flatMap(({ fact }) => fact?.entity ?? []));
  return within(names, start, end).length === 0 && entities.size === 1 ? [...entities][0] : undefined;
};

const OPERATOR_BEFORE = /[×÷*/=≈] ?[₩$€£¥]?$/u;
const OPERATOR_AFTER = /^ ?[×÷*/=≈]/u;
const isInFormula = ({ text }: ReadAnswer, { start, end }: TextRange): boolean =>
  OPERATOR_BEFORE.test(text.slice(Math.max(0, start - 4), start)) ||
  OPERATOR_AFTER.test(text.slice(end, end + 4));

/** Whether a cell has nothing but the number. */
const isAlone = (text: string, cell: TextRange, { start, end }: TextRange): boolean =>
  !/[\p{L}\d]/u.test(text.slice(cell.start, start)) && !/[\p{L}\d]/u.test(text.slice(end, cell.end));

/** The metric that stands directly before a number, or above it in a table. */
const metricOf = ({
  answer: { text, names },
  words,
  judged: { figure, place },
  start,
}: Clause): MetricId | undefined => {
  const { column, line, cell } = place;
  if (line.row && cell) {
    const [label] = line.row.cells;
    // The head of a column names its numbers; of a table with two columns, the first cell does.
    const head = line.row.cells.length > 2 ? column : label;
    if (!head || !isAlone(text, cell, figure)) return undefined;
    const named = [column, head].flatMap((each) => {
      const [word, more] = each ? within(words, each.start, each.end) : [];
      return more ? [] : (word?.value.metric ?? []);
    });
    return named[0];
  }
  const before = within(words, Math.max(start, figure.start - 2 * MAX_BETWEEN), figure.start).at(-1);
  if (!before || before.end > figure.start || figure.start - before.end > MAX_BETWEEN) return undefined;
  // `The price of Apple is $190.50`.
  const name = within(names, before.end, figure.start).at(0);
  const between = name
    ? text.slice(before.end, name.start) + text.slice(name.end, figure.start)
    : text.slice(before.end, figure.start);
  return BETWEEN.test(between) ? before.value.metric : undefined;
};

/** `Apple is $190.50`, `AAPL: 190.50 USD`: what no fact says is told as a price. */
const impliedPrice = ({
  answer: { text, names },
  judged: { figure, known, place, result },
}: Clause): MetricId | undefined => {
  if (result?.verdict === 'derived') return undefined;
  if (figure.kind !== 'money' || known.some(({ fact, scanned }) => fact ?? scanned?.from === 'tool'))
    return undefined;
  const name = within(names, place.sentence.start, figure.start).at(-1);
  return name && BETWEEN.test(text.slice(name.end, figure.start)) ? 'price' : undefined;
};

const isDated = ({ answer: { dates }, start, end, judged }: Clause): boolean =>
  within(dates, start, end).length > 0 ||
  (judged.place.line.row !== undefined &&
    within(dates, judged.place.line.start, judged.place.line.end).length > 0) ||
  (judged.place.column !== undefined &&
    within(dates, judged.place.column.start, judged.place.column.end).length > 0);

/** The words that the metric itself is made of do not count. */
const isPlain = ({ answer: { text }, judged: { figure, place }, words, start, end }: Clause): boolean => {
  const from = within(words, start, figure.start).at(-1)?.start ?? figure.start;
  const title = place.column ? text.slice(place.column.start, place.column.end) : '';
  return !NOT_PLAIN.test(
    `${text.slice(start, from)} ${text.slice(figure.end, Math.min(end, figure.end + LOOK))} ${title}`,
  );
};

const dayOf = (fact: FactNumber): string => fact.days[0] ?? '';

/** The newest facts of a subject about one thing. */
const newestOf = (facts: readonly FactNumber[]): readonly FactNumber[] => {
  const newest = facts.reduce((day, fact) => (dayOf(fact) > day ? dayOf(fact) : day), '');
  return facts.filter((fact) => dayOf(fact) === newest);
};

const valueQuestion = (clause: Clause, pool: Pool): Found | undefined => {
  const { judged, answer, subject } = clause;
  const { figure, ranges, place, known } = judged;
  const metric = metricOf(clause) ?? impliedPrice(clause);
  const own = subject === undefined ? undefined : pool.byEntity.get(subject);
  if (!own || metric === undefined || isDated(clause) || !isPlain(clause)) return undefined;
  if (metric !== 'changePercent' && CHANGE_AFTER.test(answer.text.slice(figure.end, figure.end + LOOK)))
    return undefined;
  // `$90,000 you paid in: +$258.58 realised`: another word of the clause says what it is.
  const others = new Set(known.flatMap(({ fact }) => fact?.metric ?? []));
  if (
    within(clause.words, clause.start, clause.end).some(
      ({ value }) => value.metric && others.has(value.metric),
    )
  )
    return undefined;
  // The same of somebody else is another question.
  if (others.has(metric)) return undefined;
  const like = own.filter((fact) => mayBeSame(fact, figure));
  const exact = like.filter((fact) => fact.metric === metric);
  const closes = newestOf(like.filter((fact) => fact.metric === 'close'));
  const meant = OF_NOW.has(metric)
    ? [...newestOf(exact), ...closes, ...like.filter((fact) => ALSO[metric]?.includes(fact.metric))]
    : like.filter((fact) => fact.metric === metric || ALSO[metric]?.includes(fact.metric));
  const main = exact.length > 0 ? newestOf(exact) : metric === 'close' ? meant : [];
  if (main.length === 0 || meant.some(({ value }) => isIn(ranges, value))) return undefined;
  // `100 shares pay $104 a year`: calculated from the very fact.
  if (main.some(({ text }) => judged.result?.formula?.split(' ').includes(text))) return undefined;
  // Of several days, none is the one that is meant.
  if (!OF_NOW.has(metric) && new Set(exact.map(dayOf)).size > 1) return undefined;
  // What the bot has said of it before is still the stranger's.
  const isOfStranger =
    known.some(({ scanned }) => scanned?.from === 'stranger') &&
    known.every(({ scanned }) => scanned?.from === 'stranger' || scanned?.from === 'answer');
  if (isOfStranger && ATTRIBUTED.test(answer.text.slice(place.sentence.start, place.sentence.end)))
    return undefined;
  return { kind: isOfStranger ? 'stranger' : 'value', facts: main.slice(-1) };
};

const keyOf = ({ metric, known: { fact } }: FactNumber): string =>
  `${metric} ${fact.parameter ?? ''} ${fact.period ?? ''}`;

/** The number is a fact of another subject, and the one that is named has its own. */
const subjectQuestion = ({ judged, answer, subject, start, end }: Clause, pool: Pool): Found | undefined => {
  const { figure, known, ranges } = judged;
  const own = subject === undefined ? undefined : pool.byEntity.get(subject);
  const facts = known.flatMap(({ fact }) => fact ?? []);
  if (!own || facts.length === 0 || significantDigits(figure) < TELLING_DIGITS) return undefined;
  if (facts.some(({ entity }) => entity === subject) || own.some(({ value }) => isIn(ranges, value)))
    return undefined;
  if (
    NOT_PLAIN.test(answer.text.slice(start, figure.start)) ||
    /보다|than/iu.test(answer.text.slice(figure.end, end))
  )
    return undefined;
  // Another text may say it of the subject that is named.
  if (
    known.some(({ scanned }) => {
      const line = scanned && pool.lines[scanned.line];
      return (
        line !== undefined &&
        pool.namesIn(line.text.slice(0, 400).toLowerCase()).some(({ value }) => value.includes(subject ?? ''))
      );
    })
  )
    return undefined;
  const others = new Set(facts.map(keyOf));
  const ofSubject = own.filter((fact) => others.has(keyOf(fact)) && mayBeSame(fact, figure));
  return ofSubject.length > 0 ? { kind: 'value', facts: newestOf(ofSubject).slice(-1) } : undefined;
};

/** The word of direction that touches the number. */
const directionOf = ({ words, judged, answer, start, end }: Clause): 1 | -1 | undefined => {
  const { figure, place } = judged;
  const after = within(words, figure.end, Math.min(end, figure.end + BESIDE_AFTER)).find(
    ({ value }) => value.direction,
  );
  if (after) return after.value.direction;
  const before = within(words, start, figure.start).findLast(({ value }) => value.direction);
  const isBeside = before && before.end <= figure.start && figure.start - before.end <= BESIDE_BEFORE;
  if (!isBeside || place.cell || within(answer.names, before.end, figure.start).length > 0) return undefined;
  if (ENDS_CLAUSE.test(answer.text.slice(before.end, figure.start))) return undefined;
  return before.value.direction;
};

const directionQuestion = (clause: Clause): Found | undefined => {
  const { judged, answer, start, end } = clause;
  const { figure, known } = judged;
  if (significantDigits(figure) < TELLING_DIGITS && figure.lastPower > FINE) return undefined;
  const said = directionOf(clause);
  const direction = figure.sign ?? said;
  if (direction === undefined || (said !== undefined && said !== direction)) return undefined;
  const facts = known.flatMap(({ fact }) => (fact && fact.kind === figure.kind ? fact : []));
  const wrong = facts.filter(({ value, isSigned }) => isSigned && Math.sign(value) === -direction);
  const around = answer.text.slice(start, end);
  if (wrong.length === 0 || wrong.length < facts.length || NOT_A_MOVE.test(around)) return undefined;
  if (wrong.some((fact) => isOfPayer(fact, answer.text.slice(start, figure.start)))) return undefined;
  return { kind: 'direction', facts: wrong.slice(-1) };
};

/** Days as of which the answer claims to speak, of which no fact is. */
const dayQuestions = (
  answer: ReadAnswer,
  pool: Pool,
  { texts, today }: Evidence,
): readonly AnswerQuestion[] => {
  const { text, dates } = answer;
  if (dates.length === 0 || texts.some(({ from }) => from === 'stranger')) return [];
  const lineAt = lineFinder(answer.lines);
  const isKnown = (iso: string): boolean =>
    pool.facts.some((fact) => fact.days.includes(iso) || fact.known.fact.value === iso);
  return dates.flatMap(({ start, end, days, isRelative }): readonly AnswerQuestion[] => {
    const isAsOf =
      AS_OF_AFTER.test(text.slice(end, end + LOOK)) ||
      AS_OF_BEFORE.test(text.slice(Math.max(0, start - LOOK), start));
    const isos = days.map(isoOf);
    if (!isAsOf || isRelative || isos.some((iso) => iso === today.toString() || isKnown(iso))) return [];
    if (texts.some((source) => isos.some((iso) => source.text.includes(iso)))) return [];
    const line = lineAt(start);
    const subject = line && namesAt(answer, placeOf(line, start))[0]?.value[0];
    const facts = (subject === undefined ? undefined : pool.byEntity.get(subject)) ?? pool.facts;
    const [newest] = facts.filter((fact) => fact.days.length > 0).slice(-1);
    return newest ? [{ start, end, text: '', kind: 'day', facts: [newest.known] }] : [];
  });
};
