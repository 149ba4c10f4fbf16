import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayAlerts } from './own-words/alerts.ts';
import { sayCommands } from './own-words/commands.ts';
import { sayOffline } from './own-words/offline.ts';
import { doubtsAbout, type Said } from './own-words/said.ts';
import { sayTools } from './own-words/tools.ts';
import { openSampleFeatures, type SampleFeatures } from './sample-features.ts';

const SPEAKERS = {
  'of commands': sayCommands,
  'that tools return to the model': sayTools,
  'of alerts that fire': sayAlerts,
  'of the offline model': sayOffline,
};
type Speaker = keyof typeof SPEAKERS;
const NAMES = Object.keys(SPEAKERS) as readonly Speaker[];

let opened: SampleFeatures;
beforeAll(async () => {
  opened = await openSampleFeatures();
});
afterAll(() => opened.close());

describe.each(['ko', 'en'] as const)("the program's own words (%s)", (locale) => {
  const said = new Map<Speaker, readonly Said[]>();
  beforeAll(async () => {
    for (const name of NAMES) said.set(name, await SPEAKERS[name](opened.features, locale));
  });

  it.each(NAMES)('have no number that their facts do not say: those %s', (name) => {
    expect(said.get(name)?.flatMap(doubtsAbout)).toEqual([]);
  });
});
