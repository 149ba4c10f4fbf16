import type { ColumnType } from 'kysely';
import type { Locale } from '#src/kernel/locale.ts';
import type { QueueMode } from '#src/kernel/ports.ts';

/**
 * The tables, the same in both databases. A feature declares its own beside their descriptors, in its `tables.ts`. Times are ISO 8601 text with milliseconds (they sort), ids and
 * JSON are text, so that a row reads the same everywhere.
 */
export interface Database {
  inbox: InboxTable;
  turns: TurnsTable;
  outbox: OutboxTable;
  health: HealthTable;
  auth_profiles: AuthProfilesTable;
  usage: UsageTable;
  budget_days: BudgetDaysTable;
  session_settings: SessionSettingsTable;
  approvals: ApprovalsTable;
  notifications: NotificationsTable;
  profiles: ProfilesTable;
  dead_letters: DeadLettersTable;
  pairings: PairingsTable;
  awaited_inputs: AwaitedInputsTable;
  queue_modes: QueueModesTable;
  privacy_notes: PrivacyNotesTable;
  guild_settings: GuildSettingsTable;
  channel_progress: ChannelProgressTable;
  live_messages: LiveMessagesTable;
  erased_events: ErasedEventsTable;
  instance_keys: InstanceKeysTable;
  listings: ListingsTable;
}

/** Every accepted message, from before it is acknowledged until it has been answered. */
interface InboxTable {
  id: string;
  channel_id: string;
  account_id: string;
  chat_id: string;
  event_id: string;
  session_key: string;
  agent_id: string;
  matched_by: string;
  sender_id: string;
  message: string;
  status: InboxStatus;
  attempts: number;
  error_id: string | null;
  accepted_at: string;
  settled_at: string | null;
  /** The platform's id of the visible message: what an edit or a deletion names. */
  message_id: string;
  /** The message whose turn this one became part of, or that took its place. */
  taken_by: string | null;
}

/**
 * `suspended`: it rests until a person has decided about a tool call. `merged`: it is part of the turn of
 * `taken_by`. `superseded`: its sender wrote something new instead. `withdrawn`: its sender deleted it.
 */
export type InboxStatus = 'pending' | 'suspended' | 'done' | 'failed' | 'merged' | 'superseded' | 'withdrawn';

/** One run of the model for one message; says whether the transcript of that run is whole. */
interface TurnsTable {
  id: string;
  inbox_id: string;
  session_key: string;
  sender_id: string;
  status: TurnStatus;
  started_at: string;
  ended_at: string | null;
}

export type TurnStatus = 'open' | 'suspended' | 'complete' | 'failed';

/** Every part of every answer, written before the first part is sent. */
interface OutboxTable {
  id: string;
  inbox_id: string;
  part_index: number;
  target: string;
  payload: string;
  status: OutboxStatus;
  attempts: number;
  platform_message_id: string | null;
  created_at: string;
  sent_at: string | null;
  /** The first attempt: from then on it may have arrived. */
  first_tried_at: string | null;
  /** The message on the platform whose place it takes. */
  replaces: string | null;
}

/** One row, written by the readiness check: only a real write shows that the disk takes writes. */
interface HealthTable {
  id: string;
  checked_at: string;
}

/** Keys of model providers, added by an operator. `sealed_key` is encrypted; nothing here opens it. */
interface AuthProfilesTable {
  id: string;
  provider: string;
  name: string;
  sealed_key: string;
  /** 0 or 1: SQLite has no booleans. */
  is_active: number;
  priority: number;
  created_at: string;
  last_used_at: string | null;
  failure_count: number;
  cooldown_until: string | null;
}

/** One row for every request to a model, booked when it ended, whether it succeeded or not. */
interface UsageTable {
  id: string;
  at: string;
  channel_id: string;
  user_id: string;
  session_key: string;
  provider: string;
  model: string;
  profile_id: string;
  outcome: UsageOutcome;
  input_tokens: BigintColumn<number>;
  output_tokens: BigintColumn<number>;
  cache_read_tokens: BigintColumn<number>;
  cache_write_tokens: BigintColumn<number>;
  /** Millionths of a millionth of a dollar, so that sums are exact; null where the price is unknown. */
  cost_pico_usd: BigintColumn<string | null>;
  /** What is set aside for it while it is under way; null once it has ended. Tokens and cost are estimates until then. */
  reserved_pico_usd: BigintColumn<string | null>;
  /** The provider's names of the request and its answer; null where it gave none. */
  request_id: string | null;
  response_id: string | null;
}

