import type { VNode } from 'preact';
import type { Severity } from '../../../base/states.ts';
import { usePage } from './words.ts';

/** How grave a mismatch is, as a coloured label. */
export function SeverityBadge({ of }: { readonly of: Severity }): VNode {
  return <span class={`badge ${of}`}>{usePage().word(of)}</span>;
}
