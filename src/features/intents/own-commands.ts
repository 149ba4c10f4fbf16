import { type SetAlertInput, conditionText } from '#src/features/alerts/condition-input.ts';
import type { OwnCommand, SentenceCall } from '#src/kernel/agent/sentence.ts';

/** The input of a call as it is typed, without what is absent. */
type Typed = Readonly<Partial<Record<string, string>>>;
type Write = (typed: Typed, input: SentenceCall['input']) => string | undefined;

const typedOf = (input: SentenceCall['input']): Typed =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  );

const hasOnly = (typed: Typed, names: readonly string[]): boolean =>
  Object.keys(typed).every((name) => names.includes(name));

/** Undefined where the words of the command cannot say it: half of a wish would look like the whole. */
const tradeCommand: Write = (typed) => {
  const { kind = '', symbol = '', quantity = '', price = '', currency = '', date = '' } = typed;
  const isPlain = (kind === 'buy' || kind === 'sell') && quantity !== '' && price !== '';
  if (!isPlain || !hasOnly(typed, ['kind', 'symbol', 'quantity', 'price', 'currency', 'date']))
    return undefined;
  return `/portfolio ${kind} ${symbol} ${quantity} ${price} ${currency} ${date}`;
};

const briefingCommand: Write = ({ action, time = '', days = '', names }) => {
  if (names !== undefined) return undefined;
  if (action === 'set') return `/briefing ${time} ${days} dm`;
  return action === 'list' ? '/briefing list' : undefined;
};

const READS_AND_SETS: Readonly<Record<string, Write>> = {
  get_portfolio: ({ view }) => (view === 'actions' ? '/portfolio actions' : '/portfolio summary'),
  analyze_portfolio: ({ range = '', benchmark = '' }) => `/portfolio analysis ${range} ${benchmark}`,
  get_tax_report: ({ year = '' }) => `/portfolio tax ${year}`,
  list_alerts: () => '/alerts',
  set_alert: (typed, input) =>
    hasOnly(typed, ['symbol', 'condition', 'value', 'fromNow', 'days', 'keyword'])
      ? `/alert ${conditionText(input as SetAlertInput)}`
      : undefined,
  manage_watchlist: ({ action = '', names = '' }) =>
    action === 'show' ? '/watch list' : `/watch ${action} ${names}`,
  set_briefing: briefingCommand,
};

/** Only the person who said it may press these, and is asked first. */
const GUARDED: Readonly<Record<string, Write>> = {
  record_transaction: tradeCommand,
  undo_transaction: ({ number = '' }) => `/portfolio undo ${number}`,
  remove_alert: ({ which = '' }) => `/alert delete ${which}`,
};

const commandOf = ({ tool, input }: SentenceCall): OwnCommand | undefined => {
  const command = (READS_AND_SETS[tool] ?? GUARDED[tool])?.(typedOf(input), input);
  if (command === undefined) return undefined;
  return { command: command.replaceAll(/\s+/gu, ' ').trim(), isGuarded: GUARDED[tool] !== undefined };
};

/** Commands that do for one person alone what these calls would do. None if one of the calls cannot be said so. */
export const ownCommandsFor = (calls: readonly SentenceCall[]): readonly OwnCommand[] => {
  const found = calls.flatMap((call) => commandOf(call) ?? []);
  return found.length === calls.length ? found : [];
};
