import type { AlertRecord, AlertSide } from '#src/kernel/alert.ts';
import type { AlertId, OwnerId, PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/message.ts';
import type { NewNotification } from '#src/platform/storage/messages/notifications.ts';

export type NewAlert = Omit<
  AlertRecord,
  | 'id'
  | 'status'
  | 'side'
  | 'memory'
  | 'firedCount'
  | 'lastFiredAt'
  | 'createdAt'
  | 'version'
  | 'snoozedUntil'
> & {
  /** What was seen when it was set. */
  readonly memory?: string;
};

/** One alert that came true: what is told, and what it is afterwards. */
export interface Firing {
  /** As it was read: with another version meanwhile, nothing happens. */
  readonly alert: AlertRecord;
  readonly at: Timestamp;
  readonly payload: ReplyPayload;
  readonly memory: string;
}

/** What a look changed without anything to tell. */
export interface EvaluationOutcome {
  readonly alert: AlertRecord;
  readonly side: AlertSide;
  readonly memory: string;
}

/** What alerts are from now on, and what their owner is told of that. */
export interface Revision {
  /** `alert` as it was read: with another version of one of them meanwhile, nothing happens. */
  readonly changes: readonly {
    readonly alert: AlertRecord;
    readonly next: Pick<AlertRecord, 'condition' | 'memory' | 'split'>;
  }[];
  readonly notice: NewNotification;
}

/** So that nobody floods a channel. */
export interface ChatAlertLimits {
  /** Active ones in one channel, whoever set them. */
  readonly perChat: number;
  /** Repeating ones of one person in one channel. */
  readonly repeatingPerPerson: number;
}

export interface AlertStore {
  /** `full`: so many are active already, of this owner or in this channel. The same request twice is one alert. */
  readonly add: (
    alert: NewAlert,
    setBy: PersonRef,
    requestId: string,
    limit: number,
    chatLimits?: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'added' | 'repeated'; readonly alert: AlertRecord }
    | { readonly status: 'full' }
    | { readonly status: 'chat-full' }
    | { readonly status: 'repeating-full' }
  >;
  /** Rings at its new `target` from now on. `gone`: it was deleted or changed meanwhile. */
  readonly move: (
    alert: AlertRecord,
    chatLimits: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'moved'; readonly alert: AlertRecord }
    | { readonly status: 'chat-full' }
    | { readonly status: 'repeating-full' }
    | { readonly status: 'gone' }
  >;
  /** Those that are active in this channel, the oldest first. */
  readonly inChat: (chatKey: string) => Promise<readonly AlertRecord[]>;
  /** It is not judged any more, what waits to be told is taken back, and this is told. False where it is gone. */
  readonly end: (id: AlertId, notice: NewNotification | undefined) => Promise<boolean>;
  /** Those that are active, snoozed ones included; the oldest first. */
  readonly listOf: (ownerId: OwnerId) => Promise<readonly AlertRecord[]>;
  /** With what waits to be told of them. How many there were: 0 for one of somebody else. */
  readonly remove: (ownerId: OwnerId, ids: readonly AlertId[]) => Promise<number>;
  /**
   * Also one that has fired and was to fire once: it waits again. What waits to be told is taken back. Undefined for
   * one of somebody else.
   */
  readonly snooze: (ownerId: OwnerId, id: AlertId, until: Timestamp) => Promise<AlertRecord | undefined>;
  /** It is in this zone for certain now. False where it changed meanwhile. */
  readonly rezone: (
    alert: AlertRecord,
    timeZone: string,
    ends: { readonly expiresAt: Timestamp | undefined; readonly snoozedUntil: Timestamp | undefined },
  ) => Promise<boolean>;
  /** All that may be judged now: active, not snoozed. In order of symbol. */
  readonly due: (now: Timestamp) => Promise<readonly AlertRecord[]>;
  readonly hasActive: () => Promise<boolean>;
  /**
   * Records firings with what is told of them, in one transaction each with its notification: whoever comes second,
   * in this process or another, changes nothing. Those that were recorded. Rejects only where none could be.
   */
  readonly fire: (firings: readonly Firing[]) => Promise<readonly AlertRecord[]>;
  /** All of its changes and its notice in one transaction, or nothing: false where one of them changed meanwhile. */
  readonly revise: (revision: Revision) => Promise<boolean>;
  /** Only where nobody changed the alert meanwhile. */
  readonly saveObservations: (outcomes: readonly EvaluationOutcome[]) => Promise<void>;
  /** Those whose time is over. How many. */
  readonly expire: (now: Timestamp) => Promise<number>;
}
