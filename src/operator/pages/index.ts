import type { PageId } from '../texts.ts';
import type { Page } from '../page.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { deadLetters } from './dead-letters.ts';
import { feedback } from './feedback.ts';
import { figures } from './figures.ts';
import { keys } from './keys.ts';
import { logs } from './logs.ts';
import { overview } from './overview.ts';
import { plans } from './plans.ts';
import { queue } from './queue.ts';
import { settings } from './settings.ts';
import { shares } from './shares.ts';
import { sources } from './sources.ts';
import { usage } from './usage.ts';

/** All pages by their names. */
export const PAGES: ReadonlyMap<PageId, Page> = new Map(
  [
    overview,
    usage,
    queue,
    deadLetters,
    approvals,
    plans,
    keys,
    sources,
    figures,
    feedback,
    settings,
    logs,
    audit,
    shares,
  ].map((page) => [page.id, page]),
);
