import { sql } from 'kysely';
import type { OpenedStorage } from '#src/platform/storage/database.ts';

export const USAGE_ROWS = 1_000_000;
const INBOX_ROWS = 100_000;
const PEOPLE = 500;
const DAYS = 90;

/** What a busy bot has stored after three months: a million requests to models, and as many messages as it keeps of them. */
export const fillOperatorRows = async (
  { db, truncateLog }: OpenedStorage,
  usageRows = USAGE_ROWS,
): Promise<void> => {
  const nowMs = Date.now();
  const stepMs = (DAYS * 86_400_000) / usageRows;
  await sql`
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${usageRows - 1})
    insert into usage (id, at, channel_id, user_id, session_key, provider, model, profile_id, outcome,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_pico_usd)
    select printf('u%09d', i),
      strftime('%Y-%m-%dT%H:%M:%fZ', ${nowMs} / 1000.0 - i * ${stepMs} / 1000.0, 'unixepoch'),
      case when i % 3 = 0 then 'slack' else 'discord' end, 'person' || ((i * 7919) % ${PEOPLE}), 'agent:main:x', 'anthropic',
      case i % 4 when 0 then 'claude-opus' else 'claude-sonnet' end, 'key', case when i % 50 = 0 then 'failed' else 'ok' end,
      1000 + i % 700, 300, 5000, 10, 4000000000 + i
    from n`.execute(db);
  await sql`
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${INBOX_ROWS - 1})
    insert into inbox (id, channel_id, account_id, chat_id, event_id, message_id, session_key, agent_id, matched_by,
      sender_id, message, status, attempts, accepted_at, settled_at)
    select printf('m%09d', i), 'slack', 'T1', 'C1', i, i, 'agent:main:slack:T1:direct:' || (i % ${PEOPLE}), 'main', 'default',
      'person' || (i % ${PEOPLE}), '{"body":"how is the market?"}', 'done', 1, '2026-11-13T06:30:00.000Z', '2026-11-13T06:30:00.000Z'
    from n`.execute(db);
  // Otherwise the first write would copy the log of these rows into the database.
  await truncateLog();
};
