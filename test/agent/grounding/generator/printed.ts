/** Digits of a printed number, and what one of its units is worth: `10` of `10만` is worth 10,000 each. */
interface Digits {
  readonly digits: string;
  readonly scale: number;
}

/** A scale word: planted errors put another one in its place. */
interface ScaleWord {
  readonly word: string;
}

export type Piece = string | Digits | ScaleWord;

/** A number as it stands in an answer, in pieces that planted errors can change. */
export interface Printed {
  readonly pieces: readonly Piece[];
  /** The value is below zero, whether a sign or a direction word says so. */
  readonly isNegative: boolean;
  /** `약`, `about`: zeros at the end are not meant. */
  readonly isApproximate: boolean;
}

const isDigits = (piece: Piece): piece is Digits => typeof piece !== 'string' && 'digits' in piece;

const textOfPiece = (piece: Piece): string =>
  typeof piece === 'string' ? piece : 'digits' in piece ? piece.digits : piece.word;

export const textOf = ({ pieces }: Printed): string => pieces.map(textOfPiece).join('');

const decimalsOf = (digits: string): number => digits.split('.')[1]?.length ?? 0;

/** The value that a reader takes from it. */
export const valueOf = ({ pieces, isNegative }: Printed): number => {
  const sum = pieces
    .filter(isDigits)
    .reduce((total, { digits, scale }) => total + Number(digits.replaceAll(',', '')) * scale, 0);
  return isNegative ? -sum : sum;
};

/** What one unit of its last printed digit is worth. */
export const unitOfLastDigit = (printed: Printed): number => {
  const last = printed.pieces.findLast(isDigits);
  if (!last) return 0;
  const plain = last.digits.replaceAll(',', '');
  const zeros = printed.isApproximate && !plain.includes('.') ? (/0*$/u.exec(plain)?.[0].length ?? 0) : 0;
  return last.scale * 10 ** (zeros - decimalsOf(last.digits));
};

/** `102,300.50`. A formatter of the platform would take most of the time of a run. */
export const grouped = (value: number, decimals: number): string => {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  const groups = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
};
