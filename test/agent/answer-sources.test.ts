import { describe, expect, it } from 'vitest';
import { createAnswerSources } from '#src/agent/answer-sources.ts';
import type { Explanation } from '#src/kernel/agent/answer-sources.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import {
  asId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type ThreadId,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext, TurnContext } from '#src/kernel/chat/message.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { assistant, result, results, text, use } from '#test/agent/loop/runner-support.ts';
import { setUpStore } from '#test/agent/memory/transcript/store-support.ts';
import { turn } from '#test/agent/memory/transcript/support.ts';
import { msgContext } from '#test/support/context.ts';
import { inboundMessage } from '#test/support/messages.ts';

const MINA = asId<UserId>('mina');
const JOON = asId<UserId>('joon');
const DIRECT = asId<SessionKey>('agent:main:test:local:direct:mina');
const ROOM = asId<SessionKey>('agent:main:test:local:channel:room');
const DESK_IN_ROOM = asId<SessionKey>('agent:desk:test:local:channel:room');
const THREAD = asId<SessionKey>('agent:main:test:local:channel:room:root');
const OTHER_ROOM = asId<SessionKey>('agent:main:test:local:channel:elsewhere');

const fact = (overrides: Partial<Fact> = {}): Fact => ({
  entity: '005930.KS',
  names: ['삼성전자'],
  metric: 'price',
  value: '102300',
  unit: 'KRW',
  asOf: '2026-11-13T06:30:00Z',
  source: 'Yahoo Finance',
  isSample: false,
  ...overrides,
});

interface Asked {
  readonly words?: string;
  readonly by?: UserId;
  readonly in?: SessionKey;
  readonly tool?: string;
  readonly facts?: readonly Fact[];
  readonly content?: string;
  readonly isUntrusted?: boolean;
  readonly answer?: string;
  readonly after?: readonly ConversationMessage[];
}

const factual = (
  id: string,
  facts: readonly Fact[],
  content: string,
  isUntrusted: boolean,
): ContentBlock => ({
  ...result(id, content),
  ...({ facts, ...(isUntrusted && { isUntrusted }) } as object),
});

const setUp = async () => {
  const { store } = await setUpStore();
  const turns = new Map<
    InboxId,
    { readonly key: SessionKey; readonly by: UserId; readonly turnId: TurnId }
  >();
  const live = new Set<TurnId>();
  const messages = new Map<InboxId, MsgContext>();
  /** The message of the platform, and the accepted one that it belongs to. */
  const posted = new Map<string, InboxId>();
  const sources = createAnswerSources({
    transcripts: store,
    turns: {
      isBegun: async (id) => turns.has(id),
      sessionOf: async (id) => turns.get(id)?.key,
      sendersIn: async (key) =>
        new Map([...turns.values()].filter((each) => each.key === key).map(({ turnId, by }) => [turnId, by])),
      liveIn: async () => live,
    },
    exchanges: {
      behind: async (_place, id) => {
        const found = posted.get(id);
        return found && ({ id: found } as InboxEntry);
      },
      of: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const message = messages.get(id);
            return message ? [[id, { message, answers: [] }] as const] : [];
          }),
        ),
    },
    isSensitive: (tool) => tool === 'get_portfolio',
  });
  const ask = async (name: string, asked: Asked = {}): Promise<InboxId> => {
    const {
      words = '삼성전자 얼마야?',
      by = MINA,
      tool = 'get_quote',
      content = 'found',
      facts = [fact()],
    } = asked;
    const { answer = '삼성전자 현재가는 102,300원입니다.', in: key = DIRECT } = asked;
    const id = asId<InboxId>(`inbox-${name}`);
    turns.set(id, { key, by, turnId: turn(name) });
    messages.set(id, inboundMessage({ body: words }));
    posted.set(`question-${name}`, id);
    posted.set(`answer-${name}`, id);
    const said: readonly ConversationMessage[] = [
      { role: 'user', content: [text(words)], inboxIds: [id] },
      assistant(use(`call-${name}`, tool)),
      results(factual(`call-${name}`, facts, content, asked.isUntrusted === true)),
      assistant(text(answer)),
      ...(asked.after ?? []),
    ];
    for (const message of said) await store.append(key, { turnId: turn(name), message });
    return id;
  };
  const explain = (ctx: Partial<TurnContext> = {}, answered?: InboxId): Promise<Explanation> =>
    sources.explain(msgContext({ sessionKey: DIRECT, ...ctx }), answered);
  return { store, turns, live, messages, posted, ask, explain };
};

