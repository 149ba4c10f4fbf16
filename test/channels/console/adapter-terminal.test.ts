import { describe, expect, it } from 'vitest';
import { consoleTexts } from '#channels/console/texts.ts';
import { openConsole, settle } from './support.ts';
import { CTRL_C, openTerminal, PROMPT, shown, startedAndQuiet } from './terminal-support.ts';

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;

describe('createConsoleChannel on a terminal', () => {
  it.each(['ko', 'en'] as const)(
    'welcomes in %s, says what answers, and shows the prompt',
    async (locale) => {
      const { screen } = await openTerminal({ locale });
      expect(shown(screen)).toBe(
        `${consoleTexts(locale).welcome({ version: '1.2.3' })}\n${consoleTexts(locale).offline()}\n${consoleTexts(locale).prices.sample()}\n${consoleTexts(locale).hint()}\n\n${PROMPT}`,
      );
    },
  );

  it('names the model that answers where there is one', async () => {
    const opened = openConsole({ isTTY: true });
    opened.host.model = { name: 'Claude Opus 5.5', isOffline: false };
    await opened.channel.start(opened.host);
    const welcome = shown(opened.screen);
    expect(welcome).toContain(consoleTexts('en').model({ model: 'Claude Opus 5.5' }));
    expect(welcome).not.toContain(consoleTexts('en').offline());
  });

  it('welcomes in English where the machine names no language', async () => {
    const opened = openConsole({ isTTY: true, locale: undefined });
    await opened.channel.start(opened.host);
    expect(shown(opened.screen)).toContain(consoleTexts('en').welcome({ version: '1.2.3' }));
  });

  it('writes no colour where there is none, and does where there is', async () => {
    const plain = await openTerminal({ hasColour: false });
    await plain.type('hi\r');
    await plain.answer('**bold** `code`\n```\nblock\n```');
    plain.host.settleNext();
    await settle();
    expect(shown(plain.screen)).not.toContain('\u001b');

    const coloured = await openTerminal({ hasColour: true });
    await coloured.answer('**bold**');
    expect(shown(coloured.screen)).toMatch(/\u001b\[36m› [^]*\u001b\[1mbold\u001b\[22m/);
  });

  it('sends a line when Enter is pressed', async () => {
    const { host, type } = await openTerminal();
    await type('삼성전자 얼');
    expect(host.bodies).toEqual([]);
    await type('마야?\r');
    expect(host.bodies).toEqual(['삼성전자 얼마야?']);
  });

  it('shows the prompt again below the answer', async () => {
    const { host, type, screen, answer } = await startedAndQuiet();
    await type('hi\r');
    expect(shown(screen)).toBe('hi\r\n');
    await answer('Hello!');
    expect(shown(screen)).toBe(`Hello!\n\n${PROMPT}`);
    host.settleNext();
    await settle();
    expect(shown(screen)).toBe(PROMPT);
  });

  it('shows the prompt again below an answer that nobody here waits for, as after a restart', async () => {
    const { screen, answer } = await startedAndQuiet();
    await answer('from yesterday');
    expect(shown(screen)).toBe(`from yesterday\n\n${PROMPT}`);
  });

  it('takes further lines while an answer is under way', async () => {
    const { host, type, screen } = await startedAndQuiet();
    await type('one\r');
    await type('two\r');
    expect(host.bodies).toEqual(['one', 'two']);
    screen.take();
    host.settleNext();
    await settle();
    expect(shown(screen)).toBe('');
    host.settleNext();
    await settle();
    expect(shown(screen)).toBe(PROMPT);
  });

  it('keeps what is being typed when an answer to something else arrives', async () => {
    const { host, type, answer, screen } = await startedAndQuiet();
    await type('one\r');
    await type('two\r');
    await type('half a li');
    screen.take();
    await answer('answer to one');
    expect(shown(screen)).toBe(`answer to one\n\n${PROMPT}half a li`);
    await type('ne\r');
    expect(host.bodies.at(-1)).toBe('half a line');
  });

  it('sends a paste of many lines as one message, and only when Enter is pressed', async () => {
    const { host, type } = await openTerminal();
    await type(paste('a\nb\nc'));
    expect(host.bodies).toEqual([]);
    await type('\r');
    expect(host.bodies).toEqual(['a\nb\nc']);
    await type('next\r');
    expect(host.bodies).toEqual(['a\nb\nc', 'next']);
  });

  it('puts together what is typed around pastes', async () => {
    const { host, type } = await openTerminal();
    await type('see: ');
    await type(paste('가\n나'));
    await type(' and ');
    await type(paste('다\n'));
    await type('end\r');
    expect(host.bodies).toEqual(['see: 가\n나 and 다\nend']);
  });

  it.each(['a\r\nb', 'a\rb', 'a\nb'])(
    'reads the line ends of a paste whatever they are: %j',
    async (text) => {
      const { host, type } = await openTerminal();
      await type(paste(text));
      await type('\r');
      expect(host.bodies).toEqual(['a\nb']);
    },
  );

  it('switches bracketed paste on for the chat and off behind it', async () => {
    const { screen, channel } = await openTerminal();
    expect(screen.take()).toContain('\u001b[?2004h');
    await channel.stop();
    await channel.close();
    expect(screen.take()).toContain('\u001b[?2004l');
  });

  it.each([
    ['a typed line', 'half a li'],
    ['a line with the cursor inside', 'half a li\u001b[D\u001b[D\u001b[D'],
    ['a paste', paste('a\nb\nc')],
    ['a paste that ends with a line end', paste('a\nb\n')],
  ])('throws %s away at Ctrl-C and does not end', async (_what, keys) => {
    const { host, type, screen } = await startedAndQuiet();
    await type(keys);
    await type(CTRL_C);
    expect(host.shutdowns).toBe(0);
    expect(shown(screen).endsWith(PROMPT)).toBe(true);
    await type('fresh\r');
    expect(host.bodies).toEqual(['fresh']);
  });

  it('tells the person when a message could not be stored, and shows the prompt again', async () => {
    const { host, type, screen, errors } = await startedAndQuiet();
    host.onReceive = () => Promise.reject(new Error('disk full'));
    await type('hi\r');
    expect(shown(screen)).toBe(`hi\r\n${consoleTexts('en').notStored()}\n${PROMPT}`);
    expect(errors()).toHaveLength(1);
  });

  it('shows a waiting sign that the answer takes away', async () => {
    const { host, type, screen, channel, answer } = await startedAndQuiet();
    await type('hi\r');
    screen.take();
    const [first] = host.received;
    if (first) await channel.sendTyping?.({ ...first, recipientId: first.senderId });
    expect(screen.lines.slice(-2)).toEqual(['…', PROMPT.trim()]);
    await answer('Hello!');
    expect(screen.lines).not.toContain('…');
    expect(screen.lines.slice(-3)).toEqual(['Hello!', '', PROMPT.trim()]);
  });

  it('brings a line back from the history with the arrow key', async () => {
    const { host, type } = await openTerminal();
    await type('AAPL\r');
    host.settleNext();
    await settle();
    await type('\u001b[A\r');
    expect(host.bodies).toEqual(['AAPL', 'AAPL']);
  });
});
