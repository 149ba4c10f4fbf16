import { z } from 'zod';
import { readBlocks } from './block-words.ts';

/**
 * An object of which all fields are optional, because Slack's events are untrusted input: a field of another form counts
 * as absent, and what is no object at all has no fields.
 */
export const fields = <S extends Readonly<Record<string, z.ZodType>>>(shape: S) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => [name, schema.optional().catch(undefined)]),
    ) as { readonly [K in keyof S]: z.ZodCatch<z.ZodOptional<S[K]>> },
  );

/** A list without the entries of another form. */
export const listOf = <T extends z.ZodType>(schema: T) =>
  z.array(schema.nullable().catch(null)).transform((each) => each.filter((one) => one !== null));

const text = z.string();
const flag = z.boolean();

/** Undefined if it is none. */
export const jsonIn = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** Reads what Slack sent; never throws. */
export const readAs = <T extends z.ZodType>(schema: T, value: unknown): z.infer<T> =>
  schema.safeParse(value).data ?? schema.parse({});

const FILE = fields({
  id: text,
  /** Who uploaded it. Anybody may share it again. */
  user: text,
  name: text,
  title: text,
  mimetype: text,
  size: z.number(),
  alt_txt: text,
  url_private: text,
  url_private_download: text,
  /** `tombstone` and `hidden_by_limit`: the file is no longer available. */
  mode: text,
  /** `check_file_info`: the file is from another workspace, and its address has to be requested. */
  file_access: text,
  /** `slack_audio`: recorded in Slack. */
  subtype: text,
  duration_ms: z.number(),
  /** Slack's own transcription of a recording. */
  transcription: fields({ status: text, preview: fields({ content: text, has_more: flag }) }),
});
export type SlackFile = z.infer<typeof FILE>;

const BLOCKS = z.unknown().transform(readBlocks);

const ATTACHMENT = fields({
  pretext: text,
  title: text,
  fields: listOf(fields({ title: text, value: text })),
  blocks: BLOCKS,
  /** The blocks of a forwarded message. */
  message_blocks: listOf(fields({ message: fields({ blocks: BLOCKS }) })),
  from_url: text,
  original_url: text,
  app_unfurl_url: text,
  text,
  fallback: text,
  author_id: text,
  bot_id: text,
  author_name: text,
  author_subname: text,
  is_share: flag,
  is_msg_unfurl: flag,
  files: listOf(FILE),
});
export type SlackAttachment = z.infer<typeof ATTACHMENT>;

const MESSAGE_FIELDS = {
  type: text,
  subtype: text,
  hidden: flag,
  user: text,
  bot_id: text,
  /** The author's workspace. In shared channels all three may differ from ours; the first one present counts. */
  user_team: text,
  source_team: text,
  team: text,
  username: text,
  text,
  ts: text,
  thread_ts: text,
  parent_user_id: text,
  files: listOf(FILE),
  blocks: BLOCKS,
  attachments: listOf(ATTACHMENT),
  metadata: fields({ event_type: text, event_payload: z.record(text, z.unknown()) }),
} as const;

export const MESSAGE = fields(MESSAGE_FIELDS);
export type SlackMessage = z.infer<typeof MESSAGE>;

/** A page of a history. */
export interface SlackPage {
  readonly messages?: readonly unknown[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

const MESSAGE_EVENT = fields({
  ...MESSAGE_FIELDS,
  channel: text,
  channel_type: text,
  is_ephemeral: flag,
  /** In `message_changed`. */
  message: MESSAGE,
  previous_message: MESSAGE,
  /** In `message_deleted`. */
  deleted_ts: text,
});
export type SlackMessageEvent = z.infer<typeof MESSAGE_EVENT>;

const readMessage = (value: unknown): SlackMessage => readAs(MESSAGE, value);
export const messagesOf = ({ messages = [] }: SlackPage): SlackMessage[] => messages.map(readMessage);
export const readMessageFields = (event: unknown): SlackMessageEvent => readAs(MESSAGE_EVENT, event);

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

/** The scheme of a file whose address has to be requested first. */
export const FILE_SCHEME = 'slack-file:';
