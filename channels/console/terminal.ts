import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface TerminalHandlers {
  /** A message is one line, or all lines of a paste and what was typed after it. */
  readonly onMessage: (text: string) => void;
  /** A line was ended, by hand or within a paste. `shown` is what stands on the screen. */
  readonly onEntered: (shown: string) => void;
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** Ctrl-D, or the terminal was closed. */
  readonly onEnd: () => void;
  /** What replaces the end of the line at Tab, and that end. Never rejects. */
  readonly complete: (line: string) => Promise<{ readonly typed: string; readonly by: string | undefined }>;
}

export type Terminal = ReturnType<typeof openTerminal>;

const PASTE_MODE_ON = '\u001b[?2004h';
const PASTE_MODE_OFF = '\u001b[?2004l';

/** What readline takes: the possible ends of the line, and what they replace. */
type Completed = (error: null, result: [string[], string]) => void;

interface Key {
  readonly name?: string;
}

/** The same output, silent while a secret is typed. */
const mutable = (output: Writable, isMuted: () => boolean): Writable =>
  new Proxy(output, {
    get: (target, name) => {
      if (name === 'write' && isMuted()) return () => true;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/** Line editing with history. A pasted text is one message, sent when Enter is pressed by hand. */
export const openTerminal = (
  input: Readable,
  output: Writable,
  promptText: string,
  handlers: TerminalHandlers,
) => {
  let isHidden = false;
  let isDiscarding = false;
  let isPasting = false;
  let isOpen = true;
  let pasted: string[] = [];
  const complete = async (line: string, done: Completed): Promise<void> => {
    const isCommand = !isHidden && pasted.length === 0;
    const { typed, by } = isCommand ? await handlers.complete(line) : { typed: line, by: undefined };
    // readline throws after it was closed.
    if (isOpen) done(null, [by === undefined ? [] : [by], typed]);
  };
  const lines: Interface & { isCompletionEnabled?: boolean } = createInterface({
    input,
    output: mutable(output, () => isHidden),
    terminal: true,
    prompt: promptText,
    historySize: 200,
    completer: (line: string, done: Completed) => void complete(line, done),
  });

  output.write(PASTE_MODE_ON);
  input.on('keypress', (_text: unknown, key: Key | undefined) => {
    if (key?.name === 'paste-start') isPasting = true;
    if (key?.name === 'paste-end') isPasting = false;
    // The tabs of pasted rows are part of them.
    lines.isCompletionEnabled = !isPasting;
  });
  lines.on('history', (history) => {
    if (isHidden) history.shift();
  });
  lines.on('line', (line) => {
    if (isDiscarding) return;
    pasted.push(line);
    if (!isHidden) handlers.onEntered(promptText + line);
    if (isPasting) return;
    if (isHidden) {
      isHidden = false;
      output.write('\n');
      handlers.onEntered('');
    }
    const text = pasted.join('\n');
    pasted = [];
    handlers.onMessage(text);
  });
  lines.on('SIGINT', () => {
    if (isHidden) {
      // The line is ended and discarded; if it were only cleared, a key could bring it back.
      isDiscarding = true;
      lines.write(null, { name: 'enter' });
      isDiscarding = false;
      isHidden = false;
      pasted = [];
      isPasting = false;
      output.write('^C\n');
      handlers.onEntered('^C');
      handlers.onInterrupt();
      return;
    }
    if (lines.line === '' && pasted.length === 0) {
      handlers.onInterrupt();
      return;
    }
    const cleared = `${promptText}${lines.line}^C`;
    pasted = [];
    isPasting = false;
    lines.write(null, { ctrl: true, name: 'e' });
    // Clearing the line begins as many rows above as it had, so that the rows of the old one stay.
    output.write(`^C\n${'\n'.repeat(lines.getCursorPos().rows)}`);
    lines.write(null, { ctrl: true, name: 'u' });
    handlers.onEntered(cleared);
    lines.prompt();
  });
  lines.on('close', () => {
    isOpen = false;
    output.write(PASTE_MODE_OFF);
    handlers.onEnd();
  });

  return {
    // An answer may arrive after Ctrl-D, and readline throws after it was closed.
    prompt: () => {
      if (isOpen) lines.prompt(true);
    },
    /** The rows of the typed line above the cursor. */
    rowsAbove: (): number => (isHidden ? 0 : lines.getCursorPos().rows),
    /** Keeps the next line out of the display and the history. */
    hideNextLine: () => {
      isHidden = true;
    },
    close: () => lines.close(),
  };
};
