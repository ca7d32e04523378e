export { makeFolder } from './folder.ts';
export { type ProtectedFile, refuseProtected } from './protect.ts';
export { NotRegularError, readRegularFile } from './read.ts';
export { replaceFile } from './replace.ts';
export { isProcessAlive } from './temporary.ts';
