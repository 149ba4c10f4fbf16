/**
 * The tables, the same in both databases. Times are ISO 8601 text with milliseconds (they sort), ids and
 * JSON are text, so that a row reads the same everywhere.
 */
export interface Database {
  inbox: InboxTable;
  turns: TurnsTable;
  outbox: OutboxTable;
  health: HealthTable;
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
}

export type InboxStatus = 'pending' | 'done' | 'failed';

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
}

/** One row, written by the readiness check: only a real write shows that the disk takes writes. */
interface HealthTable {
  id: string;
  checked_at: string;
}

export type OutboxStatus = 'pending' | 'sent' | 'failed';

export const toStoredTime = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
