import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Where Chromium is installed. Undefined if it is not. */
export const findChromium = (): string | undefined => {
  const named = process.env['FINCLAW_CHROMIUM'];
  if (named !== undefined) return named;
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    .find((path) => existsSync(path));
};

/** A name that an attacker has made point to this machine. */
export const REBOUND_NAME = 'evil.test';

/** Starts Chromium without a window. It can reach the loopback addresses only. */
export const startChromium = async (executablePath: string): Promise<Browser> =>
  launch({
    executablePath,
    // Its sandbox needs rights that root in a container does not give away.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      `--host-resolver-rules=MAP ${REBOUND_NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  });
