import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { texts } from '#src/core/i18n.ts';
import { type ApprovalId, asId, type DeliveryId } from '#src/core/ids.ts';
import { replyTargetOf } from '#src/core/message.ts';
import type { ApprovalRequest } from '#src/core/ports.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { closedBy, openConsole, settle } from './support.ts';
import { PROMPT, shown, startedAndQuiet } from './terminal-support.ts';

type Console = ReturnType<typeof openConsole>;

const TARGET = replyTargetOf(inboundMessage());
const ANY_TIME = Temporal.Instant.from('2026-11-13T06:40:00Z');

const requestOf = (summary: string): ApprovalRequest => ({
  id: asId<ApprovalId>(`id of ${summary}`),
  toolName: 'buy_stock',
  summary,
  reason: 'It changes something.',
  askedBy: TARGET.recipientId,
  locale: 'en',
  expiresAt: ANY_TIME,
  isRepeated: false,
});

const ask = (channel: Console['channel'], summary = 'Buy 3 AAPL'): Promise<unknown> | undefined =>
  channel.requestApproval?.(TARGET, requestOf(summary));

/** What stands on the screen for a question; the console shows no styles here. */
const questionOf = (summary = 'Buy 3 AAPL'): string => {
  const words = texts('en').approvals;
  const question = words.ask({
    summary,
    why: 'It changes something.',
    minutes: 10,
    asker: undefined,
    isRepeated: false,
  });
  return `${question}\n${words.yesNo()}\n\n`.replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '');
};

const openPipe = async (): Promise<Console> => {
  const opened = openConsole({ isTTY: false });
  await opened.channel.start(opened.host);
  return opened;
};

describe('a question in the pipe', () => {
  it('is printed, and the next line is its answer', async () => {
    const { channel, host, type, screen } = await openPipe();
    await ask(channel);
    expect(screen.take()).toBe(questionOf());
    await type('y\n');
    expect(host.decisions).toEqual([{ id: 'id of Buy 3 AAPL', verdict: 'approved', by: 'console:local' }]);
    expect(host.bodies).toEqual([]);
  });

  it('is put before the line behind the message is read, so that this line can answer it', async () => {
    const { channel, host, type, screen } = await openPipe();
    await type('Buy 3 AAPL\nn\n');
    expect(host.bodies).toEqual(['Buy 3 AAPL']);
    await ask(channel);
    expect(screen.take()).toBe(questionOf());
    // The message rests: for now it is worked off.
    host.settleNext();
    await settle();
    expect(host.decisions).toMatchObject([{ verdict: 'denied' }]);
    expect(host.bodies).toEqual(['Buy 3 AAPL']);
  });

  it('has the line behind its answer wait for the run that goes on', async () => {
    const { channel, host, type } = await openPipe();
    const run = Promise.withResolvers<void>();
    host.onDecide = () => ({ outcome: 'recorded', settled: run.promise });
    await ask(channel);
    await type('y\nHow is Apple?\n');
    expect([host.decisions.length, host.bodies]).toEqual([1, []]);
    run.resolve();
    await settle();
    expect(host.bodies).toEqual(['How is Apple?']);
  });

  it('ends the program only after the run that its last line set going', async () => {
    const { channel, host, type, input } = await openPipe();
    const run = Promise.withResolvers<void>();
    host.onDecide = () => ({ outcome: 'recorded', settled: run.promise });
    await ask(channel);
    await type('y');
    input.end();
    await settle();
    expect([host.decisions.length, host.shutdowns]).toEqual([1, 0]);
    run.resolve();
    await settle();
    expect(host.shutdowns).toBe(1);
  });

  it('leaves any other line a message', async () => {
    const { channel, host, type } = await openPipe();
    await ask(channel);
    await type('How is Apple?\n');
    expect([host.bodies, host.decisions]).toEqual([['How is Apple?'], []]);
  });

  it('is not what a yes answers where none was put', async () => {
    const { host, type } = await openPipe();
    await type('y\n');
    expect([host.bodies, host.decisions]).toEqual([['y'], []]);
  });
});

