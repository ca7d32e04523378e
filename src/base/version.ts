/** The version of remit, as in package.json (a test keeps the two equal; reading the file would slow every start). */
export const VERSION = '1.1.0';
