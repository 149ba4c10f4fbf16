import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { importedDirectory } from '#src/platform/storage/purge-files.ts';
import { writeOldFiles } from '#test/agent/memory/transcript/old-files.ts';
import { type EngineApp, filesWith, startEngineApp, until } from '#test/support/engine-app.ts';
import { conversationIn, query } from './gateway-support.ts';

/** Makes the data of a stopped app what the version before left: conversations in files instead of rows. */
const downgrade = ({ dataDir }: EngineApp): void => {
  const rows = query(
    dataDir,
    `select session_key, turn_id, at, message from transcript_entries order by position, version`,
  );
  for (const [sessionKey, own] of Map.groupBy(rows, (row) => asId<SessionKey>(String(row['session_key'])))) {
    const entries = own.map(
      ({ turn_id, at, message }) =>
        ({ turnId: turn_id, at, message: JSON.parse(String(message)) as unknown }) as TranscriptEntry,
    );
    // The first turn is in a segment too, which the file went on from.
    writeOldFiles(dataDir, { sessionKey, segments: [entries.slice(0, 2)], current: entries });
  }
  query(dataDir, 'delete from transcript_entries');
  query(dataDir, `delete from kysely_migration where name >= '0016'`);
  const added = ['transcript_entries', 'processes', 'session_holders', 'sent_files', 'received_parts'];
  const operator = ['operator_codes', 'operator_sessions', 'support_shares', 'support_reads'];
  const sums = ['usage_days', 'usage_day_totals', 'usage_sums'];
  const features = ['feedback', 'welcomed_people', 'welcomed_chats', 'home_visits'];
  for (const table of [...added, ...operator, ...sums, ...features]) query(dataDir, `drop table ${table}`);
  query(dataDir, 'drop index audit_at');
  query(dataDir, 'alter table inbox drop column was_parked');
  query(dataDir, 'vacuum');
};

/** An app that was answered twice by the version before, and is stopped. */
const usedBefore = async (): Promise<EngineApp> => {
  const app = await startEngineApp();
  await app.ask('ann', 'My secret is heron.');
  await app.ask('ann', 'Remember the second one, too.');
  await app.ask('bob', 'Mine is osprey.');
  await app.stop();
  downgrade(app);
  return app;
};

describe('an app that starts on the data of the version before', () => {
  it('answers a follow-up question with the whole conversation in mind, also after the next start', async () => {
    const before = await usedBefore();
    const { dataDir, claude } = before;
    const app = await startEngineApp({ servers: before, dataDir });
    expect(await app.ask('ann', 'What was it?')).toEqual(['ok']);
    const said = ['My secret is heron.', 'ok', 'Remember the second one, too.', 'ok', 'What was it?'];
    expect(conversationIn(claude.history.at(-1)?.body)).toEqual(said);
    expect(existsSync(join(dataDir, 'sessions'))).toBe(false);
    await app.stop();
    const next = await startEngineApp({ servers: before, dataDir });
    await next.ask('ann', 'And now?');
    expect(conversationIn(claude.history.at(-1)?.body)).toEqual([...said, 'ok', 'And now?']);
    await next.ask('bob', 'And mine?');
    expect(conversationIn(claude.history.at(-1)?.body)).toEqual(['Mine is osprey.', 'ok', 'And mine?']);
  });

  it('leaves nothing of a person who wants it deleted in the files that it set aside', async () => {
    const before = await usedBefore();
    const app = await startEngineApp({ servers: before, dataDir: before.dataDir });
    expect(filesWith(importedDirectory(app.dataDir), 'heron')).not.toEqual([]);
    await app.ask('ann', '/privacy delete --yes');
    expect(filesWith(app.dataDir, 'heron')).toEqual([]);
    expect(filesWith(importedDirectory(app.dataDir), 'osprey')).not.toEqual([]);
  });

  it('removes the files that it set aside when they are too old', async () => {
    const before = await usedBefore();
    const directory = join(before.dataDir, 'sessions');
    const old = new Date('2026-01-01T00:00:00Z');
    for (const name of readdirSync(directory)) utimesSync(join(directory, name), old, old);
    const app = await startEngineApp({ servers: before, dataDir: before.dataDir });
    expect(readdirSync(importedDirectory(app.dataDir))).toHaveLength(4);
    await app.clock.advance(3_600_000);
    await until(() => readdirSync(importedDirectory(app.dataDir)).length === 0);
  });
});
