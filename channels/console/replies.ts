import { type Readable, Transform } from 'node:stream';
import type { Clock } from '#src/platform/clock.ts';

export type KeyboardInput = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (isRaw: boolean) => unknown;
};

/** What a terminal told about itself. */
export interface SixelTerminal {
  readonly protocol: 'sixel';
  /** The width of a character in pixels. */
  readonly cellWidth: number;
}

/** The size of a character, and the device attributes. Every terminal answers the second, so that its answer is the last. */
export const QUESTIONS = '\u001b[16t\u001b[c';
const SIXELS = '4';
const USUAL_CELL_WIDTH = 10;

const ANSWERS =
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  /\u001b\[(?:\?(?<attributes>[\d;]*)c|6;\d+;(?<width>\d+)t)/g;
/** The beginning of an answer, whose end is still to come. */
const BEGUN =
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  /\u001b(?:\[(?:\?[\d;]*|6?(?:;\d*){0,2})?)?$/;
/** The Escape key sends the first character of an answer. */
const HELD_MS = 100;
/** Nothing takes so long, not even a slow connection. */
const GIVE_UP_MS = 10_000;

/**
 * Takes the answers to `QUESTIONS` out of what is typed, whenever they come, so that nobody has to wait for them. All other
 * input is passed on.
 */
export const takeReplies = (input: KeyboardInput, clock: Clock) => {
  let isDone = false;
  let showsSixels = false;
  let cellWidth = USUAL_CELL_WIDTH;
  let held = '';
  let cancelHeld: (() => void) | undefined;

  const withoutAnswers = (text: string): string =>
    text.replaceAll(ANSWERS, (...found) => {
      const { attributes, width } = found.at(-1) as Record<string, string | undefined>;
      if (width !== undefined) cellWidth = Number(width) || USUAL_CELL_WIDTH;
      if (attributes !== undefined) {
        isDone = true;
        // The first number is the class of the terminal.
        showsSixels = attributes.split(';').slice(1).includes(SIXELS);
      }
      return '';
    });

  const release = (): void => {
    cancelHeld?.();
    if (held !== '') typed.push(Buffer.from(held, 'latin1'));
    held = '';
  };
  const cancelGivingUp = clock.after(GIVE_UP_MS, () => {
    isDone = true;
    release();
  });
  const stop = (): void => {
    cancelGivingUp();
    release();
  };
  const typed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      cancelHeld?.();
      // Latin-1 keeps every byte.
      const text = held + chunk.toString('latin1');
      const passed = isDone ? text : withoutAnswers(text);
      if (isDone) cancelGivingUp();
      held = isDone ? '' : (BEGUN.exec(passed)?.[0] ?? '');
      if (held !== '') cancelHeld = clock.after(HELD_MS, release);
      done(null, Buffer.from(passed.slice(0, passed.length - held.length), 'latin1'));
    },
    flush: (done) => {
      stop();
      done();
    },
  });
  input.on('error', (error) => typed.destroy(error));
  input.on('close', stop);
  input.pipe(typed);

  return {
    /** Instead of `input`. */
    typed: Object.assign(typed, { setRawMode: (isRaw: boolean) => input.setRawMode?.(isRaw) }),
    /** Undefined until the terminal has said that it shows pictures. */
    pictures: (): SixelTerminal | undefined => (showsSixels ? { protocol: 'sixel', cellWidth } : undefined),
  };
};
