import type { Fact } from '#src/kernel/market/fact.ts';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { SESSION } from '#test/agent/support.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { said, setUpStore, wordsIn } from './store-support.ts';
import { groupByTurn } from '#src/agent/memory/transcript/transcript-entry.ts';
import { user } from '#test/agent/providers/request.ts';
import { turn } from './support.ts';

const OTHER = asId<SessionKey>('agent:main:console:local:direct:someone-else');
describe('createTranscriptStore', () => {
  it('has nothing for a session that was never written', async () => {
    const { store } = await setUpStore();
    await expect(store.load(SESSION)).resolves.toEqual([]);
    await expect(store.isEmpty(SESSION)).resolves.toBe(true);
  });

  it('gives back what was appended, in order, with the turn and the time', async () => {
    const { store, clock } = await setUpStore();
    const first = await store.append(SESSION, said('first'));
    await clock.advance(1_500);
    const second = await store.append(SESSION, {
      ...said('second', 'assistant'),
      turnId: asId<TurnId>('turn-2'),
    });
    expect([first, second]).toEqual([
      { at: '2026-11-13T06:30:00Z', ...said('first') },
      { at: '2026-11-13T06:30:01.5Z', ...said('second', 'assistant'), turnId: 'turn-2' },
    ]);
    await expect(store.load(SESSION)).resolves.toEqual([first, second]);
    await expect(store.isEmpty(SESSION)).resolves.toBe(false);
  });

  it('gives it back to a later process', async () => {
    const { store, restart } = await setUpStore();
    await store.append(SESSION, said('still there'));
    await expect(restart().load(SESSION)).resolves.toMatchObject([said('still there')]);
  });

  it.each([
    ['Korean', '삼성전자 지금 얼마야?'],
    ['emoji', '👨‍👩‍👧‍👦🇰🇷 to the 🌙'],
    ['line breaks', 'a\nb\r\nc\u2028d\u2029e\n'],
    ['quotes and escapes', '"\\n" \\ \u0000 \u001b[31m'],
    ['half of a surrogate pair', 'cut \ud83d here'],
    ['nothing', ''],
    ['a long text', '가'.repeat(100_000)],
  ])('keeps %s as it is', async (_what, text) => {
    const { store, wordsOf } = await setUpStore();
    await store.append(SESSION, said(text));
    await store.append(SESSION, said('next'));
    await expect(wordsOf(SESSION)).resolves.toEqual([text, 'next']);
  });

  it('keeps tool calls, results and facts', async () => {
    const { store } = await setUpStore();
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
    await store.append(SESSION, { turnId: turn(1), message: call });
    await store.append(SESSION, { turnId: turn(1), message: answer });
    expect((await store.load(SESSION)).map(({ message }) => message)).toEqual([call, answer]);
  });

  it('leaves out a row that cannot be read, and keeps the others', async () => {
    const { store, spoil, wordsOf } = await setUpStore();
    await store.append(SESSION, said('first'));
    const second = await store.append(SESSION, said('second'));
    await store.append(SESSION, said('third'));
    await spoil(second, JSON.stringify(second.message).replaceAll('"', "'"));
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'third']);
  });

  it.each([
    'null',
    '{}',
    '[]',
    '',
    '{"role":"user"}',
    '{"role":"system","content":[]}',
    '{"role":"user","content":[null]}',
    '{"role":"user","content":[{"type":"text"}]}',
    '{"role":"user","content":[{"type":"toString"}]}',
    '{"role":"assistant","content":[{"type":"tool_use","id":1,"name":"a"}]}',
  ])('leaves out %s, which is no message', async (message) => {
    const { store, plant } = await setUpStore();
    const entry = await store.append(SESSION, said('whole'));
    await plant({ turnId: 't', at: '2026-11-13T07:00:00Z', message });
    await expect(store.load(SESSION)).resolves.toEqual([entry]);
  });

  it('never gives two entries the same time, for that is how one written twice is known', async () => {
    const { store, clock } = await setUpStore();
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

  it('keeps entries apart and in order that are appended at the same moment', async () => {
    const { store, wordsOf } = await setUpStore();
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    await Promise.all(words.map((each) => store.append(SESSION, said(each))));
    await expect(wordsOf(SESSION)).resolves.toEqual(words);
  });

  it('does not touch a whole conversation by reading it', async () => {
    const { store, disk } = await setUpStore();
    await store.append(SESSION, said('whole'));
    disk.isFull = true;
    await expect(store.load(SESSION)).resolves.toHaveLength(1);
    await expect(store.loadAll(SESSION)).resolves.toHaveLength(1);
    disk.isFull = false;
  });

  it('rejects what a full disk did not take, and goes on without it', async () => {
    const { store, disk, wordsOf } = await setUpStore();
    await store.append(SESSION, said('first'));
    disk.isFull = true;
    await expect(store.append(SESSION, said('lost'))).rejects.toThrow('disk is full');
    disk.isFull = false;
    await store.append(SESSION, said('after'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'after']);
  });
});

