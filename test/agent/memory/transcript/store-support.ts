import { onTestFinished } from 'vitest';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import type { TranscriptState } from '#src/agent/store/tables.ts';
import { SESSION } from '#test/agent/support.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { copyDatabaseTo, openStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { turn } from './support.ts';

/** An entry of the first turn. */
export const said = (text: string, role: ConversationMessage['role'] = 'user') => ({
  turnId: asId<TurnId>('turn-1'),
  message: { role, content: [{ type: 'text' as const, text }] },
});

export const wordsIn = (entries: readonly TranscriptEntry[]): readonly string[] =>
  entries.flatMap(({ message }) =>
    message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );

/** A store over a database of its own, and a look at the rows that it wrote there. */
export const setUpStore = async () => {
  const dataDir = temporaryDir();
  await copyDatabaseTo(dataDir);
  const disk = { isFull: false };
  const storage = await openStorage({
    dataDir,
    beforeCommit: () => {
      if (disk.isFull) throw new Error('disk is full');
    },
  });
  onTestFinished(storage.close);
  const { db } = storage;
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const { events, payloads } = recordingEvents();
  const store = createTranscriptStore(createTranscriptRows(storage), clock, logger, events);
  /** The store of a later process on the same rows. */
  const restart = (later: Clock = clock) =>
    createTranscriptStore(createTranscriptRows(storage), later, recordingLogger().logger);

  const write = async (
    name: string | number,
    ...messages: readonly ConversationMessage[]
  ): Promise<readonly TranscriptEntry[]> => {
    const written: TranscriptEntry[] = [];
    for (const message of messages)
      written.push(await store.append(SESSION, { turnId: turn(name), message }));
    return written;
  };

  /** The stored messages in this state, or all, in the order in which they are read. */
  const rowsIn = async (state?: TranscriptState): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('transcript_entries')
      .selectAll()
      .orderBy('position')
      .orderBy('version')
      .execute();
    return rows.flatMap((row) => (state === undefined || row.state === state ? [row.message] : []));
  };

  /** Puts this text in the place of the entry's message. */
  const spoil = async ({ at }: Pick<TranscriptEntry, 'at'>, message: string): Promise<void> => {
    await db.updateTable('transcript_entries').set({ message }).where('at', '=', at).execute();
  };

  /** Puts a row behind all others, as another version of the program may have written it. */
  const plant = async (row: { turnId: string; at: string; message: string }): Promise<void> => {
    const last = await db
      .selectFrom('transcript_entries')
      .select('position')
      .orderBy('position', 'desc')
      .executeTakeFirst();
    await db
      .insertInto('transcript_entries')
      .values({
        session_key: SESSION,
        state: 'current',
        position: Number(last?.position ?? 0) + 1,
        version: 0,
        turn_id: row.turnId,
        at: row.at,
        message: row.message,
      })
      .execute();
  };
  const wordsOf = async (key: SessionKey) => wordsIn(await store.load(key));
  return {
    wordsOf,
    dataDir,
    storage,
    clock,
    disk,
    store,
    restart,
    rowsIn,
    spoil,
    plant,
    write,
    records,
    payloads,
  };
};
