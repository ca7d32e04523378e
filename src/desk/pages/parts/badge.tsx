import type { VNode } from 'preact';
import { usePage } from './words.ts';

/** How grave a mismatch is, as a coloured label. */
export function SeverityBadge({ of }: { readonly of: 'error' | 'warning' | 'info' }): VNode {
  return <span class={`badge ${of}`}>{usePage().word(of)}</span>;
}
