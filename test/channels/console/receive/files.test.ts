import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesIn, readFileOf } from '#channels/console/receive/files.ts';
import { consoleTexts } from '#channels/console/texts.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { temporaryDir } from '#test/support/database.ts';
import { openConsole } from '../support.ts';
import { openTerminal, shown, startedAndQuiet } from '../terminal-support.ts';

let dir = '';

/** A file of this test, by its whole path. */
const put = (name: string, content: string | Uint8Array = 'x'): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};

const namesIn = (text: string): readonly string[] => filesIn(text).media.map(({ name }) => name);

beforeEach(() => {
  dir = temporaryDir();
});

describe('filesIn', () => {
  it('finds a picture that is named with an @, with its kind, size and address', () => {
    const path = put('chart.png', 'twelve bytes');
    expect(filesIn(`what is in @${path} please`)).toEqual({
      media: [
        {
          kind: 'image',
          mimeType: 'image/png',
          name: 'chart.png',
          url: pathToFileURL(path).href,
          sizeBytes: 12,
        },
      ],
      missing: [],
    });
  });

  it('looks where the program was started for a name without a path', () => {
    expect(filesIn('@package.json @./README.md @no/../package.json').media).toMatchObject([
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
    expect(filesIn(`@${put(name)}`).media).toMatchObject([{ name, kind, mimeType }]);
  });

  it.each(['a.pdf', 'a.exe', 'a', '.png', 'png', 'a.svg', '.env', 'id_rsa'])(
    'leaves alone what is of no known kind: %s',
    (name) => {
      put(name);
      expect(filesIn(`@${join(dir, name)} @"${join(dir, name)}"`).media).toEqual([]);
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
    const { media } = filesIn(`@"${join(dir, '삼성전자 차트.png')}" 와 @${join(dir, '표.csv')} 비교해줘`);
    expect(media).toMatchObject([
      { kind: 'image', name: '삼성전자 차트.png', sizeBytes: 6 },
      { kind: 'file', name: '표.csv', sizeBytes: 3 },
    ]);
    const read = await Promise.all(
      media.map((file) => readFileOf(file, 100_000, new AbortController().signal)),
    );
    expect(read.map((bytes) => Buffer.from(bytes).toString())).toEqual(['차트', '표']);
  });

  it('reads names with signs that mean something in an address', async () => {
    const path = put('100% #1?.txt', 'odd');
    const [media] = filesIn(`@"${path}"`).media;
    expect(media?.name).toBe('100% #1?.txt');
    const bytes = media && (await readFileOf(media, 100_000, new AbortController().signal));
    expect(Buffer.from(bytes ?? []).toString()).toBe('odd');
  });

  it('finds several, in the order and as often as they are named, also over lines', () => {
    for (const name of ['a.png', 'b.csv', 'c.md']) put(name);
    const [a, b, c] = ['a.png', 'b.csv', 'c.md'].map((name) => `@${join(dir, name)}`);
    expect(namesIn(`${b} ${a}\n${c}\tand ${b}`)).toEqual(['b.csv', 'a.png', 'c.md', 'b.csv']);
  });

  it('leaves out what is not there and keeps the rest', () => {
    put('a.png');
    expect(namesIn(`@${join(dir, 'gone.png')} @${join(dir, 'a.png')}`)).toEqual(['a.png']);
  });

  it('takes no directory for a file, but follows a link to one', () => {
    mkdirSync(join(dir, 'pictures.png'));
    symlinkSync(put('real.png', 'four'), join(dir, 'link.png'));
    symlinkSync(join(dir, 'nowhere.png'), join(dir, 'broken.png'));
    const mentions = ['pictures.png', 'link.png', 'broken.png'].map((name) => `@${join(dir, name)}`);
    expect(filesIn(mentions.join(' ')).media).toMatchObject([{ name: 'link.png', sizeBytes: 4 }]);
  });

  it.each(['?', '.', ',', ')', ';', '!', '…', '를', '이랑', '에서', '(어제)', '"', ':'])(
    'reads a name also where %j is written directly behind it',
    (behind) => {
      const path = put('차트.png');
      expect(filesIn(`@${path}${behind} 설명해줘`)).toMatchObject({
        media: [{ name: '차트.png' }],
        missing: [],
      });
    },
  );

  it.each(['chart.png2', 'chart.pngs', 'chart.png_old', 'chart.mdx'])(
    'does not take %s for the file whose name it begins with',
    (name) => {
      put('chart.png');
      put('chart.md');
      expect(filesIn(`@${join(dir, name)}`)).toEqual({ media: [], missing: [] });
    },
  );

  it('knows ~/ as the home of the person, and any other ~ as itself', () => {
    const inHome = relative(homedir(), put('notes.md'));
    expect(filesIn(`@~/${inHome} @"~/${inHome}"`).media).toMatchObject([
      { name: 'notes.md', url: pathToFileURL(join(dir, 'notes.md')).href },
      { name: 'notes.md', url: pathToFileURL(join(dir, 'notes.md')).href },
    ]);
    const besideHome = relative(dirname(homedir()), join(dir, 'notes.md'));
    expect(namesIn(`@~x/../${besideHome} @${dir}/~/notes.md`)).toEqual([]);
  });

  it('names what is not there as it was typed, in order, and nothing that is', () => {
    put('a.png');
    mkdirSync(join(dir, 'pictures.png'));
    const [gone, there, folder] = ['gone.png', 'a.png', 'pictures.png'].map((name) => join(dir, name));
    expect(filesIn(`@${gone}를 @${there} @"no such place/b c.csv" @${folder} @~/gone.md.`)).toMatchObject({
      media: [{ name: 'a.png' }],
      missing: [gone, 'no such place/b c.csv', folder, '~/gone.md'],
    });
  });

  it.each([
    ['a name too long for a file', `${'x'.repeat(400)}.png`],
    ['a path behind a file', 'file.csv/b.png'],
    ['a name that holds no character', 'a\u0000b.png'],
  ])('does not fail over %s', (_what, name) => {
    put('file.csv');
    expect(namesIn(`@"${join(dir, name)}" hello`)).toEqual([]);
  });

  it.each(['me@PATH', '"@PATH"', 'PATH', '@ PATH', '@@PATH', '@"" PATH'])(
    'does not take %s for a file',
    (text) => {
      expect(namesIn(text.replace('PATH', put('a.png')))).toEqual([]);
    },
  );

  it('is not slowed down by what a person pastes', () => {
    for (const text of [
      '@'.repeat(200_000),
      ' @"'.repeat(60_000),
      `@"${' @'.repeat(100_000)}`,
      '@.md'.repeat(50_000),
    ])
      expect(namesIn(text)).toEqual([]);
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
    const read = await readFileOf(mediaOf(put('a.txt', bytes)), 1_000_000, signal);
    expect([...read]).toEqual([...bytes]);
  });

  it('refuses a file that is larger than asked for, and reads one of exactly that size', async () => {
    const path = put('a.txt', 'small after all');
    await expect(readFileOf(mediaOf(path, 16), 15, signal)).rejects.toThrow('it is too large');
    await expect(readFileOf(mediaOf(path, 15), 15, signal)).resolves.toHaveLength(15);
    await expect(readFileOf(mediaOf(path), 15, signal)).resolves.toHaveLength(15);
    // It has grown since it was named.
    await expect(readFileOf(mediaOf(path, 3), 14, signal)).rejects.toThrow('it is too large');
  });

  it('fails for a file that went away since it was named', async () => {
    await expect(readFileOf(mediaOf(join(dir, 'gone.txt')), 100, signal)).rejects.toThrow('ENOENT');
  });

  it('reads nothing but files of this machine', async () => {
    const media = { ...mediaOf(put('a.txt')), url: 'http://127.0.0.1:1/a.txt' };
    await expect(readFileOf(media, 100, signal)).rejects.toThrow(/file/);
  });

  it('ends when it is told to', async () => {
    const path = put('a.txt', new Uint8Array(4_000_000));
    await expect(readFileOf(mediaOf(path), 100, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    const controller = new AbortController();
    const reading = readFileOf(mediaOf(path), 100_000_000, controller.signal);
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
    const bytes = media && (await channel.readMedia?.(media, 100_000, new AbortController().signal));
    expect(Buffer.from(bytes ?? []).toString()).toBe('picture');
  });

  it('says nothing of media where no file is meant', async () => {
    const { host, type, screen } = await startedAndQuiet();
    await type('@someone and me@example.com\r');
    expect(host.received).toHaveLength(1);
    expect(host.received[0]).not.toHaveProperty('media');
    expect(shown(screen)).toBe('@someone and me@example.com\r\n');
  });

  it.each(['en', 'ko'] as const)(
    'tells the person in %s which files are not there, and sends the words and the others',
    async (locale) => {
      const { host, type, screen } = await openTerminal({ locale });
      const there = put('a.png');
      const [one, two] = [join(dir, 'gone.png'), join(dir, '표.csv')];
      screen.take();
      await type(`@${one} @${there} @${two}를 봐줘\r`);
      const told = consoleTexts(locale).filesMissing({ names: `${one}, ${two}` });
      expect(shown(screen)).toBe(`@${one} @${there} @${two}를 봐줘\r\n${told}\n`);
      expect(host.received).toMatchObject([
        { body: `@${one} @${there} @${two}를 봐줘`, media: [{ name: 'a.png' }] },
      ]);
    },
  );

  it.each([
    ['a pipe', { input: false, output: false }],
    ['a pipe that writes to a terminal', { input: false, output: true }],
    ['a terminal that writes into a file', { input: true, output: false }],
  ])('reads no file for words that come from %s', async (_what, isTTY) => {
    const path = put('chart.png');
    const { channel, host, screen, type } = openConsole({ isTTY });
    await channel.start(host);
    await type(`@${path} and @gone.png\n`);
    expect(host.bodies).toEqual([`@${path} and @gone.png`]);
    expect(host.received[0]).not.toHaveProperty('media');
    // Nor does it tell what is there and what is not.
    expect(screen.take()).toBe('');
  });
});

const named = (text: string) => {
  const dir = temporaryDir();
  for (const name of ['README.md', 'package.json', 'README.md.txt']) writeFileSync(join(dir, name), 'x');
  mkdirSync(join(dir, 'sub'));
  const { media, missing } = filesIn(text.replaceAll('DIR', dir));
  return { found: media.map(({ name }) => name), missing: missing.map((name) => name.replace(dir, 'DIR')) };
};

describe('a name with several endings', () => {
  it.each([
    ['@DIR/README.md.txt', { found: ['README.md.txt'], missing: [] }],
    ['@DIR/package.json.bak', { found: [], missing: [] }],
    ['@DIR/package.json/x.md', { found: [], missing: ['DIR/package.json/x.md'] }],
    ['@DIR/x.json.csv', { found: [], missing: ['DIR/x.json.csv'] }],
    ['look at @DIR/README.md.', { found: ['README.md'], missing: [] }],
  ])('means the whole of %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });
});

describe('a quoted word that is no name of a file', () => {
  it.each(['@"John Smith" said', '@"id_rsa"', '@"sub"'])('is an ordinary word: %s', (text) => {
    expect(named(text)).toEqual({ found: [], missing: [] });
  });
});
