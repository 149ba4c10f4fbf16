import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import { filesIn, readFileOf } from '#channels/console/files.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import { recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { openConsole, Screen, settle } from './support.ts';
import { openTerminal } from './terminal-support.ts';

let dir = '';

/** A file of this test, by its whole path. */
const put = (name: string, content: string | Uint8Array = 'x'): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};

const namesIn = (text: string): readonly string[] => filesIn(text).map(({ name }) => name);

beforeEach(() => {
  dir = temporaryDir();
});

describe('filesIn', () => {
  it('finds a picture that is named with an @, with its kind, size and address', () => {
    const path = put('chart.png', 'twelve bytes');
    expect(filesIn(`what is in @${path} please`)).toEqual([
      {
        kind: 'image',
        mimeType: 'image/png',
        name: 'chart.png',
        url: pathToFileURL(path).href,
        sizeBytes: 12,
      },
    ]);
  });

  it('looks where the program was started for a name without a path', () => {
    expect(filesIn('@package.json @./README.md @no/../package.json')).toMatchObject([
      { name: 'package.json', url: pathToFileURL('package.json').href },
      { name: 'README.md', url: pathToFileURL('README.md').href },
      { name: 'package.json', url: pathToFileURL('package.json').href },
    ]);
  });

  it.each([
    ['a.png', 'image', 'image/png'],
    ['a.jpg', 'image', 'image/jpeg'],
    ['a.JPEG', 'image', 'image/jpeg'],
    ['a.gif', 'image', 'image/gif'],
    ['a.WebP', 'image', 'image/webp'],
    ['a.txt', 'file', 'text/plain'],
    ['a.md', 'file', 'text/markdown'],
    ['a.tar.csv', 'file', 'text/csv'],
    ['a.json', 'file', 'application/json'],
  ])('knows %s as %s of the type %s', (name, kind, mimeType) => {
    expect(filesIn(`@${put(name)}`)).toMatchObject([{ name, kind, mimeType }]);
  });

  it.each(['a.pdf', 'a.exe', 'a', '.png', 'png', 'a.svg', '.env', 'id_rsa'])(
    'leaves alone what is of no known kind: %s',
    (name) => {
      put(name);
      expect(filesIn(`@${join(dir, name)} @"${join(dir, name)}"`)).toEqual([]);
    },
  );

  it('reads a name with blanks in quotes, and only up to the quote', () => {
    put('my new chart.png');
    expect(namesIn(`look: @"${join(dir, 'my new chart.png')}" and tell`)).toEqual(['my new chart.png']);
    expect(namesIn(`look: @${join(dir, 'my new chart.png')} and tell`)).toEqual([]);
    expect(namesIn(`an open quote: @"${join(dir, 'my new chart.png')}`)).toEqual([]);
  });

  it('reads names in Korean, and gives an address that leads back to them', async () => {
    put('삼성전자 차트.png', '차트');
    put('표.csv', '표');
    const found = filesIn(`@"${join(dir, '삼성전자 차트.png')}" 와 @${join(dir, '표.csv')} 비교해줘`);
    expect(found).toMatchObject([
      { kind: 'image', name: '삼성전자 차트.png', sizeBytes: 6 },
      { kind: 'file', name: '표.csv', sizeBytes: 3 },
    ]);
    const read = await Promise.all(found.map((media) => readFileOf(media, new AbortController().signal)));
    expect(read.map((bytes) => Buffer.from(bytes).toString())).toEqual(['차트', '표']);
  });

  it('reads names with signs that mean something in an address', async () => {
    const path = put('100% #1?.txt', 'odd');
    const [media] = filesIn(`@"${path}"`);
    expect(media?.name).toBe('100% #1?.txt');
    const bytes = media && (await readFileOf(media, new AbortController().signal));
    expect(Buffer.from(bytes ?? []).toString()).toBe('odd');
  });

  it('finds several, in the order and as often as they are named, also over lines', () => {
    for (const name of ['a.png', 'b.csv', 'c.md']) put(name);
    const [a, b, c] = ['a.png', 'b.csv', 'c.md'].map((name) => `@${join(dir, name)}`);
    expect(namesIn(`${b} ${a}\n${c}\tand ${b}`)).toEqual(['b.csv', 'a.png', 'c.md', 'b.csv']);
  });

  it('leaves out what is not there and keeps the rest', () => {
    put('a.png');
    expect(namesIn(`@${join(dir, 'gone.png')} @${join(dir, 'a.png')} @${join(dir, 'a.png/b.png')}`)).toEqual([
      'a.png',
    ]);
  });

  it('takes no directory for a file, but follows a link to one', () => {
    mkdirSync(join(dir, 'pictures.png'));
    symlinkSync(put('real.png', 'four'), join(dir, 'link.png'));
    symlinkSync(join(dir, 'nowhere.png'), join(dir, 'broken.png'));
    const mentions = ['pictures.png', 'link.png', 'broken.png'].map((name) => `@${join(dir, name)}`);
    expect(filesIn(mentions.join(' '))).toMatchObject([{ name: 'link.png', sizeBytes: 4 }]);
  });

  it.each(['me@PATH', '"@PATH"', 'PATH', '@ PATH', '@@PATH', '@"" PATH'])(
    'does not take %s for a file',
    (text) => {
      expect(filesIn(text.replace('PATH', put('a.png')))).toEqual([]);
    },
  );

  it('is not slowed down by what a person pastes', () => {
    for (const text of ['@'.repeat(200_000), ' @"'.repeat(60_000), `@"${' @'.repeat(100_000)}`])
      expect(filesIn(text)).toEqual([]);
  });
});

