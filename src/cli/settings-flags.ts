import type { SettingFlags } from '../config/index.ts';

export interface SettingInput {
  readonly apiUrl?: string | undefined;
  readonly ledger?: string | undefined;
  readonly concurrency?: number | undefined;
}

/** The settings that were given as flags, under their names in remit.toml. */
export function settingFlags({ apiUrl, ledger, concurrency }: SettingInput): SettingFlags {
  return {
    ...(apiUrl === undefined ? {} : { api_url: apiUrl }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
