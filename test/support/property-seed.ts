import * as fc from 'fast-check';

/** The same cases in every run, so that a failure is due to a change. Other cases: `FINCLAW_PROPERTY_SEED=$RANDOM npm test`. */
fc.configureGlobal({ seed: Number(process.env['FINCLAW_PROPERTY_SEED'] ?? 1) });
