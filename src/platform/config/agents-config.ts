import { z } from 'zod';
import { GROUNDING_MODES } from '#src/kernel/agent/agent-settings.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { nonEmpty } from '#src/kernel/operations/setting-schemas.ts';
import { temperature } from './models-config.ts';
import { accountId, chatId, integer, names, toolPattern, userId } from './values.ts';

const agentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'is no name for an agent; use up to 32 small letters, digits, "-" and "_", such as research',
  );

const agent = z.strictObject({
  model: nonEmpty
    .exactOptional()
    .describe('Model of this agent, by id or alias. Without it: the configured model.'),
  fallbacks: z
    .array(nonEmpty)
    .exactOptional()
    .describe('Models to try when its own fails, in this order. Empty list: none.'),
  instructions: z
    .string()
    .max(4_000)
    .exactOptional()
    .describe('Your instructions to its model, after `agent.instructions`.'),
  tools: z
    .strictObject({
      allow: z
        .array(toolPattern)
        .exactOptional()
        .describe('Allowed tools. Without it: all. Empty list: none.'),
      deny: z.array(toolPattern).exactOptional().describe('Forbidden tools. Overrides `allow`.'),
    })
    .exactOptional()
    .describe(
      'Tools that it may use: names, where `*` matches any characters, or `group:` and the name of a group.',
    ),
  queueMode: z
    .enum(QUEUE_MODES)
    .exactOptional()
    .describe('Handling of messages that arrive during an answer.'),
  maxTurns: integer(1, 50).exactOptional().describe('Model calls per message. Without it: `agent.maxTurns`.'),
  temperature: temperature.exactOptional(),
  grounding: z
    .strictObject({
      mode: z
        .enum(GROUNDING_MODES)
        .exactOptional()
        .describe('What follows a number without a source. Without it: `grounding.mode`.'),
    })
    .exactOptional()
    .describe('The check of the numbers in its answers.'),
  maxConcurrentTurns: integer(1, 1_000)
    .exactOptional()
    .describe(
      'Answers that it makes at the same time; further questions wait. Without it: only the limit of the lane applies.',
    ),
});

/** `agents`: several personas of one bot, each with its own model, instructions and tools. */
export const agentsSchema = z
  .record(agentId, agent)
  .default({})
  .describe(
    'Agents by name, each with its own model, instructions and tools. The agent `main` always exists.',
  );

const binding = z.strictObject({
  agent: nonEmpty.describe('Agent that answers: `main`, or one of `agents`.'),
  peers: names('person', userId).describe('User ids: `discord:123` or `123`.'),
  channels: names('channel', chatId).describe(
    'Platforms (`discord`) or chats (`discord:123` or `123`). A thread belongs to its chat.',
  ),
  accounts: names('account', accountId).describe('Accounts of the bot: `slack:123` or `123`.'),
  chatTypes: z
    .array(z.enum(['direct', 'group', 'channel']))
    .min(1, 'must name at least one kind of chat; leave it out for every kind')
    .exactOptional()
    .describe('Kinds of chat.'),
  priority: z.number().int().default(0).describe('Of bindings of the same rank, the highest priority wins.'),
});

/** `bindings`: rules that decide which agent answers where. */
export const bindingsSchema = z
  .array(binding)
  .default([])
  .describe(
    'Which agent answers where. A binding matches if everything that it names matches. Bindings of people override those of channels, these override those of accounts, and these override the rest. If none matches, `main` answers.',
  );

interface Agents {
  readonly agents: z.output<typeof agentsSchema>;
  readonly bindings: z.output<typeof bindingsSchema>;
}

/** Reports every binding whose agent does not exist. */
export const checkBindings = ({ agents, bindings }: Agents, ctx: z.RefinementCtx): void => {
  const known = new Set(['main', ...Object.keys(agents)]);
  for (const [index, { agent }] of bindings.entries()) {
    if (known.has(agent)) continue;
    ctx.addIssue({
      code: 'custom',
      path: ['bindings', index, 'agent'],
      message: `names no agent; those of this file are ${[...known].join(', ')}`,
    });
  }
};
