import type { TransactionKind } from './ledger.ts';
import type { PersonRef } from './ids.ts';
import type { MarketAnswer, Audience } from './market-queries.ts';
import { type MediaAttachment, type MsgContext, replyTargetOf, type ReplyTarget } from './message.ts';
import type { ZoneSource } from './time-zone.ts';
import type { ToolExecutionContext } from './tool.ts';

/** An identity with the name that its platform shows. The name is untrusted input: anybody chooses their own. */
export interface NamedIdentity extends PersonRef {
  readonly name?: string;
}

/** One text for one person, as a key of what is counted by person. */
export const personKey = ({ channelId, userId }: PersonRef): string => [channelId, userId].join('\0');

/** Who asks about what is theirs, and for whom the answer is written. */
export interface Requester extends PersonRef, Omit<Audience, keyof PersonRef> {
  readonly name: string;
  /** How the zone is known. Absent: it is the person's own for certain. */
  readonly zoneFrom?: ZoneSource;
  /** Nobody else reads along. */
  readonly isDirect: boolean;
  /** Where the question was asked. */
  readonly target: ReplyTarget;
  /** The same request, told twice, has the same one. */
  readonly requestId: string;
}

/** What is said to a person about their own things: to be shown to them alone. */
export type AccountQuery<Request> = (
  request: Request,
  requester: Requester,
  signal: AbortSignal,
) => Promise<MarketAnswer>;

/** Nothing has to be said about what is wanted. */
export type EmptyRequest = Readonly<Record<string, never>>;

/** Absent: the default one. */
interface InPortfolio {
  readonly portfolio?: string | undefined;
}

/** As a person or the model wrote it: everything is text, and nothing is taken for granted. */
export interface RecordRequest extends InPortfolio {
  readonly kind: TransactionKind;
  /** Of what is traded. */
  readonly name?: string | undefined;
  /** Of a sale also `all` and `half`: of what is held. */
  readonly quantity?: string | undefined;
  /** For one piece; of a bonus issue `0`. Absent, in a trade: the last price, which is said. */
  readonly price?: string | undefined;
  /** For all pieces together, in the place of `price`. */
  readonly total?: string | undefined;
  /** Of a dividend, interest, tax, cash in lieu, fee, deposit, withdrawal; of `fx` what is given. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly fee?: string | undefined;
  /** Absent, in a sale on a Korean exchange: computed. */
  readonly tax?: string | undefined;
  /** `2026-11-13`, `어제`. Absent: today. */
  readonly date?: string | undefined;
  /** `14:30`, `14:30:05` or `15:45 ET`: the order within the day. Absent: after what is recorded for that day. */
  readonly time?: string | undefined;
  /** Of a tax: it was paid back. */
  readonly isRefund?: boolean | undefined;
  /** Of a split: `50`, `50:1`, `1:10`. */
  readonly ratio?: string | undefined;
  readonly toAmount?: string | undefined;
  readonly toCurrency?: string | undefined;
  /** The portfolio's currency for one unit of `currency`. */
  readonly rate?: string | undefined;
  readonly note?: string | undefined;
  /** The person was told what is odd about it, and wants it so. */
  readonly isSure?: boolean | undefined;
}

/** What would be recorded. `text`: for the person who has to allow it, with what is odd about it; `date`: its day. */
export type RecordPlan =
  | { readonly status: 'ready'; readonly text: string; readonly date: string }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

/** What would be taken back: the number stays the same whatever is recorded until it is. */
export type UndoPlan =
  | { readonly status: 'ready'; readonly number: number; readonly text: string }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

export interface AnalyseRequest extends InPortfolio {
  readonly range: '3mo' | '6mo' | 'ytd' | '1y' | '2y';
  /** Absent: KOSPI where the portfolio is in won, else the S&P 500. */
  readonly benchmark?: 'kospi' | 'sp500' | undefined;
  readonly isDrawn: boolean;
}

export interface ImportRequest extends InPortfolio {
  /** The rows themselves, pasted into the message; or files that came with it. */
  readonly text: string;
  readonly files: readonly MediaAttachment[];
}

/** As a person or the model wrote it. */
export interface TaxRequest extends InPortfolio {
  /** `2025`, `2025년`. Absent: this year, until May the year before. */
  readonly year?: string | undefined;
  /** For a resident of Korea, or plain gains by how long things were held. Absent: by the portfolio's currency. */
  readonly basis?: 'kr' | 'us' | undefined;
}

/** As a person or the model wrote it. */
export interface RebalanceRequest extends InPortfolio {
  /** `AAPL 40 삼성전자 30 현금 30 새 돈 100만원 ±5%`. Without weights: those that are stored. */
  readonly text: string;
  /** With new money: whether something may be sold, too. */
  readonly canSell?: boolean | undefined;
}