describe('a question in the terminal', () => {
  it('is shown above the prompt', async () => {
    const { channel, screen } = await startedAndQuiet();
    await ask(channel);
    expect(shown(screen)).toBe(`${questionOf()}${PROMPT}`);
  });

  it('leaves what is being typed as it is', async () => {
    const { channel, screen, type, host } = await startedAndQuiet();
    await type('half a li');
    screen.take();
    await ask(channel);
    expect(shown(screen)).toBe(`${questionOf()}${PROMPT}half a li`);
    await type('ne\r');
    expect(host.bodies).toEqual(['half a line']);
  });

  it('is answered by a line; the prompt is there again when the run that waited has ended', async () => {
    const { channel, host, type, screen } = await startedAndQuiet();
    const run = Promise.withResolvers<void>();
    host.onDecide = () => ({ outcome: 'recorded', settled: run.promise });
    await ask(channel);
    screen.take();
    await type('y\r');
    expect(host.decisions).toMatchObject([{ verdict: 'approved' }]);
    expect(shown(screen)).toBe('y\r\n');
    run.resolve();
    await settle();
    expect(shown(screen)).toBe(PROMPT);
  });

  it('is followed by the next one, if there is one', async () => {
    const { channel, host, type, screen } = await startedAndQuiet();
    await ask(channel, 'Buy 3 AAPL');
    await ask(channel, 'Buy 1 MSFT');
    expect(shown(screen)).toBe(`${questionOf('Buy 3 AAPL')}${PROMPT}${PROMPT}`);
    await type('n\r');
    expect(shown(screen)).toBe(`n\r\n${questionOf('Buy 1 MSFT')}${PROMPT}`);
    await type('y\r');
    expect(host.decisions).toMatchObject([
      { id: 'id of Buy 3 AAPL', verdict: 'denied' },
      { id: 'id of Buy 1 MSFT', verdict: 'approved' },
    ]);
  });

  it('makes room for the next one when it needs no answer any more', async () => {
    const { channel, host, type, screen } = await startedAndQuiet();
    await ask(channel, 'Buy 3 AAPL');
    await ask(channel, 'Buy 1 MSFT');
    screen.take();
    await channel.closeApproval?.(TARGET, closedBy(requestOf('Buy 3 AAPL')));
    expect(shown(screen)).toContain(questionOf('Buy 1 MSFT'));
    await type('y\r');
    expect(host.decisions).toMatchObject([{ id: 'id of Buy 1 MSFT' }]);
  });

  it('leaves a yes a message once it needs no answer any more', async () => {
    const { channel, host, type } = await startedAndQuiet();
    await ask(channel);
    await channel.closeApproval?.(TARGET, closedBy(requestOf('Buy 3 AAPL')));
    await type('y\r');
    expect([host.bodies, host.decisions]).toEqual([['y'], []]);
  });

  it('says so when an answer came too late', async () => {
    const { channel, host, type, screen } = await startedAndQuiet();
    host.onDecide = () => ({ outcome: 'too-late' });
    await ask(channel);
    screen.take();
    await type('y\r');
    expect(shown(screen)).toBe(`y\r\n${texts('en').approvals.tooLate()}\n${PROMPT}`);
    expect(host.bodies).toEqual([]);
  });

  it('tells the person when their decision could not be stored', async () => {
    const { channel, host, type, screen, errors } = await startedAndQuiet();
    host.onDecide = () => {
      throw new Error('disk full');
    };
    await ask(channel);
    screen.take();
    await type('y\r');
    expect(shown(screen)).toContain(texts('en').consoleNotStored());
    expect(errors()).toEqual([expect.stringContaining('disk full')]);
  });

  it('shows no prompt any more once the channel was stopped', async () => {
    const { channel, screen } = await startedAndQuiet();
    await channel.stop();
    await ask(channel);
    expect(shown(screen)).toBe(questionOf());
  });

  it('may hold nothing that gives the terminal orders', async () => {
    const { channel, screen } = await startedAndQuiet();
    await ask(channel, 'Buy \u001b[2J3 AAPL');
    expect(screen.take()).not.toContain('\u001b[2J');
  });
});

describe('what the console offers beside words', () => {
  it('shows a file as the path where it lies, below the answer', async () => {
    const { channel, screen } = await openPipe();
    const url = pathToFileURL('/data/exports/내 대화_1.md').href;
    const media = [{ kind: 'file', mimeType: 'text/markdown', name: 'finclaw.md', url } as const];
    const deliveryId = asId<DeliveryId>('delivery-1');
    const message = { deliveryId, target: TARGET, payload: { text: 'Here it is.', media } };
    await channel.send(message, new AbortController().signal);
    expect(screen.take()).toBe('Here it is.\n📎 finclaw.md: /data/exports/내 대화_1.md\n\n');
  });

  it('has one chat, which is private', async () => {
    const { channel } = await openPipe();
    expect(await channel.directTarget?.(TARGET)).toEqual(TARGET);
  });
});