const mediaOf = (path: string, sizeBytes?: number): MediaAttachment => ({
  kind: 'file',
  mimeType: 'text/plain',
  name: 'a.txt',
  url: pathToFileURL(path).href,
  ...(sizeBytes === undefined ? {} : { sizeBytes }),
});

describe('readFileOf', () => {
  const { signal } = new AbortController();

  it('gives the bytes as they are', async () => {
    const bytes = Uint8Array.from([0, 255, 13, 10, 0xed, 0xa0, 0x80]);
    const read = await readFileOf(mediaOf(put('a.txt', bytes)), signal);
    expect([...read]).toEqual([...bytes]);
  });

  it('refuses a file of more than 20 MB, and reads one of exactly that', async () => {
    const path = put('a.txt', 'small after all');
    await expect(readFileOf(mediaOf(path, 20_000_001), signal)).rejects.toThrow('it is too large');
    await expect(readFileOf(mediaOf(path, 20_000_000), signal)).resolves.toHaveLength(15);
    await expect(readFileOf(mediaOf(path), signal)).resolves.toHaveLength(15);
  });

  it('fails for a file that went away since it was named', async () => {
    await expect(readFileOf(mediaOf(join(dir, 'gone.txt')), signal)).rejects.toThrow('ENOENT');
  });

  it('reads nothing but files of this machine', async () => {
    const media = { ...mediaOf(put('a.txt')), url: 'http://127.0.0.1:1/a.txt' };
    await expect(readFileOf(media, signal)).rejects.toThrow(/file/);
  });

  it('ends when it is told to', async () => {
    const path = put('a.txt', new Uint8Array(4_000_000));
    await expect(readFileOf(mediaOf(path), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    const controller = new AbortController();
    const reading = readFileOf(mediaOf(path), controller.signal);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the console channel with files', () => {
  it('hands over the files that a person at the keyboard names, and the words as they were typed', async () => {
    const path = put('차트.png', 'picture');
    const { channel, host, type } = await openTerminal();
    await type(`@${path} 어때?\r`);
    const [message] = host.received;
    expect(message).toMatchObject({ body: `@${path} 어때?`, media: [{ kind: 'image', name: '차트.png' }] });
    const [media] = message?.media ?? [];
    const bytes = media && (await channel.readMedia?.(media, new AbortController().signal));
    expect(Buffer.from(bytes ?? []).toString()).toBe('picture');
  });

  it('says nothing of media where no file is meant', async () => {
    const { host, type } = await openTerminal();
    await type(`@${join(dir, 'gone.png')} and @someone\r`);
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).not.toHaveProperty('media');
  });

  it.each([
    ['a pipe', false, false],
    ['a pipe that writes to a terminal', false, true],
    ['a terminal that writes into a file', true, false],
  ])('reads no file for words that come from %s', async (_what, isInputTTY, isOutputTTY) => {
    const path = put('chart.png');
    const { host } = openConsole({ isTTY: false });
    const input = Object.assign(new PassThrough(), { isTTY: isInputTTY });
    const channel = createConsoleChannel({
      input,
      output: new Screen(isOutputTTY),
      hasColour: false,
      locale: 'en',
      version: '1.2.3',
      clock: new ManualClock(),
      logger: recordingLogger().logger,
    });
    onTestFinished(() => channel.close());
    await channel.start(host);
    input.write(`@${path} what is this?\n`);
    await settle();
    expect(host.bodies).toEqual([`@${path} what is this?`]);
    expect(host.received[0]).not.toHaveProperty('media');
  });
});
