/** The formats of files for other programs. This file imports nothing: the command line reads it at each start. */

export const JOURNAL_FORMATS = ['hledger', 'beancount', 'csv', 'xero', 'quickbooks'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** The formats of paid orders, each for a shop's bulk import. */
export const SHOP_FORMATS = ['shopify', 'woocommerce'] as const;
export type ShopFormat = (typeof SHOP_FORMATS)[number];
