import type { TestProject } from 'vitest/node';
import { findChromium, startChromium } from './chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the running Chromium. Empty if none is installed. */
    chromium: string;
  }
}

const NO_BROWSER = `
!! No Chromium was found: the browser tests are SKIPPED.
!! Debian: apt-get install --no-install-recommends chromium-headless-shell
!! Elsewhere: set FINCLAW_CHROMIUM to the path of a Chromium or Chrome.
`;

/** Starts one Chromium for all files. Says loudly that there is none, and fails where there must be one. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const path = findChromium();
  if (path === undefined) {
    project.provide('chromium', '');
    if (process.env['FINCLAW_BROWSER'] === 'required') throw new Error(NO_BROWSER);
    console.warn(NO_BROWSER); // oxlint-disable-line no-console
    return undefined;
  }
  const browser = await startChromium(path);
  project.provide('chromium', browser.wsEndpoint());
  return () => browser.close();
};
