import { describe, expect, it } from 'vitest';
import { TurnHistory } from '#src/agent/loop/turn-history.ts';
import type { TranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { factOf } from '#test/agent/memory/window/support.ts';
import { setUpStore } from '#test/agent/memory/transcript/store-support.ts';
import { entriesOf, messagesOf, turn } from '#test/agent/memory/transcript/support.ts';
import { SESSION } from '#test/agent/support.ts';
import { assistant, results, text, use, user } from './runner-support.ts';

const liveTurns = (...names: readonly (string | number)[]) => new Set(names.map(turn));

/** A question whose call waits for a person's word. */
const WAITING = [user('Buy one'), assistant(use('w1', 'buy'))];
const OLD = [user('Hello'), assistant(text('Hi.'))];

const setUp = async () => {
  const base = await setUpStore();
  const open = (name: string | number, ...alsoLive: readonly (string | number)[]): Promise<TurnHistory> =>
    TurnHistory.open(base.store, SESSION, turn(name), liveTurns(name, ...alsoLive));
  /** All that a later start would find, with no turn of it closed. */
  const stored = async () => messagesOf(await base.store.load(SESSION));
  return { ...base, open, stored };
};

describe('a conversation as one turn sees it', () => {
  it('begins empty', async () => {
    const { open } = await setUp();
    const history = await open(1);
    expect([history.messages, history.ofThisTurn, history.earlierSamples]).toEqual([[], [], []]);
  });

  it('ends with this turn, though another was written after it had begun', async () => {
    const { open, write } = await setUp();
    await write(1, ...OLD);
    await write(2, user('Mine'));
    await write(3, user('Of another'), assistant(text('Answered.')));
    const history = await open(2);
    expect(history.messages).toEqual([
      ...OLD,
      user('Of another'),
      assistant(text('Answered.')),
      user('Mine'),
    ]);
    expect(history.ofThisTurn).toEqual([user('Mine')]);
  });

  it('does not show turns of others that wait, whose calls have no results', async () => {
    const { open, write, stored } = await setUp();
    await write('waiting', ...WAITING);
    await write(1, ...OLD);
    const history = await open(2, 'waiting');
    expect(history.messages).toEqual(OLD);
    expect(await stored()).toEqual([...WAITING, ...OLD]);
  });

  it('shows the same turn, with its open call, to the run that takes it up again', async () => {
    const { open, write } = await setUp();
    await write(1, ...OLD);
    await write('waiting', ...WAITING);
    const history = await open('waiting');
    expect(history.messages).toEqual([...OLD, ...WAITING]);
    expect(history.ofThisTurn).toEqual(WAITING);
  });

  it('closes a turn that broke off and is not live any more', async () => {
    const { open, write } = await setUp();
    await write('broken', ...WAITING);
    const history = await open(2);
    expect(history.messages.slice(0, 2)).toEqual(WAITING);
    expect(history.messages[2]).toMatchObject({
      role: 'tool',
      content: [{ toolUseId: 'w1', isError: true }],
    });
    expect(history.messages.at(-1)?.role).toBe('assistant');
  });
});

describe('what is said in a turn', () => {
  it('is on disk and in the view, behind all the rest', async () => {
    const { open, write, store } = await setUp();
    await write(1, ...OLD);
    const history = await open(2);
    await history.append(user('Mine'));
    await history.append(assistant(text('Answered.')));
    expect(history.messages).toEqual([...OLD, user('Mine'), assistant(text('Answered.'))]);
    expect(history.ofThisTurn).toEqual([user('Mine'), assistant(text('Answered.'))]);
    expect(await store.load(SESSION)).toEqual(history.entries);
    expect(history.entries.map(({ turnId }) => turnId)).toEqual([1, 1, 2, 2].map(turn));
  });

  it('is not in the view when it could not be written', async () => {
    const { open, store, write } = await setUp();
    await write(1, ...OLD);
    const full: TranscriptStore = {
      ...store,
      startAppend: (_sessionKey, given) => ({
        entry: { ...given, at: '' },
        stored: Promise.reject(new Error('disk full')),
      }),
    };
    const history = await TurnHistory.open(full, SESSION, turn(2), liveTurns(2));
    const appended = history.append(user('Mine'));
    expect(history.messages).toEqual([...OLD, user('Mine')]);
    await expect(appended).rejects.toThrow('disk full');
    expect(history.messages).toEqual(OLD);
    expect((await open(2)).messages).toEqual(OLD);
  });
});

describe('a shorter conversation in the place of this one', () => {
  const SHORT = [user('In short: hello'), assistant(text('Hi.'))];

  it('is what the turn goes on with, on disk too; what was there is set aside', async () => {
    const { open, write, stored, rowsIn } = await setUp();
    await write(1, ...OLD);
    await write(2, user('Mine'));
    const history = await open(2);
    await history.replace([...entriesOf(1, SHORT), ...entriesOf(2, [user('Mine')])]);
    expect(history.messages).toEqual([...SHORT, user('Mine')]);
    expect(history.ofThisTurn).toEqual([user('Mine')]);
    await history.append(assistant(text('Answered.')));
    expect(await stored()).toEqual([...SHORT, user('Mine'), assistant(text('Answered.'))]);
    expect((await rowsIn('compacted')).join()).toContain('Hello');
  });

  it('takes the place of a message too that is still being stored', async () => {
    const { store, write, stored } = await setUp();
    await write(1, ...OLD);
    const disk = Promise.withResolvers<void>();
    const slow: TranscriptStore = {
      ...store,
      startAppend: (sessionKey, given) => {
        const entry = { ...given, at: '2026-11-13T06:30:09Z' };
        const appended = disk.promise.then(() => store.append(sessionKey, given));
        return { entry, stored: appended.then(() => undefined) };
      },
    };
    const history = await TurnHistory.open(slow, SESSION, turn(2), liveTurns(2));
    void history.append(user('Mine'));
    const replaced = history.replace(entriesOf(1, SHORT));
    disk.resolve();
    await replaced;
    expect(await stored()).toEqual(SHORT);
  });

  it('leaves the turns of others that wait where they are taken up again', async () => {
    const { open, write } = await setUp();
    await write('waiting', ...WAITING);
    await write(1, ...OLD);
    const history = await open(2, 'waiting');
    await history.replace(entriesOf(1, SHORT));
    expect(history.messages).toEqual(SHORT);
    expect((await open('waiting', 2)).messages).toEqual([...SHORT, ...WAITING]);
  });
});

const withFacts = (id: string, ...facts: readonly ReturnType<typeof factOf>[]): ConversationMessage[] => [
  user(`What about ${id}?`),
  assistant(use(id, 'get_quote')),
  results({ type: 'tool_result', toolUseId: id, content: 'found', isError: false, facts }),
];

describe('made-up numbers of earlier turns', () => {
  it('are those that tools found and those that a summary carries on; real ones are not among them', async () => {
    const { open, write } = await setUp();
    const summary: ConversationMessage = { ...user('<context>'), isSummary: true, facts: [factOf('KRX')] };
    await write(1, summary, ...withFacts('a', factOf('AAPL'), factOf('MSFT', { isSample: false })));
    await write(1, assistant(text('So much.')));
    expect((await open(2)).earlierSamples).toEqual([factOf('KRX'), factOf('AAPL')]);
  });

  it('are not those of this turn, nor of turns that wait', async () => {
    const { open, write } = await setUp();
    await write('waiting', ...withFacts('w', factOf('TSLA')), assistant(use('w1', 'buy')));
    await write(2, ...withFacts('b', factOf('NVDA')));
    expect((await open(2, 'waiting')).earlierSamples).toEqual([]);
  });

  it('are gone from the view with what was replaced', async () => {
    const { open, write } = await setUp();
    await write(1, ...withFacts('a', factOf('AAPL')), assistant(text('So much.')));
    const history = await open(2);
    await history.replace(entriesOf(1, OLD));
    expect(history.earlierSamples).toEqual([]);
  });
});

const LARGE = 6_000_000;
const picture = (name: string, chars: number): ContentBlock => ({
  type: 'image',
  name,
  mimeType: 'image/png',
  base64: name.slice(0, 1).repeat(chars),
});
const shown = (name: string, chars = LARGE): readonly ConversationMessage[] => [
  { role: 'user', content: [text('Look'), picture(name, chars)] },
  assistant(text('Seen.')),
];
const named = (name: string): readonly ConversationMessage[] => [
  {
    role: 'user',
    content: [text('Look'), text(`<attachment name="${name}">\n[an image from before]\n</attachment>`)],
  },
  assistant(text('Seen.')),
];

describe('a conversation that old pictures made large', () => {
  it('keeps them for the whole conversation alone, and goes on with the names of those that the model no longer sees', async () => {
    const { open, write, store, stored, rowsIn } = await setUp();
    for (const name of ['a', 'b', 'c']) await write(name, ...shown(name));
    const history = await open(4);
    expect(history.messages).toEqual([...named('a'), ...named('b'), ...shown('c')]);
    expect(await stored()).toEqual(history.messages);
    expect(messagesOf(await store.loadAll(SESSION))).toEqual(['a', 'b', 'c'].flatMap((name) => shown(name)));
    expect(await rowsIn('compacted')).toHaveLength(2);
    await open(5);
    expect(await rowsIn('compacted')).toHaveLength(2);
  });

  it('keeps the pictures of a turn that waits', async () => {
    const { open, write } = await setUp();
    await write('waiting', ...shown('w').slice(0, 1), assistant(use('w1', 'buy')));
    for (const name of ['a', 'b', 'c']) await write(name, ...shown(name));
    expect((await open(4, 'waiting')).messages).toEqual([...named('a'), ...named('b'), ...shown('c')]);
    expect((await open('waiting')).ofThisTurn).toEqual([
      ...shown('w').slice(0, 1),
      assistant(use('w1', 'buy')),
    ]);
  });

  it('is left alone where it is not too large yet', async () => {
    const { open, write, rowsIn } = await setUp();
    for (const name of ['a', 'b']) await write(name, ...shown(name));
    expect((await open(4)).messages).toEqual([...shown('a'), ...shown('b')]);
    expect(await rowsIn('compacted')).toEqual([]);
  });

  it('is left alone where words made it large', async () => {
    const { open, write, rowsIn } = await setUp();
    await write(1, user('a'.repeat(17_000_000)), assistant(text('Long.')));
    await open(2);
    expect(await rowsIn('compacted')).toEqual([]);
  });
});
