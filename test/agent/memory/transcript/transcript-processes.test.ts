import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/clock.ts';
import { user } from '#test/agent/providers/request.ts';
import { recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { startLimited, startProcess } from './processes.ts';

const SHARED = asId<SessionKey>('shared');
const storeOn = (dataDir: string) => createTranscriptStore(dataDir, systemClock, recordingLogger().logger);

describe('several processes that append to one transcript', () => {
  it('lose no line and tear none', async () => {
    const dataDir = temporaryDir();
    const names = ['one', 'two'];
    const children = names.map((name) => startProcess('append', dataDir, name, '200', '2'));
    const ends = children.map((child) => once(child, 'exit'));
    await Promise.all(children.flatMap(({ stdout }) => (stdout ? once(stdout, 'data') : [])));
    writeFileSync(join(dataDir, 'go'), '');
    const ended = await Promise.all(ends);
    expect(ended).toEqual([
      [0, null],
      [0, null],
    ]);
    const directory = join(dataDir, 'sessions');
    expect(readdirSync(directory)).toHaveLength(1);
    const text = readFileSync(join(directory, readdirSync(directory)[0] ?? ''), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    expect(text.split('\n')).toHaveLength(401);
    // They did write at the same time.
    const authors = text.split('\n').map((line) => (line.includes('"turnId":"one"') ? 1 : 2));
    expect(authors.slice(1).filter((author, index) => author !== authors[index]).length).toBeGreaterThan(2);
    const entries = await storeOn(dataDir).load(SHARED);
    for (const name of names) {
      const words = entries.flatMap(({ turnId, message }) =>
        turnId === name ? message.content.map((block) => (block.type === 'text' ? block.text : '')) : [],
      );
      expect(words).toEqual(Array.from({ length: 200 }, (_, time) => `${name} ${time} ${'가'.repeat(500)}`));
    }
  });
});

describe('a process that is killed while it replaces a transcript', () => {
  it.each([3, 11])('leaves all of the old entries or all of the new ones (after %i ms)', async (delayMs) => {
    const dataDir = temporaryDir();
    const child = startProcess('replace', dataDir);
    if (child.stdout) await once(child.stdout, 'data');
    await setTimeout(delayMs);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = storeOn(dataDir);
    const entries = await store.load(SHARED);
    expect(entries).toHaveLength(100);
    expect(new Set(entries.map(({ turnId }) => turnId)).size).toBe(1);
    expect(readdirSync(join(dataDir, 'sessions')).filter((name) => name.endsWith('.damaged'))).toEqual([]);
    const next = await store.append(SHARED, { turnId: asId('next'), message: user('and?') });
    await expect(store.load(SHARED)).resolves.toEqual([...entries, next]);
  });
});

describe('a write that the disk cuts short', () => {
  it('is not there at all, and the lines before it are', async () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'go'), '');
    // A file may not grow beyond 8 KB: the fifth line would.
    const child = startLimited(8, 'append', dataDir, 'one', '10');
    expect(await once(child, 'exit')).toEqual([1, null]);
    const directory = join(dataDir, 'sessions');
    const names = readdirSync(directory);
    expect(names).toEqual([expect.stringMatching(/\.jsonl$/)]);
    const text = readFileSync(join(directory, names[0] ?? ''), 'utf8');
    expect(text.split('\n')).toHaveLength(6);
    expect(text.endsWith('\n')).toBe(true);
    await expect(storeOn(dataDir).load(SHARED)).resolves.toHaveLength(5);
  });
});
