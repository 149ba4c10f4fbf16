import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import {
  asId,
  type AgentId,
  type ChannelId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { createExportWriter, exportName } from '#src/platform/storage/export-file.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createAccountData } from '#src/people/account-data.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { leftIn, rowsOf } from '../platform/storage/rows-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const ME = asId<UserId>('U:1');

const keyOf = (agent: string, chatType: 'direct' | 'channel', senderId: UserId): SessionKey =>
  deriveSessionKey(asId<AgentId>(agent), inboundMessage({ channelId: SLACK, chatType, senderId }));

describe('a person who has their data erased', () => {
  it('leaves no direct conversation with any agent, and the conversations of others as they were', async () => {
    const dataDir = temporaryDir();
    const { storage } = await sqliteStorage(dataDir);
    const clock = new ManualClock();
    const transcripts = createTranscriptStore(createTranscriptRows(storage), clock, recordingLogger().logger);
    const sentFiles = createSentFiles({ dataDir, clock });
    const data = createAccountData({
      notify,
      wake: () => undefined,
      storage,
      clock: systemClock,
      retentionDays: 90,
      owners: createOwnerStore(storage, systemClock),
      writeExport: createExportWriter(sentFiles),
      removeSent: sentFiles.remove,
      removeExport: (file) => sentFiles.remove([sentFiles.urlOf('exports', exportName(file))]),
      removeConversations: async (sessionKeys, _by, eraseRest) => {
        let removed = 0;
        for (const key of sessionKeys) removed += Number(await transcripts.remove(key));
        return eraseRest(removed);
      },
    });
    const rows = rowsOf(storage);

    const own = [keyOf('main', 'direct', ME), keyOf('re:search', 'direct', ME)];
    const others = [keyOf('main', 'channel', ME), keyOf('main', 'direct', asId<UserId>('U2'))];
    for (const key of [...own, ...others]) {
      const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] };
      await transcripts.append(key, { turnId: asId<TurnId>('t'), message });
      await transcripts.replace(key, []);
    }
    const sender = { sender_id: ME };
    for (const session_key of own) await rows.inbox({ ...sender, session_key });
    const exported = join(dataDir, 'exports', 'mine.md');
    mkdirSync(join(dataDir, 'exports'));
    writeFileSync(exported, 'our conversation');
    const all = await data.export(SLACK, ME, 'en', 'Asia/Seoul');
    expect(statSync(fileURLToPath(all.url)).mode & 0o777).toBe(0o600);
    // The export of all data was never sent, so no message names it.
    const media = [{ url: pathToFileURL(exported).href }];
    await rows.outbox(await rows.inbox(sender), { payload: JSON.stringify({ text: 'here', media }) });
    const command = await rows.inbox({ ...sender, status: 'pending' });

    expect(await data.erase(SLACK, ME)).toMatchObject({ messages: 3, conversations: 2 });
    for (const key of own) expect(await transcripts.loadAll(key)).toEqual([]);
    for (const key of others) expect(await transcripts.loadAll(key)).toHaveLength(1);
    expect(readdirSync(join(dataDir, 'exports'))).toEqual([]);
    expect(await leftIn(storage, 'inbox')).toEqual(new Set([command]));
  });
});
