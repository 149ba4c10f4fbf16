import type { Feedback } from '#src/kernel/people/feedback.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createFeedback } from '../feedback/service.ts';
import { createFeedbackStore } from '../feedback/store.ts';
import { createWelcome, type WelcomeService, type WelcomeSettings } from '../welcome/service.ts';
import { createWelcomeStore } from '../welcome/store.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface BesideAnswersDeps extends FeatureUses<
  'clock' | 'events' | 'logger' | 'profiles.get' | 'wake' | 'files.save'
> {
  /** Undefined: nobody is welcomed. */
  readonly welcome: WelcomeSettings | undefined;
  readonly storage: Storage;
}

/** What the bot says and asks beside its answers. */
export const openBesideAnswers = (
  deps: BesideAnswersDeps,
): { readonly feedback: Feedback; readonly welcome: WelcomeService | undefined } => ({
  feedback: createFeedback({ ...deps, store: createFeedbackStore(deps.storage) }),
  welcome:
    deps.welcome && createWelcome({ ...deps, ...deps.welcome, store: createWelcomeStore(deps.storage) }),
});
