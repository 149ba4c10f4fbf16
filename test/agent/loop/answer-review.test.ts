import { describe, expect, it } from 'vitest';
import { falseClaimsIn } from '#src/agent/grounding/judge/claims.ts';
import {
  type AnswerCheck,
  type CheckedNumber,
  NOTHING_TO_CHECK,
} from '#src/agent/grounding/judge/verdict.ts';
import { markAnswer } from '#src/agent/grounding/mark/mark-answer.ts';
import type { CheckAnswer } from '#src/agent/loop/answer-review.ts';
import { NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import { blocksIn } from '#src/agent/content-blocks.ts';
import { asId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import { NO_NUMBERS } from '#src/kernel/operations/status.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { done, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import { answering, expectWhole, fact, lookUp, message, setUpAdapter } from './adapter-support.ts';

const KNOWN = { fact, tool: 'lookup' };

/** Takes 666 for a number without a source and asks about 777, wherever they stand. */
const checkOf = (answer: string, done: Parameters<typeof falseClaimsIn>[1] = []): AnswerCheck => {
  const numbers = [...answer.matchAll(/\d+(?:\.\d+)?/g)].map(({ 0: text, index }): CheckedNumber => ({
    start: index,
    end: index + text.length,
    text,
    verdict: text === '666' ? 'unsupported' : 'supported',
  }));
  const questions = numbers
    .filter(({ text }) => text === '777')
    .map(({ start, end, text }) => ({ start, end, text, kind: 'value', facts: [KNOWN] }) as const);
  const claims = falseClaimsIn(answer, done).map((claim) => ({
    ...claim,
    text: answer.slice(claim.start, claim.end),
  }));
  return { numbers, questions, claims, uncheckedCount: 0 };
};

const check: CheckAnswer = async (answer, messages) =>
  checkOf(
    answer,
    blocksIn(messages(), 'tool_result').flatMap(({ receipt }) => receipt?.effect ?? []),
  );

const REPAIR = { grounding: { mode: 'repair', check } } as const;
const MARK = { grounding: { mode: 'mark', check } } as const;
const OFF = { grounding: { mode: 'off', check } } as const;

const WRONG = 'It is 666.';
const RIGHT = 'It is 304.12.';
const lookup = testTool('lookup', async () => ({ content: '304.12', isError: false, facts: [fact] }));
const answers = (words: string) => [...says(words), done()];
const marked = (words: string): string => markAnswer(words, checkOf(words), 'en');

const rolesOf = (messages: readonly ConversationMessage[]): readonly string[] =>
  messages.map(({ role, isRepair, isNote }) => (isRepair ? 'repair' : isNote ? 'note' : role));

/** Stops the process at the first request that matches; the request never gets an answer. */
const stopsAt = () => {
  const reached = Promise.withResolvers<void>();
  const answer = async function* (_request: unknown, signal: AbortSignal) {
    yield* says('Half');
    reached.resolve();
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
  };
  return { reached: reached.promise, answer };
};

const failing = async function* () {
  yield* says('Half of a corr');
  throw new NoAnswerError('user-budget', 'No money is left');
};

const broken: CheckAnswer = async (answer) => {
  throw new TypeError(`Cannot read ${answer}`);
};

/** A check that finds every fact of the conversation behind the number 304. */
const rounded: CheckAnswer = async (answer, messages) => ({
  ...NOTHING_TO_CHECK,
  numbers: blocksIn(answer.includes('304') ? messages() : [], 'tool_result')
    .flatMap(({ facts = [] }) => facts)
    .map((known) => ({
      start: 6,
      end: 9,
      text: '304',
      verdict: 'supported',
      known: { fact: known, tool: 'lookup' },
    })),
});

describe('an answer with a right number', () => {
  it('is checked once, for the review and for what the answer rests on', async () => {
    const { boot } = await setUpAdapter();
    let checks = 0;
    const counting: CheckAnswer = (...given) => {
      checks += 1;
      return check(...given);
    };
    const result = await boot(answering(RIGHT), [], {
      grounding: { mode: 'repair', check: counting },
    }).execute(message('1', 'Apple?'));
    expect(result).toMatchObject({ content: RIGHT, isExplainable: true });
    expect(checks).toBe(1);
  });
});

describe('an answer with a wrong number', () => {
  it('is corrected by one more request, and the correction alone is delivered', async () => {
    const { boot, history } = await setUpAdapter();
    const provider = new ScriptedProvider(lookUp, answers(WRONG), answers(RIGHT));
    const { execute, shown, tally, payloads } = boot(provider, [lookup], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ status: 'completed', content: RIGHT });
    expect(provider.requests).toHaveLength(3);
    const messages = await history();
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'repair', 'assistant']);
    expectWhole(messages);
    // Models cache what only grows.
    expect(provider.requests[2]?.messages.slice(0, 4)).toEqual(messages.slice(0, 4));
    expect(shown.filter(({ type }) => type === 'text_reset')).toEqual([
      { type: 'text_reset', isRepair: true },
    ]);
    const counts = { answers: 1, toRepair: 1, checked: 1, supported: 1, repaired: 1 };
    expect(tally.current()).toEqual({ ...NO_NUMBERS, ...counts });
    expect(payloads('answer:to-repair')).toEqual([{ agentId: 'main', asked: 0 }]);
    expect(payloads('answer:miss')).toEqual([
      { agentId: 'main', fault: 'unsupported', tool: 'none', metric: 'none', follow: 'repair' },
    ]);
    expect(payloads('answer:repair')).toEqual([{ agentId: 'main', outcome: 'corrected' }]);
  });

  it('may be corrected with further calls', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(answers(WRONG), lookUp, answers(RIGHT));
    const { execute } = boot(provider, [lookup], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: RIGHT, facts: [fact] });
    expect(provider.requests).toHaveLength(3);
  });

  it('is asked for once: a model that insists has them marked, and what it was only asked about stands', async () => {
    const { boot, history } = await setUpAdapter();
    const insisted = 'It is 666, not 777.';
    const provider = new ScriptedProvider(answers(WRONG), answers(insisted));
    const { execute, tally, payloads } = boot(provider, [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: marked(insisted) });
    expect(provider.requests).toHaveLength(2);
    expect((await history()).at(-1)).toMatchObject({
      content: [{ text: insisted }],
      shown: marked(insisted),
    });
    expect(marked(insisted)).toMatch(/^It is 666⚠️, not 777\.\n\n⚠️ [^⚠]*666[^7]*$/u);
    expect(tally.current()).toMatchObject({ answers: 1, toRepair: 1, checked: 2, repaired: 0, marked: 1 });
    expect(payloads('answer:miss').map(({ fault, follow }) => `${fault} ${follow}`)).toEqual([
      'unsupported repair',
      'unsupported mark',
      'value none',
    ]);
    expect(payloads('answer:repair')).toEqual([{ agentId: 'main', outcome: 'insisted' }]);
  });

  it('is marked at once in mode `mark`, and left alone in mode `off`', async () => {
    for (const [options, content] of [
      [MARK, marked(WRONG)],
      [OFF, WRONG],
    ] as const) {
      const { boot } = await setUpAdapter();
      const provider = answering(WRONG);
      const { execute, payloads } = boot(provider, [], options);
      expect(await execute(message('1', 'Apple?'))).toMatchObject({ content });
      expect(provider.requests).toHaveLength(1);
      expect(payloads('answer:check')).toHaveLength(options === OFF ? 0 : 1);
    }
  });

  it('is marked without another request where no step is left', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(lookUp, answers(WRONG));
    const { execute } = boot(provider, [lookup], { ...REPAIR, maxTurns: 1 });
    expect(await execute(message('1', 'Apple?'))).toMatchObject({
      status: 'max_turns',
      content: marked(WRONG),
    });
    expect(provider.requests).toHaveLength(2);
  });

  it('is checked although it was cut', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider([...says(WRONG), done('max_tokens')], answers(RIGHT));
    const { execute } = boot(provider, [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: RIGHT, isCut: false });
  });

  it('of an earlier turn takes no repair from the next one', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(answers(WRONG), answers(RIGHT), answers(WRONG), answers(RIGHT));
    const { execute } = boot(provider, [], REPAIR);
    await execute(message('1', 'Apple?'));
    expect(await execute(message('2', 'Again?'))).toMatchObject({ content: RIGHT });
    expect(provider.requests).toHaveLength(4);
  });
});

