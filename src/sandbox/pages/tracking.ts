import { createHash } from 'node:crypto';
import { pagePolicy } from '../http/headers.ts';
import type { StatestampRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

const STYLE = `
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1f2937 }
ol { padding-left: 1.2rem } time { color: #6b7280 }
`;

/** The policy of {@link trackingPage}: its own style and nothing else. */
export const TRACKING_POLICY = pagePolicy(`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`);

/**
 * The page behind an order's links: its states and when it came to them, and nothing of the customer or the money, because
 * whoever has the link may look. Undefined where there is no such order.
 */
export function trackingPage(store: Store, orderId: string): string | undefined {
  const stamps = store.all<StatestampRow>('select * from statestamp where order_id = ? order by position', orderId);
  if (stamps.length === 0) return undefined;
  const steps = stamps.map(
    ({ delivery_state, stamped_at }) =>
      `<li><b>${delivery_state.replaceAll('_', ' ')}</b> <time>${stamped_at.slice(0, 16).replace('T', ' ')} UTC</time></li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Order ${orderId}</title>
<style>${STYLE}</style>
<h1>Order ${orderId}</h1>
<ol>
${steps.join('\n')}
</ol>
</html>
`;
}
