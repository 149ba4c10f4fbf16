import type { Prepared } from '#src/features/ability.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { ChartTheme } from '#src/kernel/market/chart-style.ts';

/** How offered dividends were taxed: as usual in the company's country, also by a Korean broker, or not at all. */
export type TaxedAs = 'usual' | 'korean-broker' | 'none';

export interface InPortfolio {
  /** Absent: the default portfolio. */
  readonly portfolio?: string | undefined;
}

/** `text` describes the entry that `record` would store for the person who approves it, with warnings. */
export type RecordPlan = Prepared<{ readonly date: string }>;

/** The entry that `undo` would reverse. Its number stays valid even if more entries are recorded meanwhile. */
export type UndoPlan = Prepared<{ readonly number: number }>;

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

export type OpenRequest = InPortfolio & Pick<SummaryRequest, 'theme'> & { readonly typed: string };

export interface EntriesRequest extends InPortfolio {
  readonly page: number;
  /** Limits it to one instrument. */
  readonly name?: string | undefined;
}

export interface UndoRequest extends InPortfolio {
  /** Absent: the last entry that is not reversed. */
  readonly number?: number | undefined;
  /** All entries from the number on up to this one. */
  readonly through?: number | undefined;
}

export interface ConfirmRequest {
  readonly code: string;
  /** `doubted`: also the rows of a picture whose numbers do not add up. */
  readonly which: 'all' | 'valid' | 'doubted' | 'none';
}

/**
 * Asks for the reported splits and dividends of the holdings, and whether they are recorded. `dismiss`, `restore` and
 * `record` are as a person writes them: `all`, a name, a name and a day.
 */
export interface ActionsRequest extends InPortfolio {
  /** Stops offering these. A split is dismissed only with `isSure`. */
  readonly dismiss?: string | undefined;
  /** Offers these again. */
  readonly restore?: string | undefined;
  /** Records these dividends, one entry each. */
  readonly record?: string | undefined;
  /** The tax on recorded dividends, which is asked for where any is usual. */
  readonly taxed?: TaxedAs | undefined;
  readonly isSure?: boolean | undefined;
}

/** Sets the default portfolio, the cost method, whether short sales are allowed, or the kind of account. */
export interface ConfigureRequest extends InPortfolio {
  readonly setting: 'default' | 'cost' | 'short' | 'account';
  readonly value?: string | undefined;
}
