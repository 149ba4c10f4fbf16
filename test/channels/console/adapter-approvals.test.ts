import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { type ApprovalId, asId, type DeliveryId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { openConsole, settle } from './support.ts';
import { CTRL_C, PROMPT, shown, startedAndQuiet } from './terminal-support.ts';

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
  askedAt: ANY_TIME,
  expiresAt: ANY_TIME,
  isRepeated: false,
});

const ask = (channel: Console['channel'], summary = 'Buy 3 AAPL'): Promise<unknown> | undefined =>
  channel.requestApproval?.(TARGET, requestOf(summary));

/** What stands on the screen for a question; the console shows no styles here. */
const questionOf = (summary = 'Buy 3 AAPL'): string => {
  const t = approvalTexts('en');
  const question = t.ask({
    summary,
    why: 'It changes something.',
    minutes: 10,
    requester: undefined,
    isRepeated: false,
  });
  return `${question}\n${t.yesNo()}\n\n`.replaceAll(/\*\*|(?<!\w)_|_(?!\w)/g, '');
};

const openPipe = async (): Promise<Console> => {
  const opened = openConsole({ isTTY: false });
  await opened.channel.start(opened.host);
  return opened;
};

describe('a question in the pipe', () => {
  it('is printed, and the next line goes the way of all lines: the gateway knows that it is an answer', async () => {
    const { channel, host, type, screen } = await openPipe();
    await ask(channel);
    expect(screen.take()).toBe(questionOf());
    await type('y\n');
    expect(host.bodies).toEqual(['y']);
  });

  it('leaves any other line a message', async () => {
    const { channel, host, type } = await openPipe();
    await ask(channel);
    await type('How is Apple?\n');
    expect(host.bodies).toEqual(['How is Apple?']);
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

  it('shows no prompt any more once the channel was stopped', async () => {
    const { channel, screen } = await startedAndQuiet();
    await channel.stop();
    await ask(channel);
    expect(shown(screen)).toBe(questionOf());
  });

  it('shows no escape sequence of the question', async () => {
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

  it('shows a file on the web as its address', async () => {
    const { channel, screen } = await openPipe();
    const url = 'https://example.com/c.png';
    const media = [{ kind: 'image', mimeType: 'image/png', name: 'chart.png', url } as const];
    const message = {
      deliveryId: asId<DeliveryId>('d'),
      target: TARGET,
      payload: { text: 'Here.', media },
    };
    await channel.send(message, new AbortController().signal);
    expect(screen.take()).toContain(url);
  });

  it('has one chat, which is private', async () => {
    const { channel } = await openPipe();
    expect(await channel.directTarget?.(TARGET)).toEqual(TARGET);
  });
});

/** A terminal on which a question stands. */
const asked = async (): Promise<Console> => {
  const opened = await startedAndQuiet();
  await ask(opened.channel);
  opened.screen.take();
  return opened;
};

describe('Ctrl-C while a question waits', () => {
  const WARNING = 'A question is still waiting for your answer: Buy 3 AAPL';

  it('says that it waits, and ends only at the second one', async () => {
    const { host, type, screen } = await asked();
    await type(CTRL_C);
    expect(shown(screen)).toContain(WARNING);
    expect(host.shutdowns).toBe(0);
    await type(CTRL_C);
    expect(host.shutdowns).toBe(1);
  });

  it('says it again after something else was typed', async () => {
    const { host, type, screen } = await asked();
    await type(CTRL_C);
    await type('wait\r');
    host.settleNext();
    await settle();
    screen.take();
    await type(CTRL_C);
    expect(shown(screen)).toContain(WARNING);
    expect(host.shutdowns).toBe(0);
  });

  it('ends at once when the question was decided, or its time was up', async () => {
    const decided = await asked();
    const request = requestOf('Buy 3 AAPL');
    await decided.channel.closeApproval?.(TARGET, {
      id: request.id,
      request,
      verdict: 'denied',
      at: ANY_TIME,
    });
    await decided.type(CTRL_C);
    expect(decided.host.shutdowns).toBe(1);

    const late = await asked();
    await late.clock.advance(60 * 60_000);
    await late.type(CTRL_C);
    expect(late.host.shutdowns).toBe(1);
  });
});
