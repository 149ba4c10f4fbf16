import type { Engine } from '../agent/engine.ts';
import { openBesideAnswers } from '#src/features/open/beside-answers.ts';
import { createHome } from '#src/features/home/home.ts';
import { openFeatures } from '#src/features/open/open-features.ts';
import type { Config } from '../platform/config/config.ts';
import type { Agent } from './agent.ts';
import { type Base, loggingAs } from './base.ts';
import type { People } from './people.ts';

interface FinanceParts {
  readonly base: Base;
  readonly people: People;
  readonly agent: Agent;
  /** Opened after the features, because it calls their tools. */
  readonly engine: () => Pick<Engine, 'readPicture'>;
}

/** Opens the features for markets and account data, and what the bot says and asks beside its answers. */
export const openFinance = (
  config: Config,
  { base, people, agent, engine }: FinanceParts,
  opened: AsyncDisposableStack,
) => {
  const { channelOf, messenger, notifier, admission } = people;
  const { wake } = notifier;
  const features = openFeatures({
    ...loggingAs(base, 'market'),
    settings: config.market,
    hasLiveModel: () => !agent.models.describeDefault().isOffline,
    showsSparklines: (channelId) => channelOf(channelId).capabilities.showsSparklines === true,
    personal: {
      ...people,
      settings: config,
      lanes: base.lanes,
      leads: base.cluster?.isLeading,
      sharedPlans: base.cluster?.shareSettings('alerts and briefings'),
      wake,
      readPicture: (task, signal) => engine().readPicture(task, signal),
      directTarget: ({ target, isDirect }) => messenger.directTarget(target, isDirect ? 'direct' : 'channel'),
    },
  });
  opened.defer(features.stop);
  const welcome = config.welcome ? { ...config, ...admission } : undefined;
  return {
    ...features,
    ...openBesideAnswers({ ...loggingAs(base, 'delivery'), ...people, wake, welcome }),
    home: createHome({ ...loggingAs(base, 'home'), ...people, ...admission, ...features.personal }),
  };
};

export type Finance = ReturnType<typeof openFinance>;
