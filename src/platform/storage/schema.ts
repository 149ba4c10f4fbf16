import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Locale } from '#src/kernel/locale.ts';
import type { QueueMode } from '#src/kernel/ports.ts';

/** Queries outside of a transaction. A write must go through `Storage.write`: elsewhere it would not be durable. */
export type Reads = Pick<Kysely<Database>, 'selectFrom' | 'getExecutor' | 'isTransaction'>;

/**
 * The tables, the same in both databases. A feature declares its own in its `tables.ts`. Times are ISO 8601 text with
 * milliseconds, which sorts by time; ids and JSON are text, so that a row reads the same everywhere.
 */
export interface Database {
  inbox: InboxTable;
  turns: TurnsTable;
  outbox: OutboxTable;
  transcript_entries: TranscriptEntriesTable;
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
  identity_links: IdentityLinksTable;
  link_codes: LinkCodesTable;
  link_questions: LinkQuestionsTable;
  audit: AuditTable;
}

/**
 * `current`: the model reads it. `compacted`: a summary or a shorter form replaced it; it still belongs to the
 * conversation. `damaged`: a repair replaced it. `archived`: its conversation has ended.
 */
export type TranscriptState = 'current' | 'compacted' | 'damaged' | 'archived';

interface TranscriptEntriesTable {
  session_key: string;
  state: TranscriptState;
  /** Microseconds since 1970 of the moment it was written, rising within a conversation. PostgreSQL gives text. */
  position: ColumnType<number | string, number, never>;
  /** Distinguishes entries at one position: later forms of an entry, and entries that a repair inserted behind it. */
  version: number;
  turn_id: string;
  at: string;
  message: string;
  /** When it was damaged or archived. */
  left_at: string | null;
}

/** Every accepted message. The row is written before the platform is told that the message arrived. */
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
  /** The platform's id of the visible message, which edits and deletions refer to. */
  message_id: string;
  /** The message that this one was merged into, or that superseded it. */
  taken_by: string | null;
  /** 1: a process began it and stopped before it had ended. That attempt does not count. */
  was_parked: Generated<number>;
}

/**
 * `suspended`: a person has to decide about a tool call. `merged`: the message is part of the turn of `taken_by`.
 * `superseded`: its sender wrote something new instead. `withdrawn`: its sender deleted it.
 */
export type InboxStatus = 'pending' | 'suspended' | 'done' | 'failed' | 'merged' | 'superseded' | 'withdrawn';

/** One run of the model for one message. Its status says whether the transcript of the run is complete. */
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
  /** The first attempt, from which on the part may have arrived. */
  first_tried_at: string | null;
  /** The message on the platform that the part replaces. */
  replaces: string | null;
}

/** One row, written by the readiness check, because only a real write shows that the disk can be written to. */
interface HealthTable {
  id: string;
  checked_at: string;
}

/** Keys of model providers, added by an operator. `sealed_key` is encrypted. */
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
  /** Millionths of a millionth of a dollar, so that sums are exact. Null if the price is unknown. */
  cost_pico_usd: BigintColumn<string | null>;
  /** The reservation while the request is under way; null once it has ended. Until then, tokens and cost are estimates. */
  reserved_pico_usd: BigintColumn<string | null>;
  /** The provider's ids of the request and its answer; null if it gave none. */
  request_id: string | null;
  response_id: string | null;
}

/** Spending by day of the operator's time zone. */
interface BudgetDaysTable {
  /** `2026-11-13`. */
  day: string;
  /** `all`, or the code of a person, which stays when their data is deleted. */
  scope: string;
  spent_pico_usd: BigintColumn<string>;
  /** Reservations of requests under way. */
  reserved_pico_usd: BigintColumn<string>;
}

/**
 * A query must cast the column, or its sum, to text: one driver gives a number (and throws above 2^53), the other a text.
 */
type BigintColumn<Written> = ColumnType<never, Written, Written>;

