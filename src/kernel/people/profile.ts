import type { Locale } from '../locale.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { MsgContext } from '../chat/message.ts';
import type { Requester } from './requester.ts';

export const RISK_TOLERANCES = ['conservative', 'moderate', 'aggressive'] as const;
export const COMPLIANCE_LEVELS = ['retail', 'professional', 'institutional'] as const;
export const PROFILE_MARKETS = ['KRX', 'US', 'crypto', 'FX'] as const;

/** How a person invests, as they set it. */
export interface InvestmentProfile {
  readonly riskTolerance?: (typeof RISK_TOLERANCES)[number];
  readonly preferredMarkets?: readonly (typeof PROFILE_MARKETS)[number][];
  readonly complianceLevel?: (typeof COMPLIANCE_LEVELS)[number];
}

/** An investment profile with language and time zone. */
export interface UserProfile extends InvestmentProfile {
  readonly locale?: Locale;
  readonly timeZone?: string;
  /** The platform's last report, because not every message contains it. */
  readonly platform?: PlatformHints;
}

/** Platform data from which the time zone is derived. */
export type PlatformHints = Pick<MsgContext, 'timeZone' | 'languageTag'>;

/** Port: profiles set with `/profile`. Empty if nothing was set. */
export interface Profiles {
  readonly get: (channelId: ChannelId, userId: UserId) => Promise<UserProfile>;
  /** Reads and writes atomically. If `change` returns undefined, nothing is changed. */
  readonly change: (
    channelId: ChannelId,
    userId: UserId,
    change: (before: UserProfile) => UserProfile | undefined,
  ) => Promise<UserProfile | undefined>;
}

/** Port: alerts, reminders and briefings that were set while the person's time zone was only a guess. */
export interface TimeZoneService {
  /** Moves them to the same local time in the confirmed zone. Returns a sentence for each that moved. */
  readonly settle: (requester: Requester, timeZone: string) => Promise<readonly string[]>;
}
