import { explainer, wording } from './explain.ts';

/** Why webhooks are not received. */
export const WEBHOOKS_ERRORS = {
  'no-webhook-secret': wording((_, { text }) => ({
    en: [
      'no courier has a webhook secret, so nobody could send a webhook',
      'Name its file in remit.toml: webhook_secret_file = "webhook-secret" (at the top, or in the table of its courier).',
    ],
    ar: [
      'لا سرّ إشعارات لأي شركة توصيل، فلا أحد يستطيع إرسال إشعار',
      `سمِّ ملفه في remit.toml: ${text('webhook_secret_file = "webhook-secret"')} (في الأعلى، أو في جدول شركته).`,
    ],
  })),
  'inbox-full': wording(() => ({
    en: ['more webhooks wait to be written than are held at a time', 'The delivery company sends them again.'],
    ar: ['ينتظر الكتابةَ من الإشعارات أكثر مما يُحتفظ به معًا', 'ترسلها شركة التوصيل من جديد.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const webhooksError = explainer('webhooks', WEBHOOKS_ERRORS);
