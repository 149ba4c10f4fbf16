import type { PlatformKit } from './driver.ts';
import { openSlack, type SlackConnectOptions, slackKit } from './slack.ts';

/**
 * For tests that are not about the connection: a machine that is held up for a moment does not take it for broken, for
 * what is pressed and called while a new one is made is lost, there as here.
 */
export const PATIENT: SlackConnectOptions = { startWaitMs: 5_000, pingTimeoutMs: 5_000 };

export const patientSlackKit: PlatformKit = { ...slackKit, open: () => openSlack({}, PATIENT) };
