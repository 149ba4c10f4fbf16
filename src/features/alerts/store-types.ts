import type { AlertRecord, AlertSide } from '#src/kernel/people/alerts.ts';
import type { AlertId, OwnerId, PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';

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
  /** The first memory, with the price at which the alert was set. */
  readonly memory?: string;
};

/** An alert that fired: its message, and its state afterwards. */
export interface Firing {
  /** The alert as it was read. Nothing happens if its version has changed since. */
  readonly alert: AlertRecord;
  readonly at: Timestamp;
  readonly payload: ReplyPayload;
  readonly memory: string;
}

/** A change of state without a message. */
export interface EvaluationOutcome {
  readonly alert: AlertRecord;
  readonly side: AlertSide;
  readonly memory: string;
}

/** New conditions of alerts, with the notice for their owner. */
export interface Revision {
  /** Each `alert` as it was read. Nothing happens if the version of one of them has changed since. */
  readonly changes: readonly {
    readonly alert: AlertRecord;
    readonly next: Pick<AlertRecord, 'condition' | 'memory' | 'split'>;
  }[];
  readonly notice: NewNotification;
}

/** Limits that keep a channel from being flooded. */
export interface ChatAlertLimits {
  /** Active alerts in one channel, whoever set them. */
  readonly perChat: number;
  /** Repeating alerts of one person in one channel. */
  readonly repeatingPerPerson: number;
}

export interface AlertStore {
  /** A repeated request adds nothing. The `full` statuses name the limit that is reached: owner, channel, or repeating. */
  readonly add: (
    alert: NewAlert,
    setBy: PersonRef,
    requestId: string,
    limit: number,
    chatLimits?: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'added' | 'repeated'; readonly alert: AlertRecord }
    | { readonly status: 'full' | 'chat-full' | 'repeating-full' }
  >;
  /** Moves an alert to its new `target`. `gone`: it was deleted or changed meanwhile. */
  readonly move: (
    alert: AlertRecord,
    chatLimits: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'moved'; readonly alert: AlertRecord }
    | { readonly status: 'chat-full' | 'repeating-full' | 'gone' }
  >;
  /** The active alerts in this channel, the oldest first. */
  readonly inChat: (chatKey: string) => Promise<readonly AlertRecord[]>;
  /** Ends an alert, withdraws its unsent messages and stores the notice. False where the alert is gone. */
  readonly end: (id: AlertId, notice: NewNotification | undefined) => Promise<boolean>;
  /** The active alerts, snoozed ones included; the oldest first. */
  readonly listOf: (ownerId: OwnerId) => Promise<readonly AlertRecord[]>;
  /** Removes alerts with their unsent messages, and gives their number. Another owner's alerts are not touched. */
  readonly remove: (ownerId: OwnerId, ids: readonly AlertId[]) => Promise<number>;
  /** Snoozes an alert, also a one-time alert that has fired, and withdraws its unsent messages. Undefined for another owner's. */
  readonly snooze: (ownerId: OwnerId, id: AlertId, until: Timestamp) => Promise<AlertRecord | undefined>;
  /** Sets a confirmed time zone. False where the alert changed meanwhile. */
  readonly rezone: (
    alert: AlertRecord,
    timeZone: string,
    ends: { readonly expiresAt: Timestamp | undefined; readonly snoozedUntil: Timestamp | undefined },
  ) => Promise<boolean>;
  /** The alerts to evaluate now, active and not snoozed, in order of symbol. */
  readonly due: (now: Timestamp) => Promise<readonly AlertRecord[]>;
  readonly hasActive: () => Promise<boolean>;
  /**
   * Records each firing and its notification in one transaction, at most once over all processes. Gives the alerts that
   * were recorded. Rejects only where none could be.
   */
  readonly fire: (firings: readonly Firing[]) => Promise<readonly AlertRecord[]>;
  /** Stores all changes and the notice in one transaction. False, with nothing stored, where an alert changed meanwhile. */
  readonly revise: (revision: Revision) => Promise<boolean>;
  /** Leaves out alerts that changed meanwhile. */
  readonly saveObservations: (outcomes: readonly EvaluationOutcome[]) => Promise<void>;
  /** Marks the alerts whose time is over, and gives their number. */
  readonly expire: (now: Timestamp) => Promise<number>;
}
