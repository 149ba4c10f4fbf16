import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consoleTexts } from '#channels/console/texts.ts';
import { settle } from './support.ts';
import { CTRL_C, CTRL_D, openTerminal, shown, startedAndQuiet } from './terminal-support.ts';

const GOODBYE = `${consoleTexts('en').goodbye()}\n`;

describe('createConsoleChannel at Ctrl-C', () => {
  it('stops the answer under way at Ctrl-C and goes on', async () => {
    const { host, type, screen } = await openTerminal();
    await type('long question\r');
    await type(CTRL_C);
    expect(host.stopped).toEqual(['session-1']);
    expect(host.shutdowns).toBe(0);
    host.settleNext();
    await settle();
    screen.take();
    await type('next\r');
    expect(host.bodies).toEqual(['long question', 'next']);
  });

  it('does not stop the answer under way by a Ctrl-C that throws a typed line away', async () => {
    const { host, type } = await openTerminal();
    await type('question\r');
    await type('half');
    await type(CTRL_C);
    expect(host.stopped).toEqual([]);
    await type(CTRL_C);
    expect(host.stopped).toEqual(['session-1']);
  });

  it('does not end while the first message is still being stored', async () => {
    const { host, type } = await openTerminal();
    const storing = Promise.withResolvers<void>();
    host.onReceive = async () => {
      await storing.promise;
      return host.accept();
    };
    await type('x\r');
    await type(CTRL_C);
    storing.resolve();
    await settle();
    host.settleNext();
    await settle();
    expect(host.shutdowns).toBe(0);
  });

  it('ends at a second one while the first has not stopped the answer yet', async () => {
    const { host, type, screen } = await startedAndQuiet();
    host.onStop = () => new Promise(() => undefined);
    await type('question\r');
    await type(CTRL_C);
    expect(host.shutdowns).toBe(0);
    await type(CTRL_C);
    expect(host.stopped).toHaveLength(1);
    expect(host.shutdowns).toBe(1);
    screen.take();
  });

  it('goes on where an answer could not be stopped, and notes why', async () => {
    const { host, type, errors } = await startedAndQuiet();
    host.onStop = async () => {
      throw new Error('The database is away');
    };
    await type('question\r');
    await type(CTRL_C);
    expect(errors()).toEqual([expect.stringContaining('Could not stop an answer')]);
    expect(host.shutdowns).toBe(0);
    await type(CTRL_C);
    expect(host.stopped).toHaveLength(2);
  });

  it('ends when there is no answer to stop, only a command under way', async () => {
    const { host, type, screen } = await startedAndQuiet();
    host.onStop = async () => 'idle';
    await type('/price AAPL\r');
    await type(CTRL_C);
    await settle();
    expect(host.shutdowns).toBe(1);
    screen.take();
  });

  it('stops the next answer too, after one that was stopped', async () => {
    const { host, type } = await openTerminal();
    for (const question of ['one\r', 'two\r']) {
      await type(question);
      await type(CTRL_C);
      host.settleNext();
      await settle();
    }
    expect(host.stopped).toHaveLength(2);
    expect(host.shutdowns).toBe(0);
  });
});

describe('createConsoleChannel at its end', () => {
  it.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ])('says goodbye at %s when nothing is under way, and asks for the end once', async (_key, bytes) => {
    const { host, type, screen, channel } = await startedAndQuiet();
    await type(bytes);
    expect(shown(screen)).toContain(`${consoleTexts('en').goodbye()}\n`);
    expect(host.shutdowns).toBe(1);
    await channel.stop();
    await channel.close();
    await settle();
    expect(host.shutdowns).toBe(1);
  });

  it('ends after an answer that was stopped, at the second Ctrl-C', async () => {
    const { host, type } = await openTerminal();
    await type('question\r');
    await type(CTRL_C);
    host.settleNext();
    await settle();
    await type(CTRL_C);
    expect(host.stopped).toHaveLength(1);
    expect(host.shutdowns).toBe(1);
  });

  it('does not take Ctrl-D in a typed line for the end', async () => {
    const { host, type } = await openTerminal();
    await type('abc');
    await type(CTRL_D);
    expect(host.shutdowns).toBe(0);
    await type('\r');
    expect(host.bodies).toEqual(['abc']);
  });

  it('says nothing and asks for nothing when the program itself ends it', async () => {
    const { host, channel, screen } = await startedAndQuiet();
    await channel.stop();
    await channel.close();
    await settle();
    expect(shown(screen)).toBe('');
    expect(host.shutdowns).toBe(0);
  });

  it('ends when the terminal goes away', async () => {
    const { host, input } = await openTerminal();
    input.end();
    await settle();
    expect(host.shutdowns).toBe(1);
  });

  it('waits at Ctrl-D for the answer under way, shows it once, says goodbye and ends', async () => {
    const { host, type, screen, answer } = await openTerminal();
    await type('question\r');
    await type(CTRL_D);
    expect(host.shutdowns).toBe(0);
    screen.take();
    await answer('the answer');
    host.settleNext();
    await settle();
    expect(shown(screen)).toBe(`the answer\n\n${GOODBYE}`);
    expect(host.shutdowns).toBe(1);
  });

  it('does not receive a line that is typed after it was stopped', async () => {
    const { channel, host, type } = await openTerminal();
    await channel.stop();
    await type('too late\r');
    expect(host.bodies).toEqual([]);
  });
});

describe('createConsoleChannel on a terminal that is gone', () => {
  let unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => {
    unhandled = [];
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
  });

  it('ends when goodbye cannot be said', async () => {
    const { host, type, screen } = await openTerminal();
    screen.isBroken = true;
    await type(CTRL_D);
    await settle();
    expect(host.shutdowns).toBeGreaterThan(0);
    expect(unhandled).toEqual([]);
  });

  it('ends when the person cannot be told that a message was not stored', async () => {
    const { host, type, screen, errors } = await openTerminal();
    host.onReceive = () => {
      screen.isBroken = true;
      return Promise.reject(new Error('disk full'));
    };
    await type('x\r');
    await settle();
    expect(host.shutdowns).toBeGreaterThan(0);
    expect(errors()).toEqual([expect.stringContaining('disk full')]);
    expect(unhandled).toEqual([]);
  });
});
