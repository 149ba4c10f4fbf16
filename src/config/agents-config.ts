import { z } from 'zod';
import { QUEUE_MODES } from '#src/core/ports.ts';
import { temperature } from './engine-settings.ts';
import { names, nonEmpty, toolPattern } from './values.ts';

const agentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'is no name for an agent; use up to 32 small letters, digits, "-" and "_", such as research',
  );

const agent = z.strictObject({
  model: nonEmpty.exactOptional().describe('Id or alias. Left out: that of all.'),
  fallbacks: z
    .array(nonEmpty)
    .exactOptional()
    .describe('Models that are tried when its own fails, in this order. Empty: none.'),
  instructions: z
    .string()
    .max(4_000)
    .exactOptional()
    .describe('Your own words to its model, behind `agent.instructions`.'),
  tools: z
    .strictObject({
      allow: z.array(toolPattern).exactOptional().describe('Left out: all tools. Empty: none.'),
      deny: z.array(toolPattern).exactOptional().describe('Goes before `allow`.'),
    })
    .exactOptional()
    .describe(
      'Tools that it may use: names, with `*` for any characters, or `group:` and the name of a group.',
    ),
  queueMode: z
    .enum(QUEUE_MODES)
    .exactOptional()
    .describe('How messages that arrive during an answer are treated.'),
  maxTurns: z
    .number()
    .int()
    .min(1)
    .max(50)
    .exactOptional()
    .describe('Model calls for one message. Left out: `agent.maxTurns`.'),
  temperature: temperature.exactOptional(),
  maxConcurrentTurns: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .exactOptional()
    .describe(
      'How many answers it makes at once; further questions wait. Left out: only the cap of the lane applies.',
    ),
});

/** `agents`: several characters of one bot, each with a model, words and tools of its own. */
export const agentsSchema = z
  .record(agentId, agent)
  .default({})
  .describe('Agents by name, each with what it has of its own. `main` is always there.');

const binding = z.strictObject({
  agent: nonEmpty.describe('`main`, or one of `agents`.'),
  peers: names('person').describe('User ids, as `channel:id` or plain ids.'),
  channels: names('channel').describe(
    'Platforms such as `discord`, or chats as `discord:id` or plain ids; a thread belongs to its chat.',
  ),
  accounts: names('account').describe('Accounts of the bot, as `slack:id` or plain ids.'),
  chatTypes: z
    .array(z.enum(['direct', 'group', 'channel']))
    .min(1, 'must name at least one kind of chat; leave it out for every kind')
    .exactOptional(),
  priority: z.number().int().default(0).describe('Of rules with the same rank, the highest goes first.'),
});

/** `bindings`: which agent answers where. */
export const bindingsSchema = z
  .array(binding)
  .default([])
  .describe(
    'Which agent answers. A rule fits where all that it names fits; one for people goes before one for channels, that before one for accounts, that before the rest. Where none fits, `main` answers.',
  );

interface Agents {
  readonly agents: z.output<typeof agentsSchema>;
  readonly bindings: z.output<typeof bindingsSchema>;
}

/** Every rule leads to an agent that exists. */
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