export type UsageOutcome = 'ok' | 'failed';

/** Choices of people for one conversation. */
interface SessionSettingsTable {
  session_key: string;
  model: string | null;
  updated_at: string;
  /** 1 where an administrator chose the model. */
  chosen_by_admin: ColumnType<number, number | undefined, number>;
}

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** The approval of one tool call by a person. */
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
  /** The platform's message that holds the question, where the channel reported it. */
  message_id: string | null;
}

/** `started`: the approved call has begun and may have taken effect. */
export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'started';

/** Messages that are not answers, sent when they are due. */
interface NotificationsTable {
  id: string;
  channel_id: string;
  user_id: string;
  target: string;
  payload: string;
  due_at: string;
  status: NotificationStatus;
  attempts: number;
  /** While sending: the end of the claim. While pending: not to be claimed before. */
  claimed_until: string | null;
  created_at: string;
  sent_at: string | null;
}

/** `sending`: a process has claimed it, and only that process knows whether it arrived. */
export type NotificationStatus = 'pending' | 'sending' | 'sent' | 'failed';

/** Settings of `/profile`, as JSON. */
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

/** People who may send direct messages, and those who wait for an administrator's confirmation. */
interface PairingsTable {
  channel_id: string;
  user_id: string;
  user_name: string;
  code: string;
  status: PairingStatus;
  /** The chat in which the person is told the decision. */
  target: string;
  locale: Locale;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  decided_at: string | null;
}

export type PairingStatus = 'pending' | 'paired' | 'denied';

/** People whom the model asked something in a group: until it expires they need not mention the bot. */
interface AwaitedInputsTable {
  channel_id: string;
  account_id: string;
  chat_id: string;
  /** Empty outside of threads. */
  thread_id: string;
  user_id: string;
  expires_at: string;
}

/** Queue modes that people chose by chat. */
interface QueueModesTable {
  /** `session:…`, `channel:…` or `agent:…`. */
  scope: string;
  mode: QueueMode;
  updated_at: string;
}

/** People who have been told what the bot stores. */
interface PrivacyNotesTable {
  channel_id: string;
  user_id: string;
  told_at: string;
}

/** Settings of servers and workspaces that their administrators chose by chat, as JSON. */
interface GuildSettingsTable {
  channel_id: string;
  guild_id: string;
  settings: string;
  updated_by: string;
  updated_at: string;
}

/** The time up to which each channel has read. */
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
  /** Null until a person has confirmed that they mean it. */
  confirmed_at: string | null;
}

/** Keyed hashes of erased events, so that a platform that repeats one cannot bring it back. */
interface ErasedEventsTable {
  event_hash: string;
  erased_at: string;
}

/** Messages that show an answer while it is being made. */
interface LiveMessagesTable {
  inbox_id: string;
  delivery_id: string;
  /** Null if it may have been posted, but its id was not recorded. */
  message_id: string | null;
  opened_at: string;
}

/** The owner of each linked identity. An identity without a row is its own owner. */
interface IdentityLinksTable {
  channel_id: string;
  user_id: string;
  owner_id: string;
  linked_at: string;
  /** JSON: the identity's name, and where it is notified about its link. Null for links of older versions. */
  contact: string | null;
}

/** Codes that one identity got and another one has to enter. */
interface LinkCodesTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  expires_at: string;
  /** JSON: the name of the identity that got the code, and where it is notified when the code is used. */
  contact: string | null;
}

/** People who were asked whether they want to be linked by a code. Without a row, a yes does not count. */
interface LinkQuestionsTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  /** The identities that the question named. It is asked again when they have changed. */
  sides: string;
  expires_at: string;
}

/** The audit trail of people's data. A person is a code that only somebody with their id and the key can find. */
interface AuditTable {
  id: string;
  at: string;
  action: string;
  person_hash: string;
  details: string;
}

export const toStoredTime = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
