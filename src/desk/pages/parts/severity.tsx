import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { wordsOf } from './words.ts';

interface SeverityProps {
  readonly of: 'error' | 'warning' | 'info';
  readonly desk: DeskContext;
}

export function SeverityBadge({ of, desk }: SeverityProps): VNode {
  return <span class={`badge ${of}`}>{wordsOf(desk).word(of)}</span>;
}
