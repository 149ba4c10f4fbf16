import type { AssistantThread, Json } from '../api.ts';
import { refusalWithReasons, SlackRefusal } from '../errors.ts';
import { type Call, listOf, type Methods, optional, required } from '../method.ts';

const TS = /^\d+\.\d{6}$/;
const MAX_PROMPTS = 4;

const setStatus = ({ core, args }: Call): Json => {
  const channel = core.world.channelOf(required(args, 'channel_id', 'channel_not_found')).id;
  const threadTs = required(args, 'thread_ts', 'invalid_thread_ts');
  if (!TS.test(threadTs)) throw new SlackRefusal('invalid_thread_ts');
  // An empty status is how it is taken away; an absent one is a mistake.
  if (args['status'] === undefined) throw new SlackRefusal('invalid_arguments');
  const status = optional(args, 'status') ?? '';
  core.world.statuses.set(`${channel} ${threadTs}`, status);
  core.chronicle.note({ type: 'status', channel, threadTs, status });
  return {};
};

/** Titles and prompts are for threads of the assistant alone. */
const changeThread = ({ core, args }: Call, change: AssistantThread): Json => {
  const channel = core.world.channelOf(required(args, 'channel_id', 'channel_not_found')).id;
  const key = `${channel} ${required(args, 'thread_ts', 'invalid_thread_ts')}`;
  const known = core.world.assistantThreads.get(key);
  if (!known) throw new SlackRefusal('invalid_thread_ts');
  core.world.assistantThreads.set(key, { ...known, ...change });
  return {};
};

const setSuggestedPrompts = (call: Call): Json => {
  const prompts = listOf(call.args, 'prompts').map((prompt) => ({
    title: required(prompt, 'title'),
    message: required(prompt, 'message'),
  }));
  if (prompts.length === 0 || prompts.length > MAX_PROMPTS)
    throw refusalWithReasons('invalid_arguments', `must have 1 to ${MAX_PROMPTS} prompts`);
  return changeThread(call, { prompts });
};

export const assistantMethods: Methods = {
  'assistant.threads.setTitle': {
    scopes: ['assistant:write'],
    run: (call) => changeThread(call, { title: required(call.args, 'title') }),
  },
  'assistant.threads.setSuggestedPrompts': { scopes: ['assistant:write'], run: setSuggestedPrompts },
  'assistant.threads.setStatus': { scopes: ['assistant:write', 'chat:write'], run: setStatus },
};
