import type { EventName, Events, FinClawEventMap } from '#src/kernel/operations/events.ts';
import type { LogLevel } from '#src/kernel/operations/log.ts';
import type { FinClawLogger } from './logger.ts';

/** Events that matter to operators, each with its sentence. All others are logged by name at `debug`. */
const SENTENCES: { readonly [Name in EventName]?: readonly [level: LogLevel, sentence: string] } = {
  'delivery:failed': ['error', 'An answer could not be delivered'],
  'delivery:retry': ['warn', 'An answer could not be sent; trying again'],
  'inbox:dead': ['error', 'A message was given up'],
  'channel:event:error': ['error', 'An event of a platform could not be handled'],
  'channel:post:refused': ['info', 'A platform refused a post'],
  'inbox:recover': ['info', 'Resuming unfinished messages'],
  'retention:purge': ['info', 'Old data was deleted'],
  'backup:made': ['info', 'A backup was made'],
  'backup:failed': ['error', 'No backup could be made'],
  'tool:execute:error': ['warn', 'A tool failed'],
  'tool:circuit:change': ['warn', 'The circuit breaker of a tool changed'],
  'provider:circuit:change': ['warn', 'The circuit breaker of a provider changed'],
  'model:fallback': ['info', 'A model failed; asking the next one'],
  'auth:cooldown': ['warn', 'A key is paused'],
  'auth:health:change': ['warn', 'The state of a key changed'],
  'context:window:status': ['info', 'A conversation nearly fills the window of its model'],
  'execution:context_threshold': ['info', 'A conversation has passed a mark of the window of its model'],
  'answer:miss': ['info', 'The check doubts something in an answer'],
  'answer:repair': ['info', 'The correction of an answer is complete'],
};

/** The part of the program that an event belongs to, by the first word of its name. */
const PARTS: Readonly<Record<string, string>> = {
  gate: 'intake',
  channel: 'intake',
  inbox: 'intake',
  execution: 'agent',
  answer: 'agent',
  session: 'agent',
  context: 'agent',
  model: 'models',
  provider: 'models',
  auth: 'keys',
  tool: 'tools',
  approval: 'tools',
  plugin: 'plugins',
  skill: 'skills',
  retention: 'storage',
  backup: 'storage',
};

/** One line for each message. The session and the stages are in the lines at `debug`. */
const endOf = ({
  sessionKey: _session,
  stages: _stages,
  success: _success,
  reason,
  outcome,
  ...rest
}: FinClawEventMap['pipeline:complete']) => ({
  outcome,
  // The reason of a command only repeats its name.
  fields: { ...rest, ...(reason !== undefined && rest.command === undefined && { reason }) },
});

/** TypeScript cannot tell from the name of an event which payload it has. */
const isOf = <Name extends EventName>(
  wanted: Name,
  name: EventName,
  _payload: FinClawEventMap[EventName],
): _payload is FinClawEventMap[Name] => name === wanted;

export const logEvents = (events: Events, logger: FinClawLogger): void => {
  const loggers = new Map<string, FinClawLogger>();
  const loggerOf = (event: EventName): FinClawLogger => {
    const known = loggers.get(event);
    if (known) return known;
    const [topic = ''] = event.split(':');
    const made = logger.named(PARTS[topic] ?? topic);
    loggers.set(event, made);
    return made;
  };
  events.onAny((name, payload) => {
    const speaker = loggerOf(name);
    if (isOf('pipeline:complete', name, payload)) {
      const { outcome, fields } = endOf(payload);
      // A failure was logged when it happened.
      speaker[outcome === 'failed' ? 'debug' : 'info'](outcome, { event: name, ...fields });
      return;
    }
    if (isOf('pipeline:error', name, payload)) {
      speaker.error('failed', { event: name, ...payload });
      return;
    }
    const [level, sentence] = SENTENCES[name] ?? [];
    if (level && sentence !== undefined) speaker[level](sentence, { event: name, ...payload });
    else speaker.debug(name, payload);
  });
};