describe('a statement of which a fact says otherwise', () => {
  it('is asked about once, and goes out as it is where the model stays with it', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(lookUp, answers('It is 777.'), answers('It is 777.'));
    const { execute, tally, payloads } = boot(provider, [lookup], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: 'It is 777.' });
    expect(JSON.stringify(provider.requests[2]?.messages.at(-1))).toContain(
      '- 777: lookup says AAPL price 304.12 USD as of 2026-11-13T06:30:00Z. Is this the right number here?',
    );
    expect(tally.current()).toMatchObject({ toRepair: 1, asked: 1, marked: 0 });
    expect(payloads('answer:repair')).toEqual([{ agentId: 'main', outcome: 'insisted' }]);
  });
});

describe('a claim that something was done', () => {
  const CLAIM = 'Your alert is set.';
  const SAID = `${CLAIM}\n\n⚠️ Nothing was set just now.`;
  const setter = testTool('lookup', async () => ({
    content: 'ok',
    isError: false,
    receipt: { effect: 'set', text: 'Alert set' },
  }));
  const refusing = testTool('lookup', async () => ({ content: 'No such symbol', isError: true }));

  it.each([
    ['stands with a receipt', [setter], [lookUp, answers(CLAIM)], CLAIM],
    ['is taken back', [], [answers(CLAIM), answers('I have not set it.')], 'I have not set it.'],
    ['is followed by what is true where it stays', [], [answers(CLAIM), answers(CLAIM)], SAID],
    ['is none after an error', [refusing], [lookUp, answers(CLAIM), answers(CLAIM)], SAID],
    ['is made true by a call', [setter], [answers(CLAIM), lookUp, answers(CLAIM)], CLAIM],
  ] as const)('%s', async (_what, tools, steps, content) => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(...steps);
    const { execute } = boot(provider, tools, REPAIR);
    expect(await execute(message('1', 'Alert me at 200'))).toMatchObject({ content });
    expect(provider.requests).toHaveLength(steps.length);
  });
});

