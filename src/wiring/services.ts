import { replyWarmUps } from '../chat/delivery/warm-up.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Config } from '../platform/config/config.ts';
import type { Parts } from './engine.ts';
import type { Service } from './lifecycle.ts';
import type { openRetention } from './retention.ts';
import { createWarmUp } from './warm-up.ts';

interface ServiceParts extends Parts, Pick<ReturnType<typeof openRetention>, 'retention'> {
  readonly channels: readonly ChannelPlugin[];
}

/** What runs in the background, in the order of starting. */
export const servicesOf = (
  { role }: Pick<Config, 'role'>,
  { base, people, agent, features, engine, retention, channels }: ServiceParts,
): readonly Service[] => [
  { name: 'approvals', ...agent.approvals },
  // A gateway only receives.
  ...(role === 'gateway'
    ? []
    : [
        { name: 'notifier', ...people.notifier },
        { name: 'alerts and briefings', ...features.personal },
      ]),
  { name: 'retention', ...retention },
  { name: 'backups', ...base.backups },
  createWarmUp(
    [...base.warmUps, ...engine.warmUps, ...features.warmUps, ...replyWarmUps(channels)],
    base.logger.named('warm-up'),
  ),
];
