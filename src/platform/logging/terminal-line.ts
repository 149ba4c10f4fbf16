import { type LogEntry, MAIN_LOGGER, onOneLine } from './log-entry.ts';
import { isPlainError, type PlainError } from './plain-values.ts';

const MAX_VALUE_CHARS = 300;
const MAX_CAUSES = 4;

const cut = (text: string): string =>
  text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;

/** The message of an error with those of its causes, each once. */
const sentenceOf = (error: PlainError): string => {
  const told: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth += 1) {
    if (!isPlainError(current)) {
      told.push(typeof current === 'string' ? current : JSON.stringify(current));
      break;
    }
    const { name, message, code, cause, errors = [] } = current;
    const others = errors
      .map(wordsOf)
      .filter((each) => !message.includes(each))
      .join('; ');
    const text = [message, others].filter((part) => part !== '').join(': ') || name;
    const isTold = told.some((earlier) => earlier.includes(text));
    if (!isTold) told.push(code === undefined || text.includes(String(code)) ? text : `${text} (${code})`);
    current = cause;
  }
  return told.join(' ← ');
};

const wordsOf = (value: unknown): string => {
  if (isPlainError(value)) return sentenceOf(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const PLAIN_WORD = /^[\w.:/@+%$*[\]-]+$/;

/** `attempts=2 stage=deliver reason="no such chat"`. */
const fieldText = (name: string, value: unknown): string => {
  const text = cut(onOneLine(wordsOf(value)));
  const isWord = typeof value !== 'string' || PLAIN_WORD.test(text);
  const isQuoted = isPlainError(value) || !isWord;
  return `${onOneLine(name)}=${isQuoted ? `"${text.replaceAll('"', '\\"')}"` : text}`;
};

const MS_PER_SECOND = 1_000;
/** Above this, seconds are easier to read. */
const LONG_MS = 10_000;

const durationText = (ms: number): string =>
  ms < LONG_MS ? `${Math.round(ms)} ms` : `${(ms / MS_PER_SECOND).toFixed(1)} s`;

const LEAST_USD = 0.0001;

/** Two digits after the point, and more for less than ten cents. */
const costText = (usd: number): string => {
  if (usd >= 0.1) return `$${usd.toFixed(2)}`;
  if (usd < LEAST_USD) return `<$${LEAST_USD}`;
  return usd >= 0.001 ? `$${usd.toFixed(3)}` : `$${usd.toPrecision(1)}`;
};

/** `claude-sonnet-4-5-20250929` is `sonnet-4-5` to people. */
const modelText = (model: string): string => model.replace(/^claude-/, '').replace(/-\d{8}$/, '');

const textIn = (fields: LogEntry['fields'], name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? onOneLine(value) : '';
};

const numberIn = (fields: LogEntry['fields'], name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
};

/** `answered discord/direct in 402 ms · sonnet · 2 tools · $0.004` */
const answerText = ({ msg, fields }: LogEntry): string => {
  const tools = numberIn(fields, 'tools') ?? 0;
  const costUsd = numberIn(fields, 'costUsd') ?? 0;
  const error = fields['error'];
  const parts = [
    textIn(fields, 'command') && `/${textIn(fields, 'command')}`,
    modelText(textIn(fields, 'model')),
    tools > 0 && `${tools} ${tools === 1 ? 'tool' : 'tools'}`,
    costUsd > 0 && costText(costUsd),
    textIn(fields, 'reason'),
    error !== undefined && cut(onOneLine(wordsOf(error))),
    textIn(fields, 'errorId') && `error ${textIn(fields, 'errorId')}`,
  ];
  const place = `${textIn(fields, 'channelId')}/${textIn(fields, 'chatType')}`;
  const durationMs = numberIn(fields, 'durationMs');
  const took = durationMs === undefined ? '' : ` in ${durationText(durationMs)}`;
  return [`${msg} ${place}${took}`, ...parts.filter(Boolean)].join(' · ');
};

/** `slack: Slack: connected` would say it twice. */
const namesItself = ({ logger, msg }: LogEntry): boolean =>
  logger === MAIN_LOGGER ||
  (msg.toLowerCase().startsWith(logger.toLowerCase()) && !/^[a-z]/i.test(msg.slice(logger.length)));

/** The entry as one sentence with `key=value` behind it, without time and level. */
export const lineText = (entry: LogEntry): string => {
  const { logger, msg, fields } = entry;
  // The outcome of a message.
  if (logger === 'pipeline' && 'chatType' in fields) return answerText(entry);
  const told = Object.entries(fields).filter(([name]) => name !== 'event');
  const speaker = namesItself(entry) ? '' : `${logger}: `;
  return [`${speaker}${onOneLine(msg)}`, ...told.map(([name, value]) => fieldText(name, value))].join(' ');
};

const stackIn = (value: unknown): string | undefined => {
  if (!isPlainError(value)) return undefined;
  const { stack, cause, errors = [] } = value;
  return stack ?? [cause, ...errors].map(stackIn).find((found) => found !== undefined);
};

/** The frames of the stack, indented, so that no line of theirs looks like one of the log. */
const framesIn = ({ fields }: LogEntry): string => {
  const stack = Object.values(fields)
    .map(stackIn)
    .find((found) => found !== undefined);
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return frames.map((line) => `\n    ${onOneLine(line.trim())}`).join('');
};

const DIM = '2';
const COLOURS: Readonly<Record<LogEntry['level'], string>> = {
  debug: DIM,
  info: '',
  warn: '33',
  error: '31',
};

const clockTime = (at: Temporal.Instant): string =>
  at.toZonedDateTimeISO(Temporal.Now.timeZoneId()).toPlainTime().toString({ smallestUnit: 'second' });

/** One readable line. Only a bug of ours has its stack below. */
export const terminalLine = (entry: LogEntry, hasColour: boolean): string => {
  const paint = (text: string, colour: string): string =>
    hasColour && colour !== '' ? `\u001B[${colour}m${text}\u001B[0m` : text;
  const { at, level } = entry;
  const mark = level === 'info' ? '' : `${paint(level.toUpperCase(), COLOURS[level])} `;
  return `${paint(clockTime(at), DIM)} ${mark}${lineText(entry)}${framesIn(entry)}\n`;
};
