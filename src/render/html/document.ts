import type { VNode } from 'preact';
import { htmlOf } from './stream.tsx';

/** A whole page from its `<html>` element: everything in it is text, never a tag. */
export function documentOf(page: VNode): string {
  return `<!DOCTYPE html>\n${htmlOf(page)}\n`;
}