describe('a sample number of an earlier turn', () => {
  it('is labelled where the check finds it behind a number, however it is written', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider(lookUp, answers('Looked up.'), answers('About 304.'));
    const { execute } = boot(provider, [lookup], { grounding: { mode: 'mark', check: rounded } });
    await execute(message('1', 'Apple?'));
    expect(await execute(message('2', 'Roughly?'))).toMatchObject({
      content: 'About 304.',
      facts: [fact],
      isExplainable: true,
    });
  });
});

describe('an answer that nobody reads', () => {
  it('is not checked', async () => {
    const { boot } = await setUpAdapter();
    const { execute, payloads } = boot(answering('<<SILENT_REPLY>> 666'), [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: '<<SILENT_REPLY>> 666' });
    expect(payloads('answer:check')).toEqual([]);
  });
});

describe('a correction that fails', () => {
  it('leaves the first answer, marked, in a whole conversation', async () => {
    const { boot, history } = await setUpAdapter();
    const { execute, payloads, shown } = boot(new ScriptedProvider(answers(WRONG), failing), [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({
      status: 'completed',
      content: marked(WRONG),
    });
    const messages = await history();
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'repair', 'note']);
    expectWhole(messages);
    expect(payloads('answer:repair')).toEqual([{ agentId: 'main', outcome: 'failed' }]);
    expect(shown.findLast(({ type }) => type === 'message_complete')).toMatchObject({
      message: { shown: marked(WRONG) },
    });
  });

  it('leaves the first answer where its tool was the last thing that worked', async () => {
    const { boot, history } = await setUpAdapter();
    const provider = new ScriptedProvider(answers(WRONG), lookUp, failing);
    const { execute } = boot(provider, [lookup], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: marked(WRONG), facts: [fact] });
    expectWhole(await history());
  });

  it('leaves the first answer where the correction says nothing', async () => {
    const { boot, history } = await setUpAdapter();
    const { execute } = boot(new ScriptedProvider(answers(WRONG), answers('<<NO_REPLY>>')), [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: marked(WRONG) });
    expect(rolesOf(await history())).toEqual(['user', 'assistant', 'repair', 'note']);
  });

  it('leaves the first answer after 90 seconds of silence', async () => {
    const { boot, clock } = await setUpAdapter();
    const { reached, answer } = stopsAt();
    const { execute } = boot(new ScriptedProvider(answers(WRONG), answer), [], REPAIR);
    const result = execute(message('1', 'Apple?'));
    await reached;
    await clock.advance(90_000);
    expect(await result).toMatchObject({ content: marked(WRONG) });
  });

  it('is none if the person stopped it', async () => {
    const { boot } = await setUpAdapter();
    const { reached, answer } = stopsAt();
    const { execute, controller } = boot(new ScriptedProvider(answers(WRONG), answer), [], REPAIR);
    const reason = new RunAbortedError('stopped');
    const rejected = expect(execute(message('1', 'Apple?'))).rejects.toBe(reason);
    await reached;
    controller.abort(reason);
    await rejected;
  });
});

