import { createMediaMemory } from '#src/platform/files/media-memory.ts';
import { describe, expect, it } from 'vitest';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { tooLarge } from '#src/platform/net/read-at-most.ts';
import type { ReadPdf } from '#src/chat/pipeline/attachments/read-pdf.ts';
import { readAttachments } from '#src/chat/pipeline/attachments/read-attachments.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { gifOf, jpegOf, PIXEL, PIXEL_BASE64, pngOf, webpOf } from '#test/support/pictures.ts';

type Read = NonNullable<ChannelPlugin['readMedia']>;

const MAX_IMAGE_BYTES = 3_750_000;
const MAX_TEXT_BYTES = 60_000;

const media = (name: string, mimeType: string): MediaAttachment => ({
  kind: mimeType.startsWith('image/') ? 'image' : 'file',
  mimeType,
  name,
  url: `test:${name}`,
});
const PNG = media('a.png', 'image/png');
const TEXT = media('a.txt', 'text/plain');
const PDF = media('a.pdf', 'application/pdf');

const noPdf: ReadPdf = () => Promise.reject(new Error('no PDF is expected'));

const setUp = (readMedia: Read | undefined, readPdf = noPdf, takePicture = async () => true) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const channel: ChannelPlugin = Object.assign(new TestChannel(), readMedia ? { readMedia } : {});
  const controller = new AbortController();
  const read = (...files: readonly MediaAttachment[]) =>
    readAttachments(
      files,
      channel,
      { readPdf, takePicture, owner: 'ann', media: createMediaMemory(), clock, logger },
      controller.signal,
    );
  return { clock, records, controller, read };
};

