import { z } from 'zod';
import { agentOf, type AgentTable, MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { LANE_DEFAULTS, type LaneConfig, type LaneSettings } from '../concurrency/concurrency-lane.ts';
import { integer } from './values.ts';

const lane = ({ maxConcurrency, maxQueueSize, timeoutMs }: LaneConfig, what: string) =>
  z
    .strictObject({
      maxConcurrency: integer(1, 1_000).default(maxConcurrency).describe('How many run at the same time.'),
      maxQueueSize: integer(1, 100_000)
        .default(maxQueueSize)
        .describe('How many may wait. Further ones are refused, and the sender is told.'),
      timeoutSeconds: z
        .number()
        .positive()
        .max(3_600)
        .default(timeoutMs / 1_000)
        .describe('Longest wait. After that, one is refused and the sender is told.'),
    })
    .prefault({})
    .describe(what);

/** `lanes`: how much runs at the same time. */
export const lanesSchema = z
  .strictObject({
    main: lane(
      LANE_DEFAULTS.main,
      'Answers to people. `queue.maxRunningPerPerson` limits the share of one person.',
    ),
    cron: lane(LANE_DEFAULTS.cron, 'Background work: alerts and briefings.'),
  })
  .prefault({})
  .describe('Concurrency limits. An agent can have a limit of its own: `agents.<name>.maxConcurrentTurns`.');

type Lanes = z.output<typeof lanesSchema>;

const laneOf = ({ timeoutSeconds, ...rest }: Lanes['main']) => ({
  ...rest,
  timeoutMs: timeoutSeconds * 1_000,
});

/** The settings for the lane manager. A conversation whose agent was removed from the file counts for the main agent. */
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
