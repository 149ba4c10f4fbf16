import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { conversationFile, createExportWriter, exportName } from '#src/platform/storage/export-file.ts';
import { CONVERSATION_FORMATS } from '#src/kernel/agent/conversations.ts';
import { createFilePurge } from '#src/platform/storage/purge-files.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const MINE = asId<SessionKey>('agent:main:slack:T1:direct:U1');
const OTHER = asId<SessionKey>('agent:main:slack:T1:direct:U2');

const exportsOf = (sessionKey: SessionKey) =>
  CONVERSATION_FORMATS.map((format) => conversationFile(sessionKey, format));

const setUp = () => {
  const dataDir = temporaryDir();
  const clock = new ManualClock();
  const unsent = new Set<string>();
  const sent = createSentFiles({ dataDir, clock });
  const files = createFilePurge({ files: sent, clock, unsentFiles: async () => unsent });
  return { dataDir, clock, unsent, sent, files, exportDir: join(dataDir, 'exports') };
};

describe('old exports', () => {
  it('are removed after two days; younger ones stay, and what is still to be sent', async () => {
    const { files, exportDir, clock, unsent } = setUp();
    mkdirSync(exportDir);
    const limitMs = clock.now().subtract({ hours: 48 }).epochMilliseconds;
    for (const [name, atMs] of [
      ['old.md', limitMs - 1],
      ['unsent.md', limitMs - 1],
      ['young.md', limitMs],
    ] as const) {
      writeFileSync(join(exportDir, name), 'x');
      utimesSync(join(exportDir, name), atMs / 1_000, atMs / 1_000);
    }
    unsent.add(pathToFileURL(join(exportDir, 'unsent.md')).href);
    expect(await files.purge()).toEqual({ exports: 1, charts: 0 });
    expect(readdirSync(exportDir)).toEqual(['unsent.md', 'young.md']);
    unsent.clear();
    expect(await files.purge()).toMatchObject({ exports: 1 });
  });

  it('of a conversation go with it', async () => {
    const { files, sent, exportDir } = setUp();
    const write = createExportWriter(sent);
    for (const file of [MINE, OTHER].flatMap(exportsOf)) await write(file, 'x');
    await files.removeConversation(MINE);
    expect(readdirSync(exportDir)).toEqual(exportsOf(OTHER).map(exportName).toSorted());
  });

  it('need not be there, nor files of conversations', async () => {
    const { files, sent, dataDir } = setUp();
    expect(await files.purge()).toEqual({ exports: 0, charts: 0 });
    await files.removeConversation(MINE);
    expect(await sent.remove([pathToFileURL(join(dataDir, 'exports', 'x.md')).href])).toBe(0);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('are removed by their addresses, and nothing else is', async () => {
    const { sent, dataDir, exportDir } = setUp();
    mkdirSync(join(exportDir, 'deeper'), { recursive: true });
    mkdirSync(join(dataDir, 'charts'));
    const paths = {
      mine: join(exportDir, '내 대화.md'),
      picture: join(dataDir, 'charts', '1.png'),
      outside: join(dataDir, 'finclaw.sqlite'),
      deeper: join(exportDir, 'deeper', 'x.md'),
    };
    for (const path of Object.values(paths)) writeFileSync(path, 'x');
    symlinkSync(paths.outside, join(exportDir, 'link.md'));
    const urls = [
      ...Object.values(paths).map((path) => pathToFileURL(path).href),
      `${pathToFileURL(exportDir).href}/../finclaw.sqlite`,
      pathToFileURL(join(exportDir, 'link.md')).href,
      'https://cdn.example.com/exports/x.md',
      'file://elsewhere/exports/x.md',
      'exports/x.md',
      '',
    ];
    expect(await sent.remove(urls)).toBe(3);
    expect(Object.values(paths).map((path) => existsSync(path))).toEqual([false, false, true, true]);
  });
});