const readAs = async (file: MediaAttachment, bytes: Uint8Array) => {
  const [attachment] = await setUp(async () => bytes).read(file);
  return attachment;
};
const sized = (bytes: number): Buffer => pngOf(1, 1, { commentBytes: bytes - PIXEL.length - 12 });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readAttachments', () => {
  it('asks nobody where nothing came with the message', async () => {
    const { read, clock } = setUp(() => Promise.reject(new Error('asked')));
    await expect(read()).resolves.toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('hands over pictures as they are, and text as text, in the order in which they came', async () => {
    const { read, clock, records } = setUp(async ({ name }) =>
      name === 'a.png' ? PIXEL : bytesOf('삼성전자,102300'),
    );
    await expect(read(PNG, TEXT)).resolves.toEqual([
      { kind: 'image', name: 'a.png', mimeType: 'image/png', base64: PIXEL_BASE64 },
      { kind: 'text', name: 'a.txt', text: '삼성전자,102300' },
    ]);
    expect(clock.pendingTimers).toBe(0);
    expect(records()).toEqual([]);
  });

  it('asks the channel for the very file, for no more than is read of it, with a signal that ends', async () => {
    const asked: unknown[] = [];
    const { read } = setUp(async (file, maxBytes, signal) => {
      asked.push(file, maxBytes, signal instanceof AbortSignal);
      return bytesOf('x');
    });
    await read(TEXT);
    expect(asked).toEqual([TEXT, 10_000_000, true]);
  });

  it.each([
    media('a', 'text/csv'),
    media('a', 'application/json'),
    media('a', 'application/json; charset=utf-8'),
    // So Windows calls it.
    media('a.csv', 'application/vnd.ms-excel'),
    media('notes.md', 'application/octet-stream'),
    media('BOOK.YAML', ''),
  ])('reads text by its type or its name: $name $mimeType', async (file) => {
    expect(await readAs(file, bytesOf('x'))).toEqual({ kind: 'text', name: file.name, text: 'x' });
  });

  it('keeps the mark of a file that the bot may have written', async () => {
    const file = { ...TEXT, isMaybeOurs: true } as const;
    expect(await readAs(file, bytesOf('x'))).toMatchObject({ text: 'x', isMaybeOurs: true });
  });

  it.each([
    [media('a.exe', 'application/octet-stream'), /^files of this kind are not read$/],
    [media('a.txt.exe', 'application/octet-stream'), /^files of this kind are not read$/],
    [media('a', 'application/jsonp-script'), /^files of this kind are not read$/],
    [media('holdings.xlsx', 'application/octet-stream'), /as CSV or PDF/],
    [media('a', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'), /as CSV or PDF/],
    [
      media('a', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
      /as PDF or plain/,
    ],
    [media('공시.hwp', 'application/octet-stream'), /as PDF or plain/],
    [{ ...media('a.mp4', 'video/mp4'), kind: 'video' } as const, /^video is not seen$/],
  ])('does not even fetch what it cannot read, and says what to do: %o', async (file, reason) => {
    const { read } = setUp(() => Promise.reject(new Error('asked')));
    await expect(read(file)).resolves.toEqual([
      { kind: 'unreadable', name: file.name, reason: expect.stringMatching(reason) as string },
    ]);
  });

  it.each([
    [PNG, MAX_IMAGE_BYTES + 1, 'the picture is too large'],
    [TEXT, 10_000_001, 'the file is too large'],
    [PDF, 10_000_001, 'the PDF is too large'],
  ])('does not fetch what is known to be too large: %o', async (file, sizeBytes, reason) => {
    const { read } = setUp(() => Promise.reject(new Error('asked')));
    await expect(read({ ...file, sizeBytes })).resolves.toMatchObject([{ kind: 'unreadable', reason }]);
  });

  it.each([PDF, media('Report.PDF', 'application/octet-stream')])(
    'has a PDF taken apart, with a signal that ends: $name',
    async (file) => {
      const signals: AbortSignal[] = [];
      const { read, clock } = setUp(
        async () => bytesOf('%PDF-'),
        async (name, bytes, signal) => {
          signals.push(signal);
          return { kind: 'text', name, text: `${bytes.length} bytes` };
        },
      );
      await expect(read(file)).resolves.toEqual([{ kind: 'text', name: file.name, text: '5 bytes' }]);
      expect(signals).toHaveLength(1);
      expect(clock.pendingTimers).toBe(0);
    },
  );

  it('says why a PDF could not be read, and reads the other files', async () => {
    const { read } = setUp(
      async ({ name }) => bytesOf(name === 'a.pdf' ? '%PDF-' : 'x'),
      () => Promise.reject(new Error('it took too long to read')),
    );
    await expect(read(PDF, TEXT)).resolves.toMatchObject([
      { kind: 'unreadable', reason: 'it took too long to read' },
      { kind: 'text' },
    ]);
  });

  it('says so where the channel hands over no files', async () => {
    await expect(setUp(undefined).read(TEXT)).resolves.toEqual([
      { kind: 'unreadable', name: 'a.txt', reason: 'this channel does not hand over files' },
    ]);
  });

  it.each([PNG, TEXT])('says of an empty file that it is empty: $name', async (file) => {
    expect(await readAs(file, new Uint8Array())).toMatchObject({ kind: 'unreadable', reason: 'it is empty' });
  });

  it('takes a picture of the largest size, and none beyond it', async () => {
    expect(await readAs(PNG, sized(MAX_IMAGE_BYTES))).toMatchObject({ kind: 'image' });
    expect(await readAs(PNG, sized(MAX_IMAGE_BYTES + 1))).toEqual({
      kind: 'unreadable',
      name: 'a.png',
      reason: 'the picture is too large',
    });
  });

  it('takes the first of many large pictures, as many as one request may carry, and all the text', async () => {
    const large = pngOf(1, 1, { commentBytes: 3_700_000 });
    const { read } = setUp(async ({ mimeType }) => (mimeType === 'image/png' ? large : bytesOf('x')));
    const files = await read(PNG, PNG, PNG, PNG, TEXT);
    expect(files.map(({ kind }) => kind)).toEqual([
      'image',
      'unreadable',
      'unreadable',
      'unreadable',
      'text',
    ]);
    expect(files[3]).toMatchObject({
      reason: 'the pictures are too large together; they can be sent smaller',
    });
  });

  it.each([
    ['a JPEG called PNG', PNG, jpegOf(2, 2), 'image/jpeg'],
    ['a PNG called text', TEXT, PIXEL, 'image/png'],
    ['a WebP called PDF', PDF, webpOf.lossy(2, 2), 'image/webp'],
    ['a GIF called HEIC', media('a.heic', 'image/heic'), gifOf(2, 2), 'image/gif'],
    ['a PNG of no type', media('a.png', 'application/octet-stream'), PIXEL, 'image/png'],
  ])('knows a picture by its bytes: %s', async (_, file, bytes, mimeType) => {
    expect(await readAs(file, bytes)).toEqual({
      kind: 'image',
      name: file.name,
      mimeType,
      base64: bytes.toString('base64'),
    });
  });

  it('reads a PDF as one, whatever it is called', async () => {
    const { read } = setUp(
      async () => bytesOf('%PDF-1.7'),
      async (name) => ({ kind: 'text', name, text: 'words' }),
    );
    for (const file of [PNG, TEXT])
      await expect(read(file)).resolves.toEqual([{ kind: 'text', name: file.name, text: 'words' }]);
  });

  it.each([
    [
      '18 bytes that are no picture',
      PNG,
      bytesOf('not a picture at a'),
      /^it is not a PNG, JPEG, GIF or WebP/,
    ],
    ['a HEIC', media('a.heic', 'image/heic'), bytesOf('\0\0\0\u0018ftypheic'), /can be sent as PNG or JPEG/],
    ['a PNG that was cut off', PNG, PIXEL.subarray(0, -12), /damaged or cut off/],
    ['9,000 pixels wide', PNG, pngOf(9_000, 1), /more than 8000 pixels on a side; it can be sent smaller/],
    ['9,000 pixels high', PNG, jpegOf(1, 9_000), /more than 8000 pixels/],
    ['an animated GIF', PNG, gifOf(2, 2, 2), /^animated pictures are not read/],
    ['a PDF that is none', PDF, bytesOf('x'), /^it is not a sound PDF$/],
  ])('hands over nothing that a provider would refuse, and says why: %s', async (_, file, bytes, reason) => {
    expect(await readAs(file, bytes)).toEqual({
      kind: 'unreadable',
      name: file.name,
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('fetches no more than 30 MB for one message, by the sizes that the platform tells', async () => {
    const { read } = setUp(async () => bytesOf('x'));
    const file = { ...TEXT, sizeBytes: 9_000_000 };
    const files = await read(file, file, file, file, TEXT);
    expect(files.map(({ kind }) => kind)).toEqual(['text', 'text', 'text', 'unreadable', 'text']);
    expect(files[3]).toMatchObject({ reason: 'the files are too large together' });
  });

  it('says that a file is too large where the channel found out', async () => {
    const { read } = setUp(() => Promise.reject(tooLarge()));
    await expect(read(PNG)).resolves.toMatchObject([{ reason: 'the picture is too large' }]);
  });

  it('cuts a long text and says how much is missing', async () => {
    expect(await readAs(TEXT, bytesOf('x'.repeat(MAX_TEXT_BYTES)))).toMatchObject({
      text: 'x'.repeat(MAX_TEXT_BYTES),
    });
    expect(await readAs(TEXT, bytesOf('x'.repeat(MAX_TEXT_BYTES + 7)))).toMatchObject({
      text: `${'x'.repeat(MAX_TEXT_BYTES)}\n[7 more bytes left out]`,
    });
  });

  it.each([
    ['UTF-8', bytesOf(`x${'가'.repeat(100_000)}`)],
    ['CP949', Buffer.concat([Buffer.from('x'), Buffer.alloc(100_000, 'b0a1', 'hex')])],
  ])('does not refuse a long text because the cut fell inside a character: %s', async (_, bytes) => {
    const attachment = await readAs(TEXT, bytes);
    expect(attachment).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/^x가+\n\[\d+ more/) as string,
    });
  });

  it.each([
    ['UTF-8 with a mark', 'efbbbfec82bcec84b1', '삼성'],
    ['UTF-16 as Windows writes it', 'fffebcc031c12c0031000d000a00', '삼성,1\r\n'],
    ['UTF-16 the other way round', 'feffc0bcc131', '삼성'],
    ['EUC-KR', 'bbefbcbac0fcc0da2c313032333030', '삼성전자,102300'],
    ['a letter that only CP949 has', '8c630a', '똠\n'],
  ])('reads %s', async (_, hex, text) => {
    expect(await readAs(TEXT, Buffer.from(hex, 'hex'))).toEqual({ kind: 'text', name: 'a.txt', text });
  });

  it.each([
    ['no charset has it', '61ff'],
    ['Western letters', '636166e920'],
    ['Korean by chance, in what is no text', 'bbef0001'],
    ['half a letter of UTF-16', 'fffebc'],
  ])('does not guess at bytes that are no text: %s', async (_, hex) => {
    expect(await readAs(TEXT, Buffer.from(hex, 'hex'))).toMatchObject({
      kind: 'unreadable',
      reason: 'it is not text in UTF-8, UTF-16 or Korean (CP949)',
    });
  });

  it('reads eight files, and names the others', async () => {
    let asked = 0;
    const { read } = setUp(async () => {
      asked += 1;
      return bytesOf('x');
    });
    const files = Array.from({ length: 10 }, (_, index) => media(`${index}.txt`, 'text/plain'));
    const attachments = await read(...files);
    expect(asked).toBe(8);
    expect(attachments.slice(7)).toEqual([
      { kind: 'text', name: '7.txt', text: 'x' },
      { kind: 'unreadable', name: '8.txt', reason: 'only 8 files at once are read' },
      { kind: 'unreadable', name: '9.txt', reason: 'only 8 files at once are read' },
    ]);
  });

  it('does without a file that cannot be had, says why, and reads the others', async () => {
    const { read, records } = setUp(async ({ name }) => {
      if (name === 'a.png') throw new Error('403 forbidden');
      return bytesOf('x');
    });
    await expect(read(PNG, TEXT)).resolves.toEqual([
      { kind: 'unreadable', name: 'a.png', reason: '403 forbidden' },
      { kind: 'text', name: 'a.txt', text: 'x' },
    ]);
    expect(records()).toMatchObject([{ level: 'warn', mimeType: 'image/png' }]);
  });

  it('does without a file that throws before it gives a promise', async () => {
    const { read } = setUp(() => {
      throw new Error('at once');
    });
    await expect(read(TEXT)).resolves.toMatchObject([{ kind: 'unreadable', reason: 'at once' }]);
  });

  it('waits fifteen seconds for a deaf channel, and tells it by the signal that time is up', async () => {
    const signals: AbortSignal[] = [];
    const { read, clock } = setUp((_file, _maxBytes, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    let isDone = false;
    const reading = read(TEXT).finally(() => {
      isDone = true;
    });
    await clock.advance(14_999);
    expect([isDone, signals[0]?.aborted]).toEqual([false, false]);
    await clock.advance(1);
    await expect(reading).resolves.toMatchObject([{ kind: 'unreadable', reason: 'it took too long' }]);
    expect(signals[0]?.aborted).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('rejects with the reason of the run when that is aborted, and logs no file for it', async () => {
    const { read, clock, controller, records } = setUp(() => new Promise(() => undefined));
    const reason = new Error('stopped by the person');
    const rejected = expect(read(PNG, TEXT)).rejects.toBe(reason);
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
    expect(records()).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
