import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import { shortened } from '#src/kernel/text.ts';
import { unescapeText } from './message-words.ts';
import { OWN_COMMAND } from '../send/markup.ts';

type ReadCommand =
  | { readonly kind: 'command'; readonly isPrivate: boolean; readonly body: string }
  /** `/finclaw 삼성전자 얼마야?`: an ordinary message to the bot. */
  | { readonly kind: 'question'; readonly isPrivate: false; readonly body: string }
  | { readonly kind: 'unknown'; readonly typed: string };

/** Words of an English sentence: `what` is not a mistyped `watch`. */
const OF_SENTENCES: ReadonlySet<string> = new Set(
  (
    'a about all an and any are at can could did do does for from give good has have how i in is it me much my of on ' +
    'or please should show tell than that the this to today was what when where which who why will with would you your'
  ).split(' '),
);
const MAX_COMMAND_WORDS = 4;
/** A shorter word that resembles a command is more likely a name: `ford` is not `find`, `pltr` not `alert`. */
const MIN_MISTYPED_CHARS = 5;

/** Whether the line is a command with one typing mistake and not a sentence that begins with a similar word. */
const isMistyped = (line: string, name: string, definitions: readonly CommandDefinition[]): boolean => {
  const words = line.toLowerCase().split(/\s+/u);
  if (words.length > MAX_COMMAND_WORDS || name.length < MIN_MISTYPED_CHARS) return false;
  if (!/^[a-z]+$/u.test(name) || line.includes('?')) return false;
  if (words.some((word) => OF_SENTENCES.has(word))) return false;
  const names = definitions.flatMap((each) => [each.name, ...each.aliases]);
  return names.some((known) => editDistance(name, known, 1) <= 1);
};

/**
 * `/price AAPL` and `/finclaw price AAPL` are the same. `/finclaw` alone shows the help; followed by other text it asks
 * the bot. A misspelt command stays as it is, because the answer suggests the right one.
 */
export const readCommand = (
  { command, text = '' }: { readonly command: string; readonly text?: string | undefined },
  definitions: readonly CommandDefinition[],
): ReadCommand => {
  const isOwn = command.toLowerCase() === OWN_COMMAND;
  const line = unescapeText(isOwn ? text.trim() || 'help' : `${command.slice(1)} ${text}`).trim();
  const [, word = '', rest = ''] = /^\/?(\S*)\s*([^]*)/.exec(line) ?? [];
  const name = word.toLowerCase().normalize('NFC');
  const definition = definitions.find((each) => each.name === name || each.aliases.includes(name));
  // `/finclaw help me choose a fund` and `/finclaw why did Apple fall?` are questions.
  const isSentence =
    isOwn &&
    ((definition?.name === 'help' && rest.includes(' ')) || (definition?.name === 'why' && rest !== ''));
  if (definition && !isSentence) {
    const { isPrivate = false } = definition;
    return { kind: 'command', isPrivate, body: `/${definition.name} ${rest}`.trim() };
  }
  if (!isOwn) return { kind: 'unknown', typed: shortened(command) };
  return line.startsWith('/') || isMistyped(line, name, definitions)
    ? { kind: 'command', isPrivate: true, body: `/${name} ${rest}`.trim() }
    : { kind: 'question', isPrivate: false, body: line };
};

/** Mentions, and then `/finclaw` with what follows it. */
const TYPED = new RegExp(`^((?:\\s*<@[A-Z0-9]+(?:\\|[^<>]*)?>)*\\s*)${OWN_COMMAND}(?!\\S)([^]*)$`, 'iu');

/**
 * A message with `/finclaw` in it means the same as the slash command. In threads, where Slack has no slash commands, people
 * type it behind a mention.
 */
export const withoutOwnCommand = (body: string, definitions: readonly CommandDefinition[]): string => {
  const [, mentions, text = ''] = TYPED.exec(body) ?? [];
  if (mentions === undefined) return body;
  const read = readCommand({ command: OWN_COMMAND, text }, definitions);
  return read.kind === 'unknown' ? body : mentions + read.body;
};
