import { describe, expect, it, onTestFinished } from 'vitest';
import { type FakeAnthropic, startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { startConsoleApp } from '#test/support/console-app.ts';
import { answer, until } from '#test/support/engine-app.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const EXPIRES_MS = 600_001;
const QUESTION = 'Shall I do this?';

const asksForSystemInfo: FakeReply = {
  kind: 'answer',
  text: 'Let me look.',
  toolCalls: [{ id: 'toolu_1', name: 'call_tool', input: { name: 'get_system_info', input: {} } }],
};

const SECOND_CALL = {
  id: 'toolu_2',
  name: 'call_tool',
  input: { name: 'get_system_info', input: {} },
};

const claude = async (): Promise<FakeAnthropic> => {
  const server = await startFakeAnthropic();
  onTestFinished(server.close);
  return server;
};

/** What the model was told about its call, in the request with this number. */
const resultIn = (server: FakeAnthropic, request: number): { content: string; isError: boolean } => {
  const blocks = (server.history[request]?.body.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  const block = blocks.find((candidate) => candidate.type === 'tool_result');
  if (block?.type !== 'tool_result') return { content: '', isError: false };
  const { content } = block;
  return {
    content: typeof content === 'string' ? content : JSON.stringify(content),
    isError: block.is_error === true,
  };
};

describe('a tool that needs a person', () => {
  it('is run after a yes, and the run that waited gives the answer', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('All is well.'));
    const { type, sees, screen } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees('Type y or n.');
    expect(screen()).toContain(QUESTION);
    expect(screen()).toContain('Read the state of the bot');
    expect(server.history).toHaveLength(1);

    type('y');
    await sees('All is well.');
    expect(server.history.map(({ outcome, problem }) => problem ?? outcome)).toEqual(['answer', 'answer']);
    expect(resultIn(server, 1)).toEqual({ content: expect.stringContaining('SQLite'), isError: false });
  });

  it('is not run after a no, and the model hears of it', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('As you wish.'));
    const { type, sees } = await startConsoleApp({ claude: server });
    type('상태 어때?');
    await sees('y 또는 n');
    type('아니요');
    await sees('As you wish.');
    expect(resultIn(server, 1)).toEqual({
      content: 'Not done: the person refused it.',
      isError: true,
    });
  });

  it('is not run when nobody decides within ten minutes', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('Too late, then.'));
    const { type, sees, clock, screen } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees(QUESTION);
    await clock.untilWaiting(EXPIRES_MS);
    await clock.advance(EXPIRES_MS - 2);
    expect(server.history).toHaveLength(1);
    await clock.advance(2);
    await sees('Too late, then.');
    expect(resultIn(server, 1)).toEqual({ content: 'Not done: nobody decided in time.', isError: true });

    type('y');
    await sees('Time is up, so skipped: Read the state of the bot');
    expect(server.history, 'a late yes is nothing for the model').toHaveLength(2);
    expect(screen()).not.toContain('SQLite');
  });

  it('waits over a restart: it is asked again, and a yes then goes on with the run', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('All is well.'));
    const first = await startConsoleApp({ claude: server });
    first.type('How are you doing?');
    await first.sees(QUESTION);
    await first.leave();
    expect(server.history).toHaveLength(1);

    const second = await startConsoleApp({ claude: server, dataDir: first.dataDir });
    await second.sees(QUESTION);
    second.type('yes');
    await second.sees('All is well.');
    expect(server.history).toHaveLength(2);
    expect(resultIn(server, 1).isError).toBe(false);
    await second.leave();

    const third = await startConsoleApp({ claude: server, dataDir: first.dataDir });
    await third.leave();
    expect(third.screen()).toBe('');
    expect(server.history).toHaveLength(2);
  });

  it('that expired while the process was away ends as refused at the next start', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('Too late, then.'));
    const first = await startConsoleApp({ claude: server });
    first.type('How are you doing?');
    await first.sees(QUESTION);
    await first.leave();

    const clock = new WatchedClock(first.clock.now().add({ minutes: 11 }).toString());
    const second = await startConsoleApp({ claude: server, dataDir: first.dataDir, clock });
    await second.sees('Too late, then.');
    expect(second.screen()).not.toContain(QUESTION);
    expect(resultIn(server, 1)).toMatchObject({ content: 'Not done: nobody decided in time.' });
  });

  it('is given up by a new message, which is answered with both in view', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('Apple it is.'));
    const { type, sees, screen } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees(QUESTION);
    type('Tell me about Apple');
    await sees('Apple it is.');
    expect(screen()).toContain('Skipped: Read the state of the bot');
    expect(server.history).toHaveLength(2);
    expect(server.history[1]?.problem).toBeUndefined();
    const notRun = { isError: true, content: 'Not run: it was given up before it began.' };
    expect(resultIn(server, 1)).toMatchObject(notRun);
    expect(JSON.stringify(server.history[1]?.body.messages)).toContain('Tell me about Apple');
  });

  it('stays undecided while commands are typed', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('All is well.'));
    const { type, sees } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees(QUESTION);
    type('/price AAPL');
    await sees('Apple (AAPL)');
    type('y');
    await sees('All is well.');
  });

  it.each([
    { how: 'by a command', next: '/approve' },
    { how: 'by its time', next: undefined },
  ])('makes room on the screen for the next question once it was decided $how', async ({ next }) => {
    const server = await claude();
    server.reply(
      asksForSystemInfo,
      { ...asksForSystemInfo, toolCalls: [SECOND_CALL] },
      answer('All is well.'),
    );
    const { type, sees, screen, clock } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees(QUESTION);
    if (next === undefined) {
      await clock.untilWaiting(EXPIRES_MS);
      await clock.advance(EXPIRES_MS);
    } else type(next);
    await until(() => screen().split(QUESTION).length === 3);
    type('y');
    await sees('All is well.');
  });

  it('takes a yes after /stop for a message', async () => {
    const server = await claude();
    server.reply(asksForSystemInfo, answer('Going on.'));
    const { type, sees } = await startConsoleApp({ claude: server });
    type('How are you doing?');
    await sees(QUESTION);
    type('/stop');
    await sees('gave up');
    type('yes');
    await sees('Going on.');
  });
});
