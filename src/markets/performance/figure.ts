/** Why there is no figure although there are enough days. */
export type NoFigure =
  /** Nothing moved, so the risk is zero. */
  | 'no-movement'
  /** No return was below the target. */
  | 'no-downside'
  /** No rate makes the net present value zero, for example if all flows are deposits. */
  | 'no-rate'
  /** Several rates do. */
  | 'several-rates'
  /** The value was negative on some day, so there is no return. */
  | 'negative-value'
  /** The index data does not cover these days. */
  | 'index-not-covered';

/** A figure, or the reason why there is none. Never NaN or infinite. */
export type PerformanceFigure<T = number> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'too-few'; readonly needs: number; readonly has: number }
  | { readonly status: 'undefined'; readonly reason: NoFigure };

export const noFigure = (reason: NoFigure): PerformanceFigure<never> => ({ status: 'undefined', reason });

export const tooFew = (needs: number, has: number): PerformanceFigure<never> => ({
  status: 'too-few',
  needs,
  has,
});

/** The figure, unless there are fewer returns than it needs. */
export const withEnough = <T>(
  { length }: readonly unknown[],
  needs: number,
  figure: () => PerformanceFigure<T>,
): PerformanceFigure<T> => (length < needs ? tooFew(needs, length) : figure());

/** A figure, unless the result is not finite. */
export const figureOf = (value: number, otherwise: NoFigure = 'no-movement'): PerformanceFigure =>
  Number.isFinite(value) ? { status: 'ok', value } : noFigure(otherwise);
