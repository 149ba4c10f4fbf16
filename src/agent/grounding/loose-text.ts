import { MIN_TELLING_DIGITS, significantDigits } from './digits.ts';
import type { FigureKind } from './fact-index.ts';
import { type Figure, readFigures } from './figures.ts';
import { isWritten } from './matching.ts';

const MAX_CHARACTERS = 60_000;
/** A page has many numbers; the first ones are enough to calculate with. */
const MAX_OPERANDS = 60;
/** Numbers further apart are of other paragraphs and tables: some two of many numbers give anything by chance. */
const MAX_APART = 24;
const MAX_APART_IF_SHORT = 8;

/** Page tables are often in thousands or millions, and a ratio may be a percentage. */
const SCALES: Partial<Record<FigureKind, readonly number[]>> = {
  money: [1e3, 1e6, 1e9, 1e4, 1e8],
  count: [1e3, 1e6, 1e9, 1e4, 1e8],
  plain: [1e3, 1e6, 1e9, 1e4, 1e8],
  percent: [100],
};
/** `(in millions)`, `$ millions`, `단위: 억원`. */
const STATED_SCALE =
  /(?:\b(?:in|usd|eur|krw)\s|[$€£₩]\s?)(thousands|millions|billions)\b|단위\s?:?\s?(천|만|백만|천만|억|십억|조)\s?원/giu;
const STATED: Readonly<Record<string, number>> = {
  thousands: 1e3,
  millions: 1e6,
  billions: 1e9,
  천: 1e3,
  만: 1e4,
  백만: 1e6,
  천만: 1e7,
  억: 1e8,
  십억: 1e9,
  조: 1e12,
};

const YEARS = { first: 1990, last: 2100 } as const;
const CLOCK = /(?<![\d.,])\d{1,2}:\d{2}(?::\d{2})?(?![\d.,])/gu;

/** A table writes a unit once, so that a number without one may be of any kind. */
const isOfKind = (number: Figure, kind: FigureKind): boolean =>
  number.kind === kind || number.kind === 'plain';

const isSameUnit = (one: Figure, other: Figure): boolean =>
  one.kind === 'plain' ||
  other.kind === 'plain' ||
  (one.kind === other.kind &&
    (one.currency === undefined || other.currency === undefined || one.currency === other.currency));

/** Untyped text: pages, files, messages of others. It is read when it is first needed. */
export class LooseText {
  readonly #text: string;
  readonly #today: Temporal.PlainDate;
  #figures: readonly Figure[] | undefined;
  #operands: readonly Figure[] | undefined;
  #stated: readonly number[] | undefined;

  constructor(text: string, today: Temporal.PlainDate) {
    this.#text = text.slice(-MAX_CHARACTERS);
    this.#today = today;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  get text(): string {
    return this.#text;
  }

  /** Its numbers, without dates and times of day. */
  figures(): readonly Figure[] {
    this.#figures ??= readFigures(
      this.#text.replaceAll(CLOCK, (clock) => ' '.repeat(clock.length)),
      this.#today,
    ).figures;
    return this.#figures;
  }

  /** Whether the text has this number. */
  has(figure: Figure): boolean {
    return this.figures().some(
      (number) => isSameUnit(number, figure) && isWritten(number.value, figure, undefined),
    );
  }

  /** Whether the text has this number in another scale: `4,218.6` in a table in millions, `0.0812` for 8.12 %. */
  hasScaled(figure: Figure): boolean {
    const isTelling = significantDigits(figure) >= MIN_TELLING_DIGITS;
    const scales = isTelling
      ? (SCALES[figure.kind] ?? [])
      : figure.kind === 'money'
        ? this.#statedScales()
        : [];
    return this.figures().some(
      (number) =>
        isSameUnit(number, figure) &&
        scales.some((scale) => isWritten(number.value * scale, figure, undefined)),
    );
  }

  /** Whether two numbers of the text that stand near to each other give this one. */
  gives(figure: Figure): boolean {
    const numbers = this.#operandsOf();
    const apart = significantDigits(figure) < MIN_TELLING_DIGITS ? MAX_APART_IF_SHORT : MAX_APART;
    return numbers.some((a, place) =>
      numbers
        .slice(Math.max(0, place - apart), place + apart)
        .some((b) => b !== a && this.#giveTogether(a, b, figure)),
    );
  }

  #operandsOf(): readonly Figure[] {
    this.#operands ??= this.figures()
      .filter(
        ({ kind, value, durationDays, lastPower }) =>
          durationDays === undefined &&
          value !== 0 &&
          !(kind === 'plain' && lastPower >= 0 && value >= YEARS.first && value <= YEARS.last),
      )
      .slice(0, MAX_OPERANDS);
    return this.#operands;
  }

  #statedScales(): readonly number[] {
    this.#stated ??= [
      ...new Set(
        [...this.#text.matchAll(STATED_SCALE)].flatMap(
          ([, english, korean]) => STATED[(english ?? korean ?? '').toLowerCase()] ?? [],
        ),
      ),
    ];
    return this.#stated;
  }

  #giveTogether(one: Figure, other: Figure, figure: Figure): boolean {
    const [a, b] = [Math.abs(one.value), Math.abs(other.value)];
    const isOne = (value: number): boolean => isWritten(value, figure, undefined);
    const isSame = isSameUnit(one, other);
    const areShares = one.kind === 'percent' || other.kind === 'percent';
    switch (figure.kind) {
      case 'percent':
        return (
          isSame &&
          (areShares ? isOne(a - b) || isOne(a + b) : isOne((a / b - 1) * 100) || isOne((a / b) * 100))
        );
      case 'percentPoints':
        return isSame && isOfKind(one, 'percent') && isOne(a - b);
      case 'multiple':
        return isSame && !areShares && isOne(a / b);
      case 'plain':
      case 'points':
        return isSame && !areShares && (isOne(a / b) || isOne(a - b));
      case 'money':
      case 'count': {
        if (areShares) return false;
        const results = [
          ...(isSame && isOfKind(one, figure.kind) ? [a - b, a + b, (a + b) / 2] : []),
          ...(isSame && figure.kind === 'money' ? [] : [a * b, a / b]),
        ];
        return results.some((value) => [1, ...this.#statedScales()].some((scale) => isOne(value * scale)));
      }
      case 'date':
        return false;
    }
    return figure.kind satisfies never;
  }
}
