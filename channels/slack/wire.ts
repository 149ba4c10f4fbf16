/** The fields we read of Slack's events. All are optional, because they are untrusted input. */

export interface SlackFile {
  readonly id?: string;
  /** Who uploaded it. Anybody may share it again. */
  readonly user?: string;
  readonly name?: string;
  readonly title?: string;
  readonly mimetype?: string;
  readonly size?: number;
  readonly alt_txt?: string;
  readonly url_private?: string;
  readonly url_private_download?: string;
  /** `tombstone` and `hidden_by_limit`: the file is no longer available. */
  readonly mode?: string;
  /** `check_file_info`: the file is from another workspace, and its address has to be requested. */
  readonly file_access?: string;
  /** `slack_audio`: recorded in Slack. */
  readonly subtype?: string;
  readonly duration_ms?: number;
  /** Slack's own transcription of a recording. */
  readonly transcription?: {
    readonly status?: string;
    readonly preview?: { readonly content?: string; readonly has_more?: boolean };
  };
}

export interface SlackAttachment {
  readonly text?: string;
  readonly fallback?: string;
  readonly author_id?: string;
  readonly bot_id?: string;
  readonly author_name?: string;
  readonly author_subname?: string;
  readonly is_share?: boolean;
  readonly is_msg_unfurl?: boolean;
  readonly files?: readonly SlackFile[];
}

export interface SlackMessage {
  readonly type?: string;
  readonly subtype?: string;
  readonly hidden?: boolean;
  readonly user?: string;
  readonly bot_id?: string;
  /** The author's workspace. In shared channels all three may differ from ours; the first one present counts. */
  readonly user_team?: string;
  readonly source_team?: string;
  readonly team?: string;
  readonly username?: string;
  readonly text?: string;
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly parent_user_id?: string;
  readonly files?: readonly SlackFile[];
  readonly attachments?: readonly SlackAttachment[];
  readonly metadata?: {
    readonly event_type?: string;
    readonly event_payload?: Readonly<Record<string, unknown>>;
  };
}

/** A page of a history. */
export interface SlackPage {
  readonly messages?: readonly SlackMessage[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

export interface SlackMessageEvent extends SlackMessage {
  readonly channel?: string;
  readonly channel_type?: string;
  readonly is_ephemeral?: boolean;
  /** In `message_changed`. */
  readonly message?: SlackMessage;
  readonly previous_message?: SlackMessage;
  /** In `message_deleted`. */
  readonly deleted_ts?: string;
}

/** `1700000000.000100`: seconds and microseconds, unique in its conversation. */
const TS = /^(\d{1,11})\.(\d{1,6})$/;

export const isTs = (value: unknown): value is string => typeof value === 'string' && TS.test(value);

export const instantOf = (ts: string): Temporal.Instant => {
  const [, seconds = '0', micros = '0'] = TS.exec(ts) ?? [];
  return Temporal.Instant.fromEpochNanoseconds(
    BigInt(seconds) * 1_000_000_000n + BigInt(micros.padEnd(6, '0')) * 1_000n,
  );
};

export const tsOf = (at: Temporal.Instant): string => {
  const micros = at.epochNanoseconds / 1_000n;
  return `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
};
