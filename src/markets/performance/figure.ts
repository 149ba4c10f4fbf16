/** Why a figure cannot be given, though there are days enough. */
export type NoFigure =
  /** Nothing moved: there is no risk to divide by. */
  | 'no-movement'
  /** No day was below the target. */
  | 'no-downside'
  /** The flows have no rate at which they come to nothing (all paid in, or all paid out). */
  | 'no-rate'
  /** They have several. */
  | 'several-rates'
  /** What was held was worth less than nothing on some day: there is no return on that. */
  | 'negative-value'
  /** The data of an index do not reach over these days. */
  | 'index-not-covered';

/** A figure, or why there is none. Never NaN, never infinite. */
export type Figure<T = number> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'too-few'; readonly needs: number; readonly has: number }
  | { readonly status: 'undefined'; readonly reason: NoFigure };

export const noFigure = (reason: NoFigure): Figure<never> => ({ status: 'undefined', reason });

export const tooFew = (needs: number, has: number): Figure<never> => ({ status: 'too-few', needs, has });

/** What came out, where it is a number. */
export const figureOf = (value: number, otherwise: NoFigure = 'no-movement'): Figure =>
  Number.isFinite(value) ? { status: 'ok', value } : noFigure(otherwise);