describe('words of the person during a correction', () => {
  it('wait for a turn of their own, so that a failed correction cannot lose them', async () => {
    const { boot } = await setUpAdapter();
    const waiting = [{ inboxId: asId<InboxId>('2'), messageId: asId<MessageId>('m-2'), body: 'And Tesla?' }];
    let asked = 0;
    const take = async () => ((asked += 1) === 1 ? [] : waiting);
    const provider = new ScriptedProvider(answers(WRONG), answers(RIGHT));
    const { execute } = boot(provider, [], { ...REPAIR, steering: { take } });
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: RIGHT });
    expect(asked).toBe(1);
  });
});

describe('a process that ends', () => {
  it('between an answer and its correction makes the next one ask for it, with one note', async () => {
    const { boot, history } = await setUpAdapter();
    const { reached, answer } = stopsAt();
    const first = boot(new ScriptedProvider(answers(WRONG), answer), [], REPAIR);
    const reason = new RunAbortedError('shutdown');
    const rejected = expect(first.execute(message('1', 'Apple?'))).rejects.toBe(reason);
    await reached;
    first.controller.abort(reason);
    await rejected;
    expect(rolesOf(await history())).toEqual(['user', 'assistant', 'repair']);

    const provider = answering(RIGHT);
    const second = boot(provider, [], REPAIR);
    expect(await second.execute(message('1', 'Apple?'))).toMatchObject({ content: RIGHT });
    expect(second.shown[0]).toEqual({ type: 'text_reset', isRepair: true });
    expect(provider.requests).toHaveLength(1);
    expect(rolesOf(await history())).toEqual(['user', 'assistant', 'repair', 'assistant']);
  });

  it.each([
    ['repair', RIGHT, ['user', 'assistant', 'repair', 'assistant']],
    ['mark', marked(WRONG), ['user', 'assistant', 'repair', 'note']],
    ['off', WRONG, ['user', 'assistant']],
  ] as const)(
    'before its answer was checked has it checked by the next one, in mode %s',
    async (mode, content, roles) => {
      const { boot, history, storage } = await setUpAdapter();
      // All that a killed process has stored: the question and the answer.
      const unchecked = boot(answering(WRONG), [], OFF);
      await unchecked.execute(message('1', 'Apple?'));
      await storage.db.updateTable('turns').set({ status: 'open', ended_at: null }).execute();
      const { execute } = boot(answering(RIGHT), [], { grounding: { mode, check } });
      expect(await execute(message('1', 'Apple?'))).toMatchObject({ content });
      expect(rolesOf(await history())).toEqual(roles);
    },
  );

  it('after the last answer was marked has it delivered in the same words', async () => {
    const { boot } = await setUpAdapter();
    await boot(answering(WRONG), [], MARK).execute(message('1', 'Apple?'));
    const { execute } = boot(new ScriptedProvider(), [], REPAIR);
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ content: marked(WRONG) });
  });
});

describe('a check that throws', () => {
  it('delivers the answer as it is, and the log says that it was not checked, without its words', async () => {
    const { boot } = await setUpAdapter();
    const { execute, records, payloads } = boot(answering(WRONG), [], {
      grounding: { mode: 'repair', check: broken },
    });
    expect(await execute(message('1', 'Apple?'))).toMatchObject({ status: 'completed', content: WRONG });
    expect(records()).toMatchObject([
      {
        level: 'warn',
        message: 'The numbers of an answer were not checked',
        cause: expect.stringMatching(/^TypeError at /) as string,
      },
    ]);
    expect(JSON.stringify(records())).not.toContain(WRONG);
    expect(payloads('answer:unchecked')).toEqual([{ agentId: 'main' }]);
  });
});
