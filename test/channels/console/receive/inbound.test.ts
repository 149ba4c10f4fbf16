import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputLine, readLines, toInboundMessage } from '#channels/console/receive/inbound.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { TERMINAL } from '#src/kernel/chat/terminal.ts';

const MEGABYTE = 1_048_576;

const read = async (chunks: readonly (Buffer | string)[]): Promise<readonly InputLine[]> => {
  const lines: InputLine[] = [];
  for await (const line of readLines(Readable.from(chunks, { objectMode: true }))) lines.push(line);
  return lines;
};

const texts = (...lines: readonly string[]): readonly InputLine[] =>
  lines.map((text) => ({ status: 'ok', text }));

/** 0xff is never part of UTF-8. */
const NOT_TEXT = Buffer.from([0x61, 0xff, 0x62]);

describe('readLines', () => {
  it('has no line for empty input', async () => {
    await expect(read([])).resolves.toEqual([]);
    await expect(read([Buffer.alloc(0)])).resolves.toEqual([]);
  });

  it('reads lines, whether or not the last one ends', async () => {
    await expect(read([Buffer.from('one\ntwo\n')])).resolves.toEqual(texts('one', 'two'));
    await expect(read([Buffer.from('one\ntwo')])).resolves.toEqual(texts('one', 'two'));
  });

  it('keeps empty lines', async () => {
    await expect(read([Buffer.from('\n\na\n\n')])).resolves.toEqual(texts('', '', 'a', ''));
  });

  it('takes the carriage return of a Windows line end off, also when it comes in another chunk', async () => {
    await expect(read([Buffer.from('one\r\ntwo\r\n')])).resolves.toEqual(texts('one', 'two'));
    await expect(read([Buffer.from('one\r'), Buffer.from('\ntwo')])).resolves.toEqual(texts('one', 'two'));
    await expect(read([Buffer.from('a\rb\n')])).resolves.toEqual(texts('a\rb'));
  });

  it('puts a character together that was cut at any byte', async () => {
    const bytes = Buffer.from('삼성전자 🙂\n애플\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const lines = await read([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(lines, `cut at ${cut}`).toEqual(texts('삼성전자 🙂', '애플'));
    }
    await expect(read([...bytes].map((byte) => Buffer.from([byte])))).resolves.toEqual(
      texts('삼성전자 🙂', '애플'),
    );
  });

  it('reads the same lines however the input is cut', async () => {
    const unit = fc.constantFrom('a', '가', '🙂', '\n', '\r\n', ' ', 'é');
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (u, at) => {
          const bytes = Buffer.from(u.join(''));
          const places = [0, ...at.map((n) => n % (bytes.length + 1)), bytes.length].toSorted(
            (a, b) => a - b,
          );
          const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
          expect(await read(chunks)).toEqual(await read([bytes]));
        },
      ),
    );
  });

  it('reports a line that is not UTF-8 with its number, and lets the others pass', async () => {
    const input = Buffer.concat([
      Buffer.from('first\n'),
      NOT_TEXT,
      Buffer.from('\nthird\n'),
      // The first half of a character, and then the line ends.
      Buffer.from('가').subarray(0, 2),
      Buffer.from('\n다섯\n'),
    ]);
    await expect(read([input])).resolves.toEqual([
      { status: 'ok', text: 'first' },
      { status: 'invalid-utf8', lineNumber: 2 },
      { status: 'ok', text: 'third' },
      { status: 'invalid-utf8', lineNumber: 4 },
      { status: 'ok', text: '다섯' },
    ]);
  });

  it('reports it also when it is the last line and has no end', async () => {
    await expect(read([NOT_TEXT])).resolves.toEqual([{ status: 'invalid-utf8', lineNumber: 1 }]);
  });

  it('takes the byte order mark off, so that a command in the first line is one', async () => {
    await expect(read([Buffer.from('\ufeff/help\n')])).resolves.toEqual(texts('/help'));
  });

  it('reads text chunks as well as bytes', async () => {
    await expect(read(['삼성', '전자\n애플'])).resolves.toEqual(texts('삼성전자', '애플'));
  });

  it('keeps one megabyte of an endless line and goes on with the next', async () => {
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    const lines = await read([...Array.from({ length: 48 }, () => chunk), Buffer.from('\nnext\n')]);
    expect(lines).toEqual(texts('x'.repeat(MEGABYTE), 'next'));
  });

  it('does not blame the sender for a character that was cut with the line', async () => {
    const [line] = await read([Buffer.from('가'.repeat(MEGABYTE))]);
    expect(line?.status).toBe('ok');
    const text = line?.status === 'ok' ? line.text : '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MEGABYTE + 3);
    expect(text.startsWith('가가가')).toBe(true);
  });
});

describe('toInboundMessage', () => {
  const clock = new ManualClock();

  it('makes a direct message of the one local user', () => {
    expect(toInboundMessage('삼성전자\n얼마야?', [], 'ko', clock)).toMatchObject({
      channelId: TERMINAL,
      chatType: 'direct',
      isFromSelf: false,
      body: '삼성전자\n얼마야?',
      locale: 'ko',
      timestamp: clock.now(),
    });
  });

  it('has no language where the machine says none', () => {
    expect(toInboundMessage('hi', [], undefined, clock)).not.toHaveProperty('locale');
  });

  it('has the files that came with it, and no field for none', () => {
    const file = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'file:///a.png' } as const;
    expect(toInboundMessage('see @a.png', [file], 'en', clock).media).toEqual([file]);
    expect(toInboundMessage('see', [], 'en', clock)).not.toHaveProperty('media');
  });

  it('makes every line an event of its own in the same chat, also of the same words', () => {
    const first = toInboundMessage('hi', [], 'en', clock);
    const second = toInboundMessage('hi', [], 'en', clock);
    expect(second.id).not.toBe(first.id);
    expect(second.messageId).not.toBe(first.messageId);
    expect([second.chatId, second.senderId]).toEqual([first.chatId, first.senderId]);
  });
});
