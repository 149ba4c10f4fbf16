import { METRICS, type MetricId } from '#src/kernel/fact-metrics.ts';
import type { Binder } from './binding.ts';
import type { CheckContext } from './check-context.ts';
import type { FactClaims } from './fact-claims.ts';
import type { Figure } from './figures.ts';
import type { Line } from './layout.ts';
import { within } from './read-answer.ts';
import type { PlainVerdict } from './verdict.ts';

const AS_OF = /^\s?(?:기준|현재|자|as of)/iu;
const AS_OF_BEFORE = /(?:as of|as at)\s+(?:the close (?:of|on)\s+)?$/iu;
/** `$212.19 (Oct 29)`, `$212.19 on Oct 29`: the day of the number. */
const BEHIND_NUMBER = /\d[^\s(]{0,3}\s?(?:\(|on\s|as of\s)$/iu;
/** Of the days between which a company reports. */
const LAST_DAY: MetricId = 'earningsLastDay';
const LOOK = 24;
const AT_ONCE = 10;
/** A particle and a space. */
const PARTICLE = 2;

/** Checks the dates of an answer: days of events, and the days as of which it claims to speak. */
export class DateClaims {
  readonly #context: CheckContext;
  readonly #claims: FactClaims;

  constructor(context: CheckContext, claims: FactClaims) {
    this.#context = context;
    this.#claims = claims;
  }

  /** `wrong`: dates of highs and lows that are known to be wrong. */
  verdicts(
    binder: Binder,
    lineAt: (at: number) => Line | undefined,
    wrong: readonly PlainVerdict[],
  ): readonly PlainVerdict[] {
    const { text } = this.#context.answer;
    const known = new Set(wrong.map(({ start }) => start));
    const others = this.#context.answer.dates.flatMap(
      ({ start, end, days, isRelative }): readonly PlainVerdict[] => {
        const [value] = days;
        const line = lineAt(start);
        if (value === undefined || isRelative || !line || known.has(start)) return [];
        const figure: Figure = {
          start,
          end,
          kind: 'date',
          value,
          alternatives: days.slice(1),
          sign: undefined,
          currency: undefined,
          lastPower: 0,
          isApproximate: false,
          isBracketed: false,
          durationDays: undefined,
        };
        if (
          AS_OF.test(text.slice(end, end + LOOK)) ||
          AS_OF_BEFORE.test(text.slice(Math.max(0, start - LOOK), start))
        )
          return this.#asOfVerdict(figure, days, binder.bind(figure, line).entities);
        const isOfNumber = BEHIND_NUMBER.test(text.slice(Math.max(0, start - LOOK), start));
        const metrics = isOfNumber ? undefined : this.#dateMetrics(start, end, line);
        const { entities, isEntityNear, isEntityFirm } = binder.bind(figure, line);
        if (!metrics)
          return (isEntityNear || isEntityFirm) &&
            entities &&
            !isOfNumber &&
            days.every((day) => day > this.#context.today)
            ? this.#eventVerdict(start, end, days, entities)
            : [];
        const meant = metrics.includes('earningsDay') ? [...metrics, LAST_DAY] : metrics;
        const about = (entities ? this.#claims.factsOf(entities) : this.#context.index.all).filter(
          (fact) => fact.kind === 'date' && meant.includes(fact.metric),
        );
        const [against] = about;
        if (!against) return [];
        const found = about.find((fact) => days.includes(fact.value));
        return [
          found
            ? { start, end, verdict: 'supported', known: found.known }
            : { start, end, verdict: 'contradicted', known: against.known },
        ];
      },
    );
    return [...wrong, ...others];
  }

  /** A future day beside a company is one of its events. */
  #eventVerdict(
    start: number,
    end: number,
    days: readonly number[],
    entities: readonly string[],
  ): readonly PlainVerdict[] {
    const events = entities
      .flatMap((entity) => this.#context.index.byEntity.get(entity) ?? [])
      .filter((fact) => fact.kind === 'date' && fact.value > this.#context.today);
    const [event] = events;
    if (!event) return [];
    const found = events.find(({ value }) => days.includes(value));
    return [
      found
        ? { start, end, verdict: 'supported', known: found.known }
        : { start, end, verdict: 'contradicted', known: event.known },
    ];
  }

  /** What the word at a date says it is the day of. */
  #dateMetrics(start: number, end: number, line: Line): readonly MetricId[] | undefined {
    const { text, words } = this.#context.answer;
    // `… off its high. On Nov 10, it closed at`: the word of the sentence before is of another day.
    const sentence = line.sentences.find((each) => start < each.end) ?? line;
    const dated = within(words, sentence.start, sentence.end).flatMap(({ value, start: from, end: to }) => {
      const metrics = value.metrics.filter((id) => METRICS[id].kind === 'date');
      // `전고점을 넘었습니다` is said of a later day than that of the peak.
      if (text.charAt(from) === '전' && text.startsWith('전고점', from)) return [];
      return metrics.length > 0 && to <= sentence.end ? [{ start: from, end: to, metrics }] : [];
    });
    const after = dated.findIndex(
      (word) =>
        word.start >= end && word.start - end <= AT_ONCE && !/[),;]/u.test(text.slice(end, word.start)),
    );
    const [first, next] = after === -1 ? [] : dated.slice(after, after + 2);
    // `9/18에 전고점을 회복했습니다`: one of the two words is meant.
    if (first && next && next.start - first.end <= PARTICLE) return [...first.metrics, ...next.metrics];
    if (first) return first.metrics;
    const before = dated.findLast((word) => word.end <= start && start - word.end <= LOOK);
    const isOfOther = this.#context.answer.dates.some(
      (date) => before && date.start >= before.end && date.end <= start,
    );
    return isOfOther ? undefined : before?.metrics;
  }

  /** A day as of which the answer speaks is best explained by a fact about its subject. */
  #asOfVerdict(
    { start, end }: Figure,
    days: readonly number[],
    entities: readonly string[] | undefined,
  ): readonly PlainVerdict[] {
    const dated = this.#context.index.all.filter((fact) => fact.days.length > 0);
    if (dated.length === 0 || days.includes(this.#context.today)) return [];
    const ofDay = dated.filter((fact) => fact.days.some((day) => days.includes(day)));
    const found = ofDay.findLast(({ entity }) => entities?.includes(entity)) ?? ofDay.at(-1);
    return [
      found
        ? { start, end, verdict: 'supported', known: found.known }
        : { start, end, verdict: 'unsupported' },
    ];
  }
}
