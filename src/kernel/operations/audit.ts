import type { PersonRef, Timestamp, TurnId } from '../ids.ts';

export type AuditAction =
  | 'tool-read'
  | 'privacy-export'
  | 'privacy-delete'
  | 'link-code'
  | 'link'
  | 'link-off'
  | 'pair'
  | 'pair-deny'
  | 'pair-revoke'
  /** An administrator had a backup of everything made. */
  | 'backup'
  /** A channel manager removed an alert or briefing of another person. */
  | 'channel-remove'
  | 'support-share'
  | 'support-revoke'
  | 'dashboard-code'
  | 'dashboard-revoke'
  | OperatorAuditAction;

/** What operators do on their page. */
export type OperatorAuditAction =
  | 'operator-login'
  | 'operator-logout'
  | 'operator-logout-all'
  | 'message-replay'
  | 'message-discard'
  | 'key-on'
  | 'key-off'
  | 'key-rest'
  | 'key-wake'
  | 'approval-approve'
  | 'approval-deny'
  | 'support-read';

/** Counts only, so that the audit log reveals no personal data. */
export type AuditCounts = Readonly<Record<string, number>>;

/** Counts, and ids of what an operator changed. No id is that of a person. */
export type AuditDetails = Readonly<Record<string, number | string>>;

export interface AuditEntry {
  readonly at: Timestamp;
  readonly action: AuditAction;
  /** A stable pseudonym; `token` for an operator who is known by nothing else. */
  readonly person: string;
  readonly details: AuditDetails;
}

/** Port: the audit log of access to personal data, for `/debug audit`. */
export interface AuditTrail {
  /** Durable when it resolves. */
  readonly record: (
    action: AuditAction,
    person: PersonRef,
    details: AuditCounts,
    at: Timestamp,
  ) => Promise<void>;
  /** Newest first, without tool reads. */
  readonly recent: (limit: number) => Promise<readonly AuditEntry[]>;
  /** Tool reads are listed separately because there are many. */
  readonly recentReads: (limit: number) => Promise<readonly AuditEntry[]>;
}

/** Port: logs that a tool read personal data. */
export interface AccountReads {
  /** One entry per turn and tool. Durable when it resolves; never rejects. */
  readonly note: (toolName: string, reader: PersonRef & { readonly turnId: TurnId }) => Promise<void>;
}
