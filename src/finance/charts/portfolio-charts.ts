import type { Reader } from '#src/core/market-desk.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import type { Currency, Decimal } from '#src/core/money.ts';
import type { ChartTheme } from './chart-picture.ts';

/** What a portfolio is made of: one part each, the largest first. */
export interface AllocationRequest {
  /** The name of the portfolio. */
  readonly title: string;
  readonly currency: Currency;
  readonly total: Decimal;
  /** Where it is not everything: of what it is. */
  readonly totalName?: string;
  /** Above zero; many small ones are drawn as one. */
  readonly parts: readonly { readonly label: string; readonly value: Decimal }[];
  /** From where, as of when. */
  readonly origin: string;
  readonly isSample: boolean;
  readonly theme?: ChartTheme | undefined;
}

/** What it was worth on each day, and what was paid in until then. */
export interface ValueRequest {
  readonly title: string;
  /** `1년`, and what is drawn. */
  readonly subtitle: string;
  readonly currency: Currency;
  /** Oldest first, at least two. */
  readonly points: readonly {
    readonly date: Temporal.PlainDate;
    readonly value: number;
    readonly contributed: number;
  }[];
  /** The last value in words, and how it moved. */
  readonly headline: string;
  readonly change?: { readonly text: string; readonly tone: 'up' | 'down' | 'flat' } | undefined;
  readonly origin: string;
  readonly isSample: boolean;
  readonly theme?: ChartTheme | undefined;
}

/** Pictures of a portfolio. Reject like the other pictures do. */
export interface PortfolioCharts {
  readonly allocation: (
    request: AllocationRequest,
    reader: Reader,
    signal: AbortSignal,
  ) => Promise<MediaAttachment>;
  readonly valueOverTime: (
    request: ValueRequest,
    reader: Reader,
    signal: AbortSignal,
  ) => Promise<MediaAttachment>;
}