describe('a clock that is set back', () => {
  const EARLIER = '2026-11-13T05:30:00Z';

  it('leaves new entries behind the old ones', async () => {
    const { store, clock, wordsOf } = await setUpStore();
    await store.append(SESSION, said('first'));
    await clock.advance(-3_600_000);
    await store.append(SESSION, said('second'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'second']);
  });

  it('does so also after a restart', async () => {
    const { store, restart } = await setUpStore();
    await store.append(SESSION, said('first'));
    const later = restart(new ManualClock(EARLIER));
    await later.load(SESSION);
    await later.append(SESSION, said('second'));
    expect(wordsIn(await later.load(SESSION))).toEqual(['first', 'second']);
  });

  it('does so also after a restart where a summary took the place of the last entries', async () => {
    const { store, restart } = await setUpStore();
    const first = await store.append(SESSION, said('first'));
    await store.append(SESSION, said('second'));
    await store.replace(SESSION, [first]);
    const later = restart(new ManualClock(EARLIER));
    await later.load(SESSION);
    await later.append(SESSION, said('third'));
    expect(wordsIn(await later.loadAll(SESSION))).toEqual(['first', 'second', 'third']);
  });

  it('lets the next conversation be archived too, though it was at the very same time', async () => {
    const { store, restart, rowsIn } = await setUpStore();
    await store.append(SESSION, said('old'));
    await store.archive(SESSION);
    const later = restart(new ManualClock());
    await later.load(SESSION);
    await later.append(SESSION, said('new'));
    await expect(later.archive(SESSION)).resolves.toBe(true);
    expect(await rowsIn('archived')).toHaveLength(2);
  });
});

describe('archive', () => {
  it('sets the history aside and starts afresh', async () => {
    const { store, rowsIn, wordsOf } = await setUpStore();
    const { message } = await store.append(SESSION, said('old'));
    await expect(store.archive(SESSION)).resolves.toBe(true);
    await expect(store.load(SESSION)).resolves.toEqual([]);
    await expect(store.loadAll(SESSION)).resolves.toEqual([]);
    await expect(store.isEmpty(SESSION)).resolves.toBe(true);
    await store.append(SESSION, said('new'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['new']);
    expect(await rowsIn('archived')).toEqual([JSON.stringify(message)]);
  });

  it('keeps every archive of a session', async () => {
    const { store, clock, rowsIn } = await setUpStore();
    for (let round = 0; round < 3; round += 1) {
      await store.append(SESSION, said(`round ${round}`));
      await store.archive(SESSION);
      await clock.advance(1);
    }
    expect(await rowsIn('archived')).toHaveLength(3);
  });

  it('has nothing to archive where nothing was said', async () => {
    const { store } = await setUpStore();
    await expect(store.archive(SESSION)).resolves.toBe(false);
    await store.append(OTHER, said('someone else'));
    await expect(store.archive(SESSION)).resolves.toBe(false);
  });

  it('takes what a summary replaced and damaged rows along', async () => {
    const { store, spoil, rowsIn, wordsOf } = await setUpStore();
    await store.append(SESSION, said('old'));
    const kept = await store.append(SESSION, said('kept'));
    await store.replace(SESSION, [kept]);
    const spoiled = await store.append(SESSION, said('spoiled'));
    await spoil(spoiled, 'spoiled');
    await expect(wordsOf(SESSION)).resolves.toEqual(['kept']);
    expect(await rowsIn('damaged')).toEqual(['spoiled']);
    await expect(store.archive(SESSION)).resolves.toBe(true);
    expect(await rowsIn('archived')).toHaveLength(3);
    expect(await rowsIn()).toHaveLength(3);
    await expect(store.archive(SESSION)).resolves.toBe(false);
  });

  it('rejects when the history cannot be set aside, and keeps it', async () => {
    const { store, disk, wordsOf } = await setUpStore();
    await store.append(SESSION, said('kept'));
    disk.isFull = true;
    await expect(store.archive(SESSION)).rejects.toThrow('disk is full');
    disk.isFull = false;
    await expect(wordsOf(SESSION)).resolves.toEqual(['kept']);
  });
});

describe('remove', () => {
  it('deletes everything of a conversation, and nothing of another', async () => {
    const { store, spoil, rowsIn } = await setUpStore();
    await store.append(SESSION, said('archived'));
    await store.archive(SESSION);
    await store.append(SESSION, said('compacted'));
    await store.replace(SESSION, []);
    await spoil(await store.append(SESSION, said('damaged')), 'damaged');
    await store.load(SESSION);
    await store.append(SESSION, said('current'));
    await store.append(OTHER, said('of another'));
    expect(await rowsIn()).toHaveLength(5);
    await expect(store.remove(SESSION)).resolves.toBe(true);
    expect(await rowsIn()).toEqual([JSON.stringify(said('of another').message)]);
    await expect(store.remove(SESSION)).resolves.toBe(false);
  });
});

describe('the sessions', () => {
  it('are kept apart, and one is archived without the other', async () => {
    const { store, wordsOf } = await setUpStore();
    await store.append(SESSION, said('mine'));
    await store.append(OTHER, said('theirs'));
    await store.archive(SESSION);
    await expect(wordsOf(SESSION)).resolves.toEqual([]);
    await expect(wordsOf(OTHER)).resolves.toEqual(['theirs']);
  });

  it.each([
    ['a path upwards', '../../../../etc/passwd'],
    ['quotes', `'; drop table transcript_entries; --`],
    ['wildcards', 'agent:%_*'],
    ['5,000 characters', `agent:${'x'.repeat(5_000)}`],
    ['Korean and emoji', 'agent:메인:🙂:채널'],
    ['a line break', 'agent:a\nb'],
    ['nothing', ''],
  ])('may have keys with %s', async (_what, raw) => {
    const { store, wordsOf } = await setUpStore();
    const key = asId<SessionKey>(raw);
    await store.append(OTHER, said('outside'));
    await store.append(key, said('inside'));
    await expect(wordsOf(key)).resolves.toEqual(['inside']);
    await expect(wordsOf(OTHER)).resolves.toEqual(['outside']);
  });

  it('are told apart by case and by one character at their end', async () => {
    const { store, wordsOf } = await setUpStore();
    const keys = ['session', 'Session', 'session ', 'session1'];
    for (const raw of keys) await store.append(asId<SessionKey>(raw), said(raw));
    for (const raw of keys) await expect(wordsOf(asId<SessionKey>(raw))).resolves.toEqual([raw]);
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
