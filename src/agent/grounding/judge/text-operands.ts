import type { Pool } from '../facts/pool.ts';
import type { ScannedLine, ScannedNumber } from '../facts/scan.ts';
import type { AnswerPlace, ReadAnswer } from '../read/answer.ts';
import type { Figure } from '../read/figures.ts';
import type { Operand } from './derive.ts';

const WORD = /[a-z]{4,}|[가-힣]{2,}/gu;
const MAX_WORDS = 40;
const MAX_LINES = 2_500;
const MAX_LOWERED = 400;
const MAX_ALL = 400;
const RELATED_LINES = 8;
const MAX_ROWS = 60;
const MAX_CELLS = 16;
const MAX_COLUMNS = 40;
const YEARS = { first: 1990, last: 2100 } as const;

const isYear = ({ kind, value, lastPower }: Figure): boolean =>
  kind === 'plain' && lastPower >= 0 && value >= YEARS.first && value <= YEARS.last;

const isOperand = ({ figure }: ScannedNumber): boolean =>
  figure.durationDays === undefined && figure.value !== 0 && !isYear(figure);

/** Rows, columns and runs of numbers. */
export interface TextNumbers {
  /** Columns whose rows follow each other, which people add up. */
  readonly runs: readonly (readonly Operand[])[];
  readonly rows: readonly (readonly Operand[])[];
  readonly columns: readonly (readonly Operand[])[];
}

/** Runs of lines with the same count of numbers. */
const tablesIn = (lines: readonly ScannedLine[]): readonly (readonly ScannedLine[])[] => {
  const tables: ScannedLine[][] = [];
  for (const line of lines) {
    const last = tables.at(-1);
    if (last?.[0]?.numbers.length === line.numbers.length && last.length < MAX_ROWS) last.push(line);
    else tables.push([line]);
  }
  return tables.filter((rows) => rows.length > 1 && (rows[0]?.numbers.length ?? 0) > 0);
};

/** What the numbers of an answer may be calculated from in the texts: pages, files, results of tools. */
export class TextOperands {
  readonly #answer: ReadAnswer;
  readonly #question: string;
  readonly #lines: readonly ScannedLine[];
  /** Without what tools print, of which there are facts. */
  readonly #foreign: readonly ScannedLine[];
  /** By whether it is a percentage and whether it is scaled. */
  readonly #all = new Map<string, TextNumbers>();
  readonly #lowered = new Map<ScannedLine, string>();
  readonly #related = new Map<number, readonly ScannedLine[]>();

  constructor(answer: ReadAnswer, pool: Pool, question: string) {
    this.#answer = answer;
    this.#question = question.toLowerCase();
    this.#lines = pool.lines
      .filter(({ numbers, from }) => from !== 'answer' && numbers.some(isOperand))
      .slice(0, MAX_LINES);
    this.#foreign = pool.facts.length === 0 ? this.#lines : this.#lines.filter(({ from }) => from !== 'tool');
  }

  /** Everything in the texts. */
  all(figure: Figure): TextNumbers {
    const scale = this.#lines.find(({ scales }) => scales.length > 0)?.scales[0] ?? Number.POSITIVE_INFINITY;
    const form = `${figure.kind === 'percent'} ${Math.abs(figure.value) >= scale}`;
    return this.#all.getOrInsertComputed(form, () =>
      this.#numbersOf(figure, this.#foreign.slice(0, MAX_ALL)),
    );
  }

  /** What stands in those lines that speak of the same as the sentence and the question. */
  related(figure: Figure, place: AnswerPlace): TextNumbers {
    return this.#numbersOf(figure, this.#relatedLines(place));
  }

  /** In the scale of the figure: a table in millions has 1,577 for $1.577 billion. */
  #numbersOf(figure: Figure, lines: readonly ScannedLine[]): TextNumbers {
    const operandOf = ({ scales }: ScannedLine, scanned: ScannedNumber | undefined): readonly Operand[] => {
      if (!scanned || !isOperand(scanned)) return [];
      const { value, kind, currency } = scanned.figure;
      const [scale] = scales;
      const isScaled =
        scale !== undefined &&
        Math.abs(figure.value) >= scale &&
        Math.abs(value) < MOST_SCALED &&
        (kind === 'plain' || kind === 'money') &&
        figure.kind !== 'percent';
      return [{ value: isScaled ? value * scale : value, kind, currency, text: scanned.text }];
    };
    const columnsOf = (tables: readonly (readonly ScannedLine[])[]): readonly (readonly Operand[])[] =>
      tables
        .flatMap((rows) =>
          (rows[0]?.numbers ?? []).map((_, nth) =>
            rows.slice(0, MAX_ROWS).flatMap((line) => operandOf(line, line.numbers[nth])),
          ),
        )
        .slice(0, MAX_COLUMNS);
    return {
      rows: lines
        .map((line) => line.numbers.slice(0, MAX_CELLS).flatMap((number) => operandOf(line, number)))
        .filter((row) => row.length > 1),
      runs: columnsOf(tablesIn(lines)),
      columns: columnsOf([
        ...Map.groupBy(lines, ({ source, numbers }) => `${source} ${numbers.length}`).values(),
      ]),
    };
  }

  #relatedLines({ sentence }: AnswerPlace): readonly ScannedLine[] {
    return this.#related.getOrInsertComputed(sentence.start, () => {
      const said = `${this.#question}\n${this.#answer.lowered.slice(sentence.start, sentence.end)}`;
      const words = new Set(said.match(WORD)?.slice(-MAX_WORDS));
      const found: { readonly line: ScannedLine; readonly score: number }[] = [];
      for (const line of this.#lines) {
        const lowered = this.#lowered.getOrInsertComputed(line, () =>
          line.text.slice(0, MAX_LOWERED).toLowerCase(),
        );
        let score = 0;
        for (const word of words) if (lowered.includes(word)) score += 1;
        if (score > 0) found.push({ line, score });
      }
      return found
        .toSorted((a, b) => b.score - a.score)
        .slice(0, RELATED_LINES)
        .map(({ line }) => line);
    });
  }
}

/** Larger numbers of a table in millions are written in full. */
const MOST_SCALED = 1e7;
