import { createHash } from 'node:crypto';

/** A `FINCLAW_SECRET_KEY` that looks as random as a real one: the same for the same seed. */
export const secretKeyOf = (seed: number): string =>
  createHash('sha256').update(`seed ${seed}`).digest('base64');
