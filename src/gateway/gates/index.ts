import type { Gate } from '#src/core/gate.ts';
import { blank } from './blank.ts';
import { itself } from './itself.ts';
import { length, type LengthDeps } from './length.ts';
import { secrets, type SecretsDeps } from './secrets.ts';

/** In the order in which they are asked: the cheap and the silent first. */
export const createGates = (deps: LengthDeps & SecretsDeps): readonly Gate[] => [
  itself(),
  blank(),
  length(deps),
  secrets(deps),
];
