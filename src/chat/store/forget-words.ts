import type { InboxId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { cut } from '#src/kernel/text.ts';
import type { Storage } from '#src/platform/storage/database.ts';

const KEPT_CHARS = 200;

/** Keeps no more than the first words of an answered command: pasted rows are in the portfolio by then. */
export const createForgetWords =
  ({ write }: Pick<Storage, 'write'>) =>
  async ({ id, message }: { readonly id: InboxId; readonly message: MsgContext }): Promise<void> => {
    if (message.body.length <= KEPT_CHARS) return;
    const kept = JSON.stringify({ ...message, body: cut(message.body, KEPT_CHARS) });
    await write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set({ message: kept })
        .where('id', '=', id)
        .where('status', '=', 'done')
        .execute();
    });
  };
