import { isStartedAs } from './base/program.ts';

/** The first file of the single executable, which starts itself again to read a file from outside. */
if (isStartedAs('read-child')) import('./imports/formats/read-child.ts');
else import('./main.ts');
