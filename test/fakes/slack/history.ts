/** What a person did. */
export interface SaidEntry {
  readonly type: 'said' | 'edited' | 'removed';
  readonly channel: string;
  readonly user: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly text: string;
}

/** Things of the websocket: `connection` is the fake's own number of it, counted from 1. */
export type ConnectionEntry =
  | { readonly type: 'connected'; readonly connection: number }
  | { readonly type: 'disconnected'; readonly connection: number; readonly by: 'bot' | 'slack' }
  | { readonly type: 'connection-refused'; readonly error: string };

export type EnvelopeType = 'events_api' | 'slash_commands' | 'interactive';

export interface DeliveredEntry {
  readonly type: 'delivered';
  readonly envelopeId: string;
  readonly envelopeType: EnvelopeType;
  /** Of events_api only. The same in every delivery of one event. */
  readonly eventId?: string;
  /** `message`, `app_mention`, …; of others the command or the type of the interaction. */
  readonly what: string;
  /** 0 for the first delivery. */
  readonly retryNum: number;
  readonly connection: number;
}

export interface AckedEntry {
  readonly type: 'acked';
  readonly envelopeId: string;
  readonly envelopeType: EnvelopeType;
  readonly eventId?: string;
  readonly what: string;
  readonly afterMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Nobody acknowledged in time. An event comes again unless it is final; a person reads that it failed. */
export interface UnackedEntry {
  readonly type: 'unacked';
  readonly envelopeId: string;
  readonly envelopeType: EnvelopeType;
  readonly eventId?: string;
  readonly what: string;
  readonly isFinal: boolean;
}

export interface RequestEntry {
  readonly type: 'request';
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly channel?: string;
}

export interface ResponseEntry {
  readonly type: 'response';
  readonly method: string;
  readonly channel?: string;
  readonly status: number;
  /** Slack's code where `ok` was false. */
  readonly error?: string;
  /** The connection died without an answer. */
  readonly isDropped: boolean;
}

/** The bot changed what people see. */
export interface MessageEntry {
  readonly type:
    | 'posted'
    | 'updated'
    | 'deleted'
    | 'ephemeral'
    | 'stream-started'
    | 'stream-appended'
    | 'stream-stopped';
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly text: string;
  /** Of ephemeral ones. */
  readonly forUser?: string;
  /** Through which door it came. */
  readonly via: 'api' | 'ack' | 'response_url';
}

export type OtherEntry =
  | { readonly type: 'status'; readonly channel: string; readonly threadTs: string; readonly status: string }
  | {
      readonly type: 'reacted' | 'unreacted';
      readonly channel: string;
      readonly ts: string;
      readonly user: string;
      readonly name: string;
    }
  | { readonly type: 'uploaded'; readonly fileId: string; readonly channel?: string; readonly name: string }
  | { readonly type: 'view-opened' | 'view-updated' | 'view-closed'; readonly viewId: string };

/** The bot did what Slack lets pass or punishes later: a good bot has none of these. */
export interface OffenceEntry {
  readonly type: 'offence';
  readonly rule:
    | 'text-truncated'
    | 'too-many-buttons'
    | 'called-during-retry-after'
    | 'late-ack'
    | 'double-ack'
    | 'unknown-envelope'
    | 'reply-to-reply'
    /** The SDK calls it `alt_text`; Slack takes `alt_txt` only, and of images only: others are then not shared. */
    | 'alt-text-ignored'
    | 'alt-text-on-non-image'
    | 'mass-mention';
  readonly detail: string;
}

export type Happening =
  | SaidEntry
  | ConnectionEntry
  | DeliveredEntry
  | AckedEntry
  | UnackedEntry
  | RequestEntry
  | ResponseEntry
  | MessageEntry
  | OtherEntry
  | OffenceEntry;

/** `atMs` is counted from the start of the fake, by its clock. */
export type SlackHistoryEntry = Happening & { readonly atMs: number };

type EntryOf<Type extends Happening['type']> = Extract<SlackHistoryEntry, { readonly type: Type }>;

/** All entries of one kind. */
export const entriesOf = <Type extends Happening['type']>(
  history: readonly SlackHistoryEntry[],
  type: Type,
): readonly EntryOf<Type>[] => history.filter((entry): entry is EntryOf<Type> => entry.type === type);
