import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { createConsoleChannel } from '#channels/console/adapter.ts';
import type { Call, Person, Place, PlatformKit, Said, Seen } from './driver.ts';
import { stripMentions } from '#test/support/markup.ts';

const YOU: Person = { id: 'local', name: 'you' };
const TERMINAL: Place = { id: 'terminal', kind: 'direct' };

const cannot = (what: string) => (): never => {
  throw new Error(`A terminal has no ${what}: the case needs an ability that is not there.`);
};

const NO_CALL: Call = {
  acknowledgedAfterMs: () => undefined,
  form: () => undefined,
  fillIn: cannot('forms'),
};

/** Cursor movements and clearing of lines, with which a terminal is drawn. */
const CONTROL = /\u001b\[(?:\d*[A-K]|\?(?:2004|2026)[hl])/g;
/** Begins what is shown of an answer in the making, and replaced in place. */
const FRAME = '\u001b[?2026h';

/** Every message of the bot is printed by one write that ends a line; echoes of keys and prompts are not. */
class Screen extends Writable {
  readonly isTTY = true;
  /** Wide enough for every line, so that words are found where they were written. */
  readonly columns = 2_000;
  readonly rows = 60;
  readonly messages: string[] = [];

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: Buffer | string, _encoding: string, callback: () => void): void {
    const written = chunk.toString();
    const text = written.replaceAll(CONTROL, '');
    if (!written.startsWith(FRAME) && text.endsWith('\n') && text.trim() !== '')
      this.messages.push(text.trim());
    callback();
  }
}

const seen = (text: string, index: number): Seen => ({
  id: `${index}`,
  place: TERMINAL,
  text,
  cards: 0,
  isPrivate: true,
  isUnderWay: false,
  buttons: [],
  pings: [],
  rings: [],
  files: [],
});

/** One person at a keyboard. Who is added is the same one, and sees what comes from then on. */
export const consoleKit: PlatformKit = {
  name: 'console',
  can: {
    rooms: false,
    calls: false,
    buttons: false,
    cards: false,
    replies: false,
    directThreads: false,
    threadTitles: false,
    edits: false,
    typedOptions: false,
    status: 'none',
    stream: false,
    files: true,
  },
  open: async () => {
    let screen = new Screen();
    let keyboard = new PassThrough();
    let since = 0;
    let lines = 0;
    const files = mkdtempSync(join(tmpdir(), 'finclaw-test-'));

    const type = (words: string): Said => {
      keyboard.write(`${words}\n`);
      lines += 1;
      return { id: `line ${lines}`, place: TERMINAL };
    };

    return {
      env: {},
      openChannel: async ({ clock, logger }) => {
        screen = new Screen();
        since = 0;
        keyboard = new PassThrough();
        const input = Object.assign(keyboard, { isTTY: true as const });
        const locale = undefined;
        return createConsoleChannel({
          stripMentions,
          input,
          output: screen,
          hasColour: false,
          locale,
          version: '0',
          clock,
          logger,
        });
      },
      isSetUp: () => true,
      boss: YOU,
      addPerson: () => {
        since = screen.messages.length;
        return YOU;
      },
      addRoom: cannot('rooms'),
      leave: cannot('rooms'),
      direct: () => TERMINAL,
      callIntoThread: cannot('threads'),
      openThread: cannot('threads'),
      threadOn: cannot('threads'),
      say: (_person, _place, words, { files: sent = [] } = {}) => {
        for (const { name, bytes } of sent) writeFileSync(join(files, name), bytes);
        return type([words, ...sent.map(({ name }) => `@"${join(files, name)}"`)].join(' '));
      },
      replyTo: cannot('replies'),
      edit: cannot('edits'),
      remove: cannot('edits'),
      call: (_person, _place, command, values = {}) => {
        type([`/${command}`, ...Object.values(values)].join(' '));
        return NO_CALL;
      },
      press: cannot('buttons'),
      suggestions: cannot('suggestions'),
      seenBy: () => screen.messages.slice(since).map(seen),
      statusFor: () => '',
      statusesSeen: () => [],
      offences: () => [],
      close: async () => rmSync(files, { recursive: true, force: true }),
    };
  },
};
