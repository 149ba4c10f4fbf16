import type { Fact } from '#src/kernel/tool.ts';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { SESSION } from '#test/agent/support.ts';
import { recordingLogger } from '#test/support/context.ts';
import { setUpStore } from './store-support.ts';
import { groupByTurn } from '#src/agent/memory/transcript/transcript-entry.ts';
import { user } from '#test/agent/providers/request.ts';
import { turn } from './support.ts';

const OTHER = asId<SessionKey>('agent:main:console:local:direct:someone-else');
const turnId = asId<TurnId>('turn-1');

const said = (text: string, role: ConversationMessage['role'] = 'user') => ({
  turnId,
  message: { role, content: [{ type: 'text' as const, text }] },
});

const setUp = () => {
  const world = setUpStore();
  const wordsOf = async (key: SessionKey): Promise<readonly string[]> =>
    (await world.store.load(key)).flatMap(({ message }) =>
      message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    );
  return { ...world, wordsOf };
};

describe('createTranscriptStore', () => {
  it('has nothing for a session that was never written', async () => {
    const { store } = setUp();
    await expect(store.load(SESSION)).resolves.toEqual([]);
  });

  it('gives back what was appended, in order, with the turn and the time', async () => {
    const { store, clock } = setUp();
    await store.append(SESSION, said('first'));
    await clock.advance(1_500);
    await store.append(SESSION, { ...said('second', 'assistant'), turnId: asId<TurnId>('turn-2') });
    await expect(store.load(SESSION)).resolves.toEqual([
      { at: '2026-11-13T06:30:00Z', ...said('first') },
      { at: '2026-11-13T06:30:01.5Z', ...said('second', 'assistant'), turnId: 'turn-2' },
    ]);
  });

  it('gives it back to another process', async () => {
    const { store, dataDir, clock } = setUp();
    await store.append(SESSION, said('still there'));
    const later = createTranscriptStore(dataDir, clock, recordingLogger().logger);
    await expect(later.load(SESSION)).resolves.toMatchObject([said('still there')]);
  });

  it.each([
    ['Korean', '삼성전자 지금 얼마야?'],
    ['emoji', '👨‍👩‍👧‍👦🇰🇷 to the 🌙'],
    ['line breaks', 'a\nb\r\nc\u2028d\u2029e\n'],
    ['quotes and escapes', '"\\n" \\ \u0000 \u001b[31m'],
    ['half of a surrogate pair', 'cut \ud83d here'],
    ['nothing', ''],
    ['a long text', '가'.repeat(100_000)],
  ])('keeps %s as it is, on one line', async (_what, text) => {
    const { store, onlyFile, wordsOf } = setUp();
    await store.append(SESSION, said(text));
    await store.append(SESSION, said('next'));
    await expect(wordsOf(SESSION)).resolves.toEqual([text, 'next']);
    expect((await readFile(await onlyFile(), 'utf8')).split('\n')).toHaveLength(3);
  });

  it('keeps tool calls, results and facts', async () => {
    const { store } = setUp();
    const call: ConversationMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'get_quote', input: { symbols: ['삼성전자'] } }],
    };
    const fact: Fact = {
      entity: '005930.KS',
      metric: 'price',
      value: '102300',
      unit: 'KRW',
      asOf: '2026-11-13T06:30:00Z',
      source: 'sample',
      isSample: true,
    };
    const answer: ConversationMessage = {
      role: 'tool',
      content: [{ type: 'tool_result', toolUseId: 'c1', content: '₩102,300', isError: false, facts: [fact] }],
    };
    await store.append(SESSION, { turnId, message: call });
    await store.append(SESSION, { turnId, message: answer });
    expect((await store.load(SESSION)).map(({ message }) => message)).toEqual([call, answer]);
  });

  it('drops a last line that a crash cut at any byte, and writes the next one whole', async () => {
    const { store, onlyFile, wordsOf } = setUp();
    await store.append(SESSION, said('가나다 🙂'));
    const before = (await readFile(await onlyFile())).length;
    await store.append(SESSION, said('삼성 🙂', 'assistant'));
    const whole = await readFile(await onlyFile());
    expect(whole.length - before).toBeGreaterThan(50);
    // Up to and with the cut that takes the line end alone.
    for (let length = before; length < whole.length; length += 1) {
      await writeFile(await onlyFile(), whole.subarray(0, length));
      expect(await wordsOf(SESSION), `cut at byte ${length}`).toEqual(['가나다 🙂']);
      await store.append(SESSION, said('after the crash'));
      expect(await wordsOf(SESSION), `cut at byte ${length}`).toEqual(['가나다 🙂', 'after the crash']);
    }
  });

  it('starts from nothing when the very first line was cut', async () => {
    const { store, onlyFile, wordsOf } = setUp();
    await store.append(SESSION, said('only'));
    const whole = await readFile(await onlyFile());
    await writeFile(await onlyFile(), whole.subarray(0, 20));
    await expect(store.load(SESSION)).resolves.toEqual([]);
    await store.append(SESSION, said('anew'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['anew']);
  });

  it.each([10, 1])(
    'does not glue the next line to one that a full disk cut short by %i bytes, in the same process',
    async (missing) => {
      const { store, onlyFile, wordsOf } = setUp();
      await store.append(SESSION, said('first'));
      await store.append(SESSION, said('cut'));
      const path = await onlyFile();
      await truncate(path, (await readFile(path)).length - missing);
      await store.append(SESSION, said('after'));
      await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'after']);
    },
  );

  it('leaves out a line that cannot be read, and keeps the others', async () => {
    const { store, onlyFile, wordsOf } = setUp();
    for (const words of ['first', 'second', 'third']) await store.append(SESSION, said(words));
    const path = await onlyFile();
    const [first = '', second = '', third = ''] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [first, second.replaceAll('"', '\u0000'), third, ''].join('\n'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'third']);
  });

  it.each([
    'null',
    '{}',
    '[]',
    '{"turnId":"t"}',
    '{"turnId":"t","at":"x","message":{"role":"user"}}',
    '{"turnId":"","at":"x","message":{"role":"user","content":[]}}',
    '{"turnId":"t","message":{"role":"user","content":[]}}',
    '{"turnId":"t","at":"x","message":{"role":"system","content":[]}}',
    '{"turnId":"t","at":"x","message":{"role":"user","content":[null]}}',
    '{"turnId":"t","at":"x","message":{"role":"user","content":[{"type":"text"}]}}',
    '{"turnId":"t","at":"x","message":{"role":"user","content":[{"type":"toString"}]}}',
    '{"turnId":"t","at":"x","message":{"role":"assistant","content":[{"type":"tool_use","id":1,"name":"a"}]}}',
  ])('leaves out %s, which is no entry', async (line) => {
    const { store, onlyFile } = setUp();
    const entry = await store.append(SESSION, said('whole'));
    await appendFile(await onlyFile(), `${line}\n`);
    await expect(store.load(SESSION)).resolves.toEqual([entry]);
  });

  it('gives back what it wrote', async () => {
    const { store } = setUp();
    const entry = await store.append(SESSION, said('first'));
    expect(entry).toEqual({ at: '2026-11-13T06:30:00Z', ...said('first') });
    await expect(store.load(SESSION)).resolves.toEqual([entry]);
  });

  it('never gives two entries the same time, for that is how one written twice is known', async () => {
    const { store, clock } = setUp();
    for (let round = 0; round < 3; round += 1) await store.append(SESSION, said('again'));
    await clock.advance(1);
    await store.append(SESSION, said('again'));
    expect((await store.load(SESSION)).map(({ at }) => at)).toEqual([
      '2026-11-13T06:30:00Z',
      '2026-11-13T06:30:00.000001Z',
      '2026-11-13T06:30:00.000002Z',
      '2026-11-13T06:30:00.001Z',
    ]);
  });

  it('keeps entries apart that are appended at the same moment', async () => {
    const { store, wordsOf } = setUp();
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    await Promise.all(words.map((each) => store.append(SESSION, said(each))));
    await expect(wordsOf(SESSION)).resolves.toEqual(words);
  });

  it('goes on in a directory that was removed meanwhile', async () => {
    const { store, directory, wordsOf } = setUp();
    await store.append(SESSION, said('gone'));
    await rm(directory, { recursive: true });
    await store.append(SESSION, said('anew'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['anew']);
  });

  it('says how large the history is', async () => {
    const { store, onlyFile } = setUp();
    await expect(store.sizeOf(SESSION)).resolves.toBe(0);
    await store.append(SESSION, said('가나다'));
    await expect(store.sizeOf(SESSION)).resolves.toBe((await readFile(await onlyFile())).length);
  });

  it('does not touch a whole file by reading it', async () => {
    const { store, onlyFile } = setUp();
    await store.append(SESSION, said('whole'));
    const bytes = await readFile(await onlyFile());
    await store.load(SESSION);
    expect(await readFile(await onlyFile())).toEqual(bytes);
  });

  it('sets the history aside and starts afresh', async () => {
    const { store, directory, onlyFile, wordsOf } = setUp();
    await store.append(SESSION, said('old'));
    const old = await readFile(await onlyFile());
    await expect(store.archive(SESSION)).resolves.toBe(true);
    await expect(store.load(SESSION)).resolves.toEqual([]);
    await store.append(SESSION, said('new'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['new']);
    const archived = (await readdir(directory)).filter((name) => name.endsWith('.archived'));
    expect(archived).toHaveLength(1);
    expect(await readFile(join(directory, archived[0] ?? ''))).toEqual(old);
  });

  it('keeps every archive of a session', async () => {
    const { store, clock, directory } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await store.append(SESSION, said(`round ${round}`));
      await store.archive(SESSION);
      await clock.advance(1);
    }
    expect(await readdir(directory)).toHaveLength(3);
  });

  it('has nothing to archive where nothing was said', async () => {
    const { store } = setUp();
    await expect(store.archive(SESSION)).resolves.toBe(false);
    await store.append(OTHER, said('someone else'));
    await expect(store.archive(SESSION)).resolves.toBe(false);
  });

  it('rejects when the history cannot be set aside, and keeps it', async () => {
    const { store, onlyFile, wordsOf } = setUp();
    await store.append(SESSION, said('kept'));
    // A directory stands where the archive should go.
    await mkdir((await onlyFile()).replace(/jsonl$/, '2026-11-13T063000.000Z.archived'));
    await expect(store.archive(SESSION)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(wordsOf(SESSION)).resolves.toEqual(['kept']);
  });

  it('keeps two sessions in two files, and archives one without the other', async () => {
    const { store, directory, wordsOf } = setUp();
    await store.append(SESSION, said('mine'));
    await store.append(OTHER, said('theirs'));
    expect(await readdir(directory)).toHaveLength(2);
    await store.archive(SESSION);
    await expect(wordsOf(SESSION)).resolves.toEqual([]);
    await expect(wordsOf(OTHER)).resolves.toEqual(['theirs']);
  });

  it('lets nobody but the owner read it', async () => {
    const { store, directory, onlyFile } = setUp();
    await store.append(SESSION, said('private'));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(await onlyFile())).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a path upwards', '../../../../etc/passwd'],
    ['an absolute path', '/etc/passwd'],
    ['backslashes', '..\\..\\windows'],
    ['dots alone', '..'],
    ['a name of 5,000 characters', `agent:${'x'.repeat(5_000)}`],
    ['Korean and emoji', 'agent:메인:🙂:채널'],
    ['a line break', 'agent:a\nb'],
    ['nothing', ''],
  ])('keeps a session key with %s inside its directory', async (_what, raw) => {
    const { store, dataDir, directory, wordsOf } = setUp();
    const key = asId<SessionKey>(raw);
    await store.append(key, said('inside'));
    await expect(wordsOf(key)).resolves.toEqual(['inside']);
    expect(await readdir(dataDir)).toEqual(['sessions']);
    const names = await readdir(directory);
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]+\.jsonl$/)]);
  });

  it('tells keys apart that differ in case or in one character at their end', async () => {
    const { store, directory } = setUp();
    for (const raw of ['session', 'Session', 'session ', 'session1'])
      await store.append(asId<SessionKey>(raw), said(raw));
    expect(await readdir(directory)).toHaveLength(4);
  });
});

