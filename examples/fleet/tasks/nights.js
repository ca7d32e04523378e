import { readdir } from 'node:fs/promises';

/** Adds one job for each books folder below FLEET_BOOKS. One that still waits, or that has failed for good, is replaced. */
export default async function nights(_payload, { addJob, logger }) {
  const folders = await readdir(process.env.FLEET_BOOKS, { withFileTypes: true });
  const merchants = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const merchant of merchants) {
    // Jobs of one queue run one after the other: no merchant has two nights at once.
    await addJob('night', { merchant }, { jobKey: `night:${merchant}`, queueName: merchant, maxAttempts: 3 });
  }
  logger.info(`${merchants.length} nights were planned`);
}
