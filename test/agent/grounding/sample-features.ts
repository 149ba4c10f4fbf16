import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Features, openFeatures } from '#src/features/open/open-features.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { openStorage } from '#src/platform/storage/database.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';

/** A Saturday in Seoul: all exchanges have closed the day before, so "yesterday" is the last trading day. */
const STARTS_AT = '2026-11-13T22:00:00Z';
export const TODAY = Temporal.PlainDate.from('2026-11-14');

export interface SampleFeatures {
  readonly features: Features;
  readonly close: () => Promise<void>;
}

/** The features of the program on the sample market, with a database of their own. */
export const openSampleFeatures = async (): Promise<SampleFeatures> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-facts-'));
  const clock = new ManualClock(STARTS_AT);
  const storage = await openStorage({ dataDir, schema: SCHEMA });
  const features = openFeatures({
    settings: { mode: 'sample', hasLiveSetup: false },
    personal: personalDepsOn(storage, clock),
    files: createSentFiles({ dataDir, clock }),
    clock,
    logger: createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined }),
  });
  const close = async (): Promise<void> => {
    await features.stop();
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { features, close };
};
