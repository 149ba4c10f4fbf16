import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { isCompared, isOfSeries } from '#src/kernel/market/metric-sorts.ts';
import type { FactNumber, Pool } from '../facts/pool.ts';
import { isoOf, namesAt, type AnswerPlace, type ReadAnswer } from '../read/answer.ts';
import type { Operand } from './derive.ts';

const PAIR = /^(?<priced>[A-Z]{3})\/?(?<payer>[A-Z]{3})(?:=X)?$/u;
/** `KRW-BTC`, `BTC-USD`. */
const COIN = /^(?:KRW-(?<local>[A-Z]{2,6})|(?<abroad>[A-Z]{2,6})-USD)$/u;
const PRICES: ReadonlySet<MetricId> = new Set<MetricId>(['exchangeRate', 'price', 'close', 'previousClose']);

/** The currency or the coin of which the fact is the price. */
export const pricedBy = ({ metric, entity, kind }: FactNumber): string | undefined => {
  if (kind !== 'money' || !PRICES.has(metric)) return undefined;
  const { local, abroad } = COIN.exec(entity)?.groups ?? {};
  return local ?? abroad ?? PAIR.exec(entity)?.groups?.['priced'];
};

const operandOf = (fact: FactNumber, value = fact.value): Operand => ({
  value,
  kind: fact.kind,
  currency: fact.currency,
  text: fact.text,
  metric: fact.metric,
  entity: fact.entity,
  prices: pricedBy(fact),
});

/** In the decimals that people see, with which a model calculates. */
const printedOf = ({ value, kind, currency }: FactNumber): number => {
  const unit =
    kind !== 'money' || Math.abs(value) < 1 ? 0 : currency === 'KRW' || currency === 'JPY' ? 1 : 100;
  return unit === 0 ? value : Math.round(value * unit) / unit;
};

/** Yen are quoted by the hundred. */
const HUNDRED = 100;
/** `holds: 150 005930.KS, average cost 71000 KRW (portfolio main)`. */
const HOLDS = /^holds: ([\d.]{1,30}) (\S{1,20}), average cost ([\d.]{1,40}) (\w{3,5})/u;
const MAX_OF_ENTITY = 48;
const MAX_NAMED = 4;
const MAX_OF_METRIC = 40;
const MAX_PORTFOLIOS = 2;
const MAX_RATES = 6;
const MAX_ENTITIES = 16;

const keyOf = ({ metric, kind, currency, known }: FactNumber): string =>
  `${metric} ${kind} ${currency} ${known.fact.parameter ?? ''} ${known.fact.period ?? ''} ${known.fact.label ?? ''}`;

/** The first, the last, the lowest and the highest of a series, and those of the days that the answer names. */
const pointsOf = (series: readonly FactNumber[], days: ReadonlySet<string>): readonly FactNumber[] => {
  if (series.length <= 4) return series;
  const bySize = series.toSorted((a, b) => a.value - b.value);
  const byDay = series.toSorted((a, b) => ((a.days[0] ?? '') < (b.days[0] ?? '') ? -1 : 1));
  return [
    ...new Set([
      ...byDay.slice(-2),
      ...byDay.slice(0, 1),
      ...bySize.slice(0, 1),
      ...bySize.slice(-1),
      // A day is compared with the one before.
      ...byDay.filter((fact, nth) =>
        [fact, byDay[nth + 1]].some((each) => each?.days.some((day) => days.has(day))),
      ),
    ]),
  ];
};

/** The newest facts of one subject, each kind of thing once, and the telling points of its series. */
const factsOf = (facts: readonly FactNumber[], days: ReadonlySet<string>): readonly FactNumber[] => {
  const series = facts.filter(({ metric }) => isOfSeries(metric));
  const newest = new Map(
    facts
      .filter(({ metric, kind }) => !isOfSeries(metric) && kind !== 'date')
      .map((fact) => [keyOf(fact), fact]),
  );
  const points = [...Map.groupBy(series, keyOf).values()].flatMap((each) => pointsOf(each, days));
  // Of many, what others are compared with is kept.
  const kept = [...newest.values()].toSorted(
    (a, b) => Number(isCompared(a.metric)) - Number(isCompared(b.metric)),
  );
  return [...points, ...kept].slice(-MAX_OF_ENTITY);
};

/** What the numbers of one answer may be calculated from, beside the numbers of the answer itself. */
export class FactOperands {
  readonly #answer: ReadAnswer;
  readonly #pool: Pool;
  readonly #question: string;
  #asked: readonly string[] | undefined;
  readonly #days: ReadonlySet<string>;
  readonly #ofEntity = new Map<string, readonly Operand[]>();
  #byMetric: readonly (readonly Operand[])[] | undefined;
  #prices: readonly Operand[] | undefined;
  #rates: readonly Operand[] | undefined;

