import { z } from 'zod';
import { type AgentTable, MAIN_AGENT } from '#src/core/agent-settings.ts';
import { asId, type SessionKey } from '#src/core/ids.ts';
import { agentOf } from '#src/core/session-agent.ts';
import { LANE_DEFAULTS, type LaneConfig, type LaneSettings } from '#src/infra/concurrency-lane.ts';

const lane = ({ maxConcurrency, maxQueueSize, timeoutMs }: LaneConfig, what: string) =>
  z
    .strictObject({
      maxConcurrency: z
        .number()
        .int()
        .min(1)
        .max(1_000)
        .default(maxConcurrency)
        .describe('How many run at once.'),
      maxQueueSize: z
        .number()
        .int()
        .min(1)
        .max(100_000)
        .default(maxQueueSize)
        .describe('How many may wait. Further ones are refused, with a sentence to the sender.'),
      timeoutSeconds: z
        .number()
        .positive()
        .max(3_600)
        .default(timeoutMs / 1_000)
        .describe('How long one waits at most. After that it is refused, with a sentence to the sender.'),
    })
    .prefault({})
    .describe(what);

/** `lanes`: how much runs at once. */
export const lanesSchema = z
  .strictObject({
    main: lane(
      LANE_DEFAULTS.main,
      'Answers to people. `queue.maxRunningPerPerson` is the share of one person.',
    ),
    cron: lane(LANE_DEFAULTS.cron, 'What the bot does by itself: alerts and briefings.'),
  })
  .prefault({})
  .describe('How much runs at once. An agent can have a cap of its own: `agents.<name>.maxConcurrentTurns`.');

type Lanes = z.output<typeof lanesSchema>;

const laneOf = ({ timeoutSeconds, ...rest }: Lanes['main']) => ({
  ...rest,
  timeoutMs: timeoutSeconds * 1_000,
});

/** The settings in the form that the lane manager takes. A conversation whose agent was removed from the file counts for the main agent. */
export const laneSettings = (config: {
  readonly lanes: Lanes;
  readonly queue: { readonly maxRunningPerPerson: number };
  readonly agents: AgentTable;
}): LaneSettings => ({
  main: { ...laneOf(config.lanes.main), maxPerOwner: config.queue.maxRunningPerPerson },
  cron: laneOf(config.lanes.cron),
  groups: {
    of: (key: string): string => {
      const agent = agentOf(asId<SessionKey>(key));
      return Object.hasOwn(config.agents, agent) ? agent : MAIN_AGENT;
    },
    maxConcurrency: Object.fromEntries(
      Object.entries(config.agents).flatMap(([id, { maxConcurrentTurns }]) =>
        maxConcurrentTurns === undefined ? [] : [[id, maxConcurrentTurns]],
      ),
    ),
  },
});
