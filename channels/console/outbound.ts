import { clearLine, cursorTo } from 'node:readline';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type TerminalOutput = Writable & { readonly isTTY?: boolean };

/** A terminal obeys escape sequences; text from elsewhere must not be able to give it orders. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

type Style = 'bold' | 'dim' | 'cyan' | 'italic';

/** Markdown as a terminal can show it: styles on a screen, plain words in a pipe. Code blocks stay as they are. */
export const renderForTerminal = (text: string, hasColour: boolean): string => {
  const style = (name: Style, words: string): string =>
    hasColour ? styleText(name, words, { validateStream: false }) : words;
  let isCode = false;
  return text
    .replace(UNSAFE, '')
    .split('\n')
    .flatMap((line) => {
      if (/^\s*(```|~~~)/.test(line)) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [style('dim', line)];
      return [
        line
          .replace(/\*\*([^*]+)\*\*/g, (_all, words: string) => style('bold', words))
          .replace(/`([^`]+)`/g, (_all, words: string) => style('cyan', words))
          .replace(/(?<![\w\p{L}])_([^_]+)_(?![\w\p{L}])/gu, (_all, words: string) => style('italic', words)),
      ];
    })
    .join('\n');
};

const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Prints below whatever is being typed, and takes a waiting sign away first. */
export const print = async (output: TerminalOutput, text: string): Promise<void> => {
  if (output.isTTY) {
    cursorTo(output, 0);
    clearLine(output, 0);
  }
  await write(output, `${text}\n`);
};

export const showWaitingSign = (output: TerminalOutput, hasColour: boolean): Promise<void> => {
  const sign = hasColour ? styleText('dim', '…', { validateStream: false }) : '…';
  return output.isTTY ? write(output, `\r${sign}`) : Promise.resolve();
};
