import type { ChartTheme } from '../market/chart-style.ts';
import type { TransactionKind } from '../market/ledger.ts';
import type { SessionKey } from '../ids.ts';
import type { MarketAnswer } from '../chat/answer.ts';
import type { MediaAttachment } from '../chat/message.ts';
import type { AccountQuery, EmptyRequest } from './requester.ts';

/** How offered dividends were taxed: as usual in the company's country, also by a Korean broker, or not at all. */
export type TaxedAs = 'usual' | 'korean-broker' | 'none';

interface InPortfolio {
  /** Absent: the default portfolio. */
  readonly portfolio?: string | undefined;
}

/** As a person or the model wrote it: unchecked text. */
export interface RecordRequest extends InPortfolio {
  readonly kind: TransactionKind;
  /** The name of the instrument. */
  readonly name?: string | undefined;
  /** A sale also accepts `all` and `half` of the holding. */
  readonly quantity?: string | undefined;
  /** Per unit; `0` for a bonus issue. Absent in a trade: the last price, which the answer states. */
  readonly price?: string | undefined;
  /** The price of all units together, instead of `price`. */
  readonly total?: string | undefined;
  /** For a dividend, interest, tax, cash in lieu, fee, deposit or withdrawal; for `fx`, the amount given. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly fee?: string | undefined;
  /** Absent for a sale on a Korean exchange: computed. */
  readonly tax?: string | undefined;
  /** `2026-11-13`, `어제`. Absent: today. */
  readonly date?: string | undefined;
  /** `14:30`, `14:30:05` or `15:45 ET`: sets the order within the day. Absent: after the other entries of that day. */
  readonly time?: string | undefined;
  /** A tax refund. */
  readonly isRefund?: boolean | undefined;
  /** Of a purchase: what is held already, at its average cost. */
  readonly isOpening?: boolean | undefined;
  /** For a split: `50`, `50:1`, `1:10`. */
  readonly ratio?: string | undefined;
  /** For a spin-off or a merger: the company whose shares were received, and how many. */
  readonly toName?: string | undefined;
  readonly toQuantity?: string | undefined;
  /** The part of the cost that a spin-off takes along: `19.8`. */
  readonly percent?: string | undefined;
  /** For a transfer: the own portfolio that receives. */
  readonly toPortfolio?: string | undefined;
  readonly toAmount?: string | undefined;
  readonly toCurrency?: string | undefined;
  /** The portfolio's currency for one unit of `currency`. */
  readonly rate?: string | undefined;
  readonly note?: string | undefined;
  /** The person has confirmed despite the warnings. */
  readonly isSure?: boolean | undefined;
}

/** The entry that `record` would store. `text` describes it for the person who approves it, with warnings. */
export type RecordPlan =
  | { readonly status: 'ready'; readonly text: string; readonly date: string }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

/** The entry that `undo` would reverse. Its number stays valid even if more entries are recorded meanwhile. */
export type UndoPlan =
  | { readonly status: 'ready'; readonly number: number; readonly text: string }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

export interface AnalyseRequest extends InPortfolio {
  readonly range: '3mo' | '6mo' | 'ytd' | '1y' | '2y';
  /** Absent: KOSPI where the portfolio is in won, else the S&P 500. */
  readonly benchmark?: 'kospi' | 'sp500' | undefined;
  readonly isDrawn: boolean;
  readonly theme?: ChartTheme | undefined;
}

export interface SummaryRequest extends InPortfolio {
  readonly isDrawn: boolean;
  /** With realised gains, income, fees, the parts of gains, and how they are counted. */
  readonly isDetailed?: boolean;
  /** The bot shows it by itself, so notes that are told only once wait for the next answer to the person. */
  readonly isUnasked?: boolean;
  readonly theme?: ChartTheme | undefined;
}

export interface ImportRequest extends InPortfolio {
  /** Rows pasted into the message. */
  readonly text: string;
  readonly files: readonly MediaAttachment[];
  /** The conversation whose model reads a picture. Absent: pictures are not read. */
  readonly sessionKey?: SessionKey | undefined;
}