  constructor(answer: ReadAnswer, pool: Pool, question: string) {
    this.#answer = answer;
    this.#pool = pool;
    this.#question = question;
    this.#days = new Set(answer.dates.flatMap(({ days }) => days.map(isoOf)));
  }

  /** Whom a number may be about: who is named there, or else whose numbers stand beside it. */
  subjectsAt(place: AnswerPlace, beside: readonly Operand[]): readonly string[] {
    const names = namesAt(this.#answer, place).flatMap(({ value }) => value);
    const named = [
      ...new Set(
        names.length > 0
          ? names
          : beside.flatMap(({ entity, metric }) => (metric === 'calculation' ? [] : (entity ?? []))),
      ),
    ];
    const all = [...this.#pool.byEntity.keys()];
    if (named.length === 0 && all.length <= MAX_NAMED) return all;
    this.#asked ??= this.#pool.namesIn(this.#question.toLowerCase()).flatMap(({ value }) => value);
    if (named.length === 0) named.push(...new Set(this.#asked));
    const own = all.filter((entity) => entity.startsWith('portfolio:')).slice(0, MAX_PORTFOLIOS);
    return [...new Set([...named.slice(0, MAX_NAMED), ...own])];
  }

  /** The facts of one subject. */
  of(entity: string): readonly Operand[] {
    return this.#ofEntity.getOrInsertComputed(entity, () =>
      factsOf(this.#pool.byEntity.get(entity) ?? [], this.#days)
        .flatMap((fact) => {
          const printed = printedOf(fact);
          return printed === fact.value ? [operandOf(fact)] : [operandOf(fact), operandOf(fact, printed)];
        })
        .concat(this.#heldOf(entity)),
    );
  }

  /** What the context says that the person holds. */
  #heldOf(entity: string): readonly Operand[] {
    const line = this.#pool.lines.find(
      ({ from, text }) => from === 'context' && HOLDS.exec(text)?.[2] === entity,
    );
    const [, quantity = '', , cost = '', currency = ''] = HOLDS.exec(line?.text ?? '') ?? [];
    if (quantity === '') return [];
    return [
      {
        value: Number(quantity),
        kind: 'count',
        currency: undefined,
        text: quantity,
        metric: 'quantity',
        entity,
      },
      { value: Number(cost), kind: 'money', currency, text: cost, metric: 'averageCost', entity },
    ];
  }

  /** The closes of one subject by day, if there are several. */
  seriesOf(entity: string): readonly Operand[] {
    return (this.#pool.byEntity.get(entity) ?? [])
      .filter(({ metric }) => metric === 'close')
      .toSorted((a, b) => ((a.days[0] ?? '') < (b.days[0] ?? '') ? -1 : 1))
      .map((fact) => operandOf(fact));
  }

  /** What a number about one subject is mostly compared with. */
  pricesOf(entity: string): readonly Operand[] {
    return this.of(entity).filter(({ metric }) => isCompared(metric));
  }

  /** The same of all subjects. */
  allPrices(): readonly Operand[] {
    this.#prices ??= [...this.#pool.byEntity.keys()]
      .slice(0, MAX_ENTITIES)
      .flatMap((entity) => this.pricesOf(entity));
    return this.#prices;
  }

  /** Exchange rates, by one unit and by the hundred. */
  rates(): readonly Operand[] {
    this.#rates ??= [
      ...new Map(
        this.#pool.facts
          .filter((fact) => pricedBy(fact) !== undefined)
          .map((fact) => [`${fact.entity} ${fact.metric}`, fact]),
      ).values(),
    ]
      .slice(-MAX_RATES)
      .flatMap((fact) =>
        fact.entity.startsWith('JPY')
          ? [operandOf(fact), operandOf(fact, fact.value / HUNDRED)]
          : [operandOf(fact)],
      );
    return this.#rates;
  }

  /** The newest values of the same metric of several subjects. */
  byMetric(): readonly (readonly Operand[])[] {
    if (!this.#byMetric) {
      const newest = new Map(
        this.#pool.facts
          .filter(({ kind }) => kind !== 'date')
          .map((fact) => [`${fact.entity} ${keyOf(fact)}`, fact]),
      );
      this.#byMetric = [...Map.groupBy(newest.values(), keyOf).values()]
        .filter((facts) => facts.length > 1)
        .map((facts) => facts.slice(0, MAX_OF_METRIC).map((fact) => operandOf(fact)));
    }
    return this.#byMetric;
  }
}
