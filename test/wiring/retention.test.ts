import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { MessageQueue } from '#src/chat/queue/message-queue.ts';
import type { TurnWork } from '#src/chat/queue/session-queue.ts';
import {
  asId,
  type ChannelId,
  type InboxId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import { openRetention } from '#src/wiring/retention.ts';
import { newId } from '#src/platform/ids.ts';
import { createEvents } from '#src/platform/events.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { createSentFiles, type SentFiles } from '#src/platform/storage/sent-files.ts';
import { DIRECT, rowsOf } from '#test/platform/storage/rows-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const SLACK = asId<ChannelId>('slack');
const ME = asId<UserId>('U1');
const LIMITS = { maxPerSession: 10, maxPerPerson: 10, maxTurnChars: 1_000 };
const SESSIONS = [DIRECT, 'agent:research:slack:T1:direct:U1'].map((key) => asId<SessionKey>(key));

/** All promise chains that were set off have run by then. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const setUp = async (onRemoveFiles: () => Promise<void>) => {
  const clock = new ManualClock();
  const dataDir = temporaryDir();
  const { storage } = await sqliteStorage();
  const { logger } = recordingLogger();
  const transcripts = createTranscriptStore(createTranscriptRows(storage), clock, logger);
  const queue = new MessageQueue(LIMITS, clock);
  const sentFiles = createSentFiles({ dataDir, clock });
  const files: SentFiles = {
    ...sentFiles,
    remove: async (urls) => {
      await onRemoveFiles();
      return sentFiles.remove(urls);
    },
  };
  const { accountData } = openRetention(
    { retentionDays: 90 },
    {
      base: { dataDir, storage, files, clock, events: createEvents(() => undefined), logger },
      people: {
        stores: { owners: createOwnerStore(storage, clock) },
        notifier: { wake: () => undefined },
      },
      turns: { queue, modes: { forget: () => undefined } },
      agent: { approvals: { giveUp: async () => 0 }, transcripts },
      engine: { conversations: { reset: transcripts.archive } },
    },
  );
  const say = (sessionKey: SessionKey, text: string) =>
    transcripts.append(sessionKey, {
      turnId: asId<TurnId>(text),
      message: { role: 'user', content: [{ type: 'text', text }] },
    });
  const queueTurn = (sessionKey: SessionKey, work: TurnWork): Promise<void> => {
    const message = { id: newId<InboxId>(), senderId: ME, priority: 0, saidAtMs: 0, canSteer: true };
    return queue.place(sessionKey).run({ ...message, size: () => 1, mode: () => 'collect' }, work);
  };
  const said = async (sessionKey: SessionKey): Promise<readonly string[]> =>
    (await transcripts.load(sessionKey)).map(({ turnId }) => turnId);
  return { accountData, say, queueTurn, said, rows: rowsOf(storage) };
};

it('a turn that waited while the data of its sender were deleted keeps what it stores', async () => {
  const { accountData, say, queueTurn, said, rows } = await setUp(settle);
  const ended: Promise<void>[] = [];
  for (const sessionKey of SESSIONS) {
    await rows.inbox({ session_key: sessionKey, status: 'pending' });
    await say(sessionKey, 'old');
    ended.push(
      queueTurn(sessionKey, async (_turn, signal) => void (await once(signal, 'abort'))),
      queueTurn(sessionKey, async () => void (await say(sessionKey, 'new'))),
    );
  }
  await settle();
  await accountData.erase(SLACK, ME);
  await Promise.all(ended);
  for (const sessionKey of SESSIONS) expect(await said(sessionKey)).toEqual(['new']);
});
