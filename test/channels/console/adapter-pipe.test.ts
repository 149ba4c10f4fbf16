import { describe, expect, it } from 'vitest';
import { consoleTexts } from '#channels/console/texts.ts';
import { openConsole, settle } from './support.ts';

const openPipe = (locale: 'ko' | 'en' = 'en') => openConsole({ isTTY: false, locale });

describe('createConsoleChannel on a pipe', () => {
  it('reads the next line only after the answer to the one before it', async () => {
    const { channel, host, type } = openPipe();
    await channel.start(host);
    await type('one\ntwo\nthree\n');
    expect(host.bodies).toEqual(['one']);
    host.settleNext();
    await settle();
    expect(host.bodies).toEqual(['one', 'two']);
    host.settleNext();
    await settle();
    expect(host.bodies).toEqual(['one', 'two', 'three']);
  });

  it('asks for the end after the answer to the last line, and not before', async () => {
    const { channel, host, input, type } = openPipe();
    await channel.start(host);
    await type('one\nlast');
    input.end();
    await settle();
    host.settleNext();
    await settle();
    expect(host.bodies).toEqual(['one', 'last']);
    expect(host.shutdowns).toBe(0);
    host.settleNext();
    await settle();
    expect(host.shutdowns).toBe(1);
  });

  it('asks for the end at once when there is no input', async () => {
    const { channel, host, input, screen } = openPipe();
    input.end();
    await channel.start(host);
    await settle();
    expect(host.received).toEqual([]);
    expect(host.shutdowns).toBe(1);
    expect(screen.take()).toBe('');
  });

  it.each(['ko', 'en'] as const)('says in %s which line is no text, and goes on', async (locale) => {
    const { channel, host, input, screen } = openPipe(locale);
    await channel.start(host);
    input.write(Buffer.concat([Buffer.from('\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\n애플\n')]));
    input.end();
    await settle();
    host.settleNext();
    await settle();
    expect(screen.take()).toBe(`${consoleTexts(locale).invalidUtf8({ line: 2 })}\n`);
    expect(host.bodies).toEqual(['애플']);
    host.settleNext();
    await settle();
    expect(host.shutdowns).toBe(1);
  });

  it('tells the person when a message could not be stored, logs it, and goes on', async () => {
    const { channel, host, type, screen, errors } = openPipe('ko');
    host.onReceive = () => Promise.reject(new Error('disk full'));
    await channel.start(host);
    await type('one\n');
    expect(screen.take()).toBe(`${consoleTexts('ko').notStored()}\n`);
    expect(errors()).toEqual([expect.stringContaining('disk full')]);
    host.onReceive = async () => host.accept();
    await type('two\n');
    expect(host.bodies).toEqual(['one', 'two']);
  });

  it.each([{ outcome: 'dropped', reason: 'too-long' } as const, { outcome: 'duplicate' } as const])(
    'does not wait for an answer to a message that was not taken: $outcome',
    async (receipt) => {
      const { channel, host, type } = openPipe();
      host.onReceive = async () => receipt;
      await channel.start(host);
      await type('one\ntwo\n');
      expect(host.bodies).toEqual(['one', 'two']);
    },
  );

  it('asks for the end when nobody reads the output any more', async () => {
    const { channel, host, screen, answer } = openPipe();
    await channel.start(host);
    screen.isBroken = true;
    await expect(answer('lost')).rejects.toThrow('EPIPE');
    await settle();
    expect(host.shutdowns).toBeGreaterThan(0);
  });

  it('asks for the end and logs why when the input fails', async () => {
    const { channel, host, input, errors } = openPipe();
    await channel.start(host);
    input.destroy(new Error('EIO'));
    await settle();
    expect(host.shutdowns).toBe(1);
    expect(errors()).toEqual([expect.stringContaining('EIO')]);
  });

  it('takes no line after it was stopped, but still sends the answers under way', async () => {
    const { channel, host, type, screen, answer } = openPipe();
    await channel.start(host);
    await type('one\ntwo\n');
    await channel.stop();
    expect(channel.isConnected()).toBe(false);
    await answer('the answer to one');
    host.settleNext();
    await settle();
    expect(screen.take()).toBe('the answer to one\n\n');
    expect(host.bodies).toEqual(['one']);
    expect(host.shutdowns).toBe(0);
  });

  it('logs no error and asks for nothing when the program itself ends it', async () => {
    const { channel, host, errors } = openPipe();
    await channel.start(host);
    await settle();
    await channel.stop();
    await channel.close();
    await settle();
    expect(errors()).toEqual([]);
    expect(host.shutdowns).toBe(0);
  });

  it('prints an answer as plain words, with a blank line behind it', async () => {
    const { channel, host, screen, answer } = openPipe();
    await channel.start(host);
    await answer('**삼성전자** `005930`\n_₩102,300_ \u001b[2J');
    expect(screen.take()).toBe('삼성전자 005930\n₩102,300 [2J\n\n');
  });

  it('gives every answer a message id of its own', async () => {
    const { channel, host, answer } = openPipe();
    await channel.start(host);
    const first = await answer('one');
    expect(first).toEqual({ messageId: expect.stringMatching(/./) });
    expect(await answer('two')).not.toEqual(first);
  });

  it('writes no welcome, no prompt and no waiting sign between the answers', async () => {
    const { channel, host, screen, type } = openPipe();
    await channel.start(host);
    await type('one\n');
    const [first] = host.received;
    if (first) await channel.sendTyping?.({ ...first, recipientId: first.senderId });
    expect(screen.take()).toBe('');
  });

  it('passes the language of the machine on with the message', async () => {
    const { channel, host, type } = openPipe('ko');
    await channel.start(host);
    await type('AAPL\n');
    expect(host.received[0]?.locale).toBe('ko');
  });

  it('is connected from start to stop', async () => {
    const { channel, host } = openPipe();
    expect(channel.isConnected()).toBe(false);
    await channel.start(host);
    expect(channel.isConnected()).toBe(true);
    await channel.stop();
    expect(channel.isConnected()).toBe(false);
  });

  it('lets go of the input when it is closed, so that the program can end', async () => {
    const { channel, host, input } = openPipe();
    await channel.start(host);
    await channel.stop();
    await channel.close();
    await settle();
    expect(input.destroyed).toBe(true);
  });

  it.each([
    { from: 'a keyboard', to: 'a file', isTTY: { input: true, output: false }, isKeyboard: false },
    { from: 'a pipe', to: 'a screen', isTTY: { input: false, output: true }, isKeyboard: false },
    { from: 'a keyboard', to: 'a screen', isTTY: { input: true, output: true }, isKeyboard: true },
  ])('chats with a person from $from to $to: $isKeyboard', async ({ isTTY, isKeyboard }) => {
    const { channel, host, screen, type } = openConsole({ isTTY });
    await channel.start(host);
    expect(screen.take().includes(consoleTexts('en').welcome({ version: '1.2.3' }))).toBe(isKeyboard);
    await type('one\ntwo\n');
    // Only a person may go on before the answer is there.
    expect(host.bodies).toEqual(isKeyboard ? ['one', 'two'] : ['one']);
  });
});
