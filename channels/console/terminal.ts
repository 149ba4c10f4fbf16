import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface TerminalHandlers {
  /** A message is one line, or all lines of a paste and what was typed after it. */
  readonly onMessage: (text: string) => void;
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** Ctrl-D, or the terminal was closed. */
  readonly onEnd: () => void;
}

export interface Terminal {
  readonly prompt: () => void;
  /** Keeps the next line out of the display and the history. */
  readonly hideNextLine: () => void;
  readonly close: () => void;
}

const PASTE_MODE_ON = '\u001b[?2004h';
const PASTE_MODE_OFF = '\u001b[?2004l';

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
): Terminal => {
  let isHidden = false;
  let isDiscarding = false;
  const lines: Interface = createInterface({
    input,
    output: mutable(output, () => isHidden),
    terminal: true,
    prompt: promptText,
    historySize: 200,
  });
  let isPasting = false;
  let isOpen = true;
  let pasted: string[] = [];

  output.write(PASTE_MODE_ON);
  input.on('keypress', (_text: unknown, key: Key | undefined) => {
    if (key?.name === 'paste-start') isPasting = true;
    if (key?.name === 'paste-end') isPasting = false;
  });
  lines.on('history', (history) => {
    if (isHidden) history.shift();
  });
  lines.on('line', (line) => {
    if (isDiscarding) return;
    pasted.push(line);
    if (isPasting) return;
    if (isHidden) output.write('\n');
    isHidden = false;
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
      handlers.onInterrupt();
      return;
    }
    if (lines.line === '' && pasted.length === 0) {
      handlers.onInterrupt();
      return;
    }
    pasted = [];
    isPasting = false;
    output.write('^C\n');
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
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
    hideNextLine: () => {
      isHidden = true;
    },
    close: () => lines.close(),
  };
};
