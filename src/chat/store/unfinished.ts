import { RESTORED_ATTEMPTS } from './inbox.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/**
 * What a restored database must not do a second time. The process that the backup is of went on after it: it answered
 * messages and sent parts and notifications that the backup holds as unfinished.
 *
 * - An answer that was stored by then may have been sent: it is looked for on the platform before it is sent. The same for
 *   a notification that is due.
 * - A message without an answer may have been answered. It is not answered again; its sender is told, and an operator
 *   finds it among the dead letters. The same for one that waited for a decision: what was approved since must not be done
 *   again.
 * - The message in which an answer appeared while it was made may hold the whole answer by now, so nothing replaces it.
 * - Messages that arrived later are not caught up on: they may have been answered too.
 */
export const UNFINISHED = {
  statements: (now: Temporal.Instant): readonly string[] => [
    `update outbox set first_tried_at = created_at where status = 'pending' and first_tried_at is null`,
    `update notifications set attempts = 1
     where status in ('pending', 'sending') and attempts = 0 and due_at <= '${toStoredTime(now)}'`,
    `update inbox set status = 'pending', attempts = ${RESTORED_ATTEMPTS} where status = 'suspended' or
     status = 'pending' and not exists (select 1 from outbox where outbox.inbox_id = inbox.id)`,
    `update turns set status = 'failed', ended_at = '${toStoredTime(now)}' where status = 'suspended'`,
    `delete from live_messages
     where not exists (select 1 from outbox where outbox.inbox_id = live_messages.inbox_id)`,
    `delete from channel_progress`,
  ],
  countUnanswered: `select count(*) as count from inbox where status = 'pending' and attempts >= ${RESTORED_ATTEMPTS}`,
};