/** `a1` is the first entry of turn a; `s` is a summary. */
const grouped = (order: string): string => {
  const entries = order.split(' ').map((name): TranscriptEntry => {
    const message = user(name);
    return {
      turnId: turn(name[0] ?? ''),
      at: name,
      message: name.startsWith('s') ? { ...message, isSummary: true } : message,
    };
  });
  return groupByTurn(entries)
    .map(({ at }) => at)
    .join(' ');
};

describe('groupByTurn', () => {
  it.each([
    ['leaves turns that follow each other as they are', 'a1 a2 b1 b2 c1', 'a1 a2 b1 b2 c1'],
    ['puts a turn that waited to the place where it ended', 'a1 a2 b1 b2 a3', 'b1 b2 a1 a2 a3'],
    ['keeps the order inside each of several mixed turns', 'a1 b1 a2 c1 b2 a3 c2', 'b1 b2 a1 a2 a3 c1 c2'],
    ['leaves a turn that still waits where it stopped', 'a1 a2 b1 b2', 'a1 a2 b1 b2'],
    ['keeps a summary first', 's0 a1 b1 a2', 's0 b1 a1 a2'],
    ['puts a summary first wherever it was', 'a1 s0 a2 b1', 's0 a1 a2 b1'],
    ['keeps a summary apart from a turn of the same name', 's0 b1 s1 a1', 's0 s1 b1 a1'],
  ])('%s', (_what, order, expected) => {
    expect(grouped(order)).toBe(expected);
    expect(grouped(expected)).toBe(expected);
  });

  it('has nothing to do with nothing', () => {
    expect(groupByTurn([])).toEqual([]);
  });
});