/** As a person or the model wrote it. */
export interface TaxRequest extends InPortfolio {
  /** `2025`, `2025년`. Absent: this year, until May the year before. */
  readonly year?: string | undefined;
  /** Rules of a Korean resident, or gains by holding period. Absent: chosen by the portfolio's currency. */
  readonly basis?: 'kr' | 'us' | undefined;
}

/** As a person or the model wrote it. */
export interface RebalanceRequest extends InPortfolio {
  /** `AAPL 40 삼성전자 30 현금 30 새 돈 100만원 ±5%`. Without weights, the stored ones are used. */
  readonly text: string;
  /** With new money: whether sales are allowed too. */
  readonly canSell?: boolean | undefined;
}

/** Port: a person's portfolios. Queries throw only on abort or for a bug. A refused request stores nothing. */
export interface PortfolioService {
  readonly summary: AccountQuery<SummaryRequest>;
  /** Shows what a bare name means: a portfolio, or an instrument recorded in one. */
  readonly open: AccountQuery<
    InPortfolio & { readonly typed: string; readonly theme?: ChartTheme | undefined }
  >;
  readonly analyse: AccountQuery<AnalyseRequest>;
  /** Asks for confirmation of anything unusual first, unless `isSure`. */
  readonly record: AccountQuery<RecordRequest>;
  /** Runs the checks of `record` without storing anything. */
  readonly plan: AccountQuery<RecordRequest, RecordPlan>;
  /** `name` limits it to one instrument. */
  readonly history: AccountQuery<InPortfolio & { readonly page: number; readonly name?: string | undefined }>;
  /** Without a number: the last entry that is not reversed. With `through`: all entries from the number on up to it. */
  readonly undo: AccountQuery<
    InPortfolio & { readonly number?: number | undefined; readonly through?: number | undefined }
  >;
  /** Runs the checks of `undo` without changing anything. */
  readonly planUndo: AccountQuery<InPortfolio & { readonly number?: number | undefined }, UndoPlan>;
  /** Parses, checks and previews an import; only `confirmImport` stores it. */
  readonly preview: AccountQuery<ImportRequest>;
  readonly confirmImport: AccountQuery<{
    readonly code: string;
    /** `doubted`: also the rows of a picture whose numbers do not add up. */
    readonly which: 'all' | 'valid' | 'doubted' | 'none';
  }>;
  readonly export: AccountQuery<InPortfolio>;
  /**
   * Reported splits and dividends of the holdings, and whether they are recorded. `dismiss` stops offering some of them,
   * `restore` offers them again, `record` records dividends, one entry each; all three as a person writes them (`all`, a
   * name, a name and a day). A split is dismissed only with `isSure`. `taxed` is the tax on recorded dividends, which is
   * asked for where any is usual.
   */
  readonly actions: AccountQuery<
    InPortfolio & {
      readonly dismiss?: string | undefined;
      readonly restore?: string | undefined;
      readonly record?: string | undefined;
      readonly taxed?: TaxedAs | undefined;
      readonly isSure?: boolean | undefined;
    }
  >;
  /** A year's sales, dividends and interest, for a tax return. */
  readonly tax: AccountQuery<TaxRequest>;
  /** The trades that lead to the target weights. Records nothing. */
  readonly rebalance: AccountQuery<RebalanceRequest>;
  /** Stores target weights. An empty text shows them, `clear` removes them. */
  readonly target: AccountQuery<InPortfolio & { readonly text: string }>;
  readonly list: AccountQuery<EmptyRequest>;
  readonly create: AccountQuery<{ readonly name: string; readonly currency?: string | undefined }>;
  /** Sets the default portfolio, the cost method, whether short sales are allowed, or the kind of account. */
  readonly configure: AccountQuery<
    InPortfolio & {
      readonly setting: 'default' | 'cost' | 'short' | 'account';
      readonly value?: string | undefined;
    }
  >;
  /** Deletes only with `isSure`; before that it shows what would be deleted. */
  readonly remove: AccountQuery<{ readonly portfolio: string; readonly isSure: boolean }>;
}
