import { describe, expect, it } from 'vitest';
import { FinClawError } from '#src/core/errors.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { openConsole, settle } from './support.ts';
import { CTRL_C, PROMPT, shown, startedAndQuiet } from './terminal-support.ts';

const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx';
const ARROW_UP = '\u001b[A';
const words = texts('en').keyEntry;

const added = (isSaved: boolean, locale: Locale = 'en'): string =>
  texts(locale).keyEntry.added({ provider: 'anthropic', name: 'main', masked: 'sk-…wxyz', isSaved });

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
    expect(shown(screen)).toBe(`${words.paste({ provider })}\n`);
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
    expect(said).toBe(`${words.usage().replaceAll('`', '')}\n`);
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
    expect(shown(screen)).toBe(`${words.cancelled()}\n`);
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

  it('says why a key was refused without repeating it, and goes on', async () => {
    const { host, type, screen } = await openPipe();
    host.onAddKey = () =>
      Promise.reject(new FinClawError('This cannot be a key for anthropic.', 'KEY_INVALID'));
    await type(`/keys add anthropic\n${KEY}\nhello\n`);
    expect(shown(screen)).toBe(
      `${words.paste({ provider: 'anthropic' })}\n${words.refused({ why: 'This cannot be a key for anthropic.' })}\n`,
    );
    expect(host.bodies).toEqual(['hello']);
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
    expect(asked).toBe(`/keys add anthropic\r\n${words.paste({ provider: 'anthropic' })}\n`);
    for (const character of KEY) await type(character);
    expect(screen.take()).toBe('');
    await type('\r');
    expect(shown(screen)).toBe(`\n${added(true)}\n${PROMPT}`);
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
    expect(shown(screen)).toBe(`\n${words.cancelled()}\n${PROMPT}`);
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
