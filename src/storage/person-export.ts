import { type Selectable, sql } from 'kysely';
import type { InboundMessage, ReplyPayload } from '#src/core/message.ts';
import { Decimal } from '#src/core/money.ts';
import { NEVER_ABORTED } from '#src/infra/abort.ts';
import { createPause } from '#src/infra/steps.ts';
import type { Storage } from './database.ts';
import { directSessions, MODE_SCOPE, type Person } from './person-rows.ts';
import type { Database } from './schema.ts';

type Db = Storage['db'];
type Plain = Readonly<Record<string, unknown>>;

/** So many messages are read at a time: they may be long. */
const PAGE = 20;
const PICO = 'e-12';

const answerIn = (payload: string): Plain => {
  const { text, media = [] } = JSON.parse(payload) as Partial<ReplyPayload>;
  return { text: text ?? '', ...(media.length > 0 ? { files: media.map(({ name }) => name) } : {}) };
};

/** Only what is named here: what answers an interaction is a key to it, and addresses of files may be keys too. */
const messageIn = (
  row: Selectable<Database['inbox']>,
  parts: readonly { readonly payload: string }[],
): Plain => {
  const { body, chatType, threadId, media = [] } = JSON.parse(row.message) as Partial<InboundMessage>;
  return {
    at: row.accepted_at,
    chat: { type: chatType, id: row.chat_id, ...(threadId ? { threadId } : {}) },
    text: body ?? '',
    ...(media.length > 0 ? { files: media.map(({ name, mimeType }) => ({ name, mimeType })) } : {}),
    status: row.status,
    answers: parts.map(({ payload }) => answerIn(payload)),
  };
};

const messagesOf = async (db: Db, { channelId, userId }: Person): Promise<readonly Plain[]> => {
  const pause = createPause(NEVER_ABORTED);
  const found: Plain[] = [];
  for (let from = '', size = PAGE; size === PAGE;) {
    await pause();
    const rows = await db
      .selectFrom('inbox')
      .selectAll()
      .where('channel_id', '=', channelId)
      .where('sender_id', '=', userId)
      .where('id', '>', from)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const ids = rows.map(({ id }) => id);
    const parts =
      ids.length === 0
        ? []
        : await db
            .selectFrom('outbox')
            .select(['inbox_id', 'payload'])
            .where('inbox_id', 'in', ids)
            .orderBy('part_index')
            .execute();
    const answers = Map.groupBy(parts, ({ inbox_id }) => inbox_id);
    found.push(...rows.map((row) => messageIn(row, answers.get(row.id) ?? [])));
    from = ids.at(-1) ?? from;
    size = rows.length;
  }
  return found;
};

/** The drivers agree on nothing else for large numbers. */
const asText = (column: string) => sql<string | null>`cast(${sql.ref(column)} as text)`;

const usageOf = async (db: Db, { channelId, userId }: Person): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('usage')
    .select(['at', 'provider', 'model', 'outcome', 'request_id as requestId', 'response_id as responseId'])
    .select([
      asText('input_tokens').as('input'),
      asText('output_tokens').as('output'),
      asText('cache_read_tokens').as('cacheRead'),
      asText('cache_write_tokens').as('cacheWrite'),
      asText('cost_pico_usd').as('pico'),
    ])
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute();
  return rows.map(({ pico, input, output, cacheRead, cacheWrite, ...row }) => ({
    ...row,
    inputTokens: Number(input),
    outputTokens: Number(output),
    cacheReadTokens: Number(cacheRead),
    cacheWriteTokens: Number(cacheWrite),
    // Null where the price is not known.
    costUsd: pico === null ? null : new Decimal(`${pico}${PICO}`).toFixed(),
  }));
};

const remindersOf = async (db: Db, { channelId, userId }: Person): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('notifications')
    .select(['payload', 'due_at', 'status', 'created_at', 'sent_at'])
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .orderBy('due_at')
    .execute();
  return rows.map((row) => ({
    ...answerIn(row.payload),
    dueAt: row.due_at,
    status: row.status,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }));
};

const approvalsOf = async (db: Db, { channelId, userId }: Person): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('approvals')
    .select(['tool_name', 'summary', 'reason', 'status', 'created_at', 'decided_at'])
    .where('channel_id', '=', channelId)
    .where('asked_by', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    tool: row.tool_name,
    summary: row.summary,
    reason: row.reason,
    status: row.status,
    askedAt: row.created_at,
    decidedAt: row.decided_at,
  }));
};

const settingsOf = async (db: Db, person: Person): Promise<readonly Plain[]> => {
  const sessions = await directSessions({ db }, person);
  if (sessions.length === 0) return [];
  const scopes = sessions.map((key) => `${MODE_SCOPE}${key}`);
  const [models, modes] = await Promise.all([
    db.selectFrom('session_settings').selectAll().where('session_key', 'in', sessions).execute(),
    db.selectFrom('queue_modes').selectAll().where('scope', 'in', scopes).execute(),
  ]);
  return [
    ...models.map((row) => ({ conversation: row.session_key, model: row.model })),
    ...modes.map((row) => ({ conversation: row.scope.slice(MODE_SCOPE.length), queueMode: row.mode })),
  ];
};

const profileOf = async (db: Db, { channelId, userId }: Person): Promise<unknown> => {
  const row = await db
    .selectFrom('profiles')
    .select('profile')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.profile) as unknown) : null;
};

/** What was done with their data, and which tools read it. */
const auditOf = async (db: Db, code: string): Promise<readonly Plain[]> => {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'details'])
    .where('person_hash', '=', code)
    .orderBy('at')
    .execute();
  return rows.map(({ at, action, details }) => ({ at, action, details: JSON.parse(details) as unknown }));
};

/** What is stored about somebody under one of their names, to be taken along. */
export const exportPerson = async (
  { db, codes }: Pick<Storage, 'db' | 'codes'>,
  person: Person,
): Promise<Plain> => {
  const { channelId, userId } = person;
  const [profile, settings, messages, usage, reminders, approvals, audit] = await Promise.all([
    profileOf(db, person),
    settingsOf(db, person),
    messagesOf(db, person),
    usageOf(db, person),
    remindersOf(db, person),
    approvalsOf(db, person),
    auditOf(db, codes.person(person)),
  ]);
  return { channelId, userId, profile, settings, messages, usage, reminders, approvals, audit };
};
