import type { Tool } from '#src/kernel/agent/tool.ts';
import { fetchUrl } from './fetch-url.ts';
import { getDatetime } from './get-datetime.ts';
import { getSystemInfo, type GetSystemInfoDeps } from './get-system-info.ts';
import { notify, type NotifyDeps } from './notify.ts';
import { queryMyData, type QueryMyDataDeps } from './query-my-data.ts';
import type { SafeFetchDeps } from './safe-fetch.ts';

export type GeneralToolDeps = GetSystemInfoDeps &
  SafeFetchDeps &
  QueryMyDataDeps &
  NotifyDeps & {
    /** Overrides the defaults of `SafeFetchDeps`. */
    readonly web?: Partial<Pick<SafeFetchDeps, 'lookup' | 'isPublicAddress' | 'allowedPorts'>>;
  };

/** The reserved names. */
export const GENERAL_TOOL_NAMES = [
  'get_datetime',
  'get_system_info',
  'fetch_url',
  'query_my_data',
  'notify',
] as const;

/** The general tools, beside those for markets. */
export const createGeneralTools = (deps: GeneralToolDeps): readonly Tool[] => [
  getDatetime(deps),
  getSystemInfo(deps),
  fetchUrl({ ...deps, ...deps.web }),
  queryMyData(deps),
  notify(deps),
];
