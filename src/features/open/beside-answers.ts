import type { Feedback } from '#src/kernel/people/feedback.ts';
import type { Events } from '#src/kernel/operations/events.ts';
import type { Profiles } from '#src/kernel/people/profile.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import { createFeedback } from '../feedback/service.ts';
import { createFeedbackStore } from '../feedback/store.ts';
import { createWelcome, type WelcomeService, type WelcomeSettings } from '../welcome/service.ts';
import { createWelcomeStore } from '../welcome/store.ts';

interface BesideAnswersDeps {
  /** Undefined: nobody is welcomed. */
  readonly welcome: WelcomeSettings | undefined;
  readonly profiles: Pick<Profiles, 'get'>;
  /** Tells the notifier that something was stored. */
  readonly wake: () => void;
  readonly storage: Storage;
  readonly files: Pick<SentFiles, 'save'>;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: FinClawLogger;
}

/** What the bot says and asks beside its answers. */
export const openBesideAnswers = (
  deps: BesideAnswersDeps,
): { readonly feedback: Feedback; readonly welcome: WelcomeService | undefined } => ({
  feedback: createFeedback({ ...deps, store: createFeedbackStore(deps.storage) }),
  welcome:
    deps.welcome && createWelcome({ ...deps, ...deps.welcome, store: createWelcomeStore(deps.storage) }),
});