/** What was spent in a day of the operator's time zone. */
interface BudgetDaysTable {
  /** `2026-11-13`. */
  day: string;
  /** `all`, or a code that stands for a person: it stays when they have their data deleted. */
  scope: string;
  spent_pico_usd: BigintColumn<string>;
  /** For requests under way. */
  reserved_pico_usd: BigintColumn<string>;
}

/**
 * Not to be read as it is: one driver gives a number (and throws above 2^53), the other a text. A query casts
 * it, or its sum, to text.
 */
type BigintColumn<Written> = ColumnType<never, Written, Written>;

export type UsageOutcome = 'ok' | 'failed';

/** What people chose for one conversation. */
interface SessionSettingsTable {
  session_key: string;
  model: string | null;
  updated_at: string;
  /** 1 where an administrator chose the model. */
  chosen_by_admin: ColumnType<number, number | undefined, number>;
}

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** One question to a person about one tool call. */
interface ApprovalsTable {
  id: string;
  inbox_id: string;
  turn_id: string;
  call_id: string;
  session_key: string;
  channel_id: string;
  asked_by: string;
  asker_name: string | null;
  tool_name: string;
  input_hash: string;
  summary: string;
  reason: string;
  locale: Locale;
  target: string;
  status: ApprovalStatus;
  decided_by: string | null;
  decided_at: string | null;
  created_at: string;
  expires_at: string;
  /** The question on the platform, where the channel told. */
  message_id: string | null;
}

/** `started`: it was approved, and the call has begun; it may have taken effect. */
export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'started';

/** Messages that are not answers, to be sent when they are due. */
interface NotificationsTable {
  id: string;
  channel_id: string;
  user_id: string;
  target: string;
  payload: string;
  due_at: string;
  status: NotificationStatus;
  attempts: number;
  /** Of what is being sent: who has not said anything by then is gone. Of what waits: not again before. */
  claimed_until: string | null;
  created_at: string;
  sent_at: string | null;
}

/** `sending`: a process has taken it; whether it arrived is known to that process alone. */
export type NotificationStatus = 'pending' | 'sending' | 'sent' | 'failed';

/** What a person told about how they invest and want to be spoken to, as JSON. */
interface ProfilesTable {
  channel_id: string;
  user_id: string;
  profile: string;
  updated_at: string;
}

/** Messages that were given up after too many attempts. */
interface DeadLettersTable {
  inbox_id: string;
  session_key: string;
  channel_id: string;
  sender_id: string;
  attempts: number;
  reason: string;
  error_id: string;
  at: string;
}

/** People who may write directly, and those who wait for an administrator to let them. */
interface PairingsTable {
  channel_id: string;
  user_id: string;
  user_name: string;
  code: string;
  status: PairingStatus;
  /** Where to tell the person that they were let in. */
  target: string;
  locale: Locale;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  decided_at: string | null;
}

export type PairingStatus = 'pending' | 'paired' | 'denied';

/** The model asked this person something in a group: until then they need not mention the bot again. */
interface AwaitedInputsTable {
  channel_id: string;
  account_id: string;
  chat_id: string;
  /** Empty outside of threads. */
  thread_id: string;
  user_id: string;
  expires_at: string;
}

/** How messages that arrive during a run are treated, where somebody chose it by chat. */
interface QueueModesTable {
  /** `session:…`, `channel:…` or `agent:…`. */
  scope: string;
  mode: QueueMode;
  updated_at: string;
}

/** Who has been told what the bot stores. */
interface PrivacyNotesTable {
  channel_id: string;
  user_id: string;
  told_at: string;
}

/** What those who run a server or workspace chose by chat, as JSON. */
interface GuildSettingsTable {
  channel_id: string;
  guild_id: string;
  settings: string;
  updated_by: string;
  updated_at: string;
}

/** How far a channel has heard. */
interface ChannelProgressTable {
  channel_id: string;
  account_id: string;
  seen_until: string;
}

/** Keys that all processes on one database share. */
interface InstanceKeysTable {
  id: string;
  value: string;
}

/** Instruments that the built-in index lacks and a market source lists. */
interface ListingsTable {
  symbol: string;
  /** JSON. */
  instrument: string;
  offered_at: string;
  /** Null: nobody has said yet that it is meant. */
  confirmed_at: string | null;
}

/** Of messages that a person had erased: nothing but that a platform's event was one of them. */
interface ErasedEventsTable {
  event_hash: string;
  erased_at: string;
}

/** A message in which an answer is shown while it is being made. */
interface LiveMessagesTable {
  inbox_id: string;
  delivery_id: string;
  /** Null: it may have been posted, but where was not recorded. */
  message_id: string | null;
  opened_at: string;
}

export const toStoredTime = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
