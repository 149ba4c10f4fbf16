import type { FinClawLogger } from '../logging/logger.ts';
import type { SharedSettings } from '../storage/shared-settings.ts';
import type { ProcessBus } from './process-bus.ts';

export type ShareSettings = (kind: string) => SharedSettings;

export const createShareSettings =
  (bus: Pick<ProcessBus, 'publish' | 'listen'>, logger: Pick<FinClawLogger, 'error'>): ShareSettings =>
  (kind) => ({
    changed: () => bus.publish('settings', kind),
    onChanged: (reload) => {
      /** One after the other, so that an older reading does not come last. */
      let reading: Promise<void> = Promise.resolve();
      const again = (): void => {
        reading = reading
          .then(reload)
          .catch((error: unknown) =>
            logger.error('A change by another process could not be applied here', { what: kind, error }),
          );
      };
      bus.listen('settings', {
        told: (what) => {
          if (what === kind) again();
        },
        gap: again,
      });
    },
  });
