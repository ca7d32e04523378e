/** Of `node:sea`, which the types of Node 20 do not have. */
interface Sea {
  isSea(): boolean;
  getAsset(name: string): ArrayBuffer;
}

/** What Node knows of the one file that it runs as; undefined where it is too old to. */
export const sea = process.getBuiltinModule('node:sea') as Sea | undefined;

/** Whether remit runs as one file, made by executable.mjs, with all else that it needs inside. */
export const isExecutable = sea?.isSea() ?? false;
