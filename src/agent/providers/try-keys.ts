import { withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';
import { FailoverError } from '../errors.ts';
import type { Providers } from './providers.ts';
import type { KeyRing, KeyTrial } from '../keys/key-ring.ts';

const KEY_TRIAL_MS = 5_000;

interface TrialDeps extends Uses<'clock'> {
  readonly keys: Pick<KeyRing, 'tryAll'>;
  readonly providers: Pick<Providers, 'adapterFor'>;
}

/** Checks every key with its provider, for the doctor, at no cost. */
export const tryKeys = (
  { keys, providers, clock }: TrialDeps,
  signal: AbortSignal,
): Promise<readonly KeyTrial[]> =>
  keys.tryAll(async (provider, apiKey) => {
    const adapter = await providers.adapterFor(provider, apiKey);
    // One unresponsive server must not block the report on the others.
    const late = (): Error => new FailoverError(`no answer within ${KEY_TRIAL_MS / 1_000} s`, 'timeout');
    const deadline = withDeadline(signal, KEY_TRIAL_MS, clock, late);
    await adapter.checkKey(deadline.signal).finally(deadline.clear);
  }, signal);
