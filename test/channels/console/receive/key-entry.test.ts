import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import { openConsole, settle } from '../support.ts';
import { CTRL_C, PROMPT, shown, startedAndQuiet } from '../terminal-support.ts';

const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx';
const ARROW_UP = '\u001b[A';
const t = keyEntryTexts('en');

const added = (isSaved: boolean, locale: Locale = 'en'): string =>
  keyEntryTexts(locale).added({ provider: 'anthropic', name: 'main', masked: 'sk-…wxyz', isSaved });

const openPipe = async (locale: Locale = 'en') => {
  const opened = openConsole({ isTTY: false, locale });
  await opened.channel.start(opened.host);
  return opened;
};

describe('/keys add through a pipe', () => {
  it.each([
    ['/keys add anthropic', 'anthropic'],
    ['/keys add openai', 'openai'],
    ['/KEYS  Add  OpenAI ', 'openai'],
    ['  /키 추가 anthropic', 'anthropic'],
    ['/키 add openai', 'openai'],
    ['/keys 추가 anthropic', 'anthropic'],
  ] as const)('takes the line behind %j as the key, and never as a message', async (line, provider) => {
    const { host, type, screen } = await openPipe();
    await type(`${line}\n`);
    expect(shown(screen)).toBe(`${t.paste({ provider })}\n`);
    expect(host.addedKeys).toEqual([]);
    await type(`  ${KEY} \n`);
    expect(host.addedKeys).toEqual([{ provider, key: KEY }]);
    expect(host.received).toEqual([]);
  });

  it('takes both lines when they come at once', async () => {
    const { host, type } = await openPipe();
    await type(`/keys add anthropic\n${KEY}\nhello\n`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.bodies).toEqual(['hello']);
  });

  it('takes one line only: the one behind the key is a message again', async () => {
    const { host, type } = await openPipe();
    await type(`/keys add anthropic\n${KEY}\n`);
    await type('How is Apple doing?\n');
    expect(host.addedKeys).toHaveLength(1);
    expect(host.bodies).toEqual(['How is Apple doing?']);
  });

  it.each([
    [`/keys add anthropic ${KEY}`, { provider: 'anthropic', key: KEY }],
    [`/키 추가 anthropic ${KEY}`, { provider: 'anthropic', key: KEY }],
    [`/keys add openai ${KEY}  my second key `, { provider: 'openai', key: KEY, name: 'my second key' }],
    [`/keys add openai ${KEY} 회사 키`, { provider: 'openai', key: KEY, name: '회사 키' }],
  ])('takes the key, and a name behind it, from the same line: %j', async (line, entry) => {
    const { host, type } = await openPipe();
    await type(`${line}\nhello\n`);
    expect(host.addedKeys).toEqual([entry]);
    expect(host.bodies).toEqual(['hello']);
  });

  it.each([
    '/keys add',
    '/키 추가',
    '/keys add gemini',
    `/keys add gemini ${KEY}`,
    `/keys add ${KEY}`,
    `/keys add anthropic-eu ${KEY}`,
  ])('asks which provider is meant, and waits for no key: %j', async (line) => {
    const { host, type, screen } = await openPipe();
    await type(`${line}\n`);
    const said = shown(screen);
    expect(said).toBe(`${t.usage().replaceAll('`', '')}\n`);
    expect(said).not.toContain(KEY);
    await type('hello\n');
    expect(host.addedKeys).toEqual([]);
    expect(host.bodies).toEqual(['hello']);
  });

  it.each(['', '   ', '\t'])('adds nothing when the line behind it is blank: %j', async (blank) => {
    const { host, type, screen } = await openPipe();
    await type(`/keys add anthropic\n`);
    screen.take();
    await type(`${blank}\nhello\n`);
    expect(shown(screen)).toBe(`${t.cancelled()}\n`);
    expect(host.addedKeys).toEqual([]);
    expect(host.bodies).toEqual(['hello']);
  });

  it.each(['en', 'ko'] as const)('says in %s whether the key is saved or only in memory', async (locale) => {
    for (const isSaved of [true, false]) {
      const { host, type, screen } = await openPipe(locale);
      const { onAddKey } = host;
      host.onAddKey = async (provider) => ({ ...(await onAddKey(provider)), isSaved });
      await type(`/keys add anthropic ${KEY}\n`);
      // Word for word: the underscores in the name of the variable are no markdown.
      expect(shown(screen)).toBe(`${added(isSaved, locale)}\n`);
    }
    expect(added(true, locale)).not.toBe(added(false, locale));
  });

  it.each(['en', 'ko'] as const)(
    'says in %s that this cannot be a key, without repeating it or calling it a fault, and goes on',
    async (locale) => {
      const { host, type, screen, errors } = await openPipe(locale);
      host.onAddKey = () => Promise.reject(new FinClawError('Not one, in English.', 'KEY_INVALID'));
      await type(`/keys add anthropic\n${KEY}\nhello\n`);
      const { paste, invalid } = keyEntryTexts(locale);
      const provider = 'anthropic';
      expect(shown(screen)).toBe(`${paste({ provider })}\n${invalid({ provider })}\n`);
      expect(host.bodies).toEqual(['hello']);
      expect(errors()).toEqual([]);
    },
  );

  it.each([
    ['en', new Error('disk full')],
    ['ko', new FinClawError('disk full', 'STORAGE_FAILED')],
  ] as const)(
    'says in %s that the key could not be added, leaves the cause to the log, and goes on',
    async (locale, cause) => {
      const { host, type, screen, errors } = await openPipe(locale);
      host.onAddKey = () => Promise.reject(cause);
      await type(`/keys add openai ${KEY}\nhello\n`);
      expect(shown(screen)).toBe(`${keyEntryTexts(locale).failed()}\n`);
      expect(errors()).toEqual([expect.stringContaining('disk full')]);
      expect(errors().join()).not.toContain(KEY);
      expect(host.bodies).toEqual(['hello']);
    },
  );

  it.each([
    ['decomposed Korean', `${'/키 추가'.normalize('NFD')} anthropic ${KEY}`],
    ['a zero-width space before it', `\u200b/keys add anthropic ${KEY}`],
    ['a zero-width space behind the command', `/keys\u200b add anthropic ${KEY}`],
    ['a byte order mark', `\ufeff/keys add anthropic ${KEY}`],
    ['blanks that do not break', `/keys\u00a0add\u00a0anthropic\u3000${KEY}`],
    ['tabs', `\t/keys\tadd\tanthropic\t${KEY}\u200b`],
    ['marks of direction', `/keys add anthropic \u2068${KEY}\u2069`],
  ])('recognises it also with %s, so that the key becomes no message', async (_what, line) => {
    const { host, type } = await openPipe();
    await type(`${line}\nhello\n`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.bodies).toEqual(['hello']);
  });

  it('keeps a long text behind the key from becoming its name', async () => {
    const { host, type } = await openPipe();
    await type(`/keys add anthropic ${KEY} ${'word '.repeat(500)}\n`);
    expect(host.addedKeys).toEqual([
      { provider: 'anthropic', key: KEY, name: 'word word word word word word word word' },
    ]);
  });

  it.each([
    '/keys addendum',
    '/keys',
    '/keys list',
    '/keysadd anthropic',
    'what does /keys add do?',
    '/키추가',
  ])('leaves what only looks similar a message: %j', async (line) => {
    const { host, type, screen } = await openPipe();
    await type(`${line}\n`);
    expect(host.bodies).toEqual([line]);
    expect(host.addedKeys).toEqual([]);
    expect(screen.take()).toBe('');
  });
});

/** Asked for a key on a terminal, with nothing on the screen yet. */
const askedForKey = async () => {
  const opened = await startedAndQuiet();
  await opened.type('/keys add anthropic\r');
  const asked = shown(opened.screen);
  return { ...opened, asked };
};

describe('/keys add at a keyboard', () => {
  it('shows nothing of the key while it is typed, and says below that it was added', async () => {
    const { asked, host, type, screen } = await askedForKey();
    expect(asked).toBe(`/keys add anthropic\r\n${t.paste({ provider: 'anthropic' })}\n`);
    for (const character of KEY) await type(character);
    expect(screen.take()).toBe('');
    await type('\r');
    expect(shown(screen)).toBe(`\n${added(true)}\n${PROMPT}`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.received).toEqual([]);
  });

  it.each([
    ['with the command', (keys: readonly string[]) => [keys.join('')]],
    ['key by key, faster than anything is said', (keys: readonly string[]) => Array.from(keys.join(''))],
  ])('shows nothing of a key that is typed ahead %s', async (_how, chunks) => {
    const { host, input, screen } = await startedAndQuiet();
    for (const chunk of chunks(['/keys add anthropic\r', KEY])) input.write(chunk);
    await settle();
    expect(shown(screen)).toBe(`/keys add anthropic\r\n${t.paste({ provider: 'anthropic' })}\n`);
    input.write('\r');
    await settle();
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(screen.take()).not.toContain(KEY.slice(0, 8));
  });

  it('shows nothing of it while the words before it wait for a slow screen', async () => {
    const { host, type, screen } = await startedAndQuiet();
    const { promise, resolve } = Promise.withResolvers<void>();
    const write = screen._write.bind(screen);
    screen._write = (chunk, encoding, callback) => void promise.then(() => write(chunk, encoding, callback));
    await type('/keys add anthropic\r');
    await type(`${KEY}\r`);
    resolve();
    await settle();
    expect(screen.take()).not.toContain(KEY.slice(0, 8));
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.received).toEqual([]);
  });

  it('takes a pasted command and key of two lines, and makes neither a message', async () => {
    const { host, type } = await startedAndQuiet();
    await type(`\u001b[200~/keys add anthropic\n${KEY}\n\u001b[201~\r`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.received).toEqual([]);
  });

  it('shows nothing of it either while it is corrected', async () => {
    const { host, type, screen } = await askedForKey();
    await type(`x${KEY}yz\u007f\u007f`);
    await type('\u0001\u001b[3~\u0005');
    expect(screen.take()).toBe('');
    await type('\r');
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
  });

  it.each(['', '\n', '\r\n'])('takes a pasted key, also one that ends with %j', async (end) => {
    const { host, type, screen } = await askedForKey();
    await type(`\u001b[200~${KEY}${end}\u001b[201~`);
    expect(screen.take()).toBe('');
    expect(host.addedKeys).toEqual([]);
    await type('\r');
    expect(shown(screen)).toBe(`\n${added(true)}\n${PROMPT}`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY }]);
    expect(host.received).toEqual([]);
    await type(`${ARROW_UP}${ARROW_UP}${ARROW_UP}`);
    expect(screen.take()).not.toContain(KEY);
  });

  it('shows nothing of it when an answer to something else arrives meanwhile', async () => {
    const { type, screen, answer } = await askedForKey();
    await type(KEY.slice(0, 20));
    await answer('from yesterday');
    expect(shown(screen)).toBe('from yesterday\n\n');
  });

  it('does not remember the key among the lines that the arrow key brings back', async () => {
    const { host, type, screen } = await askedForKey();
    await type(`${KEY}\r`);
    screen.take();
    await type(ARROW_UP);
    expect(shown(screen)).toBe(`${PROMPT}/keys add anthropic`);
    for (let press = 0; press < 5; press += 1) await type(ARROW_UP);
    expect(screen.take()).not.toContain(KEY);
    expect(host.received).toEqual([]);
  });

  it('keeps the lines before and behind the key', async () => {
    const { host, type } = await startedAndQuiet();
    for (const line of ['first', '/keys add anthropic', KEY, 'last']) await type(`${line}\r`);
    expect(host.bodies).toEqual(['first', 'last']);
    host.settleNext();
    host.settleNext();
    await settle();
    await type(`${ARROW_UP}${ARROW_UP}${ARROW_UP}\r`);
    await type(`${ARROW_UP}${ARROW_UP}\r`);
    expect(host.bodies).toEqual(['first', 'last', 'first', 'last']);
  });

  it('shows what is typed again behind the key', async () => {
    const { host, type, screen } = await askedForKey();
    await type(`${KEY}\r`);
    screen.take();
    await type('hi');
    expect(shown(screen)).toBe('hi');
    await type('\r');
    expect(host.bodies).toEqual(['hi']);
  });

  it('shows what is typed again when an empty line has cancelled it', async () => {
    const { host, type, screen } = await askedForKey();
    await type('\r');
    expect(shown(screen)).toBe(`\n${t.cancelled()}\n${PROMPT}`);
    await type('hi\r');
    expect(shown(screen)).toBe('hi\r\n');
    expect(host.addedKeys).toEqual([]);
    expect(host.bodies).toEqual(['hi']);
  });

  it('throws half a key away at Ctrl-C without showing or sending it', async () => {
    const { host, type, screen } = await askedForKey();
    await type(KEY.slice(0, 20));
    await type(CTRL_C);
    expect(screen.take()).not.toContain(KEY.slice(0, 5));
    expect([host.received, host.addedKeys, host.shutdowns]).toEqual([[], [], 0]);
    await type('\r');
    expect(screen.take()).not.toContain(KEY.slice(0, 5));
    expect(host.addedKeys).toEqual([]);
  });

  it('is cancelled by Ctrl-C, says so, and leaves the next line a message that is shown', async () => {
    const { host, type, screen } = await askedForKey();
    await type(CTRL_C);
    expect(shown(screen)).toBe(`^C\n${t.cancelled()}\n${PROMPT}`);
    await type('hi\r');
    expect(shown(screen)).toBe('hi\r\n');
    expect(host.bodies).toEqual(['hi']);
    expect([host.addedKeys, host.shutdowns]).toEqual([[], 0]);
  });

  it.each([
    ['typed', KEY],
    ['pasted', `\u001b[200~${KEY}\u001b[201~`],
    ['pasted with its line end', `\u001b[200~${KEY}\n\u001b[201~`],
    ['half pasted', `\u001b[200~${KEY}\n${KEY}`],
    ['typed, with the cursor moved into it', `${KEY}\u001b[D\u001b[D\u001b[D\u001b[D`],
  ])('gives a key that was %s back to no key press behind Ctrl-C', async (_how, keys) => {
    const { host, type, screen } = await askedForKey();
    await type(keys);
    await type(CTRL_C);
    // Yank, the next yank, undo, redo, the lines before: all that brings text back.
    for (const press of ['\u0019', '\u001by', '\u001f', '\u001e', ARROW_UP, ARROW_UP]) await type(press);
    expect(screen.take()).not.toMatch(/sk-ant|[A-Z][a-z][A-Z][a-z]/);
    await type('\u0005\u0015hi\r');
    expect(host.bodies).toEqual(['hi']);
    expect(host.addedKeys).toEqual([]);
  });

  it('can be asked for again behind Ctrl-C', async () => {
    const { host, type, screen } = await askedForKey();
    await type(`${KEY.slice(0, 9)}${CTRL_C}`);
    await type('/keys add openai\r');
    screen.take();
    await type(KEY);
    expect(screen.take()).toBe('');
    await type('\r');
    expect(host.addedKeys).toEqual([{ provider: 'openai', key: KEY }]);
  });

  it('is all that Ctrl-C ends: the answer under way goes on, and the next Ctrl-C stops that', async () => {
    const { host, type } = await startedAndQuiet();
    await type('a question\r');
    await type(`/keys add anthropic\r${KEY.slice(0, 9)}`);
    await type(CTRL_C);
    expect([host.stopped, host.shutdowns]).toEqual([[], 0]);
    await type(CTRL_C);
    expect([host.stopped, host.shutdowns]).toEqual([['session-1'], 0]);
  });

  it('takes a key in the line of the command itself, too', async () => {
    const { host, type, screen } = await startedAndQuiet();
    await type(`/keys add anthropic ${KEY} work\r`);
    expect(host.addedKeys).toEqual([{ provider: 'anthropic', key: KEY, name: 'work' }]);
    expect(host.received).toEqual([]);
    screen.take();
    await type('hi\r');
    expect(shown(screen)).toBe('hi\r\n');
  });
});
