export { explainWriteFault } from './faults.ts';
export { makeFolder } from './folder.ts';
export { type ProtectedFile, refuseProtected } from './protect.ts';
export { NotRegularError, readRegularFile, usingRegularFile } from './read.ts';
export { renameOver } from './rename.ts';
export { replaceFile } from './replace.ts';
export { isProcessAlive, openTemporary } from './temporary.ts';
export { makeFolderBeside, makeTemporaryFolder } from './temporary-folder.ts';