/** The kinds of the numbers, by their text. */
const kindsOf = (found: Explanation): Readonly<Record<string, string>> =>
  found.status === 'found' ? Object.fromEntries(found.numbers.map(({ text: as, kind }) => [as, kind])) : {};

const IN_ROOM = { sessionKey: ROOM, chatType: 'channel' } as const;

describe('where the numbers of an answer come from', () => {
  it('is told for the last answer, with the fact, the tool and the names that another fact brought', async () => {
    const { ask, explain } = await setUp();
    await ask('old', { facts: [fact({ value: '99000' })], answer: '삼성전자 현재가는 99,000원입니다.' });
    const { names: _names, ...nameless } = fact();
    await ask('new', { facts: [nameless] });
    expect(await explain()).toMatchObject({
      status: 'found',
      isOwn: true,
      numbers: [
        {
          kind: 'fact',
          text: expect.stringContaining('102,300'),
          source: { fact: nameless, names: ['삼성전자'], tool: 'get_quote' },
        },
      ],
    });
  });

  it('tells invented and wrong numbers from those that tools, people and pages gave', async () => {
    const { ask, explain } = await setUp();
    await ask('facts', {
      words: '삼성전자 300만원어치 사면?',
      answer: '삼성전자 현재가는 201,300원이고 PER은 11.4배입니다. 말씀하신 300만원 기준입니다.',
    });
    const kinds = kindsOf(await explain());
    expect(Object.values(kinds).toSorted()).toEqual(['asked', 'unknown', 'unknown']);
    await ask('page', {
      words: '이 기사 요약해줘',
      tool: 'fetch_url',
      facts: [],
      content: '반도체 수출은 147억 달러로 집계됐다.',
      isUntrusted: true,
      answer: '기사에 따르면 반도체 수출은 147억 달러입니다.',
    });
    expect(Object.values(kindsOf(await explain()))).toEqual(['read']);
    await ask('again', { words: '다시 말해줘', facts: [], answer: '반도체 수출은 147억 달러였습니다.' });
    expect(Object.values(kindsOf(await explain()))).toEqual(['read']);
  });

  it('tells a number that only an earlier answer has from those of texts', async () => {
    const { ask, explain } = await setUp();
    await ask('first', { facts: [], answer: '삼성전자 PER은 11.47배입니다.' });
    await ask('again', { words: '다시 말해줘', facts: [], answer: '네, PER은 11.47배입니다.' });
    expect(Object.values(kindsOf(await explain()))).toEqual(['answered']);
  });

  it('shows how a calculated number was made and which fact each operand is', async () => {
    const { ask, explain } = await setUp();
    await ask('price');
    const product = fact({
      metric: 'calculation',
      label: '102300 * 7',
      operands: ['102300', '7'],
      value: '716100',
    });
    await ask('sum', {
      words: '7주면?',
      tool: 'calculate',
      facts: [{ ...product, entity: 'calculation', names: [] }],
      answer: '7주면 716,100원입니다.',
    });
    const found = await explain();
    expect(
      found.status === 'found' && found.numbers.find(({ text: as }) => as.includes('716,100')),
    ).toMatchObject({
      kind: 'calculated',
      formula: '102300 * 7',
      source: { tool: 'calculate' },
      operands: [
        { value: '102300', source: { tool: 'get_quote', fact: { metric: 'price' } } },
        { value: '7' },
      ],
    });
  });

  it('never shows account data in a shared chat, though the number stands there', async () => {
    const { ask, explain } = await setUp();
    const own = { tool: 'get_portfolio', facts: [fact({ metric: 'averageCost', value: '81234' })] };
    const answer = '삼성전자 평균 단가는 81,234원입니다.';
    await ask('room', { ...own, in: ROOM, answer });
    await ask('direct', { ...own, answer });
    const shared = await explain(IN_ROOM);
    expect(Object.values(kindsOf(shared))).toEqual(['private']);
    expect(JSON.stringify(shared)).not.toContain('averageCost');
    expect(Object.values(kindsOf(await explain()))).toEqual(['fact']);
  });

  it('never shows in a shared chat how a number follows from account data', async () => {
    const { ask, explain } = await setUp();
    const facts = [
      fact({ metric: 'averageCost', value: '81234' }),
      fact({ metric: 'quantity', value: '37', unit: 'shares' }),
    ];
    const own = { tool: 'get_portfolio', facts, answer: '삼성전자에 쓰신 돈은 모두 3,005,658원입니다.' };
    await ask('room', { ...own, in: ROOM });
    await ask('direct', own);
    expect(Object.values(kindsOf(await explain()))).toEqual(['calculated']);
    const shared = await explain(IN_ROOM);
    expect(Object.values(kindsOf(shared))).toEqual(['private']);
    expect(JSON.stringify(shared)).not.toContain('81');
  });

  it('is told for the answer to the person before the answers to others, and else for the last one', async () => {
    const { ask, explain } = await setUp();
    await ask('mine', { in: ROOM });
    await ask('theirs', {
      in: ROOM,
      by: JOON,
      facts: [fact({ value: '99000' })],
      answer: '현재가는 99,000원입니다.',
    });
    const own = await explain({ ...IN_ROOM, senderId: MINA });
    expect(own).toMatchObject({ isOwn: true, numbers: [{ text: expect.stringContaining('102,300') }] });
    const third = await explain({ ...IN_ROOM, senderId: asId<UserId>('sora') });
    expect(third).toMatchObject({ isOwn: false, numbers: [{ text: expect.stringContaining('99,000') }] });
  });

  it('is told for the answer that a button names, though others came later', async () => {
    const { ask, explain } = await setUp();
    const first = await ask('first', { in: ROOM });
    await ask('later', { in: ROOM, facts: [fact({ value: '99000' })], answer: '현재가는 99,000원입니다.' });
    expect(await explain({ ...IN_ROOM, senderId: JOON }, first)).toMatchObject({
      isOwn: false,
      numbers: [{ text: expect.stringContaining('102,300') }],
    });
  });

  it('is told where another agent had answered in the same chat, and nowhere else', async () => {
    const { ask, explain } = await setUp();
    const desk = await ask('desk', { in: DESK_IN_ROOM });
    const direct = await ask('direct');
    expect(await explain(IN_ROOM, desk)).toMatchObject({ status: 'found' });
    expect(await explain({ ...IN_ROOM, sessionKey: OTHER_ROOM }, desk)).toEqual({ status: 'gone' });
    expect(await explain(IN_ROOM, direct)).toEqual({ status: 'gone' });
  });

  it('is told for the answer that the person replies to', async () => {
    const { ask, explain, posted } = await setUp();
    await ask('first');
    await ask('later', { facts: [fact({ value: '99000' })], answer: '현재가는 99,000원입니다.' });
    posted.set('price-command', asId<InboxId>('inbox-command'));
    const replyTo = (id: string) => explain({ replyToMessageId: asId<MessageId>(id) });
    const ofFirst = { numbers: [{ text: expect.stringContaining('102,300') }] };
    expect(await replyTo('answer-first')).toMatchObject(ofFirst);
    expect(await replyTo('question-first')).toMatchObject(ofFirst);
    expect(await replyTo('price-command')).toEqual({ status: 'other' });
    // The platform handed over a message that nobody knows.
    expect(await replyTo('unknown')).toMatchObject({
      numbers: [{ text: expect.stringContaining('99,000') }],
    });
  });

  it('is told in a thread for its own last answer, and in a new one for the message that it hangs on', async () => {
    const { ask, explain, posted } = await setUp();
    const root = asId<ThreadId>('root');
    const inThread = {
      ...IN_ROOM,
      sessionKey: THREAD,
      parentSessionKey: ROOM,
      messageThreadId: root,
      replyToMessageId: asId<MessageId>(root),
    };
    const parent = await ask('parent', { in: ROOM });
    expect(await explain(inThread)).toEqual({ status: 'none' });
    posted.set(root, parent);
    expect(await explain(inThread)).toMatchObject({
      numbers: [{ text: expect.stringContaining('102,300') }],
    });
    await ask('below', { in: THREAD, facts: [fact({ value: '99000' })], answer: '현재가는 99,000원입니다.' });
    expect(await explain(inThread)).toMatchObject({ numbers: [{ text: expect.stringContaining('99,000') }] });
  });

  it('survives a compaction: the summarized turns are still on disk', async () => {
    const { store, ask, explain } = await setUp();
    const first = await ask('first');
    await ask('later', { facts: [], answer: '앞서 본 삼성전자 현재가는 102,300원입니다.' });
    const kept = (await store.load(DIRECT)).filter(({ turnId }) => turnId === turn('later'));
    const summary: ConversationMessage = { role: 'user', isSummary: true, content: [text('older')] };
    await store.replace(DIRECT, [
      { turnId: turn('later'), at: '2026-11-13T06:00:00Z', message: summary },
      ...kept,
    ]);
    const ofFirst = { numbers: [{ kind: 'fact', source: { tool: 'get_quote' } }] };
    expect(await explain()).toMatchObject(ofFirst);
    expect(await explain({}, first)).toMatchObject(ofFirst);
  });

  it('is gone with the conversation', async () => {
    const { store, ask, explain } = await setUp();
    const first = await ask('first');
    await store.archive(DIRECT);
    expect(await explain({}, first)).toEqual({ status: 'gone' });
    expect(await explain()).toEqual({ status: 'none' });
  });

  it('is told of the corrected answer, not of the one before it', async () => {
    const { ask, explain } = await setUp();
    await ask('repaired', {
      answer: '삼성전자 현재가는 201,300원입니다.',
      after: [
        { role: 'user', isRepair: true, content: [text('<context>\n201,300\n</context>')] },
        assistant(text('삼성전자 현재가는 102,300원입니다.')),
      ],
    });
    expect(await explain()).toMatchObject({
      numbers: [{ kind: 'fact', text: expect.stringContaining('102,300') }],
    });
  });

  it('leaves out turns without an answer: those under way, silent ones and failed ones', async () => {
    const { ask, explain, live } = await setUp();
    expect(await explain()).toEqual({ status: 'none' });
    await ask('answered');
    await ask('running', { answer: '잠시만요, 99,000원인지 볼게요.' });
    live.add(turn('running'));
    await ask('silent', { answer: '<<NO_REPLY>>' });
    expect(await explain()).toMatchObject({ numbers: [{ text: expect.stringContaining('102,300') }] });
  });

  it('is told of a private answer in a shared chat only to its owner, and only as privately', async () => {
    const { ask, explain, messages } = await setUp();
    const id = await ask('whispered', { in: ROOM });
    const whispered = { token: 't', isPrivate: true };
    messages.set(id, inboundMessage({ interaction: whispered }));
    expect(await explain({ ...IN_ROOM, senderId: JOON, interaction: whispered }, id)).toEqual({
      status: 'none',
    });
    expect(await explain({ ...IN_ROOM, senderId: MINA }, id)).toEqual({ status: 'none' });
    expect(await explain({ ...IN_ROOM, senderId: MINA, interaction: whispered }, id)).toMatchObject({
      status: 'found',
    });
  });
});
