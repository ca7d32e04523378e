/** A TOML basic string: JSON's escapes are TOML's too, once DEL and what changes direction are escaped. */
export function tomlText(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A key of TOML: in quotes where it has other characters than a bare key may. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key);
}
