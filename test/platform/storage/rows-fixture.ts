import type { Insertable } from 'kysely';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import { newId } from '#src/platform/ids.ts';

type Row<Table extends keyof Database> = Partial<Insertable<Database[Table]>>;

const AT = '2026-11-13T06:30:00.000Z';
export const DIRECT = 'agent:main:slack:T1:direct:U1';

/** Rows of U1 on Slack with what a test says about them. Each gives its id. */
export const rowsOf = ({ db }: Pick<OpenedStorage, 'db'>) => {
  const inbox = async (row: Row<'inbox'> = {}): Promise<string> => {
    const id = newId();
    await db
      .insertInto('inbox')
      .values({
        id,
        channel_id: 'slack',
        account_id: 'T1',
        chat_id: 'C1',
        event_id: id,
        session_key: DIRECT,
        agent_id: 'main',
        matched_by: 'default',
        sender_id: 'U1',
        message: '{"body":"private words"}',
        status: 'done',
        attempts: 1,
        accepted_at: row.settled_at ?? AT,
        message_id: id,
        ...row,
      })
      .execute();
    return id;
  };
  const outbox = async (inbox_id: string, row: Row<'outbox'> = {}): Promise<string> => {
    const id = newId();
    const part = { id, inbox_id, part_index: 0, target: '{}', payload: '{"text":"hi"}', attempts: 1 };
    await db
      .insertInto('outbox')
      .values({ ...part, status: 'sent', created_at: AT, ...row })
      .execute();
    return id;
  };
  const turns = async (inbox_id: string, row: Row<'turns'> = {}): Promise<string> => {
    const id = newId();
    const turn = { id, inbox_id, session_key: DIRECT, sender_id: 'U1', started_at: AT };
    await db
      .insertInto('turns')
      .values({ ...turn, status: 'complete', ...row })
      .execute();
    return id;
  };
  const approvals = async (inbox_id: string, row: Row<'approvals'> = {}): Promise<string> => {
    const id = newId();
    await db
      .insertInto('approvals')
      .values({
        id,
        inbox_id,
        turn_id: id,
        call_id: 'call',
        session_key: DIRECT,
        channel_id: 'slack',
        asked_by: 'U1',
        tool_name: 'place_order',
        input_hash: 'hash',
        summary: 'buy',
        reason: 'money',
        locale: 'en',
        target: '{}',
        status: 'approved',
        decided_at: AT,
        created_at: AT,
        expires_at: AT,
        ...row,
      })
      .execute();
    return id;
  };
  const notifications = async (row: Row<'notifications'> = {}): Promise<string> => {
    const id = newId();
    const message = { id, channel_id: 'slack', user_id: 'U1', target: '{}', payload: '{}', attempts: 1 };
    await db
      .insertInto('notifications')
      .values({ ...message, due_at: AT, status: 'sent', created_at: AT, ...row })
      .execute();
    return id;
  };
  const usage = async (row: Row<'usage'> = {}): Promise<string> => {
    const id = newId();
    await db
      .insertInto('usage')
      .values({
        id,
        at: AT,
        channel_id: 'slack',
        user_id: 'U1',
        session_key: DIRECT,
        provider: 'anthropic',
        model: 'claude',
        profile_id: 'key',
        outcome: 'ok',
        input_tokens: 1,
        output_tokens: 1,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        cost_pico_usd: '5',
        ...row,
      })
      .execute();
    return id;
  };
  const pairings = async (row: Row<'pairings'> = {}): Promise<string> => {
    const user_id = row.user_id ?? newId();
    const asked = { channel_id: 'slack', user_name: 'x', code: user_id, target: '{}', locale: 'ko' as const };
    await db
      .insertInto('pairings')
      .values({ ...asked, user_id, status: 'pending', created_at: AT, expires_at: AT, ...row })
      .execute();
    return user_id;
  };
  const awaitedInputs = async (row: Row<'awaited_inputs'> = {}): Promise<string> => {
    const chat_id = newId();
    await db
      .insertInto('awaited_inputs')
      .values({
        channel_id: 'slack',
        account_id: 'T1',
        chat_id,
        thread_id: '',
        user_id: 'U1',
        expires_at: AT,
        ...row,
      })
      .execute();
    return chat_id;
  };
  const deadLetters = async (row: Row<'dead_letters'> = {}): Promise<string> => {
    const inbox_id = newId();
    const letter = { inbox_id, session_key: DIRECT, channel_id: 'slack', sender_id: 'U1', attempts: 3 };
    await db
      .insertInto('dead_letters')
      .values({ ...letter, reason: 'too often', error_id: 'e', at: AT, ...row })
      .execute();
    return inbox_id;
  };
  const profiles = async (user_id: string, profile: UserProfile = { locale: 'ko' }, channel_id = 'slack') => {
    await db
      .insertInto('profiles')
      .values({ channel_id, user_id, profile: JSON.stringify(profile), updated_at: AT })
      .execute();
  };
  const settings = async (session_key: string) => {
    await db.insertInto('session_settings').values({ session_key, model: 'opus', updated_at: AT }).execute();
    await db
      .insertInto('queue_modes')
      .values({ scope: `session:${session_key}`, mode: 'queue', updated_at: AT })
      .execute();
  };
  /** Entries of conversations are older or younger by their position, and those that left by `left_at`. */
  const transcript = async (turn_id: string, at: string, row: Row<'transcript_entries'> = {}) => {
    await db
      .insertInto('transcript_entries')
      .values({
        session_key: DIRECT,
        state: 'current',
        position: Temporal.Instant.from(at).epochMilliseconds * 1_000,
        version: 0,
        turn_id,
        at,
        message: '{"role":"user","content":[]}',
        ...row,
      })
      .execute();
  };
  const notes = async (user_id: string, channel_id = 'slack') => {
    await db.insertInto('privacy_notes').values({ channel_id, user_id, told_at: AT }).execute();
  };
  return {
    inbox,
    outbox,
    turns,
    approvals,
    notifications,
    usage,
    pairings,
    awaitedInputs,
    deadLetters,
    profiles,
    settings,
    transcript,
    notes,
  };
};

const KEYS = {
  inbox: 'id',
  outbox: 'id',
  turns: 'id',
  approvals: 'id',
  notifications: 'id',
  usage: 'id',
  pairings: 'user_id',
  awaited_inputs: 'chat_id',
  dead_letters: 'inbox_id',
  transcript_entries: 'turn_id',
  profiles: 'user_id',
  session_settings: 'session_key',
  queue_modes: 'scope',
  privacy_notes: 'user_id',
} as const;

/** What is left in a table, by the ids that the rows were given. */
export const leftIn = async (
  { db }: Pick<OpenedStorage, 'db'>,
  table: keyof typeof KEYS,
): Promise<ReadonlySet<string>> => {
  const rows: readonly Readonly<Record<string, unknown>>[] = await db.selectFrom(table).selectAll().execute();
  return new Set(rows.map((row) => String(row[KEYS[table]])));
};
