import { describe, expect, it } from 'vitest';
import { createReadPdf } from '#src/chat/pipeline/attachments/read-pdf.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { pdfBomb, pdfOf } from '#test/support/pdf.ts';

const setUp = () => {
  const clock = new ManualClock();
  const readPdf = createReadPdf({ clock })('ann');
  const controller = new AbortController();
  const read = (bytes: Uint8Array) => readPdf('a.pdf', bytes, controller.signal);
  return { clock, controller, read };
};

describe('readPdf', () => {
  // More than may be read at once: each leaves its place to the next.
  const { read } = setUp();

  it('gives the words page by page, line by line, and leaves no timer behind', async () => {
    const { read: readOne, clock } = setUp();
    await expect(readOne(pdfOf(['Revenue (2025)\n302,231', '', 'Notes']))).resolves.toEqual({
      kind: 'text',
      name: 'a.pdf',
      text: '[page 1]\nRevenue (2025)\n302,231\n\n[page 2: no text]\n\n[page 3]\nNotes',
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not let the files of one person keep those of another waiting', async () => {
    const readPdfOf = createReadPdf({ clock: new ManualClock() });
    const { signal } = new AbortController();
    const ended: string[] = [];
    const readBy = async (owner: string, name: string): Promise<void> => {
      await readPdfOf(owner)(name, pdfOf(['x']), signal);
      ended.push(name);
    };
    const names = ['a1', 'a2', 'a3', 'a4', 'a5'];
    await Promise.all([...names.map((name) => readBy('ann', name)), readBy('bob', 'b1')]);
    expect(ended.indexOf('b1')).toBeLessThan(3);
  });

  it.each([
    ['is only pictures of its pages', pdfOf(['', '']), /no text, only pictures/],
    ['has letters that nothing explains', pdfOf(['abcd'], { isOldKorean: true }), /old encoding/],
    ['is locked with a password', pdfOf(['x'], { isLocked: true }), /locked with a password/],
    ['is broken', new TextEncoder().encode('%PDF-1.7\nx'), /not a sound PDF/],
    ['unpacks to more than memory is given for', pdfBomb(70_000_000), /unpacks to more/],
  ])('says so where a file %s', async (_, bytes, reason) => {
    await expect(read(bytes)).resolves.toEqual({
      kind: 'unreadable',
      name: 'a.pdf',
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('reads the first pages of many, and says how many are left out', async () => {
    const file = await read(pdfOf(Array.from({ length: 53 }, (_, index) => `This is ${index + 1}.`)));
    const text = file.kind === 'text' ? file.text : '';
    expect(text).toContain('[page 50]\nThis is 50.');
    expect(text).not.toContain('This is 51.');
    expect(text).toMatch(/\n\[pages 51 to 53 are left out\]$/);
  });

  it('stops in the middle of a page that is too long', async () => {
    const line = 'x'.repeat(1_000);
    const file = await read(pdfOf(['First.', Array(61).fill(line).join('\n'), 'Last.']));
    const text = file.kind === 'text' ? file.text : '';
    expect(text.length).toBeGreaterThan(60_000);
    expect(text.length).toBeLessThan(60_200);
    expect(text).toMatch(/x\n\n\[the rest of page 2 is left out\]\n\n\[pages 3 to 3 are left out\]$/);
  });

  it('ends a file that keeps its parser busy when its time is up', async () => {
    const { read: readOne, clock } = setUp();
    const rejected = expect(readOne(pdfOf(['x']))).rejects.toThrow('it took too long to read');
    await clock.advance(8_000);
    await rejected;
    expect(clock.pendingTimers).toBe(0);
  });

  it('rejects with the reason of the run when that is aborted, also for those that wait', async () => {
    const { read: readOne, controller, clock } = setUp();
    const reason = new Error('stopped by the person');
    const rejected = expect(Promise.all([1, 2, 3].map(() => readOne(pdfOf(['x']))))).rejects.toBe(reason);
    controller.abort(reason);
    await rejected;
    expect(clock.pendingTimers).toBe(0);
  });
});
