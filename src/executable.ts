import { isStartedAs } from './base/program.ts';

/**
 * The first file of the single executable, which starts itself again to read a file from outside, and for a sync of the
 * desk.
 */
if (isStartedAs('read-child')) import('./imports/formats/read-child.ts');
else if (isStartedAs('sync-child')) import('./desk/syncs/sync-child.ts');
else import('./main.ts');
