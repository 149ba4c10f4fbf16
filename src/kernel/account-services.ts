import type { ChartTheme } from './chart-style-words.ts';
import type { TransactionKind } from './ledger.ts';
import type { PersonRef, SessionKey } from './ids.ts';
import type { FilledOptions } from './command-definition.ts';
import type { Locale } from './locale.ts';
import type { MarketAnswer, Audience } from './market-queries.ts';
import { type MediaAttachment, type TurnContext, replyTargetOf, type ReplyTarget } from './message.ts';
import type { ZoneSource } from './time-zone.ts';
import type { ToolExecutionContext } from './tool.ts';

/** An identity with the name that its platform shows. The name is untrusted input: anybody chooses their own. */
export interface NamedIdentity extends PersonRef {
  readonly name?: string;
}

/** A map key for a person. */
export const personKey = ({ channelId, userId }: PersonRef): string => [channelId, userId].join('\0');

/** The person whose account data a query reads or changes, and for whom the answer is written. */
export interface Requester extends PersonRef, Omit<Audience, keyof PersonRef> {
  readonly name: string;
  /** How the time zone is known. Absent: it is certainly the person's own. */
  readonly zoneFrom?: ZoneSource;
  /** In a direct chat, where nobody else reads the answer. */
  readonly isDirect: boolean;
  /** The place of the request. */
  readonly target: ReplyTarget;
  /** Idempotency key: a request that is delivered twice has the same id. */
  readonly requestId: string;
}

/** A query about a person's account data. Only that person may see the answer. */
export type AccountQuery<Request, Answer = MarketAnswer> = (
  request: Request,
  requester: Requester,
  signal: AbortSignal,
) => Promise<Answer>;

export type EmptyRequest = Readonly<Record<string, never>>;

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

/** `here`: the chat in which the alert was set, where others may read it. */
export type AlertPlace = 'direct' | 'here';

/** As a person or the model wrote it. */
export interface SetAlertRequest {
  /** `AAPL > 200`, `삼성전자 5%`, `BTC rsi < 30`, `NVDA golden cross`, `AAPL news recall`; may contain options. */
  readonly text: string;
  readonly isRepeating?: boolean | undefined;
  readonly cooldownMinutes?: number | undefined;
  /** `30d`, `2026-12-31`. */
  readonly expires?: string | undefined;
  readonly usesExtendedHours?: boolean | undefined;
  /** Where it notifies. Absent: the person's direct chat, wherever it was set. */
  readonly place?: AlertPlace | undefined;
  /** Accepts a level so far from the price that it looks like a typo. */
  readonly isSure?: boolean | undefined;
}

/** `all` needs `isSure`; before that the answer shows what would be removed. */
interface RemoveRequest {
  readonly which: string;
  readonly isSure?: boolean | undefined;
  /** It was picked from this page of the list, which is shown again without it. */
  readonly page?: number | undefined;
}

/** Port: a person's alerts. */
export interface AlertService {
  readonly set: AccountQuery<SetAlertRequest>;
  readonly list: AccountQuery<{ readonly page?: number }>;
  /** By id, by instrument name if only one alert watches it, or `all`. */
  readonly remove: AccountQuery<RemoveRequest>;
  /** The span may also follow the name: `AAPL 1h`, `k3m7pq 내일까지`. Default: one hour. */
  readonly snooze: AccountQuery<{ readonly which: string; readonly span?: string | undefined }>;
}

/** Port: what people set in one channel, for its managers. The caller checks that the requester is one. */
export interface ChatNoticeService {
  readonly list: AccountQuery<EmptyRequest>;
  /** By id. The owner is notified. */
  readonly remove: AccountQuery<{ readonly which: string }>;
}

export interface WatchlistService {
  readonly show: AccountQuery<EmptyRequest>;
  readonly add: AccountQuery<{ readonly names: readonly string[] }>;
  readonly remove: AccountQuery<{ readonly names: readonly string[] }>;
  readonly clear: AccountQuery<{ readonly isSure: boolean }>;
}

/** As a person or the model wrote it. */
export interface SetBriefingRequest {
  /** `08:30`, `8:30am`, `아침 8시 반`. */
  readonly time: string;
  /** `weekdays`, `daily`, `mon,wed`, `평일`. Absent: weekdays. */
  readonly days?: string | undefined;
  readonly names?: readonly string[] | undefined;
  /** Absent: the direct chat. */
  readonly place?: AlertPlace | undefined;
}

export interface BriefingService {
  readonly set: AccountQuery<SetBriefingRequest>;
  readonly list: AccountQuery<EmptyRequest>;
  readonly remove: AccountQuery<RemoveRequest>;
  /** The briefing as it would be sent here now. */
  readonly now: AccountQuery<{ readonly names?: readonly string[] | undefined }>;
}

/** One of a person's own things, to pick from a list. */
export interface OwnItem {
  /** What a command takes. */
  readonly value: string;
  readonly label: string;
}

/**
 * Port: a person's own things, for autocompletion. It reads stored data only, and asks no market. `filled` are the other
 * options of the form by their names.
 */
export type OwnItems = Readonly<
  Record<
    'portfolio' | 'entry' | 'alert' | 'briefing' | 'watched',
    (person: PersonRef, locale: Locale, filled: FilledOptions) => Promise<readonly OwnItem[]>
  >
>;

/** Port: alerts, reminders and briefings that were set while the person's time zone was only a guess. */
export interface TimeZoneService {
  /** Moves them to the same local time in the confirmed zone. Returns a sentence for each that moved. */
  readonly settle: (requester: Requester, timeZone: string) => Promise<readonly string[]>;
}

export const requesterOfMessage = (ctx: TurnContext): Requester => ({
  channelId: ctx.channelId,
  userId: ctx.senderId,
  name: ctx.senderName,
  locale: ctx.locale,
  timeZone: ctx.timeZone,
  ...(ctx.zoneFrom && { zoneFrom: ctx.zoneFrom }),
  isDirect: ctx.chatType === 'direct',
  target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
  requestId: ctx.inboxId,
});

/** `callKey` tells the calls of one turn apart. */
export const requesterOfCall = (context: ToolExecutionContext, callKey: string): Requester => ({
  channelId: context.channelId,
  userId: context.userId,
  name: context.userName,
  locale: context.locale,
  timeZone: context.timeZone,
  ...(context.zoneFrom && { zoneFrom: context.zoneFrom }),
  isDirect: context.chatType === 'direct',
  target: context.target,
  requestId: `${context.turnId}:${callKey}`,
});

/** The target for a later notification: it replies to no message, and interactions have expired by then. */
export const placeOf = ({
  replyToMessageId: _answered,
  interaction: _gone,
  ...place
}: ReplyTarget): ReplyTarget => place;

/** A key for the channel or group, including its threads. Undefined for a direct chat. */
export const sharedChatOf = ({ channelId, accountId, chatId, isDirect }: ReplyTarget): string | undefined =>
  isDirect ? undefined : JSON.stringify([channelId, accountId, chatId]);

export const isSamePlace = (a: ReplyTarget, b: ReplyTarget): boolean =>
  a.channelId === b.channelId &&
  a.accountId === b.accountId &&
  a.chatId === b.chatId &&
  a.threadId === b.threadId;
