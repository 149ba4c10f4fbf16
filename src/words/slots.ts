import type { Amount } from '#src/reading/amounts.ts';
import { amountsIn } from '#src/reading/amounts.ts';
import { datesIn } from '#src/reading/dates.ts';
import type { NameReader } from '#src/reading/names.ts';
import { scanNames } from '#src/reading/name-scan.ts';
import { foldWidth } from '#src/reading/reading.ts';
import { spansIn } from '#src/reading/spans.ts';
import { timesIn } from '#src/reading/times.ts';

/** A message with its values taken out. */
export interface Slotted {
  /** With slots in their place: `{name} {count} {amount}에 샀어`. */
  readonly text: string;
  readonly names: readonly string[];
  readonly amounts: readonly Amount[];
}

const SLOT_OF: Readonly<Partial<Record<Amount['unit'], string>>> = {
  pieces: '{count}',
  percent: '{percent}',
};
const CODE = /(?<![\p{L}\p{N}])#[a-z0-9]{3,20}(?![\p{L}\p{N}])/giu;
const BREAK = /[,?!~;:()"“”…\n]+|\.(?=\s|$)/u;
const HAS_DIGIT = /\d/u;

/** `2 eth` counts pieces of a named coin. */
const slotOf = ({ unit, isCoin }: Amount): string =>
  isCoin === true ? '{count} {name}' : (SLOT_OF[unit] ?? '{amount}');

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly slot: string;
  readonly amount?: Amount;
}

const spots = (
  slot: string,
  found: readonly { readonly start: number; readonly end: number }[],
): readonly Piece[] => found.map(({ start, end }) => ({ start, end, slot }));

/** Values that are written with digits; 오늘 and `monday` stay words. The first kind that reads a place takes it. */
const piecesIn = (text: string, today: Temporal.PlainDate | undefined): readonly Piece[] => {
  const candidates: readonly Piece[] = [
    ...Array.from(text.matchAll(CODE), ({ index, 0: code }) => ({
      start: index,
      end: index + code.length,
      slot: '{code}',
    })),
    ...(today ? spots('{date}', datesIn(text, today)) : []),
    ...spots('{span}', spansIn(text)),
    ...spots('{time}', timesIn(text)),
    ...amountsIn(text).map(({ start, end, value }) => ({
      start,
      end,
      slot: slotOf(value),
      amount: value.isCoin === true ? { ...value, unit: 'pieces' as const } : value,
    })),
  ];
  const taken: Piece[] = [];
  for (const each of candidates) {
    const isFree = taken.every(({ start, end }) => each.end <= start || each.start >= end);
    if (isFree && HAS_DIGIT.test(text.slice(each.start, each.end))) taken.push(each);
  }
  return taken.toSorted((a, b) => a.start - b.start);
};

/** `isWord` says which words that may be names are none here. */
export const slotsIn = (
  written: string,
  today: Temporal.PlainDate | undefined,
  nameIn: NameReader,
  isWord: (word: string) => boolean,
): Slotted => {
  const folded = foldWidth(written);
  const names: string[] = [];
  const nameOf = (run: readonly string[]) => {
    const known = nameIn(run);
    return known && (known.kind === 'known' || !isWord(known.text.toLowerCase())) ? known : null;
  };
  const withNames = (text: string): string => {
    const inside = text
      .split(BREAK)
      .flatMap((part) => {
        const words = part.split(/\s+/u).filter((word) => word !== '');
        return scanNames(words, (run) => nameOf(run)?.text ?? null).map(({ words: run, name }) => {
          const joined = run.join(' ');
          if (name === null || !joined.startsWith(name)) return joined;
          names.push(name);
          return `{name}${joined.slice(name.length)}`;
        });
      })
      .join(' ');
    return `${/^\s/u.test(text) ? ' ' : ''}${inside}${/\s$/u.test(text) ? ' ' : ''}`;
  };
  const parts: string[] = [];
  let from = 0;
  const pieces = piecesIn(folded, today);
  for (const { start, end, slot, amount } of pieces) {
    parts.push(withNames(folded.slice(from, start)), slot);
    if (amount?.isCoin === true && amount.currency !== undefined) names.push(amount.currency);
    from = end;
  }
  parts.push(withNames(folded.slice(from)));
  return {
    text: parts.join(''),
    names: [...new Set(names)],
    amounts: pieces.flatMap(({ amount }) => amount ?? []),
  };
};