/** Port: a person's portfolios. Nothing in it throws but on abort, or for a bug; what is refused stores nothing. */
export interface PortfolioService {
  readonly summary: AccountQuery<InPortfolio & { readonly isDrawn: boolean }>;
  /** A name alone: of a portfolio, or of what was recorded in one. */
  readonly open: AccountQuery<InPortfolio & { readonly typed: string }>;
  readonly analyse: AccountQuery<AnalyseRequest>;
  /** What is odd is asked about first, unless `isSure`. */
  readonly record: AccountQuery<RecordRequest>;
  /** What `record` would write down: the same checks, and nothing stored. */
  readonly plan: (request: RecordRequest, requester: Requester, signal: AbortSignal) => Promise<RecordPlan>;
  /** `name`: of one instrument alone. */
  readonly history: AccountQuery<InPortfolio & { readonly page: number; readonly name?: string | undefined }>;
  /** Absent: the last entry that counts. */
  readonly undo: AccountQuery<InPortfolio & { readonly number?: number | undefined }>;
  /** Which entry `undo` would take back: the same checks, and nothing changed. */
  readonly planUndo: (
    request: InPortfolio & { readonly number?: number | undefined },
    requester: Requester,
    signal: AbortSignal,
  ) => Promise<UndoPlan>;
  /** Reads, checks and shows; nothing is stored before `confirmImport`. */
  readonly preview: AccountQuery<ImportRequest>;
  readonly confirmImport: AccountQuery<{
    readonly code: string;
    readonly which: 'all' | 'valid' | 'none';
  }>;
  readonly export: AccountQuery<InPortfolio>;
  /**
   * Splits and dividends of the holdings, as a source reports them, and whether they are recorded. `dismiss`: those
   * that are not to be offered again, as a person wrote it (`all`, a name, a name and a day). `restore`: those that
   * are to be offered again. `record`: the dividends that are to be recorded, each as an entry of its own. `isSure`: a
   * split is dismissed without a question.
   */
  readonly actions: AccountQuery<
    InPortfolio & {
      readonly dismiss?: string | undefined;
      readonly restore?: string | undefined;
      readonly record?: string | undefined;
      readonly isSure?: boolean | undefined;
    }
  >;
  /** A year's sales, dividends and interest, for a tax return. */
  readonly tax: AccountQuery<TaxRequest>;
  /** What to trade to come to target weights. Records nothing. */
  readonly rebalance: AccountQuery<RebalanceRequest>;
  /** Stores target weights; without any it shows them, and `clear` takes them away. */
  readonly target: AccountQuery<InPortfolio & { readonly text: string }>;
  readonly list: AccountQuery<EmptyRequest>;
  readonly create: AccountQuery<{ readonly name: string; readonly currency?: string | undefined }>;
  /** What a portfolio is by default, how cost is counted, whether short sales are taken. */
  readonly configure: AccountQuery<
    InPortfolio & {
      readonly setting: 'default' | 'cost' | 'short';
      readonly value?: string | undefined;
    }
  >;
  /** Not without `isSure`: before that it says what would go. */
  readonly remove: AccountQuery<{ readonly portfolio: string; readonly isSure: boolean }>;
}

/** `here`: in the chat where it was set, where others may read it. */
export type AlertPlace = 'direct' | 'here';

/** As a person or the model wrote it. */
export interface SetAlertRequest {
  /** `AAPL > 200`, `삼성전자 5%`, `BTC rsi < 30`, `NVDA golden cross`, `AAPL news recall`; options in it too. */
  readonly text: string;
  readonly isRepeating?: boolean | undefined;
  readonly cooldownMinutes?: number | undefined;
  /** `30d`, `2026-12-31`. */
  readonly expires?: string | undefined;
  readonly usesExtendedHours?: boolean | undefined;
  /** Where it rings. Absent: in the person's direct chat, wherever it was set. */
  readonly place?: AlertPlace | undefined;
  /** Also where the level is so far from the price that it looks like a slip. */
  readonly isSure?: boolean | undefined;
}

/** Which ones are to go; all of them only with `isSure`: before that it says what would go. */
interface RemoveRequest {
  readonly which: string;
  readonly isSure?: boolean | undefined;
}

/** Port: a person's alerts. */
export interface AlertService {
  readonly set: AccountQuery<SetAlertRequest>;
  readonly list: AccountQuery<EmptyRequest>;
  /** By its id, or by the name of what it watches where that is one alert; `all`. */
  readonly remove: AccountQuery<RemoveRequest>;
  /** For how long may stand behind the name too: `AAPL 1h`, `k3m7pq 내일까지`. Said nowhere: an hour. */
  readonly snooze: AccountQuery<{ readonly which: string; readonly span?: string | undefined }>;
}

/** Port: what people have set in one channel, for those who run it. Whoever asks must have been found to. */
export interface ChatNoticeService {
  readonly list: AccountQuery<EmptyRequest>;
  /** By its id. The owner is told. */
  readonly remove: AccountQuery<{ readonly which: string }>;
}

/** Port: what a person keeps an eye on. */
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
  /** In the direct chat instead of where it is asked. */
  readonly isToDirect?: boolean | undefined;
}

/** Port: what a person is told at a time of day. */
export interface BriefingService {
  readonly set: AccountQuery<SetBriefingRequest>;
  readonly list: AccountQuery<EmptyRequest>;
  readonly remove: AccountQuery<RemoveRequest>;
  /** As it would be sent here. */
  readonly now: AccountQuery<{ readonly names?: readonly string[] | undefined }>;
}

/** Port: what a person set while their zone was only guessed. */
export interface TimeZoneService {
  /** They said where they are: what was set by the guess moves to the same hour there. Says what moved. */
  readonly settle: (requester: Requester, timeZone: string) => Promise<readonly string[]>;
}

/** Who sent a message, as the owner of what is theirs. */
export const requesterOfMessage = (ctx: MsgContext): Requester => ({
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

/** For whom a tool is called. `callKey` tells calls of one turn apart. */
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

/** The same place later on: no message there is answered any more, and no interaction lasts that long. */
export const placeOf = ({
  replyToMessageId: _answered,
  interaction: _gone,
  ...place
}: ReplyTarget): ReplyTarget => place;

/** The channel or group in which something is told, its threads included. Undefined: nobody else reads along. */
export const sharedChatOf = ({ channelId, accountId, chatId, isDirect }: ReplyTarget): string | undefined =>
  isDirect ? undefined : JSON.stringify([channelId, accountId, chatId]);

export const isSamePlace = (a: ReplyTarget, b: ReplyTarget): boolean =>
  a.channelId === b.channelId &&
  a.accountId === b.accountId &&
  a.chatId === b.chatId &&
  a.threadId === b.threadId;
